#include "device/cuda/msm.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <string>

#include "base/check.hpp"
#include "device/cuda/msm_launch.hpp"

namespace cuzk::gpu {

namespace {

constexpr size_t kCountBytes = 256;  // in front of the sums in pinned memory

Windows make_windows(uint32_t count) {
  uint32_t width = (kDigitBits + count - 1) / count;
  return {count, width, kDigitBits - count * (width - 1)};
}

// Windows of a group: as many as fit, groups of even size.
uint32_t windows_per_group(uint32_t windows, size_t scalars, size_t most_entries) {
  size_t fit = std::max<size_t>(1, most_entries / std::max<size_t>(1, scalars));
  size_t groups = (windows + fit - 1) / fit;
  return static_cast<uint32_t>((windows + groups - 1) / groups);
}

uint32_t rounds_of(const MsmTuning& tuning, bool g2) {
  return g2 ? tuning.g2_rounds : tuning.rounds;
}

size_t sum_bytes(bool g2) {
  return g2 ? kG2SumBytes : kG1SumBytes;
}

size_t sums_bytes(bool g2) {
  return (kMostWindows + 1) * sum_bytes(g2);
}

Status carve_buckets(Arena& arena, bool g2, const GroupShape& shape, unsigned multiprocessors) {
  return g2 ? carve_buckets_g2(arena, shape, multiprocessors)
            : carve_buckets_g1(arena, shape, multiprocessors);
}

// Added to integers so that a window's digit is its bits minus half its range.
Recoded bias_of(const Windows& windows) {
  Recoded bias{};
  for (uint32_t w = 0; w < windows.count; ++w) {
    uint32_t bit = windows.position(w) + windows.bits(w) - 1;
    bias.w[bit / 32] |= 1u << (bit % 32);
  }
  return bias;
}

// Modulo 2^256.
Recoded difference(const Recoded& a, const Recoded& b) {
  Recoded out;
  uint64_t borrow = 0;
  for (int i = 0; i < 8; ++i) {
    uint64_t d = uint64_t{a.w[i]} - b.w[i] - borrow;
    out.w[i] = static_cast<uint32_t>(d);
    borrow = d >> 63;
  }
  return out;
}

// A list of entries, sorted by bucket.
struct Entries {
  const uint32_t *keys, *values;
  size_t count;
};

class MsmRun {
 public:
  MsmRun(Stream& stream, const MsmPlan& plan) : stream_(stream), plan_(plan) {}

  // What all sets together need.
  Status measure(MsmPlan& plan) {
    Arena arena;
    carve_lists(arena);
    CUZK_ASSIGN(const size_t group, group_bytes(plan_.scalars, plan_.tuning));
    plan.device_bytes = arena.bytes() + group;
    plan.pinned_bytes = kCountBytes + plan_.sets.count * sums_bytes(plan_.sets.g2);
    return {};
  }

  Result<std::vector<MsmParts>> run(void* workspace, void* pinned, const MsmScalars& scalars,
                                    std::span<const MsmBases> sets) {
    Arena arena(workspace);
    sets_ = sets;
    pinned_ = static_cast<char*>(pinned);
    carve_lists(arena);
    group_mark_ = arena.used();
    MsmTuning tuning = plan_.tuning;
    windows_ = make_windows(tuning.windows);
    CUZK_TRY(stream_.fill(sums_, 0, sets.size() * sums_bytes(plan_.sets.g2)));
    CUZK_TRY(stream_.fill(lists_.counts, 0, 8));
    CUZK_TRY(recode(stream_, scalars, bias_of(windows_), tuning.split, lists_));
    auto wide = static_cast<uint32_t>(scalars.count);
    uint32_t ones = 0;
    if (scalars.bits != nullptr || tuning.split) {
      uint32_t counts[2];
      CUZK_TRY(read_back(lists_.counts, counts, 2));
      ones = counts[0];
      wide = counts[1];
      if (wide < scalars.count) {
        CUZK_ASSIGN(tuning, fitting(wide, tuning));
      }
      CUZK_TRY(use_windows(tuning.windows, wide));
    }
    if (wide > 0) CUZK_TRY(add_windows(arena, tuning, wide));
    if (ones > 0) CUZK_TRY(add_ones(arena, ones));
    return collect();
  }

 private:
  char* sums_of(size_t set) const { return sums_ + set * sums_bytes(plan_.sets.g2); }

  void carve_lists(Arena& arena) {
    lists_.recoded = arena.take<Recoded>(plan_.scalars);
    lists_.wide = arena.take<uint32_t>(plan_.scalars);
    lists_.ones = arena.take<uint32_t>(plan_.scalars);
    lists_.counts = arena.take<uint32_t>(2);
    sums_ = arena.take<char>(plan_.sets.count * sums_bytes(plan_.sets.g2));
  }

