#include "msm/fixed_base.hpp"

#include <cstdlib>

#include "base/check.hpp"
#include "msm/kernel.hpp"

namespace cuzk {

namespace {

// Scalars that one task takes at a time: enough to share an inversion, small enough to stay in a core's
// cache.
constexpr size_t kBatch = 1024;

// Windows that hold a scalar below 2^254, with the sign of the top one.
constexpr size_t window_count(size_t bits) {
  return (Fr::kBits + bits - 1) / bits;
}

// Signed digit `index` of a scalar below 2^254 in windows of `bits`, in [-2^(bits-1), 2^(bits-1)]: the carry
// out of the digits below is the bit below (Booth).
int32_t signed_digit(const BigInt<4>& scalar, size_t index, size_t bits) {
  auto digit = static_cast<int32_t>(scalar.bits(index * bits, bits));
  if (index > 0) digit += static_cast<int32_t>(scalar.bits(index * bits - 1, 1));
  auto top = static_cast<int32_t>(scalar.bits((index + 1) * bits - 1, 1));
  return digit - (top << bits);
}

}  // namespace

template <class G>
size_t FixedBase<G>::choose_window_bits(size_t count) {
  // Additions: one a scalar and window, one a table entry. (Wide tables leave the cache: hence the 15.)
  size_t best = 2, best_cost = ~size_t{0};
  for (size_t bits = 2; bits < kMaxWindowBits; ++bits) {
    size_t cost = window_count(bits) * (count + (size_t{1} << (bits - 1)));
    if (cost < best_cost) best = bits, best_cost = cost;
  }
  return best;
}

template <class G>
FixedBase<G>::FixedBase(const Point& base, size_t count, Executor& executor, size_t window_bits)
    : window_bits_(window_bits == 0 ? choose_window_bits(count) : window_bits),
      windows_(window_count(window_bits_)),
      window_size_(size_t{1} << (window_bits_ - 1)),
      table_(windows_ * window_size_) {
  using F = typename G::Field;
  CUZK_CHECK(window_bits_ >= 2 && window_bits_ <= kMaxWindowBits);
  std::vector<typename G::Sum> firsts(windows_);
  firsts[0] = G::Sum::from_affine(base);
  for (size_t i = 1; i < windows_; ++i) {
    firsts[i] = firsts[i - 1];
    for (size_t b = 0; b < window_bits_; ++b) firsts[i] = firsts[i].doubled();
  }
  auto affine = batch_to_affine<F>(firsts);
  executor.run(windows_, [&](size_t window) {
    Point* entries = table_.data() + window * window_size_;
    entries[0] = affine[window];
    detail::BatchAdder<G> adder;
    std::vector<detail::AddJob<F>> jobs;
    // 1 … m gives m+1 … 2m by adding m.
    for (size_t m = 1; m < window_size_; m *= 2) {
      for (size_t from = 0; from < m; from += kBatch) {
        jobs.clear();
        for (size_t i = from; i < std::min(m, from + kBatch); ++i)
          jobs.push_back({&entries[m - 1], &entries[i], &entries[m + i]});
        adder.run(jobs);
      }
    }
  });
}

template <class G>
struct FixedBase<G>::Scratch {
  detail::BatchAdder<G> adder;
  std::vector<detail::AddJob<typename G::Field>> jobs;
  std::vector<BigInt<4>> magnitudes;
  std::vector<uint8_t> negative;
};

// At most kBatch scalars, one window after the other.
template <class G>
void FixedBase<G>::multiply_batch(std::span<const Fr> scalars, std::span<Point> out, Scratch& scratch) const {
  scratch.magnitudes.resize(scalars.size()), scratch.negative.resize(scalars.size());
  for (size_t i = 0; i < scalars.size(); ++i) {
    // The smaller of k and r - k is below 2^254.
    BigInt<4> k = scalars[i].to_canonical(), opposite = Fr::kModulus;
    opposite.sub_in_place(k);
    scratch.negative[i] = opposite < k ? 1 : 0;
    scratch.magnitudes[i] = opposite < k ? opposite : k;
    out[i] = Point::infinity();
  }
  for (size_t window = 0; window < windows_; ++window) {
    const Point* entries = table_.data() + window * window_size_;
    scratch.jobs.clear();
    for (size_t i = 0; i < scalars.size(); ++i) {
      int32_t digit = signed_digit(scratch.magnitudes[i], window, window_bits_);
      if (digit == 0) continue;
      bool negative = (digit < 0) != (scratch.negative[i] != 0);
      scratch.jobs.push_back({&out[i], {&entries[std::abs(digit) - 1], negative}, &out[i]});
    }
    scratch.adder.run(scratch.jobs);
  }
}

template <class G>
void FixedBase<G>::multiply(std::span<const Fr> scalars, std::span<Point> out, Executor& executor) const {
  CUZK_CHECK(scalars.size() == out.size());
  size_t batches = (scalars.size() + kBatch - 1) / kBatch,
         tasks = std::min(batches, 16 * executor.concurrency());
  executor.run(tasks, [&](size_t task) {
    Scratch scratch;
    Range range = split_range(batches, tasks, task);
    for (size_t batch = range.begin; batch < range.end; ++batch) {
      size_t begin = batch * kBatch, count = std::min(kBatch, scalars.size() - begin);
      multiply_batch(scalars.subspan(begin, count), out.subspan(begin, count), scratch);
    }
  });
}

template <class G>
Status FixedBase<G>::multiply(std::span<const Fr> scalars, size_t chunk, Executor& executor,
                              const std::function<Status(size_t, std::span<const Point>)>& sink) const {
  CUZK_CHECK(chunk > 0);
  std::vector<Point> results(std::min(chunk, scalars.size()));
  for (size_t begin = 0; begin < scalars.size(); begin += chunk) {
    size_t count = std::min(chunk, scalars.size() - begin);
    auto out = std::span(results).first(count);
    multiply(scalars.subspan(begin, count), out, executor);
    CUZK_TRY(sink(begin, out));
  }
  return {};
}

template class FixedBase<G1>;
template class FixedBase<G2>;

}  // namespace cuzk
