#include "device/cuda/ntt.hpp"

#include <algorithm>
#include <string>

#include "base/check.hpp"
#include "device/cuda/arena.hpp"
#include "device/cuda/ntt_launch.hpp"
#include "field/fr.hpp"

namespace cuzk::gpu {

namespace {

constexpr uint32_t kRowsLog = 9, kMostDirectLog = 18;

uint32_t direct_log(uint32_t log2_size) {
  return std::min(log2_size, kMostDirectLog);
}

uint32_t low_log(uint32_t log2_size) {
  return (log2_size + 1) / 2;
}

Fr squared_times(Fr base, uint32_t log) {
  for (uint32_t i = 0; i < log; ++i) base = base.square();
  return base;
}

}  // namespace

size_t ntt_table_bytes(uint32_t log2_size) {
  size_t low = size_t{1} << low_log(log2_size);
  size_t shared = (size_t{1} << kRowsLog) + (size_t{1} << direct_log(log2_size));
  return (2 * shared + 12 * low) * sizeof(Fr) + 32 * 256;
}

Result<NttDomain> NttDomain::create(Stream& stream, uint32_t log2_size, void* memory, DomainRoot which,
                                    const Fr& shift) {
  if (log2_size > kMostNttLog)
    return invalid("a transform of size 2^" + std::to_string(log2_size) + " on a CUDA card; at most 2^28");
  NttDomain domain;
  domain.log2_size_ = log2_size;
  Arena arena(memory);
  const uint32_t h = low_log(log2_size);
  const size_t low = size_t{1} << h, high = size_t{1} << (log2_size - h);
  Status status;
  auto powers = [&](size_t count, const Fr& base, const Fr& factor) -> const void* {
    void* out = arena.take<Fr>(count);
    if (status) status = fill_powers(stream, out, count, &base, &factor);
    return out;
  };
  const Fr one = Fr::one();
  const Fr size_inverse = Fr::from_u64(2).pow(log2_size).inverse();
  const Fr quotient = size_inverse * (squared_times(shift, log2_size) - one).inverse();
  for (bool inverse : {false, true}) {
    Tables& t = inverse ? domain.inverse_ : domain.forward_;
    auto directed = [&](const Fr& a) { return inverse ? a.inverse() : a; };
    const Fr root = directed(fr_root_of_unity(log2_size, which)), g = directed(shift);
    t.rows = powers(size_t{1} << kRowsLog, directed(fr_root_of_unity(kRowsLog, which)), one);
    t.direct = powers(size_t{1} << direct_log(log2_size),
                      directed(fr_root_of_unity(direct_log(log2_size), which)), one);
    t.low = powers(low, root, one);
    t.high = powers(high, squared_times(root, h), one);
    t.coset_low = powers(low, g, one);
    t.coset_high = powers(high, squared_times(g, h), inverse ? size_inverse : one);
    if (!inverse) continue;
    t.high_scaled = powers(high, squared_times(root, h), size_inverse);
    t.high_quotient = powers(high, squared_times(root, h), quotient);
    t.coset_high_quotient = powers(high, squared_times(g, h), quotient);
    t.scale = powers(1, one, size_inverse);
    t.scale_quotient = powers(1, one, quotient);
  }
  CUZK_TRY(std::move(status));
  CUZK_CHECK(arena.bytes() <= ntt_table_bytes(log2_size));
  return domain;
}

Status NttDomain::transform(Stream& stream, const NttJob& job, const Extra& extra, const void* in,
                            void* out) const {
  const Tables& t = job.inverse ? inverse_ : forward_;
  NttLaunch launch{};
  launch.log_size = log2_size_;
  launch.in_time = job.bit_reversed_in;
  launch.permute = job.permute;
  launch.in = in;
  launch.out = out;
  launch.factor = extra.factor;
  launch.minus = extra.minus;
  launch.rows = t.rows;
  launch.direct = t.direct;
  launch.root_low = t.low;
  launch.root_high = launch.root_high_outer = t.high;
  launch.root_log_low = low_log(log2_size_);
  if (job.coset && !job.inverse) {
    launch.load_low = t.coset_low;
    launch.load_high = t.coset_high;
  } else if (job.coset) {
    launch.store_low = t.coset_low;
    launch.store_high = extra.over_quotient ? t.coset_high_quotient : t.coset_high;
  } else if (job.inverse) {
    launch.root_high_outer = extra.over_quotient ? t.high_quotient : t.high_scaled;
    launch.small_scale = extra.over_quotient ? t.scale_quotient : t.scale;
  }
  return launch_ntt(stream, launch);
}

Status NttDomain::run(Stream& stream, const NttJob& job, void* in, void* out) const {
  CUZK_CHECK(!job.permute || (in != out && !job.bit_reversed_in));
  return transform(stream, job, {}, in, out);
}

Status NttDomain::quotient(Stream& stream, void* a, void* b, void* scratch) const {
  const NttJob interpolate{.inverse = true}, to_coset{.bit_reversed_in = true, .coset = true};
  CUZK_TRY(transform(stream, interpolate, {.factor = b, .over_quotient = true}, a, scratch));
  for (void* values : {a, b}) {
    CUZK_TRY(transform(stream, interpolate, {}, values, values));
    CUZK_TRY(transform(stream, to_coset, {}, values, values));
  }
  const NttJob from_coset{.inverse = true, .permute = true, .coset = true};
  return transform(stream, from_coset, {.factor = b, .minus = scratch, .over_quotient = true}, a, b);
}

Status NttDomain::values_on_coset(Stream& stream, void* a, void* b, void* scratch) const {
  const NttJob interpolate{.inverse = true}, to_coset{.bit_reversed_in = true, .coset = true};
  CUZK_TRY(transform(stream, interpolate, {.factor = b}, a, scratch));
  CUZK_TRY(transform(stream, to_coset, {}, scratch, scratch));
  for (void* values : {a, b}) {
    CUZK_TRY(transform(stream, interpolate, {}, values, values));
    CUZK_TRY(transform(stream, to_coset, {}, values, values));
  }
  return multiply_and_subtract(stream, a, b, scratch, size_t{1} << log2_size_);
}

}  // namespace cuzk::gpu
