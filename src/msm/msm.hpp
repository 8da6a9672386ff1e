// Multi-scalar multiplication: sum of scalar_k · base_k over G1 or G2.
#pragma once

#include <cstdint>
#include <span>

#include "base/executor.hpp"
#include "msm/point_source.hpp"

namespace cuzk {

// The scalars of an MSM, Montgomery form. Base k takes values[k], or values[select[k]] when select is not
// empty (the bases of a key whose list leaves out variables).
struct Scalars {
  std::span<const Fr> values;
  std::span<const uint32_t> select = {};

  size_t size() const { return select.empty() ? values.size() : select.size(); }
};

// Sum of scalar_k · base_k. Zeros are skipped (their bases are loaded, hence validated, all the same) and
// ones summed by batch addition, so a witness that is mostly bits costs little more than reading its bases.
// Bases may be infinite, equal or opposite; all must lie in the subgroup of order r (outside it the result is
// some point of the curve, not the sum: the endomorphisms are only scalars there). Errors: as many scalars as
// bases are needed, but for no bases at all (the sum is then infinity); a selected index beyond the values;
// what the source reports (that of the lowest range found). Threads: those of the executor. Memory: at most
// about 64 MiB and 2 MiB a thread, whatever the length.
template <class G>
Result<typename G::Sum> msm(const PointSource<G>& bases, const Scalars& scalars, Executor& executor);

// The same for plain integers. An integer of r or more is an error that names its index, on every device: who
// wants a reduction does it (Fr::from_reduced).
template <class G>
Result<typename G::Sum> msm(const PointSource<G>& bases, std::span<const BigInt<4>> scalars,
                            Executor& executor);

// Sum of all bases.
template <class G>
Result<typename G::Sum> batch_sum(const PointSource<G>& bases, Executor& executor);

extern template Result<G1::Sum> msm<G1>(const PointSource<G1>&, const Scalars&, Executor&);
extern template Result<G2::Sum> msm<G2>(const PointSource<G2>&, const Scalars&, Executor&);
extern template Result<G1::Sum> msm<G1>(const PointSource<G1>&, std::span<const BigInt<4>>, Executor&);
extern template Result<G2::Sum> msm<G2>(const PointSource<G2>&, std::span<const BigInt<4>>, Executor&);
extern template Result<G1::Sum> batch_sum<G1>(const PointSource<G1>&, Executor&);
extern template Result<G2::Sum> batch_sum<G2>(const PointSource<G2>&, Executor&);

}  // namespace cuzk
