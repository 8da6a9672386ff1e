#include <algorithm>
#include <cstring>
#include <vector>

#include "device/cuda/ntt_launch.hpp"
#include "device/cuda/ntt_passes.hpp"

namespace cuzk::gpu {

namespace {

inline constexpr uint32_t kSmallLog = 11;

}  // namespace

Status fill_powers(Stream& stream, void* out, size_t count, const void* base, const void* factor) {
  DFr b, f;
  std::memcpy(&b, base, sizeof b);
  std::memcpy(&f, factor, sizeof f);
  return launch(stream, "fill_power_table", fill_power_table, blocks_for(count, 128), 128, 0,
                static_cast<DFr*>(out), static_cast<uint32_t>(count), b, f);
}

Status multiply_and_subtract(Stream& stream, void* a, const void* b, const void* c, size_t count) {
  return launch(stream, "multiply_subtract", multiply_subtract, blocks_for(count, 256), 256, 0,
                static_cast<DFr*>(a), static_cast<const DFr*>(b), static_cast<const DFr*>(c),
                static_cast<uint32_t>(count));
}

Status launch_ntt(Stream& stream, const NttLaunch& job) {
  NttPass base{};
  base.in = static_cast<const DFr*>(job.in);
  base.factor = static_cast<const DFr*>(job.factor);
  base.rows = static_cast<const DFr*>(job.rows);
  base.direct = static_cast<const DFr*>(job.direct);
  base.log_size = job.log_size;
  base.direct_log = std::min(job.log_size, kDirectLog);
  base.out = static_cast<DFr*>(job.out);
  PowerTable on_load{static_cast<const DFr*>(job.load_low), static_cast<const DFr*>(job.load_high),
                     job.root_log_low};
  PowerTable on_store{static_cast<const DFr*>(job.store_low), static_cast<const DFr*>(job.store_high),
                      job.root_log_low};
  if (job.log_size <= kSmallLog) {
    base.on_load = on_load;
    base.on_store = on_store;
    base.minus = static_cast<const DFr*>(job.minus);
    base.permute = job.permute;
    size_t bytes = sizeof(DFr) << job.log_size;
    const auto* scale = static_cast<const DFr*>(job.small_scale);
    if (job.in_time) return launch(stream, "ntt_small", ntt_small<false>, 1, 256, bytes, base, scale);
    return launch(stream, "ntt_small", ntt_small<true>, 1, 256, bytes, base, scale);
  }
  auto n = static_cast<uint32_t>(size_t{1} << job.log_size);
  // A permuting last pass cannot write where the one before left its result: that then goes over the input.
  DFr* between = job.permute ? const_cast<DFr*>(base.in) : base.out;
  // Coset powers of coefficients in natural order are a step of their own.
  bool scale_before = on_load.low != nullptr && !job.in_time,
       scale_after = on_store.low != nullptr && job.in_time;
  if (scale_before) {
    CUZK_TRY(launch(stream, "scale_by_table", scale_by_table, blocks_for(n, 256), 256, 0, base.in, between, n,
                    on_load));
    base.in = between;
  }
  // Rows of the passes from the high bits down: as even as can be, none above 2^9.
  uint32_t passes = (job.log_size + kMostRows - 1) / kMostRows;
  std::vector<uint32_t> rows(passes, job.log_size / passes);
  for (uint32_t i = 0; i < job.log_size % passes; ++i) ++rows[i];
  for (uint32_t i = 0; i < passes; ++i) {
    uint32_t index = job.in_time ? passes - 1 - i : i;
    NttPass p = base;
    bool first = i == 0, last = i + 1 == passes;
    for (uint32_t k = index + 1; k < passes; ++k) p.log_stride += rows[k];
    const void* high = index == 0 ? job.root_high_outer : job.root_high;
    p.roots = {static_cast<const DFr*>(job.root_low), static_cast<const DFr*>(high), job.root_log_low};
    if (first && !scale_before) p.on_load = on_load;
    if (!first) {
      p.in = between;
      p.factor = nullptr;
    }
    p.out = last ? base.out : between;
    if (last) {
      if (!scale_after) p.on_store = on_store;
      p.minus = static_cast<const DFr*>(job.minus);
      p.reduce = true;
      p.permute = job.permute;
    }
    if (job.in_time) {
      CUZK_TRY(launch_dit_pass(stream, rows[index], p));
    } else {
      CUZK_TRY(launch_dif_pass(stream, rows[index], p));
    }
  }
  if (!scale_after) return {};
  return launch(stream, "scale_by_table", scale_by_table, blocks_for(n, 256), 256, 0, base.out, base.out, n,
                on_store);
}

}  // namespace cuzk::gpu
