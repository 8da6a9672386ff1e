// Options that several commands share: keys, witnesses, levels of checking.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "cli/commands.hpp"
#include "formats/bellman_params.hpp"
#include "formats/r1cs_file.hpp"
#include "formats/zkey_file.hpp"

namespace cuzk::cli {

// "none", "curve" or "full".
Result<PointCheck> parse_check(const std::string& text);

// A proving key from either form, and the circuit that it is for.
struct OpenKey {
  InputFilePtr file;
  ProvingKey key;
  std::shared_ptr<const R1cs> circuit;
};
struct KeyPaths {
  std::string params, zkey, r1cs;
};
Result<OpenKey> open_key(const KeyPaths& paths, PointCheck check, Executor& executor);

// A verifying key from .vk or JSON, told apart by content.
Result<VerifyingKey> read_any_vk(const std::string& path, Executor& executor);
// A proof from 192 bytes or JSON, told apart by content.
Result<Proof> read_any_proof(const std::string& path);

void warn_about_key(const VerifyingKey& vk);

}  // namespace cuzk::cli
