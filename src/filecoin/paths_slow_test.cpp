// Where each constraint stands: whole circuits' namespaces, and the words of one, against the upstream
// implementation's. An error that names a constraint names it by these.
#include <sstream>

#include "filecoin/test_support.hpp"
#include "r1cs/test_system.hpp"

namespace cuzk {
namespace {

using testing_support::Case;

// "constraint aux path" wherever the path of constraints changes, the path cut after four namespaces
// and before single bits.
class SectionSystem final : public ConstraintSystem {
 public:
  SectionSystem() : ConstraintSystem(false) {}
  Variable alloc(const Name&, const Fr&) override { return Variable::aux(aux_++); }
  Variable alloc_input(const Name&, const Fr&) override { return Variable::input(inputs_++); }
  void enforce(const Name&, LinearTerms, LinearTerms, LinearTerms) override {
    std::string path;
    for (size_t i = 0; i < std::min<size_t>(names_.size(), 4); ++i) {
      const std::string name = names_[i].to_string();
      if (name.starts_with("bit ") || name.starts_with("allocated bit ")) break;
      path += (i > 0 ? "/" : "") + name;
    }
    if (path.empty()) path = "/";
    if (path != last_)
      lines_ += std::to_string(constraints_) + " " + std::to_string(aux_) + " " + path + "\n";
    last_ = std::move(path);
    ++constraints_;
  }
  void push(const Name& name) override { names_.push_back(name); }
  void pop() override { names_.pop_back(); }
  const std::string& lines() const { return lines_; }

 private:
  std::vector<Name> names_;
  std::string last_, lines_;
  size_t inputs_ = 1, aux_ = 0, constraints_ = 0;
};

void compare_lines(const std::string& name, const std::string& expected, const std::string& found) {
  std::istringstream theirs(expected), ours(found);
  std::string a, b;
  for (size_t line = 1; std::getline(theirs, a); ++line) {
    ASSERT_TRUE(std::getline(ours, b))
        << name << " line " << line << ": expected " << a.substr(0, 300) << ", found the end";
    ASSERT_EQ(a, b) << name << " line " << line;
  }
  EXPECT_FALSE(std::getline(ours, b)) << name << ": more than expected, " << b.substr(0, 300);
}

TEST(PathsSlow, NamespacesOfWholeCircuits) {
  for (const char* kind : {"porep", "winning", "window", "snap"})
    for (const char* size : {"2k", "16k", "32k"}) {
      const std::string name = std::string(kind) + "-" + size;
      const auto c = Case::load("circuits/" + name);
      if (!c) GTEST_SKIP() << "no shared vectors for " << name;
      SectionSystem cs;
      synthesize_shape(*parse_circuit_name(name), cs);
      compare_lines(name, *c->read_file("sections/" + name + ".txt"), cs.lines());
    }
}

TEST(PathsSlow, AWholeCircuitInWords) {
  const auto c = Case::load("circuits/window-2k");
  if (!c) GTEST_SKIP() << "no shared vectors";
  TestSystem cs;
  synthesize_shape(*parse_circuit_name("window-2k"), cs);
  std::string words;
  cs.words([&](const std::string& line) { words += line + "\n"; });
  compare_lines("window-2k", *c->read_file("gadgets/window-2k.txt"), words);
}

}  // namespace
}  // namespace cuzk
