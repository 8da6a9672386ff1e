#include "poly/domain.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <string>

#include "base/check.hpp"
#include "field/simd/batch.hpp"
#include "poly/ntt_kernels.hpp"

namespace cuzk {

namespace {

constexpr size_t kGrain = size_t{1} << 10;
// bit_reverse_permute works on tiles of 2^kTileBits by 2^kTileBits elements (two of them: 64 KiB).
constexpr size_t kTileBits = 5;
// Levels on blocks of at most this many elements (128 KiB) are done together.
constexpr size_t kBlock = size_t{1} << 12;

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
      x[half] = block == 0 ? u - v : (v - u) * twiddles[detail::mirrored(block)];
    }
  }
}

const detail::NttKernels* best_kernels() {
#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
  if (active_isa.ifma) return &detail::kNttIfma;
  if (active_isa.avx2_fma) return &detail::kNttAvx2;
#endif
  return nullptr;
}

// Vector passes need vectors of columns, blocks to a vector, and two levels.
constexpr size_t kLeastVectorLevels = 6;

const uint64_t* words(const Fr* a) {
  return a->montgomery().limb;
}

}  // namespace

Result<Domain> Domain::create(size_t min_size, Executor& executor, DomainRoot root) {
  return create(min_size, executor, root, best_kernels());
}