  static GroupShape group_shape(size_t scalars, const MsmTuning& tuning) {
    uint32_t windows = windows_per_group(tuning.windows, scalars, tuning.group_entries);
    return {windows * scalars, size_t{windows} * make_windows(tuning.windows).buckets(), 0};
  }

  // What a group works with, apart from the sets' buckets.
  Status carve_group(Arena& arena, const GroupShape& shape) {
    for (int i = 0; i < 2; ++i) {
      sort_.keys[i] = arena.take<uint32_t>(shape.entries);
      sort_.values[i] = arena.take<uint32_t>(shape.entries);
    }
    sort_.now = 0;
    if (plan_.sets.subsets) positions_ = arena.take<uint32_t>(shape.entries + 1);
    CUZK_ASSIGN(scratch_.bytes, sort_scratch_bytes(std::max(shape.entries, shape.buckets) + 1));
    scratch_.at = arena.take_bytes(scratch_.bytes);
    return {};
  }

  Result<size_t> group_bytes(size_t scalars, const MsmTuning& tuning) {
    Arena arena;
    GroupShape shape = group_shape(scalars, tuning);
    CUZK_TRY(carve_group(arena, shape));
    const size_t mark = arena.used();
    for (bool g2 : {false, true}) {
      if (!(g2 ? plan_.sets.g2 : plan_.sets.g1)) continue;
      arena.rewind(mark);
      shape.rounds = rounds_of(tuning, g2);
      CUZK_TRY(carve_buckets(arena, g2, shape, plan_.multiprocessors));
    }
    return arena.bytes();
  }

  // After zeros and ones are gone: the tuning for fewer scalars, if its buffers fit where the planned ones
  // were.
  Result<MsmTuning> fitting(size_t scalars, const MsmTuning& planned) {
    MsmTuning better = tune_msm(scalars, plan_.sets);
    better.group_entries = planned.group_entries;
    better.split = planned.split;
    CUZK_ASSIGN(const size_t small, group_bytes(scalars, better));
    CUZK_ASSIGN(const size_t large, group_bytes(plan_.scalars, planned));
    return small <= large ? better : planned;
  }

  Status use_windows(uint32_t windows, uint32_t count) {
    if (windows == windows_.count) return {};
    const Recoded before = bias_of(windows_);
    windows_ = make_windows(windows);
    return change_bias(stream_, lists_.recoded, count, difference(bias_of(windows_), before));
  }

  Status add_windows(Arena& arena, const MsmTuning& tuning, uint32_t count) {
    const GroupShape most = group_shape(count, tuning);
    arena.rewind(group_mark_);
    CUZK_TRY(carve_group(arena, most));
    const auto per_group = static_cast<uint32_t>(most.entries / count);
    for (uint32_t first = 0; first < windows_.count; first += per_group) {
      const uint32_t now = std::min(per_group, windows_.count - first);
      const size_t entries = size_t{now} * count;
      const uint32_t dead = now * windows_.buckets();
      sort_.now = 0;
      CUZK_TRY(extract_digits(stream_, lists_, plan_.tuning.split, count, windows_, first, now, dead, sort_));
      CUZK_TRY(sort_entries(stream_, sort_, entries, std::bit_width(dead), scratch_));
      const Entries sorted{sort_.keys[sort_.now], sort_.values[sort_.now], entries};
      for (size_t s = 0; s < sets_.size(); ++s) {
        const GroupShape shape{0, dead, rounds_of(tuning, sets_[s].g2)};
        CUZK_TRY(add_set(arena, s, sorted, shape, now, first));
      }
    }
    return {};
  }

  // One bucket for all. Its sum has the place after the windows'.
  Status add_ones(Arena& arena, uint32_t count) {
    arena.rewind(group_mark_);
    CUZK_TRY(carve_group(arena, {count, 1, 0}));
    CUZK_TRY(stream_.fill(sort_.keys[0], 0, size_t{count} * 4));
    const Entries all{sort_.keys[0], lists_.ones, count};
    for (size_t s = 0; s < sets_.size(); ++s) {
      const uint32_t rounds = count >= (1u << 20) ? rounds_of(plan_.tuning, sets_[s].g2) : 0;
      CUZK_TRY(add_set(arena, s, all, {0, 1, rounds}, 0, windows_.count));
    }
    return {};
  }

  // The entries' sums over one set, to places `first` … of its sums.
  Status add_set(Arena& arena, size_t set, Entries entries, GroupShape shape, uint32_t windows,
                 uint32_t first) {
    const MsmBases& bases = sets_[set];
    if (bases.marks != nullptr) {
      const bool done =
          set > 0 && sets_[set - 1].marks == bases.marks && sets_[set - 1].skipped == bases.skipped;
      if (!done) CUZK_TRY(restrict_to(bases, entries, static_cast<uint32_t>(shape.buckets)));
      entries = restricted_;
    }
    if (entries.count == 0) return {};
    shape.entries = entries.count;
    const size_t mark = arena.used();
    const BucketJob job{shape,          entries.keys,
                        entries.values, bases.points,
                        windows,        sums_of(set) + first * sum_bytes(bases.g2),
                        scratch_,       plan_.multiprocessors};
    CUZK_TRY(bases.g2 ? add_buckets_g2(stream_, arena, job) : add_buckets_g1(stream_, arena, job));
    CUZK_CHECK(arena.used() <= plan_.device_bytes);
    arena.rewind(mark);
    return {};
  }

