#include "device/cuda/compact_kernels.hpp"
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

struct FullWitness {
  const DFr* values;
  CUZK_DEV DFr value(uint32_t v) const { return load_fr(values + v); }
  CUZK_DEV DFr times(uint32_t v, const DFr* coefficient) const { return value(v) * load_fr(coefficient); }
};

struct CompactOnCard {
  DeviceCompact compact;
  CUZK_DEV const DFr* wide(uint32_t at) const { return static_cast<const DFr*>(compact.wide) + at; }
  CUZK_DEV DFr value(uint32_t v) const {
    uint32_t at;
    if (!compact_bit(compact, v, &at)) return load_fr(wide(at));
    return at != 0 ? DFr::one() : DFr::zero();
  }
  CUZK_DEV DFr times(uint32_t v, const DFr* coefficient) const {
    uint32_t at;
    if (!compact_bit(compact, v, &at)) return load_fr(wide(at)) * load_fr(coefficient);
    return at != 0 ? load_fr(coefficient) : DFr::zero();
  }
};

template <class Witness>
CUZK_KERNEL(128, 4)
evaluate_rows(const uint32_t* begins, const DeviceTerm* terms, uint32_t rows, const DFr* coefficients,
              Witness witness, DFr* out) {
  size_t i = grid_thread();
  if (i >= rows) return;
  DFr sum = DFr::zero();
  for (uint32_t t = begins[i], end = begins[i + 1]; t < end; ++t) {
    DeviceTerm term = terms[t];
    if (term.coefficient == kOne) {
      sum = sum + witness.value(term.variable);
    } else if (term.coefficient == kMinusOne) {
      sum = sum - witness.value(term.variable);
    } else {
      sum = sum + witness.times(term.variable, coefficients + term.coefficient);
    }
  }
  store_fr(out + i, sum);
}

template <class Witness>
CUZK_KERNEL(256, 4)
copy_values(Witness witness, uint32_t count, DFr* out) {
  uint32_t v = static_cast<uint32_t>(grid_thread());
  if (v < count) store_fr(out + v, witness.value(v));
}

CUZK_KERNEL(256, 4)
compare(const DFr* a, const DFr* b, const DFr* c, uint32_t count, uint32_t* flag) {
  size_t i = grid_thread();
  if (i < count && !(load_fr(a + i) * load_fr(b + i) == load_fr(c + i))) *flag = 1;
}

const DFr* fr(const void* p) {
  return static_cast<const DFr*>(p);
}

// Calls what(witness) with the form that this one has.
template <class What>
Status with_form(const DeviceWitness& witness, const What& what) {
  if (witness.values != nullptr) return what(FullWitness{fr(witness.values)});
  return what(CompactOnCard{witness.compact});
}

}  // namespace

Status evaluate_matrix(Stream& stream, const DeviceMatrix& matrix, const void* coefficients,
                       const DeviceWitness& witness, void* out) {
  return with_form(witness, [&]<class Witness>(const Witness& w) {
    return launch(stream, "evaluate_rows", evaluate_rows<Witness>, blocks_for(matrix.rows, 128), 128, 0,
                  matrix.begins, static_cast<const DeviceTerm*>(matrix.terms),
                  static_cast<uint32_t>(matrix.rows), fr(coefficients), w, static_cast<DFr*>(out));
  });
}

Status copy_variables(Stream& stream, const DeviceWitness& witness, size_t count, void* out) {
  return with_form(witness, [&]<class Witness>(const Witness& w) {
    return launch(stream, "copy_values", copy_values<Witness>, blocks_for(count, 256), 256, 0, w,
                  static_cast<uint32_t>(count), static_cast<DFr*>(out));
  });
}

Status compare_products(Stream& stream, const void* a, const void* b, const void* c, size_t count,
                        uint32_t* flag) {
  CUZK_TRY(stream.fill(flag, 0, 4));
  return launch(stream, "compare", compare, blocks_for(count, 256), 256, 0, fr(a), fr(b), fr(c),
                static_cast<uint32_t>(count), flag);
}

}  // namespace cuzk::gpu
