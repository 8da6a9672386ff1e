#include "poly/domain.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <string>

#include "base/check.hpp"

namespace cuzk {

namespace {

constexpr size_t kGrain = size_t{1} << 10;
// Levels on blocks of at most this many elements (128 KiB) are done together.
constexpr size_t kBlock = size_t{1} << 12;

// The place in the table of -1/twiddle: 1/w^e = -w^(n/2 - e), and negating an exponent complements, in
// bit-reversed notation, what is below the highest set bit. Not for block 0, whose twiddle is 1.
constexpr size_t mirrored(size_t block) {
  return block ^ (std::bit_floor(block) - 1);
}

// One level on the butterflies [begin, end), numbered through all blocks; half: distance of the two ends.
void forward_level(Fr* a, const Fr* twiddles, size_t half, size_t begin, size_t end) {
  for (size_t i = begin; i < end;) {
    size_t block = i / half, stop = std::min(end, (block + 1) * half);
    Fr* x = a + 2 * half * block + (i - block * half);
    for (; i < stop; ++i, ++x) {
      Fr t = block == 0 ? x[half] : x[half] * twiddles[block];
      x[half] = x[0] - t;
      x[0] += t;
    }
  }
}

void inverse_level(Fr* a, const Fr* twiddles, size_t half, size_t begin, size_t end) {
  for (size_t i = begin; i < end;) {
    size_t block = i / half, stop = std::min(end, (block + 1) * half);
    Fr* x = a + 2 * half * block + (i - block * half);
    for (; i < stop; ++i, ++x) {
      Fr u = x[0], v = x[half];
      x[0] = u + v;
      x[half] = block == 0 ? u - v : (v - u) * twiddles[mirrored(block)];
    }
  }
}

}  // namespace

Result<Domain> Domain::create(size_t min_size, Executor& executor, DomainRoot root) {
  if (min_size > size_t{1} << kFrTwoAdicity)
    return invalid("evaluation domain of " + std::to_string(min_size) +
                   " points: Fr has domains up to 2^32 only");
  Domain d;
  d.log2_size_ = min_size <= 1 ? 0 : static_cast<size_t>(std::bit_width(min_size - 1));
  d.root_ = fr_root_of_unity(d.log2_size_, root);
  d.size_inverse_ = Fr::from_u64(d.size()).inverse();
  size_t count = std::max<size_t>(1, d.size() / 2);
  d.twiddles_.reset(new (std::nothrow) Fr[count]);
  if (!d.twiddles_)
    return fail(ErrorCode::kResourceExhausted, "evaluation domain of 2^" + std::to_string(d.log2_size_) +
                                                   " points: no memory for its twiddles");
  Fr* table = d.twiddles_.get();
  table[0] = Fr::one();
  // Block 2^i + b turns by 1/2^(i+2) of the circle more than block b.
  for (size_t i = 0; size_t{1} << i < count; ++i) {
    Fr step = fr_root_of_unity(i + 2, root);
    size_t half = size_t{1} << i;
    parallel_ranges(executor, half, kGrain, [&](size_t begin, size_t end) {
      for (size_t b = begin; b < end; ++b) table[half + b] = table[b] * step;
    });
  }
  return d;
}

Fr Domain::vanishing_on_coset(const Fr& shift) const {
  Fr power = shift;
  for (size_t i = 0; i < log2_size_; ++i) power = power.square();
  return power - Fr::one();
}

void Domain::coefficients_to_values(std::span<Fr> a, Executor& executor) const {
  CUZK_CHECK(a.size() == size());
  size_t n = size(), half = n / 2;
  for (; 2 * half > kBlock; half /= 2)
    parallel_ranges(executor, n / 2, kGrain, [&](size_t begin, size_t end) {
      forward_level(a.data(), twiddles_.get(), half, begin, end);
    });
  size_t block = 2 * half;
  if (block < 2) return;
  executor.run(n / block, [&](size_t task) {
    for (size_t h = half; h > 0; h /= 2) {
      size_t begin = task * (block / 2);
      forward_level(a.data(), twiddles_.get(), h, begin, begin + block / 2);
    }
  });
}

void Domain::values_to_coefficients(std::span<Fr> a, Executor& executor) const {
  CUZK_CHECK(a.size() == size());
  size_t n = size(), block = std::min(n, kBlock);
  if (n < 2) return;
  executor.run(n / block, [&](size_t task) {
    for (size_t h = 1; h < block; h *= 2) {
      size_t begin = task * (block / 2);
      inverse_level(a.data(), twiddles_.get(), h, begin, begin + block / 2);
    }
  });
  for (size_t half = block; half < n; half *= 2)
    parallel_ranges(executor, n / 2, kGrain, [&](size_t begin, size_t end) {
      inverse_level(a.data(), twiddles_.get(), half, begin, end);
    });
}

void Domain::forward(std::span<Fr> a, Executor& executor, ValueOrder order) const {
  coefficients_to_values(a, executor);
  if (order == ValueOrder::kNatural) bit_reverse_permute(a, executor);
}

void Domain::inverse(std::span<Fr> a, Executor& executor, ValueOrder order) const {
  inverse_on_coset(a, executor, Fr::one(), order);
}

void Domain::forward_on_coset(std::span<Fr> a, Executor& executor, const Fr& shift, ValueOrder order) const {
  scale_by_powers(a, Fr::one(), shift, executor);
  forward(a, executor, order);
}

void Domain::inverse_on_coset(std::span<Fr> a, Executor& executor, const Fr& shift, ValueOrder order) const {
  CUZK_CHECK(!shift.is_zero());
  if (order == ValueOrder::kNatural) bit_reverse_permute(a, executor);
  values_to_coefficients(a, executor);
  scale_by_powers(a, size_inverse_, shift.inverse(), executor);
}

void Domain::extend_to_coset(std::span<Fr> a, Executor& executor, const Fr& shift, ValueOrder order) const {
  if (order == ValueOrder::kNatural) bit_reverse_permute(a, executor);
  values_to_coefficients(a, executor);
  scale_by_powers(a, size_inverse_, shift, executor);
  forward(a, executor, order);
}

void bit_reverse_permute(std::span<Fr> a, Executor& executor) {
  CUZK_CHECK(std::has_single_bit(a.size()));
  size_t bits = static_cast<size_t>(std::countr_zero(a.size()));
  parallel_ranges(executor, a.size(), kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      size_t j = bit_reverse(i, bits);
      if (i < j) std::swap(a[i], a[j]);  // each pair by the one range that holds its lower place
    }
  });
}

void multiply_pointwise(std::span<Fr> a, std::span<const Fr> b, Executor& executor) {
  CUZK_CHECK(a.size() == b.size());
  parallel_ranges(executor, a.size(), kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) a[i] *= b[i];
  });
}

void multiply_subtract_scale(std::span<Fr> a, std::span<const Fr> b, std::span<const Fr> c, const Fr& factor,
                             Executor& executor) {
  CUZK_CHECK(a.size() == b.size() && a.size() == c.size());
  parallel_ranges(executor, a.size(), kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) a[i] = (a[i] * b[i] - c[i]) * factor;
  });
}

void scale_by_powers(std::span<Fr> a, const Fr& first, const Fr& ratio, Executor& executor) {
  parallel_ranges(executor, a.size(), kGrain, [&](size_t begin, size_t end) {
    Fr power = first * ratio.pow(begin);
    for (size_t i = begin; i < end; ++i, power *= ratio) a[i] *= power;
  });
}

}  // namespace cuzk
