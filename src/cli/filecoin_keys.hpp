// Which keys the Filecoin commands use.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "filecoin/circuit_catalog.hpp"
#include "srs/key_directory.hpp"

namespace cuzk::cli {

struct KeyChoice {
  std::string folder, manifest;
  bool network_only = false;
};
void add_key_choice(CLI::App* app, KeyChoice& choice);

// Built in, or the file that was named.
Result<Manifest> choose_manifest(const std::string& path);

// Finds the key of a circuit, tests its digests, opens it; its verifying part must be that of the .vk file.
// Errors: those of KeyDirectory::find, with how to get a key where there is none.
Result<OpenedKey> open_circuit_key(const KeyChoice& choice, const CircuitId& circuit, Executor& executor,
                                   Progress& progress);
Result<VerifyingKey> open_circuit_vk(const KeyChoice& choice, const CircuitId& circuit, Executor& executor);

// "1.23 GB", for messages.
std::string size_text(uint64_t bytes);

}  // namespace cuzk::cli
