// Inputs of Filecoin's proofs as commands take them: options to a checked ProofInput.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "filecoin/proof_input.hpp"

namespace cuzk::cli {

struct FilecoinInputOptions {
  ProofKind kind = ProofKind::kPorep;
  std::optional<uint32_t> partition;
  bool no_input_check = false;
  // porep
  std::string c1, porep_id;
  std::optional<uint64_t> miner, sector;
  // post
  std::vector<std::string> vanilla;
  std::string randomness, api;
  // snap
  std::string comm_r_old, comm_r_new, comm_d_new;
  // post and snap
  std::string sector_size;
};

// One subcommand for each kind of proof, with its input options. Returns, in the order of ProofKind, the
// subcommands; options[i] belongs to the i-th and must outlive the parsing.
struct KindCommands {
  std::array<CLI::App*, 4> apps{};
  std::array<FilecoinInputOptions, 4> inputs;
  // The kind that was asked for, if any.
  const FilecoinInputOptions* chosen() const;
};
// verb: "prove a", for descriptions.
std::shared_ptr<KindCommands> add_kind_commands(CLI::App* app, const std::string& verb);
// The options that say where the input is.
void add_input_options(CLI::App* app, FilecoinInputOptions& options);

// Reads and parses; nothing is checked yet but the form. Errors name the option or the file.
Result<ProofInput> read_proof_input(const FilecoinInputOptions& options);

// The partitions asked for: one or all.
Result<std::vector<uint32_t>> chosen_partitions(const FilecoinInputOptions& options, const ProofInput& input);

// Bytes of a whole file.
Result<std::vector<uint8_t>> read_whole_file(const std::string& path);

}  // namespace cuzk::cli
