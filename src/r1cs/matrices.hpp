// A circuit's matrices in either form: plain, or stored by equal parts.
#pragma once

#include <memory>

#include "r1cs/stored_matrices.hpp"

namespace cuzk {

class Matrices {
 public:
  Matrices() = default;
  Matrices(std::shared_ptr<const R1cs> plain) : plain_(std::move(plain)) {}
  Matrices(std::shared_ptr<R1cs> plain) : plain_(std::move(plain)) {}
  Matrices(std::shared_ptr<const StoredMatrices> stored) : stored_(std::move(stored)) {}

  // One of both is set.
  const std::shared_ptr<const R1cs>& plain() const { return plain_; }
  const std::shared_ptr<const StoredMatrices>& stored() const { return stored_; }

  size_t num_inputs() const { return stored_ ? stored_->num_inputs() : plain_->num_inputs; }
  size_t num_aux() const { return stored_ ? stored_->num_aux() : plain_->num_aux; }
  size_t num_variables() const { return num_inputs() + num_aux(); }
  size_t num_constraints() const { return stored_ ? stored_->num_constraints() : plain_->num_constraints(); }
  size_t nonzeros() const {
    return stored_ ? stored_->nonzeros() : plain_->a.nonzeros() + plain_->b.nonzeros() + plain_->c.nonzeros();
  }
  size_t num_coefficients() const {
    return stored_ ? stored_->arrays().coefficients.size() : plain_->coefficients.size();
  }
  // A .zkey holds no C.
  bool has_c() const { return stored_ != nullptr || plain_->c.rows() == plain_->num_constraints(); }
  Density density() const { return stored_ ? density_of(*stored_) : density_of(*plain_); }

 private:
  std::shared_ptr<const R1cs> plain_;
  std::shared_ptr<const StoredMatrices> stored_;
};

}  // namespace cuzk
