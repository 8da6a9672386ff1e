// The passes of SimdAddKernels for a vector type V. See field/simd/vec_field.hpp for V, factors, shifted
// forms and the bounds that the comments here continue.
#pragma once

#include "field/simd/rolled.hpp"
#include "field/simd/vec_field.hpp"
#include "msm/simd_add.hpp"

namespace cuzk::detail {

#define CUZK_INLINE [[gnu::always_inline]] inline

// What both groups need.
template <class V>
struct SimdAdd {
  using F = simd::VecFp<V>;
  using Factor = typename F::Factor;
  using Word = typename V::Word;
  static constexpr size_t kLanes = V::kLanes;
  static constexpr uint64_t kMask = simd::Limbs52<FpParams>::kMask;

  // 2^(52·limbs) mod p: one in the shifted form.
  static consteval BigInt<6> shifted_one() {
    BigInt<6> r = BigInt<6>::from_u64(1);
    for (size_t i = 0; i < 52 * F::kLimbs; ++i) {
      r = r.shifted_left(1);
      if (!(r < FpParams::kModulus)) r.sub_in_place(FpParams::kModulus);
    }
    return r;
  }
  static constexpr BigInt<6> kShiftedOne = shifted_one();

  static const uint64_t* words(uintptr_t ref) {
    return reinterpret_cast<const uint64_t*>(ref & ~uintptr_t{1});
  }

  // The coordinate that starts at word `offset` of operand a or b.
  CUZK_INLINE static F load_a(const SimdJob* jobs, size_t offset) {
    return F::load([=](size_t l) __attribute__((always_inline)) { return words(jobs[l].a) + offset; });
  }
  CUZK_INLINE static F load_b(const SimdJob* jobs, size_t offset) {
    return F::load([=](size_t l) __attribute__((always_inline)) { return words(jobs[l].b) + offset; });
  }
  CUZK_INLINE static void store(const SimdJob* jobs, size_t offset, const F& f) {
    f.store([=](size_t l) __attribute__((always_inline)) { return jobs[l].out + offset; });
  }
  // Coordinates of an array of field elements of `size` words.
  CUZK_INLINE static F load_from(const uint64_t* elements, size_t size) {
    return F::load([=](size_t l) __attribute__((always_inline)) { return elements + size * l; });
  }
  CUZK_INLINE static void store_to(uint64_t* elements, size_t size, const F& f) {
    f.store([=](size_t l) __attribute__((always_inline)) { return elements + size * l; });
  }

  // The signs of a and b as the top bits of sign[0] and sign[1].
  CUZK_INLINE static void load_signs(const SimdJob* jobs, Word (&sign)[4]) {
    static constexpr uint64_t kTop = uint64_t{1} << 63;
    static constexpr uint64_t kSigns[4][4] = {
        {0, 0, 0, 0}, {kTop, 0, 0, 0}, {0, kTop, 0, 0}, {kTop, kTop, 0, 0}};
    V::load(sign, [=](size_t l) __attribute__((always_inline)) {
      return kSigns[(jobs[l].a & 1) | (jobs[l].b & 1) << 1];
    });
  }
  // For ±a and ±b with loaded coordinates: minus_a = -(±a) and difference = ±b - ±a, below p and 2 p.
  CUZK_INLINE static void signed_difference(const Word (&sign)[4], const F& a, const F& b, F& minus_a,
                                            F& difference) {
    F negative_a = simd::sub<1>(F::zero(), a), negative_b = simd::sub<1>(F::zero(), b);
    for (size_t i = 0; i < F::kLimbs; ++i) {
      minus_a.limb[i] = V::select_negative(sign[0], a.limb[i], negative_a.limb[i]);
      Word signed_b = V::select_negative(sign[1], negative_b.limb[i], b.limb[i]);
      difference.limb[i] = V::add(signed_b, minus_a.limb[i]);
    }
  }

  CUZK_INLINE static Factor shifted(const F& a) { return a.carried().shifted().carried_factor(); }
  // 2^(kShift/2) times the value: the product of two such is plain.
  CUZK_INLINE static Factor half_shifted(const F& a) {
    constexpr int kHalf = F::kShift / 2;
    F c = a.carried(), r;
    for (size_t i = F::kLimbs; i-- > 0;) {
      r.limb[i] = V::bit_and(V::template shl<kHalf>(c.limb[i]), V::set1(kMask));
      if (i > 0) r.limb[i] = V::bit_or(r.limb[i], V::template shr<52 - kHalf>(c.limb[i - 1]));
    }
    return r.carried_factor();
  }

