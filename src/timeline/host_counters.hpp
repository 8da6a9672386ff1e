// Counters and levels of this process and its host, from /proc and getrusage.
#pragma once

#include <string>

#include "timeline/readings.hpp"

namespace cuzk::timeline {

// Adds what can be read; docs/formats/timeline.md says what each key means. Takes well under a millisecond:
// nothing that walks page tables (smaps) is read. proc: the root of procfs, another one in tests.
void read_host(Reading& reading, const std::string& proc = "/proc");

}  // namespace cuzk::timeline
