// What arithmetic in 32-bit words is made of: carry chains, and constants of a modulus in such words.
#pragma once

#include "device/cuda/gpu.hpp"
#include "field/params.hpp"

namespace cuzk::gpu {

// A carry chain. Operations named _cc leave a carry (or borrow), those with c before the dot take one.
struct Chain {
  uint32_t carry = 0;  // host only; on the device the condition code register

#if CUZK_ON_GPU
  static CUZK_DEV uint32_t add_cc(uint32_t a, uint32_t b) {
    uint32_t r;
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
  }
  static CUZK_DEV uint32_t addc_cc(uint32_t a, uint32_t b) {
    uint32_t r;
    asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
  }
  static CUZK_DEV uint32_t addc(uint32_t a, uint32_t b) {
    uint32_t r;
    asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
  }
  static CUZK_DEV uint32_t sub_cc(uint32_t a, uint32_t b) {
    uint32_t r;
    asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
  }
  static CUZK_DEV uint32_t subc_cc(uint32_t a, uint32_t b) {
    uint32_t r;
    asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
  }
  static CUZK_DEV uint32_t subc(uint32_t a, uint32_t b) {
    uint32_t r;
    asm volatile("subc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
  }
  static CUZK_DEV uint32_t mad_lo_cc(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t r;
    asm volatile("mad.lo.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
  }
  static CUZK_DEV uint32_t madc_lo_cc(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t r;
    asm volatile("madc.lo.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
  }
  static CUZK_DEV uint32_t madc_hi_cc(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t r;
    asm volatile("madc.hi.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
  }
  static CUZK_DEV uint32_t madc_hi(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t r;
    asm volatile("madc.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
  }
  // hi:lo = a·b as one instruction.
  static CUZK_DEV void mul_wide(uint32_t& lo, uint32_t& hi, uint32_t a, uint32_t b) {
    asm volatile("{.reg .u64 t; mul.wide.u32 t, %2, %3; mov.b64 {%0, %1}, t;}"
                 : "=r"(lo), "=r"(hi)
                 : "r"(a), "r"(b));
  }
  // -a, kept from the assembler's algebra: where it sees through the negation it splits the wide products.
  static CUZK_DEV uint32_t negated(uint32_t a) {
    uint32_t r;
    asm volatile("sub.u32 %0, 0, %1;" : "=r"(r) : "r"(a));
    return r;
  }
#else
  CUZK_HD uint32_t sum(uint64_t v) {
    carry = static_cast<uint32_t>(v >> 32);
    return static_cast<uint32_t>(v);
  }
  CUZK_HD uint32_t difference(uint64_t v) {
    carry = static_cast<uint32_t>(v >> 63);
    return static_cast<uint32_t>(v);
  }
  CUZK_HD uint32_t add_cc(uint32_t a, uint32_t b) { return sum(uint64_t{a} + b); }
  CUZK_HD uint32_t addc_cc(uint32_t a, uint32_t b) { return sum(uint64_t{a} + b + carry); }
  CUZK_HD uint32_t addc(uint32_t a, uint32_t b) { return a + b + carry; }
  CUZK_HD uint32_t sub_cc(uint32_t a, uint32_t b) { return difference(uint64_t{a} - b); }
  CUZK_HD uint32_t subc_cc(uint32_t a, uint32_t b) { return difference(uint64_t{a} - b - carry); }
  CUZK_HD uint32_t subc(uint32_t a, uint32_t b) { return a - b - carry; }
  CUZK_HD uint32_t mad_lo_cc(uint32_t a, uint32_t b, uint32_t c) { return sum(uint64_t{a * b} + c); }
  CUZK_HD uint32_t madc_lo_cc(uint32_t a, uint32_t b, uint32_t c) { return sum(uint64_t{a * b} + c + carry); }
  CUZK_HD uint32_t madc_hi_cc(uint32_t a, uint32_t b, uint32_t c) {
    return sum(uint64_t{mul_hi(a, b)} + c + carry);
  }
  CUZK_HD uint32_t madc_hi(uint32_t a, uint32_t b, uint32_t c) { return mul_hi(a, b) + c + carry; }
  static CUZK_HD void mul_wide(uint32_t& lo, uint32_t& hi, uint32_t a, uint32_t b) {
    lo = a * b;
    hi = mul_hi(a, b);
  }
  static CUZK_HD uint32_t negated(uint32_t a) { return ~a + 1; }
  static CUZK_HD uint32_t mul_hi(uint32_t a, uint32_t b) {
    return static_cast<uint32_t>((uint64_t{a} * b) >> 32);
  }
#endif
};

namespace detail {

template <int N>
struct Words {
  uint32_t v[N];
};

template <size_t M>
constexpr Words<2 * M> words_of(const BigInt<M>& a) {
  Words<2 * M> r{};
  for (size_t i = 0; i < 2 * M; ++i) r.v[i] = static_cast<uint32_t>(a.limb[i / 2] >> (32 * (i % 2)));
  return r;
}

// 2^n mod p by doubling.
template <size_t M>
constexpr BigInt<M> power_of_two(size_t n, const BigInt<M>& p) {
  BigInt<M> r = BigInt<M>::from_u64(1);
  for (size_t i = 0; i < n; ++i) {
    uint64_t carry = r.add_in_place(r);
    if (carry != 0 || !(r < p)) r.sub_in_place(p);
  }
  return r;
}

// -1/p mod 2^32 by Newton's iteration.
constexpr uint32_t minus_inverse(uint32_t p0) {
  uint32_t x = 1;
  for (int i = 0; i < 5; ++i) x *= 2 - p0 * x;
  return ~x + 1;
}

}  // namespace detail

}  // namespace cuzk::gpu