  // The entries of one subset, to the buffers that the sort left unused; sets with the same points follow
  // each other.
  Status restrict_to(const MsmBases& bases, const Entries& entries, uint32_t dead) {
    CUZK_CHECK(plan_.sets.subsets);
    uint32_t *keys = sort_.keys[1 - sort_.now], *values = sort_.values[1 - sort_.now];
    CUZK_TRY(restrict_entries(stream_, bases, entries.keys, entries.values, entries.count, dead, positions_,
                              scratch_, keys, values));
    uint32_t kept;
    CUZK_TRY(read_back(positions_ + entries.count, &kept, 1));
    restricted_ = {keys, values, kept};
    return {};
  }

  Status read_back(const uint32_t* from, uint32_t* to, size_t count) {
    CUZK_TRY(stream_.to_host(pinned_, from, count * sizeof *to));
    CUZK_TRY(stream_.wait());
    std::copy_n(reinterpret_cast<const uint32_t*>(pinned_), count, to);
    return {};
  }

  Result<std::vector<MsmParts>> collect() {
    char* at = pinned_ + kCountBytes;
    std::vector<MsmParts> parts(sets_.size());
    for (size_t s = 0; s < sets_.size(); ++s) {
      const size_t bytes = sum_bytes(sets_[s].g2);
      CUZK_TRY(stream_.to_host(at, sums_of(s), (windows_.count + 1) * bytes));
      parts[s].window_sums = at;
      for (uint32_t w = 0; w < windows_.count; ++w) parts[s].positions.push_back(windows_.position(w));
      parts[s].ones = at + windows_.count * bytes;
      at += sums_bytes(sets_[s].g2);
    }
    CUZK_TRY(stream_.wait());
    return parts;
  }

  Stream& stream_;
  const MsmPlan& plan_;
  std::span<const MsmBases> sets_;
  char* pinned_ = nullptr;
  size_t group_mark_ = 0;
  Windows windows_{};
  DigitLists lists_{};
  char* sums_ = nullptr;
  SortBuffers sort_{};
  uint32_t* positions_ = nullptr;
  Entries restricted_{};
  Scratch scratch_;
};

}  // namespace

MsmTuning tune_msm(size_t scalars, const MsmSets& sets) {
  MsmTuning t;
  // The windows are the same for all sets: those for the mean of the largest and the smallest.
  const auto points = static_cast<size_t>(static_cast<double>(scalars) * (1 + sets.least_share) / 2);
  int log = points == 0 ? 0 : std::bit_width(points) - 1;
  constexpr uint8_t kWindows[] = {51, 51, 51, 51, 51, 51, 51, 51, 43, 43, 37, 32, 28, 26,
                                  24, 23, 22, 20, 17, 17, 16, 16, 15, 14, 13, 13, 12, 12};
  t.windows = kWindows[std::min<size_t>(static_cast<size_t>(log), std::size(kWindows) - 1)];
  t.rounds = log >= 22 ? 4 : log >= 20 ? 3 : log >= 18 ? 2 : 0;
  t.g2_rounds = log >= 21 ? 4 : log >= 19 ? 3 : 0;
  t.split = log >= 18;
  return t;
}

Result<MsmPlan> plan_msm(size_t scalars, const MsmSets& sets, const MsmTuning& tuning,
                         unsigned multiprocessors) {
  if (scalars >= size_t{1} << 30)
    return invalid("a multi-scalar multiplication of " + std::to_string(scalars) +
                   " points; at most 2^30 - 1");
  if (tuning.windows < 10 || tuning.windows > kMostWindows)
    return invalid("windows of a multi-scalar multiplication: 10 to " + std::to_string(kMostWindows));
  MsmPlan plan{scalars, sets, tuning, multiprocessors};
  Stream none;
  CUZK_TRY(MsmRun(none, plan).measure(plan));
  return plan;
}

Result<std::vector<MsmParts>> run_msm(Stream& stream, const MsmPlan& plan, void* workspace, void* pinned,
                                      const MsmScalars& scalars, std::span<const MsmBases> sets) {
  CUZK_CHECK(scalars.count <= plan.scalars && sets.size() <= plan.sets.count);
  for (const MsmBases& set : sets) CUZK_CHECK(set.g2 ? plan.sets.g2 : plan.sets.g1);
  return MsmRun(stream, plan).run(workspace, pinned, scalars, sets);
}

}  // namespace cuzk::gpu
