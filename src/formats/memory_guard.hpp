// Memory that cannot be had, as an error instead of an exception.
#pragma once

#include <new>
#include <string>

#include "base/result.hpp"

namespace cuzk {

// What `read` returns; kResourceExhausted when it throws bad_alloc. name: of the file.
template <class Function>
auto guard_memory(const std::string& name, const Function& read) -> decltype(read()) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::kResourceExhausted, name + ": no memory to hold what the file contains");
  }
}

}  // namespace cuzk
