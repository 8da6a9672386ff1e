// The plain witness pass: keeps every value, evaluates every constraint. Slow and simple; what faster ways
// are compared with.
#pragma once

#include <functional>
#include <optional>

#include "r1cs/constraint_system.hpp"

namespace cuzk {

class AssignmentSystem final : public ConstraintSystem {
 public:
  // `row` sees A·w, B·w, C·w of each constraint in order.
  using RowSink = std::function<void(const Fr& a, const Fr& b, const Fr& c)>;

  // expected_aux: reserves space (32 bytes each).
  explicit AssignmentSystem(RowSink row = {}, size_t expected_aux = 0);

  Variable alloc(const Name& name, const Fr& value) override;
  Variable alloc_input(const Name& name, const Fr& value) override;
  void enforce(const Name& name, LinearTerms a, LinearTerms b, LinearTerms c) override;
  void push(const Name& name) override { path_.push(name); }
  void pop() override { path_.pop(); }

  // The constant one first.
  const std::vector<Fr>& inputs() const { return inputs_; }
  const std::vector<Fr>& aux() const { return aux_; }
  uint64_t num_constraints() const { return constraints_; }
  uint64_t num_unsatisfied() const { return unsatisfied_; }
  struct Unsatisfied {
    uint64_t constraint;
    std::string path;
  };
  // The first constraint that does not hold.
  const std::optional<Unsatisfied>& first_unsatisfied() const { return first_; }

 private:
  Fr evaluate(LinearTerms terms) const;

  RowSink row_;
  NamePath path_;
  std::vector<Fr> inputs_, aux_;
  uint64_t constraints_ = 0, unsatisfied_ = 0;
  std::optional<Unsatisfied> first_;
};

}  // namespace cuzk
