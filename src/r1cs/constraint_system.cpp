#include "r1cs/constraint_system.hpp"

#include <algorithm>

namespace cuzk {

std::string Name::to_string() const {
  std::string out;
  size_t next = 0;
  for (const char* p = text_; *p != '\0'; ++p) {
    if (p[0] == '{' && p[1] == '}') {
      out += std::to_string(numbers_.at(next++));
      ++p;
    } else {
      out.push_back(*p);
    }
  }
  return out;
}

size_t normalise(LinearCombination& terms) {
  auto less = [](const LinearTerm& x, const LinearTerm& y) { return x.variable < y.variable; };
  if (!std::is_sorted(terms.begin(), terms.end(), less)) std::sort(terms.begin(), terms.end(), less);
  size_t kept = 0, dropped = 0;
  for (size_t i = 0; i < terms.size();) {
    LinearTerm sum = terms[i++];
    while (i < terms.size() && terms[i].variable == sum.variable) sum.coefficient += terms[i++].coefficient;
    if (sum.coefficient.is_zero())
      ++dropped;
    else
      terms[kept++] = sum;
  }
  terms.resize(kept);
  return dropped;
}

std::string NamePath::join(const Name& leaf) const {
  std::string out;
  for (const Name& name : names_) {
    out += name.to_string();
    out.push_back('/');
  }
  return out + leaf.to_string();
}

}  // namespace cuzk
