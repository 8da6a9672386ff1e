#include "msm/msm.hpp"

#include <mutex>
#include <optional>
#include <string>

#include "msm/buckets.hpp"
#include "msm/scratch_pool.hpp"

namespace cuzk {

namespace {

using detail::AddJob;
using detail::BucketSum;
using detail::ScratchPool;

// Bases that one task loads at a time.
constexpr size_t kBlock = 1024;

enum class ScalarKind { kZero, kOne, kWide };

// Scalars in Montgomery form, by way of a selection.
class MontgomeryReader {
 public:
  explicit MontgomeryReader(const Scalars& scalars) : scalars_(scalars) {}
  size_t size() const { return scalars_.size(); }

  Result<ScalarKind> read(size_t k, BigInt<4>& canonical) const {
    size_t index = k;
    if (!scalars_.select.empty()) {
      index = scalars_.select[k];
      if (index >= scalars_.values.size())
        return invalid("scalar " + std::to_string(k) + " selects value " + std::to_string(index) + " of " +
                       std::to_string(scalars_.values.size()));
    }
    const Fr& value = scalars_.values[index];
    if (value.is_zero()) return ScalarKind::kZero;
    if (value.is_one()) return ScalarKind::kOne;
    canonical = value.to_canonical();
    return ScalarKind::kWide;
  }

 private:
  const Scalars& scalars_;
};

class CanonicalReader {
 public:
  explicit CanonicalReader(std::span<const BigInt<4>> scalars) : scalars_(scalars) {}
  size_t size() const { return scalars_.size(); }

  Result<ScalarKind> read(size_t k, BigInt<4>& canonical) const {
    canonical = scalars_[k];
    if (!(canonical < Fr::kModulus))
      return invalid("scalar " + std::to_string(k) + " is not below the group order");
    if (canonical.is_zero()) return ScalarKind::kZero;
    return canonical == BigInt<4>::from_u64(1) ? ScalarKind::kOne : ScalarKind::kWide;
  }

 private:
  std::span<const BigInt<4>> scalars_;
};

// All scalars are one.
class OnesReader {
 public:
  explicit OnesReader(size_t size) : size_(size) {}
  size_t size() const { return size_; }
  Result<ScalarKind> read(size_t, BigInt<4>&) const { return ScalarKind::kOne; }

 private:
  size_t size_;
};

// About how many scalars are neither 0 nor 1, from a sample.
template <class Reader>
size_t estimate_wide(const Reader& scalars) {
  constexpr size_t kSample = 2048;
  size_t step = scalars.size() / kSample + 1, seen = 0, wide = 0;
  BigInt<4> canonical;
  for (size_t i = 0; i < scalars.size(); i += step, ++seen) {
    auto kind = scalars.read(i, canonical);
    if (kind && *kind == ScalarKind::kWide) ++wide;
  }
  return wide * (scalars.size() / seen) + 1;
}

// One MSM: blocks of bases are loaded and sorted by kind of scalar; ones are summed at once, full-width pairs
// staged for the buckets, which take them whenever enough have come.
template <class G, class Reader>
class MsmRun {
 public:
  using Point = typename G::Point;
  using Sum = typename G::Sum;
  using F = typename G::Field;

  MsmRun(const PointSource<G>& bases, const Reader& scalars, Executor& executor)
      : bases_(bases),
        scalars_(scalars),
        executor_(executor),
        block_(std::min(kBlock, bases.size())),
        capacity_(std::min((bases.size() + block_ - 1) / block_ * block_, BucketSum<G>::kCapacity)) {}

  Result<Sum> run() {
    const size_t blocks = (bases_.size() + block_ - 1) / block_;
    for (size_t next = 0; next < blocks;) {
      size_t step = std::min(blocks - next, (buckets_ ? buckets_->room() : capacity_) / block_);
      executor_.run(step, [&](size_t i) { load_block((next + i) * block_); });
      if (error_) return tl::unexpected<Error>(std::move(*error_));
      next += step;
      if (buckets_ && (next == blocks || buckets_->room() < std::max(block_, capacity_ / 8)))
        buckets_->flush(executor_);
    }
    if (buckets_) ones_ += buckets_->finish(executor_);
    return ones_;
  }