  // Called, not inlined: the loops stay in the cache of decoded instructions.
  [[gnu::noinline]] static void multiply(F& r, const Factor& a, const Factor& b) {
    if constexpr (V::kRolled) {
      r = simd::mul_rolled(a, b);
    } else {
      r = simd::mul(a, b);
    }
  }
  [[gnu::noinline]] static void multiply2(F (&r)[2], const Factor& a0, const Factor& b0, const Factor& a1,
                                          const Factor& b1) {
    if constexpr (V::kRolled) {
      r[0] = simd::mul_rolled(a0, b0);
      r[1] = simd::mul_rolled(a1, b1);
    } else {
      simd::mul2(r[0], a0, b0, r[1], a1, b1);
    }
  }
  [[gnu::noinline]] static void multiply_sum(F& r, const Factor& a0, const Factor& b0, const Factor& a1,
                                             const Factor& b1) {
    if constexpr (V::kRolled) {
      r = simd::mul_sum_rolled(a0, b0, a1, b1);
    } else {
      r = simd::mul_sum(a0, b0, a1, b1);
    }
  }
  [[gnu::noinline]] static void square(F& r, const Factor& a) {
    if constexpr (V::kRolled) {
      r = simd::mul_rolled(a, a);
    } else {
      r = simd::sqr(a);
    }
  }
};

// Two vectors in turn, so that the multiplications of one fill the gaps of the other's. In the bounds, a
// product with one factor shifted, or both by half, is 0.102·a·b + 3.01 p.
template <class V>
struct SimdAddG1 : SimdAdd<V> {
  using Base = SimdAdd<V>;
  using Base::kLanes, Base::load_a, Base::load_b, Base::multiply2;
  using typename Base::F, typename Base::Factor, typename Base::Word;
  static constexpr size_t kChains = 2, kStep = kChains * kLanes, kX = 0, kY = 6, kWords = 6;
  struct Saved {
    Factor difference[kChains], prefix[kChains];  // shifted
  };

  static void forward(const SimdJob* jobs, size_t count, void* scratch, uint64_t* products) {
    V::run([&]() __attribute__((always_inline)) {
      auto* saved = static_cast<Saved*>(scratch);
      F product[kChains];  // below 3.8 p
      for (F& f : product) f = F::broadcast(Base::kShiftedOne.limb);
      for (const SimdJob* end = jobs + count; jobs != end; jobs += kStep, ++saved) {
        for (size_t c = 0; c < kChains; ++c) {
          const SimdJob* mine = jobs + c * kLanes;
          saved->difference[c] = Base::shifted(simd::sub<1>(load_b(mine, kX), load_a(mine, kX)));
          saved->prefix[c] = product[c].factor();
        }
        multiply2(product, saved->prefix[0], saved->difference[0], saved->prefix[1], saved->difference[1]);
      }
      for (size_t c = 0; c < kChains; ++c) Base::store_to(products + c * kLanes * kWords, kWords, product[c]);
    });
  }

  static void backward(const SimdJob* jobs, size_t count, const void* scratch, const uint64_t* inverses) {
    V::run([&]() __attribute__((always_inline)) {
      auto* saved = static_cast<const Saved*>(scratch) + count / kStep;
      Factor inverse[kChains];  // below 3.8 p
      for (size_t c = 0; c < kChains; ++c)
        inverse[c] = Base::load_from(inverses + c * kLanes * kWords, kWords).carried_factor();
      for (const SimdJob* at = jobs + count; at != jobs;) {
        at -= kStep, --saved;
        Factor own[kChains], dy[kChains], slope[kChains], dx[kChains];
        F minus_ay[kChains], x[kChains], r[2];
        for (size_t c = 0; c < kChains; ++c) {
          const SimdJob* mine = at + c * kLanes;
          multiply2(r, inverse[c], saved->prefix[c], inverse[c], saved->difference[c]);
          own[c] = r[0].factor(), inverse[c] = r[1].factor();  // own below 3.1 p
          Word sign[4];
          F difference;
          Base::load_signs(mine, sign);
          Base::signed_difference(sign, load_a(mine, kY), load_b(mine, kY), minus_ay[c], difference);
          dy[c] = Base::shifted(difference);
        }
        multiply2(r, dy[0], own[0], dy[1], own[1]);  // below 3.7 p
        for (size_t c = 0; c < kChains; ++c) {
          const SimdJob* mine = at + c * kLanes;
          slope[c] = Base::half_shifted(r[c]);
          Base::square(x[c], slope[c]);
          F ax = load_a(mine, kX);
          x[c] = simd::sub<2>(x[c], ax + load_b(mine, kX)).carried();  // below 6.4 p
          dx[c] = Base::half_shifted(simd::sub<7>(ax, x[c]));
        }
        multiply2(r, slope[0], dx[0], slope[1], dx[1]);
        for (size_t c = 0; c < kChains; ++c) {
          const SimdJob* mine = at + c * kLanes;
          Base::store(mine, kX, x[c]);
          Base::store(mine, kY, r[c] + minus_ay[c]);
        }
      }
    });
  }

  static constexpr SimdAddKernels kernels(const char* name, size_t good_batch) {
    return {name, kStep, sizeof(Saved), good_batch, forward, backward};
  }
};

// One vector at a time: a product in Fp2 is two sums of two products, which already overlap. In the bounds,
// such a sum with factors as above is 0.102·(a0·b0 + a1·b1) + 3.01 p.
template <class V>
struct SimdAddG2 : SimdAdd<V> {
  using Base = SimdAdd<V>;
  using Base::kLanes, Base::load_a, Base::load_b, Base::multiply, Base::multiply_sum;
  using typename Base::F, typename Base::Factor, typename Base::Word;
  static constexpr size_t kStep = kLanes, kX = 0, kY = 12, kImaginary = 6, kWords = 12;

