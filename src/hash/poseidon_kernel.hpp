// The permutation of poseidon.hpp for a vector type V, as many at once as V has lanes; included once for each
// instruction set. (Such files include nothing that has functions of general use:
// field/simd/batch_kernels.hpp.)
//
// State and traces are in plain Montgomery form, constants of the linear layers in shifted form
// (vec_field.hpp), so that a product of both is plain. S-box inputs are stored, so they are reduced anyway.
#pragma once

#include "field/simd/vec_field.hpp"

namespace cuzk::detail {

inline constexpr size_t kPoseidonMostLanes = 8;
// Sums of a row's products stay below 35 r (VecField's W): 2.04 r a product.
inline constexpr size_t kPoseidonKernelWidth = 16;
inline constexpr size_t kPoseidonLimbs = 5;

// Elements in limbs of 52 bits, kPoseidonLimbs words each. `factor`: made by PoseidonKernel::prepare from 16
// times the element.
struct PoseidonTables {
  size_t width, full_rounds, partial_rounds;
  const uint64_t* tag;         // limbs
  const uint64_t* keys;        // limbs, in order of use
  const uint64_t* mds;         // factors, width x width, by output
  const uint64_t* pre_sparse;  // the same
  const uint64_t* sparse;      // factors, for each partial round the column, then the row without its corner
};

struct PoseidonKernel {
  size_t lanes;
  // Limbs in the form in which the kernel multiplies, 8 bytes each.
  void (*prepare)(uint64_t* out, const uint64_t* limbs, size_t count);
  // preimages, traces: one for each lane, words in Montgomery form.
  void (*trace)(const PoseidonTables& tables, const uint64_t* const* preimages, uint64_t* const* traces);
};

extern const PoseidonKernel kPoseidonEmulated;
#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
extern const PoseidonKernel kPoseidonAvx2, kPoseidonIfma;
#endif

template <class V>
class PoseidonLanes {
 public:
  static void prepare(uint64_t* out, const uint64_t* limbs, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      const typename V::Scalar scalar = V::scalar(limbs[i]);
      static_assert(sizeof(scalar) == sizeof(*out));
      __builtin_memcpy(out + i, &scalar, sizeof(scalar));
    }
  }

  static void trace(const PoseidonTables& tables, const uint64_t* const* preimages, uint64_t* const* traces) {
    V::run([&]() __attribute__((always_inline)) {
      PoseidonLanes lanes(tables, traces);
      lanes.run(preimages);
    });
  }

 private:
  using F = simd::VecFr<V>;
  using Factor = typename F::Factor;
  static_assert(F::kLimbs == kPoseidonLimbs);

  PoseidonLanes(const PoseidonTables& tables, uint64_t* const* traces)
      : t_(tables), key_(tables.keys), traces_(traces) {}

  void run(const uint64_t* const* preimages) {
    for (size_t i = 0; i < t_.width; ++i) {
      const F element =
          i == 0 ? limbs(t_.tag) : F::load([&](size_t lane) { return preimages[lane] + 4 * (i - 1); });
      state_[i] = (element + next_key()).reduced();
    }
    const size_t half = t_.full_rounds / 2, rounds = t_.full_rounds + t_.partial_rounds;
    for (size_t round = 0; round < rounds; ++round) {
      const bool partial = round >= half && round < half + t_.partial_rounds, last = round + 1 == rounds;
      size_t i = 0;
      if (round > 0 && !partial)
        for (; i + 1 < t_.width; i += 2) sbox2(state_[i], state_[i + 1], last);
      for (; i < (partial ? 1 : t_.width); ++i) sbox(state_[i], round > 0, round > 0 || i > 0, last);
      if (partial)
        partial_layer(round - half);
      else
        full_layer(round + 1 == half ? t_.pre_sparse : t_.mds);
    }
    put(state_[1]);
  }

  static F limbs(const uint64_t* values) {
    F r;
    for (size_t i = 0; i < F::kLimbs; ++i) r.limb[i] = V::set1(values[i]);
    return r;
  }
  F next_key() {
    const F key = limbs(key_);
    key_ += kPoseidonLimbs;
    return key;
  }
  static Factor constant(const uint64_t* prepared) {
    Factor f;
    for (size_t i = 0; i < F::kLimbs; ++i) {
      typename V::Scalar scalar;
      __builtin_memcpy(&scalar, prepared + i, sizeof(scalar));
      f.limb[i] = V::spread(scalar);
    }
    return f;
  }
  // Writes a reduced value to every trace.
  void put(const F& value) {
    value.store_carried([&](size_t lane) { return traces_[lane] + 4 * at_; });
    ++at_;
  }

