// Which keys the Filecoin commands use.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "filecoin/circuit_catalog.hpp"
#include "srs/key_directory.hpp"

namespace cuzk::cli {

inline constexpr const char* kKeyFolderVariable = "FIL_PROOFS_PARAMETER_CACHE";

struct KeyChoice {
  std::string folder, manifest;
  bool network_only = false;
  bool from_environment = false;  // folder

  bool has_rules() const { return network_only || !manifest.empty(); }
};
// The folder, and the rules.
void add_key_choice(CLI::App* app, KeyChoice& choice);
// Which keys of the folder are taken.
void add_key_rules(CLI::App* app, KeyChoice& choice);

// Takes the folder from the environment where no option gave one.
void read_environment(KeyChoice& choice);
// The error, and that the environment gave the folder, if it did: nobody sees that in the command typed.
Error say_whence(const KeyChoice& choice, Error error);

// The files of a circuit's key in the folder, there or not, with what is kept beside them.
std::vector<std::string> files_of_key(const KeyChoice& choice, const CircuitId& circuit);

// Built in, or the file that was named.
Result<Manifest> choose_manifest(const std::string& path);

// Finds the key of a circuit, tests its digests, opens it; its verifying part must be that of the .vk file.
// Errors: those of KeyDirectory::find, with how to get a key where there is none; kInvalidInput when it was
// made for another circuit.
Result<OpenedKey> open_circuit_key(const KeyChoice& choice, const CircuitId& circuit, Executor& executor,
                                   Progress& progress);
Result<VerifyingKey> open_circuit_vk(const KeyChoice& choice, const CircuitId& circuit, Executor& executor);

// Whether a key has as many points as the circuit needs, whatever its name and digest say. Errors:
// kInvalidInput with the counts that differ.
Status check_counts(const ProvingKey& key, const CircuitId& circuit, const std::string& file);
Status check_counts(const VerifyingKey& vk, const CircuitId& circuit, const std::string& file);

// "1.23 GB", for messages.
std::string size_text(uint64_t bytes);

}  // namespace cuzk::cli
