// Verifying keys in bellman's form (.vk, and the head of .params): alpha_g1, beta_g1, beta_g2, gamma_g2,
// delta_g1, delta_g2, u32 big-endian number of ic points, ic; points uncompressed zcash encodings.
// docs/formats/bellman.md.
#pragma once

#include <string>
#include <vector>

#include "base/executor.hpp"
#include "formats/file_points.hpp"
#include "formats/input_file.hpp"
#include "groth16/keys.hpp"

namespace cuzk {

// 3 G1 and 3 G2 points.
inline constexpr uint64_t kVkHeadBytes = 3 * 96 + 3 * 192;

// A whole .vk file. The six head points are always tested in full; ic to the level `check`. Infinity is
// refused but in ic (see key_warnings in groth16/verify.hpp). Errors: kInvalidInput that names what, where,
// found, expected.
Result<VerifyingKey> read_bellman_vk(InputFilePtr file, PointCheck check, Executor& executor);

// The part that a .params file starts with: ic_end receives the offset after ic. Fails if the file ends
// before.
Result<VerifyingKey> read_vk_prefix(const InputFilePtr& file, PointCheck check, Executor& executor,
                                    uint64_t& ic_end);

// The six head points, in bellman's and snarkjs' order, from `offset`; ic stays empty. Always tested in full.
Result<VerifyingKey> read_vk_head(const InputFilePtr& file, uint64_t offset, PointForm form,
                                  const std::string& place);
// The head as bytes, kVkHeadBytes.
std::vector<uint8_t> encode_vk_head(const VerifyingKey& vk, PointForm form);

std::vector<uint8_t> encode_bellman_vk(const VerifyingKey& vk, Executor& executor);
// The file appears when it is whole. Errors: kIo, kResourceExhausted.
Status write_bellman_vk(const std::string& path, const VerifyingKey& vk, Executor& executor);

}  // namespace cuzk