  // x reduced, before and after.
  [[gnu::noinline]] void sbox(F& x, bool with_input, bool traced, bool last) {
    const F x2 = mul(x.shifted().carried_factor(), x.carried_factor()).reduced_product();
    const F x4 = mul(x2.shifted().carried_factor(), x2.carried_factor()).reduced_product();
    const F x5 = mul(x4.shifted().carried_factor(), x.carried_factor());
    finish_sbox(x, x2, x4, x5, with_input, traced, last);
  }
  // Two of a full round, in turn: each waits for its own products.
  [[gnu::noinline]] void sbox2(F& x, F& y, bool last) {
    F x2, y2, x4, y4, x5, y5;
    mul2(x2, x.shifted().carried_factor(), x.carried_factor(), y2, y.shifted().carried_factor(),
         y.carried_factor());
    x2 = x2.reduced_product(), y2 = y2.reduced_product();
    mul2(x4, x2.shifted().carried_factor(), x2.carried_factor(), y4, y2.shifted().carried_factor(),
         y2.carried_factor());
    x4 = x4.reduced_product(), y4 = y4.reduced_product();
    mul2(x5, x4.shifted().carried_factor(), x.carried_factor(), y5, y4.shifted().carried_factor(),
         y.carried_factor());
    finish_sbox(x, x2, x4, x5, true, true, last);
    finish_sbox(y, y2, y4, y5, true, true, last);
  }
  void finish_sbox(F& x, const F& x2, const F& x4, const F& x5, bool with_input, bool traced, bool last) {
    if (traced) {
      if (with_input) put(x);
      put(x2);
      put(x4);
    }
    x = last ? x5.reduced_product() : (x5 + next_key()).reduced();
    if (traced) put(x);
  }

  // Sum of constants[i]·factors_[i].
  [[gnu::noinline]] F dot(const uint64_t* constants) const {
    F sum = F::zero();
    size_t i = 0;
    for (; i + 1 < t_.width; i += 2, constants += 2 * kPoseidonLimbs)
      sum = sum +
            mul_sum(constant(constants), factors_[i], constant(constants + kPoseidonLimbs), factors_[i + 1]);
    if (i < t_.width) sum = sum + mul(constant(constants), factors_[i]);
    return sum;
  }

  void full_layer(const uint64_t* matrix) {
    for (size_t i = 0; i < t_.width; ++i) factors_[i] = state_[i].carried_factor();
    for (size_t j = 0; j < t_.width; ++j) state_[j] = dot(matrix + j * t_.width * kPoseidonLimbs).reduced();
  }

  // All but the first element grow by 2.04 r a round: they are reduced now and then, and at the end.
  void partial_layer(size_t round) {
    const uint64_t* column = t_.sparse + round * (2 * t_.width - 1) * kPoseidonLimbs;
    const uint64_t* row = column + t_.width * kPoseidonLimbs;
    for (size_t i = 0; i < t_.width; ++i) factors_[i] = state_[i].carried_factor();
    const F first = dot(column);
    const bool last = round + 1 == t_.partial_rounds, reduce = round % 8 == 7;
    auto add = [&](size_t j, const F& product) {
      const F sum = state_[j] + product;
      state_[j] = last ? sum.reduced() : reduce ? sum.nearly_reduced() : sum.carried();
    };
    size_t j = 1;
    for (; j + 1 < t_.width; j += 2, row += 2 * kPoseidonLimbs) {
      F x, y;
      mul2(x, constant(row), factors_[0], y, constant(row + kPoseidonLimbs), factors_[0]);
      add(j, x);
      add(j + 1, y);
    }
    if (j < t_.width) add(j, mul(constant(row), factors_[0]));
    state_[0] = first.reduced();
  }

  const PoseidonTables& t_;
  const uint64_t* key_;
  uint64_t* const* traces_;
  size_t at_ = 0;
  F state_[kPoseidonKernelWidth];
  Factor factors_[kPoseidonKernelWidth];
};

template <class V>
constexpr PoseidonKernel poseidon_kernel() {
  return {V::kLanes, PoseidonLanes<V>::prepare, PoseidonLanes<V>::trace};
}

}  // namespace cuzk::detail
