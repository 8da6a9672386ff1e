// How much CPU time work takes, wherever its threads come from.
#pragma once

#include <cstdint>

namespace cuzk {

// CPU time that the calling thread used so far, and that threads of pools used for its calls of
// ThreadPool::run(); nanoseconds. Differences say what a stretch of work took.
int64_t thread_cpu_ns();

}  // namespace cuzk
