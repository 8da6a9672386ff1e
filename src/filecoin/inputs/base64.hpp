// Base64 (RFC 4648, standard alphabet with padding), as Go's JSON writes byte strings.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace cuzk {

// Errors: kInvalidInput for anything but complete groups of four characters of the alphabet.
Result<std::string> decode_base64(std::string_view text);

}  // namespace cuzk
