#include "r1cs/test_system.hpp"

#include "base/check.hpp"

namespace cuzk {
namespace {

using Int = Fr::Int;

std::string decimal_or_power(const Int& v) {
  size_t bits = v.bit_length();
  if (bits <= 64) return std::to_string(v.limb[0]);
  Int power = Int::from_u64(1).shifted_left(bits - 1);
  return v == power ? std::string("2^").append(std::to_string(bits - 1)) : std::string();
}

std::string hex_of(const Int& v) {
  uint8_t bytes[Int::kBytes];
  v.to_be_bytes(bytes);
  std::string digits = to_hex(bytes);
  return digits.replace(0, digits.find_first_not_of('0'), "0x");
}

std::string coefficient_in_words(const Fr& c) {
  if (c.is_one()) return "";
  std::string plain = decimal_or_power(c.to_canonical());
  if (!plain.empty()) return plain + "*";
  std::string negative = decimal_or_power((-c).to_canonical());
  if (!negative.empty()) return std::string("-").append(negative).append("*");
  return hex_of(c.to_canonical()) + "*";
}

std::string side_in_words(const LinearCombination& terms) {
  if (terms.empty()) return "(0)";
  std::string out = "(";
  for (const LinearTerm& t : terms) {
    if (out.size() > 1) out.push_back(' ');
    out += coefficient_in_words(t.coefficient);
    out.push_back(t.variable.is_aux() ? 'w' : 'x');
    out += std::to_string(t.variable.index());
  }
  return out + ")";
}

}  // namespace

TestSystem::TestSystem() : ConstraintSystem(true) {
  alloc_input("one", Fr::one());
}

void TestSystem::name_variable(const std::string& path, Variable v) {
  CUZK_CHECK(by_path_.emplace(path, v).second);
}

Variable TestSystem::alloc(const Name& name, const Fr& value) {
  Variable v = Variable::aux(aux_.size());
  aux_.push_back(value);
  aux_paths_.push_back(path_.join(name));
  name_variable(aux_paths_.back(), v);
  order_.push_back(Kind::kAux);
  return v;
}

Variable TestSystem::alloc_input(const Name& name, const Fr& value) {
  Variable v = Variable::input(inputs_.size());
  inputs_.push_back(value);
  input_paths_.push_back(path_.join(name));
  name_variable(input_paths_.back(), v);
  order_.push_back(Kind::kInput);
  return v;
}

void TestSystem::enforce(const Name& name, LinearTerms a, LinearTerms b, LinearTerms c) {
  Constraint constraint{path_.join(name), {}};
  LinearTerms sides[] = {a, b, c};
  for (size_t i = 0; i < 3; ++i) {
    constraint.sides[i].assign(sides[i].begin(), sides[i].end());
    normalise(constraint.sides[i]);
  }
  constraints_.push_back(std::move(constraint));
  order_.push_back(Kind::kConstraint);
}

Fr TestSystem::evaluate(const LinearCombination& terms) const {
  Fr sum = Fr::zero();
  for (const LinearTerm& t : terms) {
    size_t i = t.variable.index();
    sum += t.coefficient * (t.variable.is_aux() ? aux_[i] : inputs_[i]);
  }
  return sum;
}

std::optional<std::string> TestSystem::which_is_unsatisfied() const {
  for (const Constraint& c : constraints_)
    if (!(evaluate(c.sides[0]) * evaluate(c.sides[1]) == evaluate(c.sides[2]))) return c.path;
  return std::nullopt;
}

Result<Fr> TestSystem::get(const std::string& path) const {
  auto found = by_path_.find(path);
  if (found == by_path_.end()) return fail(ErrorCode::kNotFound, "no variable has the path " + path);
  Variable v = found->second;
  return v.is_aux() ? aux_[v.index()] : inputs_[v.index()];
}

Status TestSystem::set(const std::string& path, const Fr& new_value) {
  auto found = by_path_.find(path);
  if (found == by_path_.end()) return fail(ErrorCode::kNotFound, "no variable has the path " + path);
  value(found->second) = new_value;
  return {};
}

void TestSystem::words(const std::function<void(const std::string&)>& line) const {
  size_t input = 0, aux = 0, constraint = 0;
  auto numbered = [](char kind, size_t number, const std::string& path) {
    std::string text(1, kind);
    text += std::to_string(number);
    text += ' ';
    return text += path;
  };
  for (Kind kind : order_) {
    if (kind == Kind::kInput) {
      line(numbered('x', input, input_paths_[input]));
      ++input;
    } else if (kind == Kind::kAux) {
      line(numbered('w', aux, aux_paths_[aux]));
      ++aux;
    } else {
      const Constraint& c = constraints_[constraint];
      line(numbered('c', constraint, c.path) + " : " + side_in_words(c.sides[0]) + " * " +
           side_in_words(c.sides[1]) + " = " + side_in_words(c.sides[2]));
      ++constraint;
    }
  }
}

}  // namespace cuzk
