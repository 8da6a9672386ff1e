// Multiplication in Fp2 for x86-64 with mulx, adcx and adox: Karatsuba on unreduced 768-bit products, one
// Montgomery reduction for each coefficient of the result (180 word multiplications, not 216). Source of the
// method: Aranha et al., "Faster explicit formulas for computing pairings over ordinary curves", 2011.
#pragma once

#include "field/fp.hpp"

#if CUZK_HAS_ADX

namespace cuzk::adx {

// clang-format off
#define CUZK_MULADD(source, x, y) \
  "mulxq " source ", %[lo], %[hi]\n\t adcxq %[lo], %[" x "]\n\t adoxq %[hi], %[" y "]\n\t"
#define CUZK_END_ROW(top) "movl $0, %k[lo]\n\t adcxq %[lo], %[" top "]\n\t"
// t0 … t6 += a·(word of b), with t6 new; t0 is then final.
#define CUZK_WIDE_ROW(offset, t0, t1, t2, t3, t4, t5, t6) \
  "movq " offset "(%[b]), %%rdx\n\t xorl %k[" t6 "], %k[" t6 "]\n\t" \
  CUZK_MULADD("(%[a])", t0, t1) CUZK_MULADD("8(%[a])", t1, t2) CUZK_MULADD("16(%[a])", t2, t3) \
  CUZK_MULADD("24(%[a])", t3, t4) CUZK_MULADD("32(%[a])", t4, t5) CUZK_MULADD("40(%[a])", t5, t6) \
  CUZK_END_ROW(t6) "movq %[" t0 "], " offset "(%[r])\n\t"

// r = a·b, any six-word integers; r apart from both.
[[gnu::always_inline]] inline void mul_wide(uint64_t (&r)[12], const uint64_t* a, const uint64_t* b) {
  uint64_t x0, x1, x2, x3, x4, x5, x6, lo, hi;
  __asm__(
      "movq (%[b]), %%rdx\n\t"
      "mulxq (%[a]), %[x0], %[x1]\n\t"
      "mulxq 8(%[a]), %[lo], %[x2]\n\t addq %[lo], %[x1]\n\t"
      "mulxq 16(%[a]), %[lo], %[x3]\n\t adcq %[lo], %[x2]\n\t"
      "mulxq 24(%[a]), %[lo], %[x4]\n\t adcq %[lo], %[x3]\n\t"
      "mulxq 32(%[a]), %[lo], %[x5]\n\t adcq %[lo], %[x4]\n\t"
      "mulxq 40(%[a]), %[lo], %[x6]\n\t adcq %[lo], %[x5]\n\t"
      "adcq $0, %[x6]\n\t movq %[x0], (%[r])\n\t"
      CUZK_WIDE_ROW("8", "x1", "x2", "x3", "x4", "x5", "x6", "x0")
      CUZK_WIDE_ROW("16", "x2", "x3", "x4", "x5", "x6", "x0", "x1")
      CUZK_WIDE_ROW("24", "x3", "x4", "x5", "x6", "x0", "x1", "x2")
      CUZK_WIDE_ROW("32", "x4", "x5", "x6", "x0", "x1", "x2", "x3")
      CUZK_WIDE_ROW("40", "x5", "x6", "x0", "x1", "x2", "x3", "x4")
      : [x0] "=&r"(x0), [x1] "=&r"(x1), [x2] "=&r"(x2), [x3] "=&r"(x3), [x4] "=&r"(x4), [x5] "=&r"(x5),
        [x6] "=&r"(x6), [lo] "=&r"(lo), [hi] "=&r"(hi), "=m"(*reinterpret_cast<uint64_t(*)[6]>(r))
      : [a] "r"(a), [b] "r"(b), [r] "r"(r), "m"(*reinterpret_cast<const uint64_t(*)[6]>(a)),
        "m"(*reinterpret_cast<const uint64_t(*)[6]>(b))
      : "rdx", "cc");
  r[6] = x6, r[7] = x0, r[8] = x1, r[9] = x2, r[10] = x3, r[11] = x4;
}

// (t0 … t6) += m·p with t6 new, m such that t0 becomes 0.
#define CUZK_WIDE_REDUCE(t0, t1, t2, t3, t4, t5, t6) \
  "movq %[inverse], %%rdx\n\t imulq %[" t0 "], %%rdx\n\t xorl %k[" t6 "], %k[" t6 "]\n\t" \
  CUZK_MULADD("%[p]", t0, t1) CUZK_MULADD("8+%[p]", t1, t2) CUZK_MULADD("16+%[p]", t2, t3) \
  CUZK_MULADD("24+%[p]", t3, t4) CUZK_MULADD("32+%[p]", t4, t5) CUZK_MULADD("40+%[p]", t5, t6) CUZK_END_ROW(t6)
#define CUZK_SUB_P(op, limb, x, copy) "movq %[" x "], " copy "\n\t " op " " limb "+%[p], %[" x "]\n\t"

// r = t / 2^384 mod p for t < p·2^384: the low half reduces to at most p, the high half is added, which gives
// less than 2p.
[[gnu::always_inline]] inline void reduce_wide(uint64_t* r, const uint64_t (&t)[12]) {
  static constexpr uint64_t kInverseWord = Fp::kInverse;
  uint64_t x0 = t[0], x1 = t[1], x2 = t[2], x3 = t[3], x4 = t[4], x5 = t[5], x6, lo, hi, copy;
  const uint64_t* pt = t;
  __asm__(
      CUZK_WIDE_REDUCE("x0", "x1", "x2", "x3", "x4", "x5", "x6")
      CUZK_WIDE_REDUCE("x1", "x2", "x3", "x4", "x5", "x6", "x0")
      CUZK_WIDE_REDUCE("x2", "x3", "x4", "x5", "x6", "x0", "x1")
      CUZK_WIDE_REDUCE("x3", "x4", "x5", "x6", "x0", "x1", "x2")
      CUZK_WIDE_REDUCE("x4", "x5", "x6", "x0", "x1", "x2", "x3")
      CUZK_WIDE_REDUCE("x5", "x6", "x0", "x1", "x2", "x3", "x4")
      "addq 48(%[t]), %[x6]\n\t adcq 56(%[t]), %[x0]\n\t adcq 64(%[t]), %[x1]\n\t adcq 72(%[t]), %[x2]\n\t"
      "adcq 80(%[t]), %[x3]\n\t adcq 88(%[t]), %[x4]\n\t"
      CUZK_SUB_P("subq", "0", "x6", "%[x5]") CUZK_SUB_P("sbbq", "8", "x0", "%[lo]")
      CUZK_SUB_P("sbbq", "16", "x1", "%[hi]") CUZK_SUB_P("sbbq", "24", "x2", "%%rdx")
      CUZK_SUB_P("sbbq", "32", "x3", "%[t]") CUZK_SUB_P("sbbq", "40", "x4", "%[copy]")
      "cmovcq %[x5], %[x6]\n\t cmovcq %[lo], %[x0]\n\t cmovcq %[hi], %[x1]\n\t cmovcq %%rdx, %[x2]\n\t"
      "cmovcq %[t], %[x3]\n\t cmovcq %[copy], %[x4]\n\t"
      : [x0] "+&r"(x0), [x1] "+&r"(x1), [x2] "+&r"(x2), [x3] "+&r"(x3), [x4] "+&r"(x4), [x5] "+&r"(x5),
        [x6] "=&r"(x6), [lo] "=&r"(lo), [hi] "=&r"(hi), [t] "+&r"(pt), [copy] "=&r"(copy)
      : [p] "m"(FpParams::kModulus.limb), [inverse] "m"(kInverseWord), "m"(t)
      : "rdx", "cc");
  r[0] = x6, r[1] = x0, r[2] = x1, r[3] = x2, r[4] = x3, r[5] = x4;
}

#define CUZK_WORD(op, offset) \
  "movq " offset "(%[a]), %[x]\n\t " op " " offset "(%[b]), %[x]\n\t movq %[x], " offset "(%[r])\n\t"

// r = a - b mod 2^768; may alias.
[[gnu::always_inline]] inline void sub_wide(uint64_t (&r)[12], const uint64_t (&a)[12], const uint64_t (&b)[12]) {
  uint64_t x;
  __asm__(
      CUZK_WORD("subq", "0") CUZK_WORD("sbbq", "8") CUZK_WORD("sbbq", "16") CUZK_WORD("sbbq", "24")
      CUZK_WORD("sbbq", "32") CUZK_WORD("sbbq", "40") CUZK_WORD("sbbq", "48") CUZK_WORD("sbbq", "56")
      CUZK_WORD("sbbq", "64") CUZK_WORD("sbbq", "72") CUZK_WORD("sbbq", "80") CUZK_WORD("sbbq", "88")
      : [x] "=&r"(x), "=m"(r)
      : [a] "r"(a), [b] "r"(b), [r] "r"(r), "m"(a), "m"(b)
      : "cc");
}

// r = a + b mod 2^384; may alias.
[[gnu::always_inline]] inline void add_six(uint64_t* r, const uint64_t* a, const uint64_t* b) {
  uint64_t x;
  __asm__(
      CUZK_WORD("addq", "0") CUZK_WORD("adcq", "8") CUZK_WORD("adcq", "16") CUZK_WORD("adcq", "24")
      CUZK_WORD("adcq", "32") CUZK_WORD("adcq", "40")
      : [x] "=&r"(x), "=m"(*reinterpret_cast<uint64_t(*)[6]>(r))
      : [a] "r"(a), [b] "r"(b), [r] "r"(r), "m"(*reinterpret_cast<const uint64_t(*)[6]>(a)),
        "m"(*reinterpret_cast<const uint64_t(*)[6]>(b))
      : "cc");
}
// clang-format on

#undef CUZK_MULADD
#undef CUZK_END_ROW
#undef CUZK_WIDE_ROW
#undef CUZK_WIDE_REDUCE
#undef CUZK_SUB_P
#undef CUZK_WORD

// r0 + r1·u = (a0 + a1·u)(b0 + b1·u); outputs may alias inputs. Not inlined: 3 KiB of code that towers use
// often.
//
// Bounds, with R = 2^384 > 8p: a0 + a1 < 2p has no carry. a0·b1 + a1·b0 < 2p² < pR. a0·b0 - a1·b1 lies within
// ±p²; where it is negative, p added to the high half makes it less than pR.
[[gnu::noinline]] inline void fp2_mul(Fp& r0, Fp& r1, const Fp& a0, const Fp& a1, const Fp& b0,
                                      const Fp& b1) {
  uint64_t low[12], high[12], cross[12], a_sum[6], b_sum[6];
  add_six(a_sum, a0.montgomery().limb, a1.montgomery().limb);
  add_six(b_sum, b0.montgomery().limb, b1.montgomery().limb);
  mul_wide(low, a0.montgomery().limb, b0.montgomery().limb);
  mul_wide(high, a1.montgomery().limb, b1.montgomery().limb);
  mul_wide(cross, a_sum, b_sum);
  sub_wide(cross, cross, low);
  sub_wide(cross, cross, high);
  reduce_wide(r1.montgomery().limb, cross);
  sub_wide(low, low, high);
  const uint64_t negative = ~(low[11] >> 63) + 1;
  uint64_t correction[6];
  for (int i = 0; i < 6; ++i) correction[i] = FpParams::kModulus.limb[i] & negative;
  add_six(low + 6, low + 6, correction);
  reduce_wide(r0.montgomery().limb, low);
}

}  // namespace cuzk::adx

#endif
