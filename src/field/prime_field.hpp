// PrimeField<Params>: elements of Z/p in Montgomery form (a·R mod p, R = 2^(64·limbs)), always reduced below
// p. The portable code here is constexpr, the compile-time evaluator of every constant, and the oracle of the
// kernels.
#pragma once

#include <optional>
#include <type_traits>

#include "base/random.hpp"
#include "field/bigint.hpp"
#include "field/isa.hpp"
#include "field/modular_inverse.hpp"
#include "field/params.hpp"
#include "field/prime_field_adx.hpp"

namespace cuzk {

namespace detail {

// -1/p mod 2^64, by Newton's iteration: each step doubles the number of right bits (1, 2, 4 … 64).
constexpr uint64_t montgomery_inverse(uint64_t p0) {
  uint64_t x = 1;
  for (int i = 0; i < 6; ++i) x *= 2 - p0 * x;
  return ~x + 1;
}

// 2^n mod p by doubling.
template <size_t N>
constexpr BigInt<N> power_of_two_mod(size_t n, const BigInt<N>& p) {
  BigInt<N> r = BigInt<N>::from_u64(1);
  for (size_t i = 0; i < n; ++i) {
    uint64_t carry = r.add_in_place(r);
    if (carry != 0 || !(r < p)) r.sub_in_place(p);
  }
  return r;
}

}  // namespace detail

template <class Params>
class PrimeField {
 public:
  static constexpr size_t kLimbs = Params::kLimbs;
  using Int = BigInt<kLimbs>;
  static constexpr size_t kBytes = Int::kBytes;
  static constexpr Int kModulus = Params::kModulus;
  static constexpr size_t kBits = kModulus.bit_length();
  static constexpr uint64_t kInverse = detail::montgomery_inverse(kModulus.limb[0]);
  static constexpr Int kR = detail::power_of_two_mod(64 * kLimbs, kModulus);
  static constexpr Int kR2 = detail::power_of_two_mod(128 * kLimbs, kModulus);

  // Uninitialised on purpose: arrays of millions of elements are written once. Use zero() for zero.
  PrimeField() = default;

  static constexpr PrimeField zero() { return PrimeField(Int::zero()); }
  static constexpr PrimeField one() { return PrimeField(kR); }
  static constexpr PrimeField from_u64(uint64_t v) { return PrimeField(Int::from_u64(v)) * PrimeField(kR2); }
  static constexpr PrimeField from_i64(int64_t v) {
    return v < 0 ? -from_u64(~static_cast<uint64_t>(v) + 1) : from_u64(static_cast<uint64_t>(v));
  }
  // The generator of the multiplicative group, also the coset shift of the evaluation domains.
  static constexpr PrimeField generator() { return from_u64(Params::kGenerator); }

  // From an integer; nothing if it is not below the modulus.
  static constexpr std::optional<PrimeField> from_canonical(const Int& v) {
    if (!(v < kModulus)) return std::nullopt;
    return PrimeField(kR2) * PrimeField(v);
  }
  // From an integer below R (any limbs): reduced. For hashes and random bytes, not for decoding.
  // (Only the right-hand factor of a multiplication may exceed the modulus.)
  static constexpr PrimeField from_reduced(const Int& v) { return PrimeField(kR2) * PrimeField(v); }
  static constexpr PrimeField from_montgomery(const Int& v) { return PrimeField(v); }
  constexpr const Int& montgomery() const { return v_; }
  constexpr Int& montgomery() { return v_; }
  constexpr Int to_canonical() const { return (*this * PrimeField(Int::from_u64(1))).v_; }

  static std::optional<PrimeField> from_le_bytes(const uint8_t* p) {
    return from_canonical(Int::from_le_bytes(p));
  }
  static std::optional<PrimeField> from_be_bytes(const uint8_t* p) {
    return from_canonical(Int::from_be_bytes(p));
  }
  void to_le_bytes(uint8_t* p) const { to_canonical().to_le_bytes(p); }
  void to_be_bytes(uint8_t* p) const { to_canonical().to_be_bytes(p); }

