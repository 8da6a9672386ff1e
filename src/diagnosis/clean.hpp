// What must be put right before anything is measured: events that a log holds twice, and clocks that jump.
#pragma once

#include <cstdint>

#include "timeline/reader.hpp"

namespace cuzk::diagnosis {

struct Cleaning {
  uint64_t duplicated = 0;     // events dropped because the same one was there already
  uint64_t forward_jumps = 0;  // stretches whose measured length and whose distance on the clock disagree
};

// Drops repeated events (all columns equal, the time included) and counts clock jumps.
Cleaning clean(timeline::Timeline& timeline);

}  // namespace cuzk::diagnosis
