// The compression functions behind sha256_compress().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cuzk::detail {

bool cpu_has_sha_extensions();
void sha256_compress_portable(std::array<uint32_t, 8>& state, const uint8_t* blocks, size_t count);
// Only where cpu_has_sha_extensions().
void sha256_compress_sha(std::array<uint32_t, 8>& state, const uint8_t* blocks, size_t count);

}  // namespace cuzk::detail
