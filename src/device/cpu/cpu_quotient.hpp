// The quotient h = (a·b − c)/(xⁿ − 1) of a proof, c = a∘b on the domain. Internal to device/cpu.
#pragma once

#include <span>

#include "base/executor.hpp"
#include "device/key_layout.hpp"
#include "poly/domain.hpp"

namespace cuzk::detail {

// DeviceOperations::quotient; all spans are of the size of the domain, whose root is `root`.
void quotient(const Domain& domain, QuotientBasis basis, DomainRoot root, std::span<Fr> a, std::span<Fr> b,
              std::span<Fr> out, Executor& executor);

}  // namespace cuzk::detail