  // Uniform, by rejection.
  static PrimeField random(RandomSource& source) {
    for (;;) {
      uint8_t bytes[kBytes];
      source.fill(bytes);
      Int v = Int::from_le_bytes(bytes);
      v.limb[kLimbs - 1] &= ~uint64_t{0} >> (64 * kLimbs - kBits);
      if (v < kModulus) return PrimeField(v);
    }
  }

  constexpr bool operator==(const PrimeField&) const = default;
  constexpr bool is_zero() const { return v_.is_zero(); }
  constexpr bool is_one() const { return v_ == kR; }

  constexpr PrimeField operator+(const PrimeField& o) const {
#if CUZK_HAS_ADX
    if (!std::is_constant_evaluated()) {
      PrimeField r;
      adx::add_mod<Params>(r.v_.limb, v_.limb, o.v_.limb);
      return r;
    }
#endif
    return add_portable(o);
  }
  constexpr PrimeField operator-(const PrimeField& o) const {
#if CUZK_HAS_ADX
    if (!std::is_constant_evaluated()) {
      PrimeField r;
      adx::sub_mod<Params>(r.v_.limb, v_.limb, o.v_.limb);
      return r;
    }
#endif
    return sub_portable(o);
  }
  constexpr PrimeField add_portable(const PrimeField& o) const {
    PrimeField r = *this;
    r.v_.add_in_place(o.v_);  // no carry: the modulus leaves the top bit free
    return r.reduced_once();
  }
  constexpr PrimeField sub_portable(const PrimeField& o) const {
    PrimeField r = *this;
    uint64_t borrow = r.v_.sub_in_place(o.v_);
    uint64_t mask = ~borrow + 1, carry = 0;
    for (size_t i = 0; i < kLimbs; ++i) {
      uint128_t t = static_cast<uint128_t>(r.v_.limb[i]) + (kModulus.limb[i] & mask) + carry;
      r.v_.limb[i] = static_cast<uint64_t>(t);
      carry = static_cast<uint64_t>(t >> 64);
    }
    return r;
  }
  constexpr PrimeField operator-() const { return zero() - *this; }
  constexpr PrimeField operator*(const PrimeField& o) const {
#if CUZK_HAS_ADX
    if (!std::is_constant_evaluated() && active_isa.adx) [[likely]] {
      PrimeField r;
      adx::montgomery_mul<Params, kInverse>(r.v_.limb, v_.limb, o.v_.limb);
      return r;
    }
#endif
    return mul_portable(o);
  }
  constexpr PrimeField& operator+=(const PrimeField& o) { return *this = *this + o; }
  constexpr PrimeField& operator-=(const PrimeField& o) { return *this = *this - o; }
  // In place: a chain of these waits for one copy through memory less than a = a * b does.
  constexpr PrimeField& operator*=(const PrimeField& o) {
#if CUZK_HAS_ADX
    if (!std::is_constant_evaluated() && active_isa.adx) [[likely]] {
      adx::montgomery_mul<Params, kInverse>(v_.limb, v_.limb, o.v_.limb);
      return *this;
    }
#endif
    return *this = mul_portable(o);
  }

  constexpr PrimeField square() const { return *this * *this; }
  constexpr PrimeField doubled() const { return *this + *this; }
  constexpr PrimeField halved() const {
    Int v = v_;
    if (v.is_odd()) v.add_in_place(kModulus);  // no carry: 2p < R
    return PrimeField(v.shifted_right(1));
  }

  template <size_t M>
  constexpr PrimeField pow(const BigInt<M>& exponent) const {
    PrimeField r = one();
    for (size_t i = exponent.bit_length(); i-- > 0;) {
      r *= r;
      if (exponent.bit(i)) r *= *this;
    }
    return r;
  }
  constexpr PrimeField pow(uint64_t exponent) const { return pow(BigInt<1>{{exponent}}); }

