#include "hash/poseidon_lanes.hpp"

#include <array>
#include <map>
#include <memory>
#include <mutex>

#include "base/check.hpp"
#include "field/isa.hpp"
#include "hash/poseidon_kernel.hpp"

namespace cuzk {
namespace detail {
namespace {

std::array<uint64_t, kPoseidonLimbs> limbs_of(const Fr& element) {
  std::array<uint64_t, kPoseidonLimbs> limbs;
  for (size_t i = 0; i < kPoseidonLimbs; ++i) limbs[i] = element.montgomery().bits(52 * i, 52);
  return limbs;
}
void append_limbs(const Fr& element, std::vector<uint64_t>& out) {
  const auto limbs = limbs_of(element);
  out.insert(out.end(), limbs.begin(), limbs.end());
}

// A kernel's constants of one arity.
struct Prepared {
  Prepared(const PoseidonKernel& kernel, const PoseidonConstants& c) {
    for (const Fr& key : c.compressed) append_limbs(key, keys);
    append_matrix(c.mds, mds);
    append_matrix(c.pre_sparse, pre_sparse);
    for (const PoseidonSparseMatrix& matrix : c.sparse) {
      for (const Fr& element : matrix.column) append_shifted(element, sparse);
      for (const Fr& element : matrix.row) append_shifted(element, sparse);
    }
    for (std::vector<uint64_t>* table : {&mds, &pre_sparse, &sparse})
      kernel.prepare(table->data(), table->data(), table->size());
  }

  static void append_shifted(const Fr& element, std::vector<uint64_t>& out) {
    append_limbs(element.doubled().doubled().doubled().doubled(), out);
  }
  static void append_matrix(const std::vector<std::vector<Fr>>& matrix, std::vector<uint64_t>& out) {
    for (size_t j = 0; j < matrix.size(); ++j)
      for (size_t i = 0; i < matrix.size(); ++i) append_shifted(matrix[i][j], out);
  }

  std::vector<uint64_t> keys, mds, pre_sparse, sparse;
};

const Prepared& prepared_for(const PoseidonKernel& kernel, const PoseidonConstants& constants) {
  static std::mutex mutex;
  static std::map<std::pair<const PoseidonKernel*, const PoseidonConstants*>, std::unique_ptr<const Prepared>>
      all;
  const std::lock_guard lock(mutex);
  std::unique_ptr<const Prepared>& one = all[{&kernel, &constants}];
  if (!one) one = std::make_unique<const Prepared>(kernel, constants);
  return *one;
}

void scalar_trace(const PoseidonConstants& c, PoseidonDomain domain, const PoseidonLane& lane) {
  const size_t arity = c.width - 1;
  std::array<Fr, kPoseidonMaxArity + 1> state;
  state[0] = poseidon_domain_tag(domain, arity);
  std::copy_n(lane.preimage, arity, state.begin() + 1);
  size_t sboxes = 0;
  Fr* out = lane.trace;
  poseidon_permute(c, std::span(state.data(), c.width),
                   [&](size_t i, const Fr& x, const Fr& x2, const Fr& x4, const Fr& fifth) {
                     const bool first_round = sboxes++ < c.width;
                     if (first_round && i == 0) return;
                     if (!first_round) *out++ = x;
                     *out++ = x2;
                     *out++ = x4;
                     *out++ = fifth;
                   });
  *out = state[1];
}

}  // namespace

void poseidon_traces_by(const PoseidonKernel* kernel, const PoseidonConstants& constants,
                        PoseidonDomain domain, std::span<const PoseidonLane> lanes) {
  // Two are as much work as one and a half by the kernel for four.
  constexpr size_t kFewest = 2;
  if (kernel != nullptr && lanes.size() >= kFewest && constants.width <= kPoseidonKernelWidth) {
    const Prepared& prepared = prepared_for(*kernel, constants);
    const auto tag = limbs_of(poseidon_domain_tag(domain, constants.width - 1));
    const PoseidonTables tables{
        constants.width,      constants.full_rounds, constants.partial_rounds,   tag.data(),
        prepared.keys.data(), prepared.mds.data(),   prepared.pre_sparse.data(), prepared.sparse.data()};
    while (lanes.size() >= kFewest) {
      const size_t take = std::min(lanes.size(), kernel->lanes);
      std::array<const uint64_t*, kPoseidonMostLanes> preimages;
      std::array<uint64_t*, kPoseidonMostLanes> traces;
      for (size_t i = 0; i < kernel->lanes; ++i) {
        // Lanes without work repeat the last one: they write the same values to the same place.
        const PoseidonLane& lane = lanes[std::min(i, take - 1)];
        preimages[i] = lane.preimage->montgomery().limb;
        traces[i] = lane.trace->montgomery().limb;
      }
      kernel->trace(tables, preimages.data(), traces.data());
      lanes = lanes.subspan(take);
    }
  }
  for (const PoseidonLane& lane : lanes) scalar_trace(constants, domain, lane);
}

std::vector<const PoseidonKernel*> poseidon_kernels() {
  std::vector<const PoseidonKernel*> out = {&kPoseidonEmulated};
#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
  if (active_isa.avx2_fma) out.push_back(&kPoseidonAvx2);
  if (active_isa.ifma) out.push_back(&kPoseidonIfma);
#endif
  return out;
}

}  // namespace detail

size_t poseidon_trace_size(const PoseidonConstants& c) {
  return 3 * (c.width - 1) + 4 * ((c.full_rounds - 1) * c.width + c.partial_rounds) + 1;
}

void poseidon_traces(const PoseidonConstants& constants, PoseidonDomain domain,
                     std::span<const PoseidonLane> lanes) {
  const detail::PoseidonKernel* kernel = nullptr;
#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
  if (active_isa.ifma)
    kernel = &detail::kPoseidonIfma;
  else if (active_isa.avx2_fma)
    kernel = &detail::kPoseidonAvx2;
#endif
  detail::poseidon_traces_by(kernel, constants, domain, lanes);
}

}  // namespace cuzk