Result<Domain> Domain::create(size_t min_size, Executor& executor, DomainRoot root,
                              const detail::NttKernels* kernels) {
  if (min_size > size_t{1} << kFrTwoAdicity)
    return invalid("evaluation domain of " + std::to_string(min_size) +
                   " points: Fr has domains up to 2^32 only");
  Domain d;
  d.log2_size_ = min_size <= 1 ? 0 : static_cast<size_t>(std::bit_width(min_size - 1));
  d.root_ = fr_root_of_unity(d.log2_size_, root);
  d.size_inverse_ = Fr::from_u64(d.size()).inverse();
  if (d.log2_size_ >= kLeastVectorLevels) d.kernels_ = kernels;
  size_t count = std::max<size_t>(1, d.size() / 2);
  d.twiddles_.reset(new (std::nothrow) Fr[count]);
  if (!d.twiddles_)
    return fail(ErrorCode::kResourceExhausted, "evaluation domain of 2^" + std::to_string(d.log2_size_) +
                                                   " points: no memory for its twiddles");
  Fr* table = d.twiddles_.get();
  table[0] = d.kernels_ == nullptr ? Fr::one() : Fr::from_u64(16);
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

void Domain::vector_passes(std::span<Fr> a, bool inverse, const Scaling* scaling, Executor& executor) const {
  using detail::NttPass;
  size_t lanes = kernels_->lanes;
  size_t count = std::max<size_t>(2, (log2_size_ + NttPass::kMaxLevels - 1) / NttPass::kMaxLevels);
  // The pass at level 0 has twiddles of its own: with the powers of the ratio that belong to rows.
  Fr first_twiddles[size_t{1} << NttPass::kMaxLevels];
  Fr minus_one = -twiddles_[0];
  for (size_t turn = 0; turn < count; ++turn) {
    Range range = split_range(log2_size_, count, inverse ? count - 1 - turn : turn);
    NttPass pass{};
    pass.data = a.data()->montgomery().limb;
    pass.log2_size = log2_size_;
    pass.first_level = range.begin;
    pass.levels = range.size();
    pass.reduce = turn + 1 == count;
    if (inverse && range.begin > 0) pass.minus_one = words(&minus_one);
    for (size_t t = 0; t < pass.levels; ++t) pass.twiddles[t] = words(twiddles_.get());
    bool scaled = range.begin == 0 && scaling != nullptr;
    if (range.begin == 0) {
      Fr power = scaling == nullptr ? Fr::one() : scaling->ratio;  // ratio^(n / 2^(t+1))
      for (size_t t = log2_size_; t-- > 0; power = power.square()) {
        if (t >= pass.levels) continue;
        Fr* level = first_twiddles + (size_t{1} << t);
        for (size_t b = 0; b < size_t{1} << t; ++b) {
          const Fr& z = twiddles_[b];
          level[b] = (!inverse || b == 0 ? z : -twiddles_[detail::mirrored(b)]) * power;
        }
        pass.twiddles[t] = words(level);
      }
    }
    size_t tiles = (a.size() >> pass.levels) / lanes;
    parallel_ranges(executor, tiles, 1, [&](size_t begin, size_t end) {
      NttPass mine = pass;
      Fr factors[16 + 1];
      if (scaled) {
        factors[0] = scaling->first * twiddles_[0] * scaling->ratio.pow(begin * lanes);
        for (size_t lane = 1; lane < lanes; ++lane) factors[lane] = factors[lane - 1] * scaling->ratio;
        factors[lanes] = twiddles_[0] * scaling->ratio.pow(lanes);
        mine.column_factors = words(factors);
      }
      (inverse ? kernels_->inverse : kernels_->forward)(mine, begin, end);
    });
  }
}

void Domain::coefficients_to_values(std::span<Fr> a, const Scaling* scaling, Executor& executor) const {
  CUZK_CHECK(a.size() == size());
  if (kernels_ != nullptr) return vector_passes(a, false, scaling, executor);
  if (scaling != nullptr) scale_by_powers(a, scaling->first, scaling->ratio, executor);
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

void Domain::values_to_coefficients(std::span<Fr> a, const Scaling* scaling, Executor& executor) const {
  CUZK_CHECK(a.size() == size());
  if (kernels_ != nullptr) return vector_passes(a, true, scaling, executor);
  size_t n = size(), block = std::min(n, kBlock);
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
  if (scaling != nullptr) scale_by_powers(a, scaling->first, scaling->ratio, executor);
}

void Domain::forward(std::span<Fr> a, Executor& executor, ValueOrder order) const {
  coefficients_to_values(a, nullptr, executor);
  if (order == ValueOrder::kNatural) bit_reverse_permute(a, executor);
}

void Domain::inverse(std::span<Fr> a, Executor& executor, ValueOrder order) const {
  inverse_on_coset(a, executor, Fr::one(), order);
}

void Domain::forward_on_coset(std::span<Fr> a, Executor& executor, const Fr& shift, ValueOrder order) const {
  Scaling scaling{Fr::one(), shift};
  coefficients_to_values(a, &scaling, executor);
  if (order == ValueOrder::kNatural) bit_reverse_permute(a, executor);
}

void Domain::inverse_on_coset(std::span<Fr> a, Executor& executor, const Fr& shift, ValueOrder order) const {
  CUZK_CHECK(!shift.is_zero());
  if (order == ValueOrder::kNatural) bit_reverse_permute(a, executor);
  Scaling scaling{size_inverse_, shift.is_one() ? shift : shift.inverse()};
  values_to_coefficients(a, &scaling, executor);
}

void Domain::extend_to_coset(std::span<Fr> a, Executor& executor, const Fr& shift, ValueOrder order) const {
  if (order == ValueOrder::kNatural) bit_reverse_permute(a, executor);
  values_to_coefficients(a, nullptr, executor);
  Scaling scaling{size_inverse_, shift};
  coefficients_to_values(a, &scaling, executor);
  if (order == ValueOrder::kNatural) bit_reverse_permute(a, executor);
}

void bit_reverse_permute(std::span<Fr> a, Executor& executor) {
  CUZK_CHECK(std::has_single_bit(a.size()));
  size_t bits = static_cast<size_t>(std::countr_zero(a.size()));
  if (bits < 2 * kTileBits) {
    for (size_t i = 0; i < a.size(); ++i)
      if (size_t j = bit_reverse(i, bits); i < j) std::swap(a[i], a[j]);
    return;
  }
  // Place = (high, middle, low) with kTileBits high and low bits: (h, m, l) changes with (l', m', h'), ' for
  // reversed. For one m these are two square tiles of short runs, which fit in the cache.
  size_t middle_bits = bits - 2 * kTileBits;
  constexpr size_t kSide = size_t{1} << kTileBits;
  parallel_ranges(executor, size_t{1} << middle_bits, 1, [&](size_t begin, size_t end) {
    size_t reversed[kSide];
    for (size_t i = 0; i < kSide; ++i) reversed[i] = bit_reverse(i, kTileBits);
    for (size_t m = begin; m < end; ++m) {
      size_t other = bit_reverse(m, middle_bits);
      if (m > other) continue;
      for (size_t h = 0; h < kSide; ++h)
        for (size_t l = 0; l < kSide; ++l) {
          size_t i = ((h << middle_bits | m) << kTileBits) | l;
          size_t j = ((reversed[l] << middle_bits | other) << kTileBits) | reversed[h];
          if (m < other || i < j) std::swap(a[i], a[j]);
        }
    }
  });
}

void multiply_pointwise(std::span<Fr> a, std::span<const Fr> b, Executor& executor) {
  CUZK_CHECK(a.size() == b.size());
  parallel_ranges(executor, a.size(), kGrain, [&](size_t begin, size_t end) {
    auto part = a.subspan(begin, end - begin);
    mul_batch(part, part, b.subspan(begin, end - begin));
  });
}

void scale_by_powers(std::span<Fr> a, const Fr& first, const Fr& ratio, Executor& executor) {
  parallel_ranges(executor, a.size(), kGrain, [&](size_t begin, size_t end) {
    Fr power = first * ratio.pow(begin);
    for (size_t i = begin; i < end; ++i, power *= ratio) a[i] *= power;
  });
}

}  // namespace cuzk
