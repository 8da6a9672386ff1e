// x86-64 kernels for four- and six-limb prime fields: Montgomery multiplication with mulx, adcx and adox (two
// carry chains in flight; only where active_isa.adx), addition and subtraction with plain carry chains.
//
// Multiplication is CIOS: for each limb b_i, t += a·b_i, then t = (t + m·p) / 2^64 with m = -t/p mod 2^64. As
// the modulus leaves the top bit of the top limb free, t stays within limbs + 1 words (one more where the
// next row is added first) and the last carry is never lost. The word that a reduction clears becomes the top
// word of the next row, so registers rotate by name.
//
// The assembler takes these instructions whatever -march says, so no separate flags are needed.
#pragma once

#include <cstdint>

#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
#define CUZK_HAS_ADX 1

namespace cuzk::adx {

// clang-format off
// hi:lo = source·rdx; low half into x by the CF chain, high half into y by the OF chain.
#define CUZK_MULADD(source, x, y) \
  "mulxq " source ", %[lo], %[hi]\n\t adcxq %[lo], %[" x "]\n\t adoxq %[hi], %[" y "]\n\t"
#define CUZK_END_ROW(top) "movl $0, %k[lo]\n\t adcxq %[lo], %[" top "]\n\t"
#define CUZK_BEGIN_REDUCTION(t0) \
  "movq %[inverse], %%rdx\n\t imulq %[" t0 "], %%rdx\n\t xorl %k[lo], %k[lo]\n\t"

#define CUZK_REDUCE4(t0, t1, t2, t3, t4) \
  CUZK_BEGIN_REDUCTION(t0) \
  CUZK_MULADD("%[p]", t0, t1) CUZK_MULADD("8+%[p]", t1, t2) CUZK_MULADD("16+%[p]", t2, t3) \
  CUZK_MULADD("24+%[p]", t3, t4) CUZK_END_ROW(t4)
#define CUZK_ROW4(offset, t0, t1, t2, t3, t4) \
  "movq " offset "(%[b]), %%rdx\n\t xorl %k[lo], %k[lo]\n\t" \
  CUZK_MULADD("(%[a])", t0, t1) CUZK_MULADD("8(%[a])", t1, t2) CUZK_MULADD("16(%[a])", t2, t3) \
  CUZK_MULADD("24(%[a])", t3, t4) CUZK_END_ROW(t4) \
  CUZK_REDUCE4(t0, t1, t2, t3, t4)

// m: the digit that clears t0.
#define CUZK_DIGIT6(t0) "movq %[inverse], %[m]\n\t imulq %[" t0 "], %[m]\n\t"
// t1 … t7 += a·rdx, t7 new.
#define CUZK_ADD_ROW6(t1, t2, t3, t4, t5, t6, t7) \
  "xorl %k[" t7 "], %k[" t7 "]\n\t" \
  CUZK_MULADD("(%[a])", t1, t2) CUZK_MULADD("8(%[a])", t2, t3) CUZK_MULADD("16(%[a])", t3, t4) \
  CUZK_MULADD("24(%[a])", t4, t5) CUZK_MULADD("32(%[a])", t5, t6) \
  "mulxq 40(%[a]), %[lo], %[hi]\n\t adcxq %[lo], %[" t6 "]\n\t" \
  "adcxq %[" t7 "], %[hi]\n\t adoxq %[hi], %[" t7 "]\n\t"
#define CUZK_ROW6(offset, t0, t1, t2, t3, t4, t5, t6, t7) \
  "movq " offset "(%[b]), %%rdx\n\t" CUZK_DIGIT6(t0) CUZK_ADD_ROW6(t1, t2, t3, t4, t5, t6, t7)
// t0 … t6 += m·p; t0 is then 0, and the carries into t7 stay in CF and OF.
#define CUZK_REDUCE6(t0, t1, t2, t3, t4, t5, t6) \
  "movq %[m], %%rdx\n\t xorl %k[lo], %k[lo]\n\t" \
  CUZK_MULADD("%[p]", t0, t1) CUZK_MULADD("8+%[p]", t1, t2) CUZK_MULADD("16+%[p]", t2, t3) \
  CUZK_MULADD("24+%[p]", t3, t4) CUZK_MULADD("32+%[p]", t4, t5) CUZK_MULADD("40+%[p]", t5, t6) \
  "adcxq %[" t0 "], %[" t6 "]\n\t"
#define CUZK_CARRY6(t0, t7) "adcxq %[" t0 "], %[" t7 "]\n\t adoxq %[" t0 "], %[" t7 "]\n\t"

// copy = x; x -= p limb (first limb by sub, the others by sbb)
#define CUZK_SUB_P(op, limb, x, copy) "movq %[" x "], " copy "\n\t " op " " limb "+%[p], %[" x "]\n\t"

// Needs b < 2^256 and a < p; result below p.
template <class Params, uint64_t kInverse>
  requires(Params::kLimbs == 4)
[[gnu::always_inline]] inline void montgomery_mul(uint64_t* r, const uint64_t* a, const uint64_t* b) {
  static constexpr uint64_t kInverseWord = kInverse;
  uint64_t x0, x1, x2, x3, x4, lo, hi;
  __asm__(
      "movq (%[b]), %%rdx\n\t"
      "mulxq (%[a]), %[x0], %[x1]\n\t"
      "mulxq 8(%[a]), %[lo], %[x2]\n\t addq %[lo], %[x1]\n\t"
      "mulxq 16(%[a]), %[lo], %[x3]\n\t adcq %[lo], %[x2]\n\t"
      "mulxq 24(%[a]), %[lo], %[x4]\n\t adcq %[lo], %[x3]\n\t"
      "adcq $0, %[x4]\n\t"
      CUZK_REDUCE4("x0", "x1", "x2", "x3", "x4")
      CUZK_ROW4("8", "x1", "x2", "x3", "x4", "x0")
      CUZK_ROW4("16", "x2", "x3", "x4", "x0", "x1")
      CUZK_ROW4("24", "x3", "x4", "x0", "x1", "x2")
      CUZK_SUB_P("subq", "0", "x4", "%[x3]") CUZK_SUB_P("sbbq", "8", "x0", "%[lo]")
      CUZK_SUB_P("sbbq", "16", "x1", "%[hi]") CUZK_SUB_P("sbbq", "24", "x2", "%%rdx")
      "cmovcq %[x3], %[x4]\n\t cmovcq %[lo], %[x0]\n\t cmovcq %[hi], %[x1]\n\t cmovcq %%rdx, %[x2]\n\t"
      : [x0] "=&r"(x0), [x1] "=&r"(x1), [x2] "=&r"(x2), [x3] "=&r"(x3), [x4] "=&r"(x4), [lo] "=&r"(lo),
        [hi] "=&r"(hi)
      : [a] "r"(a), [b] "r"(b), [p] "m"(Params::kModulus.limb), [inverse] "m"(kInverseWord),
        "m"(*reinterpret_cast<const uint64_t(*)[4]>(a)), "m"(*reinterpret_cast<const uint64_t(*)[4]>(b))
      : "rdx", "cc");
  r[0] = x4, r[1] = x0, r[2] = x1, r[3] = x2;
}

// Needs b < 2^384 and a < p; result below p; r may be a or b.
//
// The row of the next b_i is added before the digit m of the last is used, which hides the latency of m; eight
// words hold the sum. The first digit is a_0·(b_0·inverse): only one product waits for a.
//
// A function of its own, aligned: its speed on Zen 3 depends on where its instructions lie.
template <class Params, uint64_t kInverse>
  requires(Params::kLimbs == 6)
[[gnu::noinline, gnu::aligned(64)]] void montgomery_mul(uint64_t* r, const uint64_t* a, const uint64_t* b) {
  static constexpr uint64_t kInverseWord = kInverse;
  uint64_t x0, x1, x2, x3, x4, x5, x6, x7, lo, hi, m;
  __asm__(
      "movq (%[b]), %%rdx\n\t movq %[inverse], %[m]\n\t imulq %%rdx, %[m]\n\t"
      "mulxq (%[a]), %[x0], %[x1]\n\t imulq (%[a]), %[m]\n\t"
      "mulxq 8(%[a]), %[lo], %[x2]\n\t addq %[lo], %[x1]\n\t"
      "mulxq 16(%[a]), %[lo], %[x3]\n\t adcq %[lo], %[x2]\n\t"
      "mulxq 24(%[a]), %[lo], %[x4]\n\t adcq %[lo], %[x3]\n\t"
      "mulxq 32(%[a]), %[lo], %[x5]\n\t adcq %[lo], %[x4]\n\t"
      "mulxq 40(%[a]), %[lo], %[x6]\n\t adcq %[lo], %[x5]\n\t"
      "adcq $0, %[x6]\n\t"
      "movq 8(%[b]), %%rdx\n\t" CUZK_ADD_ROW6("x1", "x2", "x3", "x4", "x5", "x6", "x7")
      CUZK_REDUCE6("x0", "x1", "x2", "x3", "x4", "x5", "x6") CUZK_CARRY6("x0", "x7")
      CUZK_ROW6("16", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x0")
      CUZK_REDUCE6("x1", "x2", "x3", "x4", "x5", "x6", "x7") CUZK_CARRY6("x1", "x0")
      CUZK_ROW6("24", "x2", "x3", "x4", "x5", "x6", "x7", "x0", "x1")
      CUZK_REDUCE6("x2", "x3", "x4", "x5", "x6", "x7", "x0") CUZK_CARRY6("x2", "x1")
      CUZK_ROW6("32", "x3", "x4", "x5", "x6", "x7", "x0", "x1", "x2")
      CUZK_REDUCE6("x3", "x4", "x5", "x6", "x7", "x0", "x1") CUZK_CARRY6("x3", "x2")
      CUZK_ROW6("40", "x4", "x5", "x6", "x7", "x0", "x1", "x2", "x3")
      CUZK_REDUCE6("x4", "x5", "x6", "x7", "x0", "x1", "x2") CUZK_CARRY6("x4", "x3")
      CUZK_DIGIT6("x5") CUZK_REDUCE6("x5", "x6", "x7", "x0", "x1", "x2", "x3")
      CUZK_SUB_P("subq", "0", "x6", "%[x4]") CUZK_SUB_P("sbbq", "8", "x7", "%[x5]")
      CUZK_SUB_P("sbbq", "16", "x0", "%[lo]") CUZK_SUB_P("sbbq", "24", "x1", "%[hi]")
      CUZK_SUB_P("sbbq", "32", "x2", "%%rdx") CUZK_SUB_P("sbbq", "40", "x3", "%[m]")
      "cmovcq %[x4], %[x6]\n\t cmovcq %[x5], %[x7]\n\t cmovcq %[lo], %[x0]\n\t cmovcq %[hi], %[x1]\n\t"
      "cmovcq %%rdx, %[x2]\n\t cmovcq %[m], %[x3]\n\t"
      : [x0] "=&r"(x0), [x1] "=&r"(x1), [x2] "=&r"(x2), [x3] "=&r"(x3), [x4] "=&r"(x4), [x5] "=&r"(x5),
        [x6] "=&r"(x6), [x7] "=&r"(x7), [lo] "=&r"(lo), [hi] "=&r"(hi), [m] "=&r"(m)
      : [a] "r"(a), [b] "r"(b), [p] "m"(Params::kModulus.limb), [inverse] "m"(kInverseWord),
        "m"(*reinterpret_cast<const uint64_t(*)[6]>(a)), "m"(*reinterpret_cast<const uint64_t(*)[6]>(b))
      : "rdx", "cc");
  r[0] = x6, r[1] = x7, r[2] = x0, r[3] = x1, r[4] = x2, r[5] = x3;
}

#undef CUZK_MULADD
#undef CUZK_END_ROW
#undef CUZK_BEGIN_REDUCTION
#undef CUZK_REDUCE4
#undef CUZK_ROW4
#undef CUZK_DIGIT6
#undef CUZK_ADD_ROW6
#undef CUZK_ROW6
#undef CUZK_REDUCE6
#undef CUZK_CARRY6

// r = a + b mod p, a and b below p.
template <class Params>
[[gnu::always_inline]] inline void add_mod(uint64_t* r, const uint64_t* a, const uint64_t* b) {
  uint64_t x0 = a[0], x1 = a[1], x2 = a[2], x3 = a[3];
  if constexpr (Params::kLimbs == 4) {
    uint64_t s0, s1, s2, s3;
    __asm__(
        "addq (%[b]), %[x0]\n\t adcq 8(%[b]), %[x1]\n\t adcq 16(%[b]), %[x2]\n\t adcq 24(%[b]), %[x3]\n\t"
        CUZK_SUB_P("subq", "0", "x0", "%[s0]") CUZK_SUB_P("sbbq", "8", "x1", "%[s1]")
        CUZK_SUB_P("sbbq", "16", "x2", "%[s2]") CUZK_SUB_P("sbbq", "24", "x3", "%[s3]")
        "cmovcq %[s0], %[x0]\n\t cmovcq %[s1], %[x1]\n\t cmovcq %[s2], %[x2]\n\t cmovcq %[s3], %[x3]\n\t"
        : [x0] "+&r"(x0), [x1] "+&r"(x1), [x2] "+&r"(x2), [x3] "+&r"(x3), [s0] "=&r"(s0), [s1] "=&r"(s1),
          [s2] "=&r"(s2), [s3] "=&r"(s3)
        : [b] "r"(b), [p] "m"(Params::kModulus.limb), "m"(*reinterpret_cast<const uint64_t(*)[4]>(b))
        : "cc");
  } else {
    uint64_t x4 = a[4], x5 = a[5];
    uint64_t s0, s1, s2, s3, s4, s5;
    __asm__(
        "addq (%[b]), %[x0]\n\t adcq 8(%[b]), %[x1]\n\t adcq 16(%[b]), %[x2]\n\t adcq 24(%[b]), %[x3]\n\t"
        "adcq 32(%[b]), %[x4]\n\t adcq 40(%[b]), %[x5]\n\t"
        CUZK_SUB_P("subq", "0", "x0", "%[s0]") CUZK_SUB_P("sbbq", "8", "x1", "%[s1]")
        CUZK_SUB_P("sbbq", "16", "x2", "%[s2]") CUZK_SUB_P("sbbq", "24", "x3", "%[s3]")
        CUZK_SUB_P("sbbq", "32", "x4", "%[s4]") CUZK_SUB_P("sbbq", "40", "x5", "%[s5]")
        "cmovcq %[s0], %[x0]\n\t cmovcq %[s1], %[x1]\n\t cmovcq %[s2], %[x2]\n\t cmovcq %[s3], %[x3]\n\t"
        "cmovcq %[s4], %[x4]\n\t cmovcq %[s5], %[x5]\n\t"
        : [x0] "+&r"(x0), [x1] "+&r"(x1), [x2] "+&r"(x2), [x3] "+&r"(x3), [x4] "+&r"(x4), [x5] "+&r"(x5),
          [s0] "=&r"(s0), [s1] "=&r"(s1), [s2] "=&r"(s2), [s3] "=&r"(s3), [s4] "=&r"(s4), [s5] "=&r"(s5)
        : [b] "r"(b), [p] "m"(Params::kModulus.limb), "m"(*reinterpret_cast<const uint64_t(*)[6]>(b))
        : "cc");
    r[4] = x4, r[5] = x5;
  }
  r[0] = x0, r[1] = x1, r[2] = x2, r[3] = x3;
}

// r = a - b mod p, a and b below p: adds p masked by the borrow.
template <class Params>
[[gnu::always_inline]] inline void sub_mod(uint64_t* r, const uint64_t* a, const uint64_t* b) {
  uint64_t x0 = a[0], x1 = a[1], x2 = a[2], x3 = a[3];
  if constexpr (Params::kLimbs == 4) {
    uint64_t s0, s1, s2, s3;
    __asm__(
        "subq (%[b]), %[x0]\n\t sbbq 8(%[b]), %[x1]\n\t sbbq 16(%[b]), %[x2]\n\t sbbq 24(%[b]), %[x3]\n\t"
        "sbbq %[s3], %[s3]\n\t"
        "movq %[p], %[s0]\n\t movq 8+%[p], %[s1]\n\t movq 16+%[p], %[s2]\n\t"
        "andq %[s3], %[s0]\n\t andq %[s3], %[s1]\n\t andq %[s3], %[s2]\n\t andq 24+%[p], %[s3]\n\t"
        "addq %[s0], %[x0]\n\t adcq %[s1], %[x1]\n\t adcq %[s2], %[x2]\n\t adcq %[s3], %[x3]\n\t"
        : [x0] "+&r"(x0), [x1] "+&r"(x1), [x2] "+&r"(x2), [x3] "+&r"(x3), [s0] "=&r"(s0), [s1] "=&r"(s1),
          [s2] "=&r"(s2), [s3] "=&r"(s3)
        : [b] "r"(b), [p] "m"(Params::kModulus.limb), "m"(*reinterpret_cast<const uint64_t(*)[4]>(b))
        : "cc");
  } else {
    uint64_t x4 = a[4], x5 = a[5];
    uint64_t s0, s1, s2, s3, s4, s5;
    __asm__(
        "subq (%[b]), %[x0]\n\t sbbq 8(%[b]), %[x1]\n\t sbbq 16(%[b]), %[x2]\n\t sbbq 24(%[b]), %[x3]\n\t"
        "sbbq 32(%[b]), %[x4]\n\t sbbq 40(%[b]), %[x5]\n\t sbbq %[s5], %[s5]\n\t"
        "movq %[p], %[s0]\n\t movq 8+%[p], %[s1]\n\t movq 16+%[p], %[s2]\n\t movq 24+%[p], %[s3]\n\t"
        "movq 32+%[p], %[s4]\n\t"
        "andq %[s5], %[s0]\n\t andq %[s5], %[s1]\n\t andq %[s5], %[s2]\n\t andq %[s5], %[s3]\n\t"
        "andq %[s5], %[s4]\n\t andq 40+%[p], %[s5]\n\t"
        "addq %[s0], %[x0]\n\t adcq %[s1], %[x1]\n\t adcq %[s2], %[x2]\n\t adcq %[s3], %[x3]\n\t"
        "adcq %[s4], %[x4]\n\t adcq %[s5], %[x5]\n\t"
        : [x0] "+&r"(x0), [x1] "+&r"(x1), [x2] "+&r"(x2), [x3] "+&r"(x3), [x4] "+&r"(x4), [x5] "+&r"(x5),
          [s0] "=&r"(s0), [s1] "=&r"(s1), [s2] "=&r"(s2), [s3] "=&r"(s3), [s4] "=&r"(s4), [s5] "=&r"(s5)
        : [b] "r"(b), [p] "m"(Params::kModulus.limb), "m"(*reinterpret_cast<const uint64_t(*)[6]>(b))
        : "cc");
    r[4] = x4, r[5] = x5;
  }
  r[0] = x0, r[1] = x1, r[2] = x2, r[3] = x3;
}
#undef CUZK_SUB_P
// clang-format on

}  // namespace cuzk::adx

#endif
