#include "msm/msm.hpp"

#include <atomic>
#include <mutex>
#include <optional>
#include <string>

#include "msm/buckets.hpp"
#include "msm/scratch_pool.hpp"

namespace cuzk {

namespace {

using detail::AddJob;
using detail::AddScratch;
using detail::BucketSum;
using detail::ScratchPool;

// Bases that one task loads at a time, and full-width pairs collected before they go to the buckets.
constexpr size_t kBlock = 1024;
constexpr size_t kWideCapacity = size_t{1} << 16;

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

// One MSM: blocks of bases are loaded and sorted by kind of scalar; ones are summed at once, full-width pairs
// collected and handed to the buckets whenever enough have come.
template <class G, class Reader>
class MsmRun {
 public:
  using Point = typename G::Point;
  using Sum = typename G::Sum;
  using F = typename G::Field;

  MsmRun(const PointSource<G>& bases, const Reader& scalars, Executor& executor)
      : bases_(bases), scalars_(scalars), executor_(executor) {}

  Result<Sum> run() {
    const size_t blocks = (bases_.size() + kBlock - 1) / kBlock;
    for (size_t next = 0; next < blocks;) {
      size_t step = std::min(blocks - next, (kWideCapacity - wide_count_) / kBlock);
      reserve_wide(step * kBlock);
      executor_.run(step, [&](size_t i) { load_block((next + i) * kBlock); });
      if (error_) return tl::unexpected<Error>(std::move(*error_));
      next += step;
      if (wide_count_ + kBlock > kWideCapacity) flush();
    }
    flush();
    if (buckets_) ones_ += buckets_->finish(executor_);
    return ones_;
  }

 private:
  struct Scratch {
    std::vector<Point> loaded, ones;
    AddScratch<F> add;
    std::vector<AddJob<F>> jobs;
    std::vector<uint32_t> wide;
    std::vector<BigInt<4>> wide_scalars;
  };

  void reserve_wide(size_t more) {
    size_t need = std::min(kWideCapacity, wide_count_ + more);
    if (wide_points_.size() < need) wide_points_.resize(need), wide_scalars_.resize(need);
  }

  void load_block(size_t begin) {
    typename ScratchPool<Scratch>::Lease scratch(scratch_);
    size_t count = std::min(kBlock, bases_.size() - begin);
    scratch->loaded.resize(count);
    Status status = bases_.load(begin, scratch->loaded);
    if (!status) return fail_block(begin, std::move(status.error()));
    scratch->ones.clear(), scratch->wide.clear(), scratch->wide_scalars.clear();
    for (size_t i = 0; i < count; ++i) {
      BigInt<4> canonical;
      Result<ScalarKind> kind = scalars_.read(begin + i, canonical);
      if (!kind) return fail_block(begin, std::move(kind.error()));
      if (*kind == ScalarKind::kZero || scratch->loaded[i].is_infinity()) continue;
      if (*kind == ScalarKind::kOne) {
        scratch->ones.push_back(scratch->loaded[i]);
      } else {
        scratch->wide.push_back(static_cast<uint32_t>(i));
        scratch->wide_scalars.push_back(canonical);
      }
    }
    size_t at = wide_count_.fetch_add(scratch->wide.size(), std::memory_order_relaxed);
    for (size_t i = 0; i < scratch->wide.size(); ++i) {
      wide_points_[at + i] = scratch->loaded[scratch->wide[i]];
      wide_scalars_[at + i] = scratch->wide_scalars[i];
    }
    if (scratch->ones.empty()) return;
    Sum sum = detail::sum_in_place<F>(scratch->ones, scratch->add, scratch->jobs);
    std::lock_guard lock(mutex_);
    ones_ += sum;
  }

  void fail_block(size_t begin, Error error) {
    std::lock_guard lock(mutex_);
    if (error_ && error_begin_ <= begin) return;
    error_ = std::move(error);
    error_begin_ = begin;
  }

  void flush() {
    if (wide_count_ == 0) return;
    if (!buckets_) buckets_.emplace(bases_.size());
    buckets_->add(std::span(wide_points_).first(wide_count_), std::span(wide_scalars_).first(wide_count_),
                  executor_);
    wide_count_ = 0;
  }

  const PointSource<G>& bases_;
  const Reader& scalars_;
  Executor& executor_;
  ScratchPool<Scratch> scratch_;
  std::vector<Point> wide_points_;
  std::vector<BigInt<4>> wide_scalars_;
  std::atomic<size_t> wide_count_{0};
  std::optional<BucketSum<G>> buckets_;
  std::mutex mutex_;  // of the members below, while tasks run
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
