// Products of many field elements at once, by the widest vector kernels that the CPU has.
#pragma once

#include <span>

#include "field/fp.hpp"
#include "field/fr.hpp"

namespace cuzk {

// out_i = a_i·b_i. Same sizes; out may be a or b, no other overlap. One thread.
void mul_batch(std::span<Fr> out, std::span<const Fr> a, std::span<const Fr> b);
void mul_batch(std::span<Fp> out, std::span<const Fp> a, std::span<const Fp> b);

}  // namespace cuzk
