#include "device/cuda/msm_digit_kernels.hpp"
#include "device/cuda/primitives.hpp"

namespace cuzk::gpu {

namespace {

template <class Source>
Status recode_from(Stream& stream, const Source& source, size_t count, const Recoded& bias, bool split,
                   const DigitLists& lists) {
  return launch(stream, "recode_scalars", recode_scalars<Source>, blocks_for(count, 256), 256, 0, source,
                static_cast<uint32_t>(count), bias, split, lists);
}

}  // namespace

Result<size_t> sort_scratch_bytes(size_t count) {
  return scratch_bytes(count);
}

Status recode(Stream& stream, const MsmScalars& scalars, const Recoded& bias, bool split,
              const DigitLists& lists) {
  const size_t count = scalars.count;
  if (scalars.bits != nullptr) {
    return launch(stream, "list_bits", list_bits, blocks_for(count, 256), 256, 0, scalars.bits,
                  static_cast<uint32_t>(count), lists.ones, lists.counts);
  }
  if (scalars.compact != nullptr) {
    const CompactScalars source{*scalars.compact, static_cast<uint32_t>(scalars.first)};
    return recode_from(stream, source, count, bias, split, lists);
  }
  const FullScalars source{static_cast<const DFr*>(scalars.values), scalars.select};
  return recode_from(stream, source, count, bias, split, lists);
}

Status change_bias(Stream& stream, Recoded* recoded, uint32_t count, const Recoded& difference) {
  return launch(stream, "shift_bias", shift_bias, blocks_for(count, 256), 256, 0, recoded, count, difference);
}

Status extract_digits(Stream& stream, const DigitLists& lists, bool packed, uint32_t count,
                      const Windows& all, uint32_t first, uint32_t windows, uint32_t dead,
                      const SortBuffers& to) {
  return launch(stream, "cut_digits", cut_digits, blocks_for(count, 256), 256, 0, lists.recoded,
                packed ? lists.wide : nullptr, count, all, first, windows, dead, to.keys[to.now],
                to.values[to.now]);
}

Status sort_entries(Stream& stream, SortBuffers& buffers, size_t count, int bits, Scratch scratch) {
  return sort_pairs(stream, buffers, count, bits, scratch);
}

Status restrict_entries(Stream& stream, const MsmBases& set, const uint32_t* keys, const uint32_t* values,
                        size_t count, uint32_t dead, uint32_t* positions, Scratch scratch, uint32_t* keys_out,
                        uint32_t* values_out) {
  const auto entries = static_cast<uint32_t>(count);
  CUZK_TRY(launch(stream, "flag_entries", flag_entries, blocks_for(count + 1, 256), 256, 0, set.marks, keys,
                  values, entries, dead, positions));
  CUZK_TRY(exclusive_sum(stream, positions, positions, count + 1, scratch));
  return launch(stream, "move_entries", move_entries, blocks_for(count, 256), 256, 0, set.marks,
                set.before_word, set.skipped, keys, values, entries, positions, keys_out, values_out);
}

}  // namespace cuzk::gpu
