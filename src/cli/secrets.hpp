// Setup secrets and blinding factors from the command line: for tests only, since whoever knows them can
// forge proofs.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "groth16/prove.hpp"
#include "groth16/setup.hpp"

namespace cuzk::cli {

// Hex, big-endian, 0x optional, at most 64 digits, below r. `what` names the value in errors.
Result<Fr> parse_scalar(const std::string& text, const std::string& what);

// "R,S".
Result<Blinding> parse_blinding(const std::string& text);

// The object {alpha, beta, gamma, delta, tau}, or a file that holds it under "secrets". None may be zero.
// path: for messages.
Result<SetupSecrets> parse_secrets(std::string_view json, const std::string& path);
Result<SetupSecrets> read_secrets(const std::string& path);

}  // namespace cuzk::cli