  struct F2 {
    F c0, c1;
  };
  // Left and right factors; the right one has -c1 besides.
  struct Left {
    Factor c0, c1;
  };
  struct Right {
    Factor c0, c1, minus_c1;
  };
  struct Saved {
    Left difference, prefix;  // shifted
  };

  // (a0·b0 - a1·b1) + (a0·b1 + a1·b0)·u
  CUZK_INLINE static F2 product(const Left& a, const Right& b) {
    F2 r;
    multiply_sum(r.c0, a.c0, b.c0, a.c1, b.minus_c1);
    multiply_sum(r.c1, a.c0, b.c1, a.c1, b.c0);
    return r;
  }
  // minus_c1 is m·p - c1: c1 at most m·p.
  template <uint64_t m>
  CUZK_INLINE static Right right(const F2& f) {
    F c1 = f.c1.carried();
    return {f.c0.factor(), c1.carried_factor(), simd::sub<m>(F::zero(), c1).factor()};
  }

  static void forward(const SimdJob* jobs, size_t count, void* scratch, uint64_t* products) {
    V::run([&]() __attribute__((always_inline)) {
      auto* saved = static_cast<Saved*>(scratch);
      F2 running = {F::broadcast(Base::kShiftedOne.limb), F::zero()};  // below 5.5 p
      for (const SimdJob* end = jobs + count; jobs != end; jobs += kStep, ++saved) {
        saved->difference = {
            Base::shifted(simd::sub<1>(load_b(jobs, kX), load_a(jobs, kX))),
            Base::shifted(simd::sub<1>(load_b(jobs, kX + kImaginary), load_a(jobs, kX + kImaginary)))};
        Right before = right<6>(running);
        saved->prefix = {before.c0, before.c1};
        running = product(saved->difference, before);
      }
      Base::store_to(products, kWords, running.c0);
      Base::store_to(products + kImaginary, kWords, running.c1);
    });
  }

  static void backward(const SimdJob* jobs, size_t count, const void* scratch, const uint64_t* inverses) {
    V::run([&]() __attribute__((always_inline)) {
      auto* saved = static_cast<const Saved*>(scratch) + count / kStep;
      F2 running = {Base::load_from(inverses, kWords), Base::load_from(inverses + kImaginary, kWords)};
      for (const SimdJob* at = jobs + count; at != jobs;) {
        at -= kStep, --saved;
        Right inverse = right<6>(running);
        F2 own = product(saved->prefix, inverse);       // below 3.1 p
        running = product(saved->difference, inverse);  // below 5.5 p

        F2 minus_ay, dy;
        Word sign[4];
        Base::load_signs(at, sign);
        Base::signed_difference(sign, load_a(at, kY), load_b(at, kY), minus_ay.c0, dy.c0);
        Base::signed_difference(sign, load_a(at, kY + kImaginary), load_b(at, kY + kImaginary), minus_ay.c1,
                                dy.c1);
        F2 slope = product(Left{Base::shifted(dy.c0), Base::shifted(dy.c1)}, right<4>(own));  // below 4.5 p
        slope = {slope.c0.carried(), slope.c1.carried()};

        // slope² = (s0 + s1)(s0 - s1) + 2·s0·s1·u, below 11.7 p
        Left half_slope = {Base::half_shifted(slope.c0), Base::half_shifted(slope.c1)};
        F2 x;
        multiply(x.c0, Base::half_shifted(slope.c0 + slope.c1),
                 Base::half_shifted(simd::sub<5>(slope.c0, slope.c1)));
        multiply(x.c1, half_slope.c0, half_slope.c1);
        F2 ax = {load_a(at, kX), load_a(at, kX + kImaginary)};
        x.c0 = simd::sub<2>(x.c0, ax.c0 + load_b(at, kX)).carried();  // below 13.7 p
        x.c1 = simd::sub<2>(x.c1.doubled(), ax.c1 + load_b(at, kX + kImaginary)).carried();

        F dx1 = simd::sub<14>(ax.c1, x.c1).carried();  // below 15 p
        F2 y =
            product(half_slope, Right{Base::half_shifted(simd::sub<14>(ax.c0, x.c0)), Base::half_shifted(dx1),
                                      Base::half_shifted(simd::sub<15>(F::zero(), dx1))});
        Base::store(at, kX, x.c0);
        Base::store(at, kX + kImaginary, x.c1);
        Base::store(at, kY, y.c0 + minus_ay.c0);
        Base::store(at, kY + kImaginary, y.c1 + minus_ay.c1);
      }
    });
  }

  static constexpr SimdAddKernels kernels(const char* name, size_t good_batch) {
    return {name, kStep, sizeof(Saved), good_batch, forward, backward};
  }
};

#undef CUZK_INLINE

}  // namespace cuzk::detail