  // 1/a; 0 for a = 0. Variable time. Cost: about as much as 70 multiplications.
  constexpr PrimeField inverse() const {
    if (is_zero()) return zero();
    if (!std::is_constant_evaluated())
      return PrimeField(modular_inverse(v_, kModulus, kInverse)) * PrimeField(kR2) * PrimeField(kR2);
    return inverse_portable();
  }
  // By the binary algorithm: at compile time, and as the other's oracle.
  constexpr PrimeField inverse_portable() const {
    if (is_zero()) return zero();
    return PrimeField(inverse_integer()) * PrimeField(kR2) * PrimeField(kR2);
  }

  // Operand-scanning (CIOS) Montgomery multiplication. The top word never overflows because the modulus
  // leaves at least one bit of it free (Acar, Koç, Kaliski; the "no-carry" form needs p < R/2).
  constexpr PrimeField mul_portable(const PrimeField& o) const {
    uint64_t t[kLimbs] = {};
    for (size_t i = 0; i < kLimbs; ++i) {
      uint128_t product = static_cast<uint128_t>(v_.limb[0]) * o.v_.limb[i] + t[0];
      uint64_t a = static_cast<uint64_t>(product >> 64);
      uint64_t low = static_cast<uint64_t>(product);
      uint64_t m = low * kInverse;
      uint64_t c = static_cast<uint64_t>((static_cast<uint128_t>(m) * kModulus.limb[0] + low) >> 64);
      for (size_t j = 1; j < kLimbs; ++j) {
        product = static_cast<uint128_t>(v_.limb[j]) * o.v_.limb[i] + t[j] + a;
        a = static_cast<uint64_t>(product >> 64);
        uint128_t reduced = static_cast<uint128_t>(m) * kModulus.limb[j] + static_cast<uint64_t>(product) + c;
        c = static_cast<uint64_t>(reduced >> 64);
        t[j - 1] = static_cast<uint64_t>(reduced);
      }
      t[kLimbs - 1] = a + c;
    }
    PrimeField r;
    for (size_t i = 0; i < kLimbs; ++i) r.v_.limb[i] = t[i];
    return r.reduced_once();
  }

 private:
  explicit constexpr PrimeField(const Int& v) : v_(v) {}

  constexpr PrimeField reduced_once() const {
    PrimeField r = *this;
    uint64_t borrow = r.v_.sub_in_place(kModulus);
    uint64_t keep = ~borrow + 1;  // all ones if this was already below p
    for (size_t i = 0; i < kLimbs; ++i) r.v_.limb[i] = (v_.limb[i] & keep) | (r.v_.limb[i] & ~keep);
    return r;
  }

  // The inverse of the limbs as an integer mod p, by the binary extended Euclidean algorithm.
  constexpr Int inverse_integer() const {
    Int u = v_, v = kModulus, x = Int::from_u64(1), y = Int::zero();
    auto halve = [](Int& n, Int& cofactor) {
      while (!n.is_odd()) {
        n = n.shifted_right(1);
        if (cofactor.is_odd()) cofactor.add_in_place(kModulus);
        cofactor = cofactor.shifted_right(1);
      }
    };
    auto subtract = [](Int& a, const Int& b) {
      if (a.sub_in_place(b) != 0) a.add_in_place(kModulus);
    };
    halve(u, x);
    while (!(u == v)) {
      if (v < u) {
        u.sub_in_place(v);
        subtract(x, y);
        halve(u, x);
      } else {
        v.sub_in_place(u);
        subtract(y, x);
        halve(v, y);
      }
    }
    return x;
  }

  Int v_;
};

// Replaces each element by its inverse (Montgomery's trick: one inversion and three multiplications an
// element); zeros stay zero. scratch: as many elements.
template <class F>
void batch_invert(std::span<F> elements, std::span<F> scratch) {
  F product = F::one();
  for (size_t i = 0; i < elements.size(); ++i) {
    scratch[i] = product;
    if (!elements[i].is_zero()) product = product * elements[i];
  }
  F inverse = product.inverse();
  for (size_t i = elements.size(); i-- > 0;) {
    if (elements[i].is_zero()) continue;
    F next = inverse * elements[i];
    elements[i] = inverse * scratch[i];
    inverse = next;
  }
}

}  // namespace cuzk
