// Inversion modulo an odd prime by Bernstein-Yang division steps, 62 at a time, variable time.
// Source: Bernstein, Yang, "Fast constant-time gcd computation and modular inversion", 2019, with the steps
// of even g taken together and several bits of g cleared by one multiple of f.
#pragma once

#include <algorithm>

#include "field/bigint.hpp"

namespace cuzk {

namespace detail {

inline constexpr uint64_t kMask62 = ~uint64_t{0} >> 2;

// A signed integer in limbs of 62 bits: all but the top one in [0, 2^62).
template <size_t L>
struct Signed62 {
  int64_t limb[L];

  template <size_t N>
  static constexpr Signed62 from(const BigInt<N>& a) {
    Signed62 r{};
    for (size_t i = 0; i < L; ++i) r.limb[i] = static_cast<int64_t>(a.bits(62 * i, 62));
    return r;
  }
  template <size_t N>
  constexpr BigInt<N> to() const {
    BigInt<N> r{};
    for (size_t i = 0; i < L; ++i) {
      size_t word = 62 * i / 64, shift = 62 * i % 64;
      auto v = static_cast<uint64_t>(limb[i]);
      if (word < N) r.limb[word] |= v << shift;
      if (shift != 0 && word + 1 < N) r.limb[word + 1] |= v >> (64 - shift);
    }
    return r;
  }
};

// Matrix of 62 division steps: (f, g) becomes (u·f + v·g, q·f + r·g) / 2^62.
struct DivisionSteps {
  int64_t u, v, q, r;
};

// Steps from the low words of f (odd) and g. eta is -delta of the paper.
inline DivisionSteps division_steps_62(int64_t& eta, uint64_t f, uint64_t g) {
  uint64_t u = 1, v = 0, q = 0, r = 1;
  for (int left = 62;;) {
    int zeros = __builtin_ctzll(g | (~uint64_t{0} << left));
    g >>= zeros, u <<= zeros, v <<= zeros;
    eta -= zeros, left -= zeros;
    if (left == 0) break;
    uint64_t w;
    if (eta < 0) {
      eta = -eta;
      std::swap(f, g), std::swap(u, q), std::swap(v, r);
      g = -g, q = -q, r = -r;
      // -g/f mod 64: f(2 - f²) is 1/f mod 64 for odd f. No more bits than may be cleared before the next
      // swap.
      uint64_t most = static_cast<uint64_t>(std::min<int64_t>(eta + 1, left));
      w = (f * g * (f * f - 2)) & (~uint64_t{0} >> (64 - most)) & 63;
    } else {
      // The same mod 16: f + 8·[f = 3, 5 mod 8] is 1/f.
      uint64_t most = static_cast<uint64_t>(std::min<int64_t>(eta + 1, left));
      w = (-(f + (((f + 1) & 4) << 1)) * g) & (~uint64_t{0} >> (64 - most)) & 15;
    }
    g += f * w, q += u * w, r += v * w;
  }
  return {static_cast<int64_t>(u), static_cast<int64_t>(v), static_cast<int64_t>(q), static_cast<int64_t>(r)};
}

using int128_t = __int128;

inline int128_t product(int64_t a, int64_t b) {
  return static_cast<int128_t>(a) * b;
}

// The lowest `length` limbs of f and g; the sum of two products is exact: |u| + |v| <= 2^62.
template <size_t L>
void apply_to_gcd(Signed62<L>& f, Signed62<L>& g, const DivisionSteps& t, size_t length) {
  int128_t cf = product(t.u, f.limb[0]) + product(t.v, g.limb[0]);
  int128_t cg = product(t.q, f.limb[0]) + product(t.r, g.limb[0]);
  for (size_t i = 1; i < length; ++i) {
    cf >>= 62, cg >>= 62;
    cf += product(t.u, f.limb[i]) + product(t.v, g.limb[i]);
    cg += product(t.q, f.limb[i]) + product(t.r, g.limb[i]);
    f.limb[i - 1] = static_cast<int64_t>(static_cast<uint64_t>(cf) & kMask62);
    g.limb[i - 1] = static_cast<int64_t>(static_cast<uint64_t>(cg) & kMask62);
  }
  f.limb[length - 1] = static_cast<int64_t>(cf >> 62);
  g.limb[length - 1] = static_cast<int64_t>(cg >> 62);
}

// One row of the same matrix on the cofactors modulo p; d and e stay in (-2p, p). Adds the multiple of p that
// makes the sum divisible by 2^62, p_inverse = 1/p mod 2^62.
template <size_t L>
void cofactor_row(Signed62<L>& out, const Signed62<L>& d, const Signed62<L>& e, int64_t u, int64_t v,
                  const Signed62<L>& p, uint64_t p_inverse) {
  int64_t m = (u & (d.limb[L - 1] >> 63)) + (v & (e.limb[L - 1] >> 63));
  int128_t c = product(u, d.limb[0]) + product(v, e.limb[0]);
  m -= static_cast<int64_t>((p_inverse * static_cast<uint64_t>(c) + static_cast<uint64_t>(m)) & kMask62);
  c += product(p.limb[0], m);
  for (size_t i = 1; i < L; ++i) {
    c >>= 62;
    c += product(u, d.limb[i]) + product(v, e.limb[i]) + product(p.limb[i], m);
    out.limb[i - 1] = static_cast<int64_t>(static_cast<uint64_t>(c) & kMask62);
  }
  out.limb[L - 1] = static_cast<int64_t>(c >> 62);
}

template <size_t L>
void add_signed(Signed62<L>& a, const Signed62<L>& b) {
  int64_t carry = 0;
  for (size_t i = 0; i < L; ++i) {
    int64_t sum = a.limb[i] + b.limb[i] + carry;
    a.limb[i] = i + 1 < L ? sum & static_cast<int64_t>(kMask62) : sum;
    carry = sum >> 62;
  }
}
template <size_t L>
void negate_signed(Signed62<L>& a) {
  int64_t carry = 0;
  for (size_t i = 0; i < L; ++i) {
    int64_t sum = carry - a.limb[i];
    a.limb[i] = i + 1 < L ? sum & static_cast<int64_t>(kMask62) : sum;
    carry = sum >> 62;
  }
}

}  // namespace detail

// 1/a mod p for 0 < a < p; p odd, kWordInverse = -1/p mod 2^64.
template <size_t N>
BigInt<N> modular_inverse(const BigInt<N>& a, const BigInt<N>& p, uint64_t word_inverse) {
  constexpr size_t kLimbs =
      (64 * N + 61) / 62;  // p has at least one bit less than its words, cofactors two more
  using Int = detail::Signed62<kLimbs>;
  const Int modulus = Int::from(p);
  Int f = modulus, g = Int::from(a), d{}, e{};
  e.limb[0] = 1;
  size_t length = kLimbs;
  int64_t eta = -1;
  for (;;) {
    auto steps =
        detail::division_steps_62(eta, static_cast<uint64_t>(f.limb[0]), static_cast<uint64_t>(g.limb[0]));
    Int next_d;
    detail::cofactor_row(next_d, d, e, steps.u, steps.v, modulus, -word_inverse);
    detail::cofactor_row(e, Int(d), Int(e), steps.q, steps.r, modulus, -word_inverse);
    d = next_d;
    detail::apply_to_gcd(f, g, steps, length);
    int64_t any = 0;
    for (size_t i = 0; i < length; ++i) any |= g.limb[i];
    if (any == 0) break;
    // Drop a top limb that holds nothing but the sign.
    int64_t ft = f.limb[length - 1], gt = g.limb[length - 1];
    if (length > 1 && (ft == 0 || ft == -1) && (gt == 0 || gt == -1)) {
      f.limb[length - 2] |= static_cast<int64_t>(static_cast<uint64_t>(ft) << 62);
      g.limb[length - 2] |= static_cast<int64_t>(static_cast<uint64_t>(gt) << 62);
      --length;
    }
  }
  // f = ±1 and d·a = f mod p.
  if (d.limb[kLimbs - 1] < 0) detail::add_signed(d, modulus);
  if (f.limb[length - 1] < 0) detail::negate_signed(d);
  if (d.limb[kLimbs - 1] < 0) detail::add_signed(d, modulus);
  return d.template to<N>();
}

}  // namespace cuzk
