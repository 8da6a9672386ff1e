// What work on an engine's thread throws, as an error: it fails a job, not the process.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "base/result.hpp"

namespace cuzk::engine {

// What `work` returns; kResourceExhausted when it throws bad_alloc, kInternal for any other exception. stage:
// for the message. Not for what runs with the engine's lock held: a few hundred bytes at a time, and state
// that is half changed helps nobody.
template <class Work>
auto guarded(const char* stage, const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::kResourceExhausted, std::string(stage) + ": out of memory");
  } catch (const std::exception& e) {
    return fail(ErrorCode::kInternal, std::string(stage) + ": " + e.what());
  }
}

}  // namespace cuzk::engine
