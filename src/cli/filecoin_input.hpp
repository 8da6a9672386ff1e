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
  CLI::App* parent = nullptr;
  // The kind that was asked for, if any.
  const FilecoinInputOptions* chosen() const;
  // Options of the command itself are for files of circom's: beside a kind they would go unread. Those that
  // all commands have, --json and --threads, mean the same on either side of the kind.
  Status check_no_parent_options() const;
};
// verb: "prove a", for descriptions.
std::shared_ptr<KindCommands> add_kind_commands(CLI::App* app, const std::string& verb);
// The options that say where the input is.
void add_input_options(CLI::App* app, FilecoinInputOptions& options);

// Reads and parses; nothing is checked yet but the form. Errors name the option or the file.
Result<ProofInput> read_proof_input(const FilecoinInputOptions& options);

// ProofInput::check, whose errors say the place in the input; these also say the file.
Status check_input(const FilecoinInputOptions& options, const ProofInput& input, uint32_t partition,
                   Executor& executor);

// The partitions asked for: one or all.
Result<std::vector<uint32_t>> chosen_partitions(const FilecoinInputOptions& options, const ProofInput& input);

// The files that are read for them.
std::vector<std::string> input_files(const FilecoinInputOptions& options);

// Bytes of a whole file; one of more than 2 GiB is refused, as no input of a proof is that large.
Result<std::vector<uint8_t>> read_whole_file(const std::string& path);

}  // namespace cuzk::cli
