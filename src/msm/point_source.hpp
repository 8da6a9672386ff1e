// A list of bases, wherever it lives: in memory, in a mapped file, decoded on the fly.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "curve/point.hpp"

namespace cuzk {

template <class G>
class PointSource {
 public:
  virtual ~PointSource() = default;

  virtual size_t size() const = 0;

  // Writes points [begin, begin + out.size()) to `out`; the range lies within size().
  // Errors: a point that does not decode, named by its place. Threads: any number at the same time.
  virtual Status load(size_t begin, std::span<typename G::Point> out) const = 0;
};

// Points in memory.
template <class G>
class MemoryPoints final : public PointSource<G> {
 public:
  explicit MemoryPoints(std::vector<typename G::Point> points) : points_(std::move(points)) {}

  size_t size() const override { return points_.size(); }
  Status load(size_t begin, std::span<typename G::Point> out) const override {
    std::copy_n(points_.begin() + static_cast<std::ptrdiff_t>(begin), out.size(), out.begin());
    return {};
  }
  std::span<const typename G::Point> points() const { return points_; }

 private:
  std::vector<typename G::Point> points_;
};

// Points in memory that somebody else owns.
template <class G>
class SpanSource final : public PointSource<G> {
 public:
  explicit SpanSource(std::span<const typename G::Point> points) : points_(points) {}

  size_t size() const override { return points_.size(); }
  Status load(size_t begin, std::span<typename G::Point> out) const override {
    std::copy_n(points_.begin() + static_cast<std::ptrdiff_t>(begin), out.size(), out.begin());
    return {};
  }

 private:
  std::span<const typename G::Point> points_;
};

}  // namespace cuzk