 private:
  struct Scratch {
    std::vector<Point> loaded, ones, wide;
    std::vector<BigInt<4>> wide_scalars;
    detail::BatchAdder<G> adder;
    std::vector<AddJob<F>> jobs;
  };

  void load_block(size_t begin) {
    typename ScratchPool<Scratch>::Lease scratch(scratch_);
    size_t count = std::min(block_, bases_.size() - begin);
    scratch->loaded.resize(count);
    Status status = bases_.load(begin, scratch->loaded);
    if (!status) return fail_block(begin, std::move(status.error()));
    scratch->ones.clear(), scratch->wide.clear(), scratch->wide_scalars.clear();
    for (size_t i = 0; i < count; ++i) {
      BigInt<4> canonical;
      Result<ScalarKind> kind = scalars_.read(begin + i, canonical);
      if (!kind) return fail_block(begin, std::move(kind.error()));
      const Point& point = scratch->loaded[i];
      if (*kind == ScalarKind::kZero || point.is_infinity()) continue;
      if (*kind == ScalarKind::kOne) {
        scratch->ones.push_back(point);
      } else {
        scratch->wide.push_back(point);
        scratch->wide_scalars.push_back(canonical);
      }
    }
    if (!scratch->wide.empty()) bucket_sum().stage(scratch->wide, scratch->wide_scalars);
    if (scratch->ones.empty()) return;
    Sum sum = detail::sum_in_place<G>(scratch->adder, scratch->ones, scratch->jobs);
    std::lock_guard lock(mutex_);
    ones_ += sum;
  }

  // Made by the first block that has a full-width scalar.
  BucketSum<G>& bucket_sum() {
    std::lock_guard lock(mutex_);
    if (!buckets_)
      buckets_.emplace(detail::BatchAdder<G>::active_kernels(), estimate_wide(scalars_), capacity_);
    return *buckets_;
  }

  void fail_block(size_t begin, Error error) {
    std::lock_guard lock(mutex_);
    if (error_ && error_begin_ <= begin) return;
    error_ = std::move(error);
    error_begin_ = begin;
  }

  const PointSource<G>& bases_;
  const Reader& scalars_;
  Executor& executor_;
  const size_t block_, capacity_;
  ScratchPool<Scratch> scratch_;
  std::mutex mutex_;  // of the members below, while tasks run
  std::optional<BucketSum<G>> buckets_;
  Sum ones_ = Sum::infinity();
  std::optional<Error> error_;
  size_t error_begin_ = 0;
};

template <class G, class Reader>
Result<typename G::Sum> run_msm(const PointSource<G>& bases, const Reader& scalars, Executor& executor) {
  if (bases.size() == 0) return G::Sum::infinity();
  if (bases.size() != scalars.size())
    return invalid(std::string(G::kName) + " multiplication: " + std::to_string(bases.size()) + " bases, " +
                   std::to_string(scalars.size()) + " scalars");
  return MsmRun<G, Reader>(bases, scalars, executor).run();
}

}  // namespace

template <class G>
Result<typename G::Sum> msm(const PointSource<G>& bases, const Scalars& scalars, Executor& executor) {
  return run_msm<G>(bases, MontgomeryReader(scalars), executor);
}

template <class G>
Result<typename G::Sum> msm(const PointSource<G>& bases, std::span<const BigInt<4>> scalars,
                            Executor& executor) {
  return run_msm<G>(bases, CanonicalReader(scalars), executor);
}

template <class G>
Result<typename G::Sum> batch_sum(const PointSource<G>& bases, Executor& executor) {
  return run_msm<G>(bases, OnesReader(bases.size()), executor);
}

template Result<G1::Sum> msm<G1>(const PointSource<G1>&, const Scalars&, Executor&);
template Result<G2::Sum> msm<G2>(const PointSource<G2>&, const Scalars&, Executor&);
template Result<G1::Sum> msm<G1>(const PointSource<G1>&, std::span<const BigInt<4>>, Executor&);
template Result<G2::Sum> msm<G2>(const PointSource<G2>&, std::span<const BigInt<4>>, Executor&);
template Result<G1::Sum> batch_sum<G1>(const PointSource<G1>&, Executor&);
template Result<G2::Sum> batch_sum<G2>(const PointSource<G2>&, Executor&);

}  // namespace cuzk
