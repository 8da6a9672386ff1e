// A constraint system for tests and for looking into circuits: keeps names, constraints and values; finds the
// constraint that fails, changes values, prints everything in words.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>

#include "base/result.hpp"
#include "r1cs/constraint_system.hpp"

namespace cuzk {

class TestSystem final : public ConstraintSystem {
 public:
  TestSystem();

  Variable alloc(const Name& name, const Fr& value) override;
  Variable alloc_input(const Name& name, const Fr& value) override;
  void enforce(const Name& name, LinearTerms a, LinearTerms b, LinearTerms c) override;
  void push(const Name& name) override { path_.push(name); }
  void pop() override { path_.pop(); }

  size_t num_inputs() const { return inputs_.size(); }
  size_t num_aux() const { return aux_.size(); }
  size_t num_constraints() const { return constraints_.size(); }
  const std::vector<Fr>& inputs() const { return inputs_; }
  const std::vector<Fr>& aux() const { return aux_; }

  bool is_satisfied() const { return !which_is_unsatisfied(); }
  // The path of the first constraint that does not hold.
  std::optional<std::string> which_is_unsatisfied() const;

  // Errors: kNotFound if no variable has this path. Two variables of one path end the process (a circuit
  // bug).
  Result<Fr> get(const std::string& path) const;
  Status set(const std::string& path, const Fr& value);
  Fr& value(Variable v) { return v.is_aux() ? aux_[v.index()] : inputs_[v.index()]; }

  // One line each, in order: "xI path" input, "wJ path" auxiliary, "cK path : (A) * (B) = (C)"; coefficients
  // as integers below 2^64, ±2^k, or hex.
  void words(const std::function<void(const std::string&)>& line) const;

 private:
  struct Constraint {
    std::string path;
    std::array<LinearCombination, 3> sides;
  };
  enum class Kind : uint8_t { kInput, kAux, kConstraint };

  Fr evaluate(const LinearCombination& terms) const;
  void name_variable(const std::string& path, Variable v);

  NamePath path_;
  std::vector<Fr> inputs_, aux_;
  std::vector<std::string> input_paths_, aux_paths_;
  std::unordered_map<std::string, Variable> by_path_;
  std::vector<Constraint> constraints_;
  std::vector<Kind> order_;
};

}  // namespace cuzk
