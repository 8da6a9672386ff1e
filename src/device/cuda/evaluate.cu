#include "device/cuda/evaluate.hpp"
#include "device/cuda/launch.hpp"
#include "device/cuda/ntt_kernels.hpp"

namespace cuzk::gpu {

namespace {

// The table's first two coefficients are 1 and -1 (r1cs/r1cs.hpp).
constexpr uint32_t kOne = 0, kMinusOne = 1;

struct DeviceTerm {
  uint32_t variable, coefficient;
};

CUZK_KERNEL(128, 4)
evaluate_rows(const uint32_t* begins, const DeviceTerm* terms, uint32_t rows, const DFr* coefficients,
              const DFr* w, DFr* out) {
  size_t i = grid_thread();
  if (i >= rows) return;
  DFr sum = DFr::zero();
  for (uint32_t t = begins[i], end = begins[i + 1]; t < end; ++t) {
    DeviceTerm term = terms[t];
    DFr value = load_fr(w + term.variable);
    if (term.coefficient == kMinusOne) {
      sum = sum - value;
    } else {
      if (term.coefficient != kOne) value = value * load_fr(coefficients + term.coefficient);
      sum = sum + value;
    }
  }
  store_fr(out + i, sum);
}

CUZK_KERNEL(256, 4)
expand(DeviceCompact c, const DFr* wide, uint32_t variables, DFr* w) {
  uint32_t v = static_cast<uint32_t>(grid_thread());
  if (v >= variables) return;
  uint32_t marks = c.bit_marks[v / 32], below = marks & ((1u << (v % 32)) - 1);
#if CUZK_ON_GPU
  uint32_t place = c.bits_before_word[v / 32] + static_cast<uint32_t>(__popc(below));
#else
  uint32_t place = c.bits_before_word[v / 32] + static_cast<uint32_t>(__builtin_popcount(below));
#endif
  DFr value = DFr::zero();
  if (((marks >> (v % 32)) & 1) == 0) {
    value = load_fr(wide + (v - place));
  } else if (((c.bits[place / 32] >> (place % 32)) & 1) != 0) {
    value = DFr::one();
  }
  store_fr(w + v, value);
}

CUZK_KERNEL(256, 4)
compare(const DFr* a, const DFr* b, const DFr* c, uint32_t count, uint32_t* flag) {
  size_t i = grid_thread();
  if (i < count && !(load_fr(a + i) * load_fr(b + i) == load_fr(c + i))) *flag = 1;
}

const DFr* fr(const void* p) {
  return static_cast<const DFr*>(p);
}

}  // namespace

Status evaluate_matrix(Stream& stream, const DeviceMatrix& matrix, const void* coefficients, const void* w,
                       void* out) {
  return launch(stream, "evaluate_rows", evaluate_rows, blocks_for(matrix.rows, 128), 128, 0, matrix.begins,
                static_cast<const DeviceTerm*>(matrix.terms), static_cast<uint32_t>(matrix.rows),
                fr(coefficients), fr(w), static_cast<DFr*>(out));
}

Status expand_witness(Stream& stream, const DeviceCompact& compact, void* w) {
  return launch(stream, "expand", expand, blocks_for(compact.variables, 256), 256, 0, compact,
                fr(compact.wide), static_cast<uint32_t>(compact.variables), static_cast<DFr*>(w));
}

Status compare_products(Stream& stream, const void* a, const void* b, const void* c, size_t count,
                        uint32_t* flag) {
  CUZK_TRY(stream.fill(flag, 0, 4));
  return launch(stream, "compare", compare, blocks_for(count, 256), 256, 0, fr(a), fr(b), fr(c),
                static_cast<uint32_t>(count), flag);
}

}  // namespace cuzk::gpu
