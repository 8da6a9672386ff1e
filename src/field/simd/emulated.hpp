// The eight-lane vector type of AVX-512 IFMA written out in plain C++: the same algorithms on any CPU. For
// tests.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuzk::simd {

struct Emulated {
  static constexpr size_t kLanes = 8;
  static constexpr bool kRolled = false;
  static constexpr uint64_t kLowBias = 0, kHighBias = 0;
  static constexpr uint64_t kMask = (uint64_t{1} << 52) - 1;
  struct Word {
    uint64_t v[kLanes];
  };
  using Factor = Word;

  template <class F>
  static void run(F&& f) {
    f();
  }

  template <class F>
  static Word each(F&& f) {
    Word r;
    for (size_t l = 0; l < kLanes; ++l) r.v[l] = f(l);
    return r;
  }
  static Word set1(uint64_t x) {
    return each([&](size_t) { return x; });
  }
  static Word add(Word a, Word b) {
    return each([&](size_t l) { return a.v[l] + b.v[l]; });
  }
  static Word sub(Word a, Word b) {
    return each([&](size_t l) { return a.v[l] - b.v[l]; });
  }
  static Word bit_and(Word a, Word b) {
    return each([&](size_t l) { return a.v[l] & b.v[l]; });
  }
  static Word bit_or(Word a, Word b) {
    return each([&](size_t l) { return a.v[l] | b.v[l]; });
  }
  template <int kBits>
  static Word shl(Word a) {
    return each([&](size_t l) { return a.v[l] << kBits; });
  }
  template <int kBits>
  static Word shr(Word a) {
    return each([&](size_t l) { return a.v[l] >> kBits; });
  }
  static bool any_negative(Word a) {
    uint64_t any = 0;
    for (uint64_t x : a.v) any |= x;
    return any >> 63 != 0;
  }
  static Word select_negative(Word sign, Word a, Word b) {
    return each([&](size_t l) { return sign.v[l] >> 63 != 0 ? a.v[l] : b.v[l]; });
  }

  using Scalar = uint64_t;
  static Scalar scalar(uint64_t x) { return x; }
  static Factor spread(Scalar x) { return set1(x); }
  static Factor constant(uint64_t x) { return set1(x); }
  static Factor factor(Word a) { return a; }
  static Word word(Factor a) { return a; }
  static uint64_t low(uint64_t a, uint64_t b) { return ((a & kMask) * (b & kMask)) & kMask; }
  static uint64_t high(uint64_t a, uint64_t b) {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(a & kMask) * (b & kMask) >> 52);
  }
  static void mac(Word& lo, Word& hi, Factor a, Factor b) {
    mac_high(hi, a, b);
    lo = each([&](size_t l) { return lo.v[l] + low(a.v[l], b.v[l]); });
  }
  static void mac_high(Word& hi, Factor a, Factor b) {
    hi = each([&](size_t l) { return hi.v[l] + high(a.v[l], b.v[l]); });
  }
  static Factor low_factor(Word a) { return a; }  // low() and high() take 52 bits only
  static Factor low_product(Word a, Factor b) {
    return each([&](size_t l) { return low(a.v[l], b.v[l]); });
  }

  template <size_t kWords, class Address>
  static void load(Word (&out)[kWords], Address&& address) {
    for (size_t l = 0; l < kLanes; ++l) {
      const uint64_t* p = address(l);
      for (size_t k = 0; k < kWords; ++k) out[k].v[l] = p[k];
    }
  }
  template <size_t kWords, class Address>
  static void store(const Word (&in)[kWords], Address&& address) {
    for (size_t l = 0; l < kLanes; ++l) {
      uint64_t* p = address(l);
      for (size_t k = 0; k < kWords; ++k) p[k] = in[k].v[l];
    }
  }
};

}  // namespace cuzk::simd
