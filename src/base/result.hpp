// Result<T>: a value or an Error that a person can act on. Source: docs/conventions.md, "Errors".
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace cuzk {

enum class ErrorCode {
  kInvalidInput,       // the request or a file is bad: exit status 2
  kUnsatisfied,        // a witness does not satisfy its circuit: exit status 2
  kNotFound,           // a file or name does not exist: exit status 2
  kIo,                 // reading or writing failed: exit status 2, 3 when the disk is full
  kResourceExhausted,  // memory, disk or budget: exit status 3
  kCancelled,
  kUnavailable,  // a device is lost or busy: retriable
  kInternal,     // our own answer did not check
};

const char* error_code_name(ErrorCode code);

struct Error {
  ErrorCode code;
  // Names the place, what was found, what was expected and what to do.
  std::string message;

  // The same error with the place put in front: "place: message".
  Error at(const std::string& place) const { return {code, place + ": " + message}; }
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}
inline tl::unexpected<Error> invalid(std::string message) {
  return fail(ErrorCode::kInvalidInput, std::move(message));
}

}  // namespace cuzk

#define CUZK_CONCAT_INNER(a, b) a##b
#define CUZK_CONCAT(a, b) CUZK_CONCAT_INNER(a, b)

// Returns the error of a Status or Result expression to the caller, if it has one.
#define CUZK_TRY(expression)                                                                  \
  do {                                                                                        \
    auto cuzk_status = (expression);                                                          \
    if (!cuzk_status) return ::tl::unexpected<::cuzk::Error>(std::move(cuzk_status.error())); \
  } while (false)

// CUZK_ASSIGN(auto x, f()): declares x from the value of f(), or returns f()'s error.
#define CUZK_ASSIGN(declaration, expression)                                                        \
  auto CUZK_CONCAT(cuzk_result_, __LINE__) = (expression);                                          \
  if (!CUZK_CONCAT(cuzk_result_, __LINE__))                                                         \
    return ::tl::unexpected<::cuzk::Error>(std::move(CUZK_CONCAT(cuzk_result_, __LINE__).error())); \
  declaration = std::move(*CUZK_CONCAT(cuzk_result_, __LINE__))
