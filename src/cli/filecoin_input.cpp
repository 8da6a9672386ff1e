#include "cli/filecoin_input.hpp"

#include "filecoin/sector.hpp"
#include "formats/input_file.hpp"

namespace cuzk::cli {
namespace {

constexpr ProofKind kKinds[] = {ProofKind::kPorep, ProofKind::kWinning, ProofKind::kWindow, ProofKind::kSnap};
// The longest, C1 of a non-interactive PoRep of 64 GiB in base64, takes about 1 GB.
constexpr uint64_t kMostInputBytes = uint64_t{2} << 30;
constexpr const char* kKindTexts[] = {"PoRep (proof of replication)", "WinningPoSt of one sector",
                                      "WindowPoSt of the sectors of a deadline",
                                      "SnapDeals update of a sector"};

template <class T>
Result<T> in_file(const std::string& path, Result<T> result) {
  if (!result) return tl::unexpected<Error>(result.error().at(path));
  return result;
}

// What the file says and what an option says must agree; either will do.
Status settle(std::optional<uint64_t>& from_file, const std::optional<uint64_t>& option, const char* name,
              const std::string& path) {
  if (!option) return {};
  if (from_file && *from_file != *option)
    return invalid(std::string(name) + " " + std::to_string(*option) + ": " + path + " is of " +
                   std::to_string(*from_file));
  from_file = option;
  return {};
}

Result<ProofInput> read_porep(const FilecoinInputOptions& options) {
  if (options.c1.empty()) return invalid("--c1 FILE is missing");
  CUZK_ASSIGN(const std::vector<uint8_t> bytes, read_whole_file(options.c1));
  CUZK_ASSIGN(PorepInput input, in_file(options.c1, parse_porep_input(bytes)));
  CUZK_TRY(settle(input.miner, options.miner, "--miner", options.c1));
  CUZK_TRY(settle(input.sector, options.sector, "--sector", options.c1));
  if (!options.no_input_check && ((!input.miner && !input.prover) || !input.sector))
    return invalid(options.c1 + ": the file does not say whose sector it is: give --miner and --sector");
  if (input.miner && input.prover && *input.prover != prover_id(*input.miner))
    return invalid(options.c1 + ": prover_id " + to_hex(*input.prover) + " is not that of miner " +
                   std::to_string(*input.miner));
  const bool registered = is_network_sector_size(input.sector_bytes);
  if (registered && (!options.porep_id.empty() || !options.api.empty()))
    return invalid("--porep-id and --api: " + options.c1 + " has a registered_proof, which states both");
  if (!options.porep_id.empty()) {
    CUZK_ASSIGN(input.porep_id, parse_bytes32(options.porep_id, "--porep-id"));
  }
  if (!options.api.empty()) {
    CUZK_ASSIGN(input.api, parse_api_version(options.api));
  }
  return ProofInput(std::move(input));
}

Result<uint64_t> read_sector_size(const FilecoinInputOptions& options) {
  if (options.sector_size.empty()) return invalid("--sector-size is missing");
  return parse_sector_size(options.sector_size);
}

// "--vanilla *.bin" where no file has such a name comes as no value, or as an empty one.
Status check_vanilla(const FilecoinInputOptions& options) {
  if (!options.vanilla.empty() && !options.vanilla[0].empty()) return {};
  return invalid("--vanilla FILE is missing: there is nothing to prove");
}

Result<ProofInput> read_post(const FilecoinInputOptions& options) {
  PostInput input;
  input.winning = options.kind == ProofKind::kWinning;
  input.miner = options.miner;
  CUZK_ASSIGN(input.sector_bytes, read_sector_size(options));
  input.api = input.winning ? ApiVersion::kV1_0 : ApiVersion::kV1_2;
  if (!options.api.empty()) {
    CUZK_ASSIGN(input.api, parse_api_version(options.api));
  }
  if (options.randomness.empty()) return invalid("--randomness is missing");
  CUZK_ASSIGN(input.randomness, parse_bytes32(options.randomness, "--randomness"));
  CUZK_TRY(check_vanilla(options));
  for (const std::string& path : options.vanilla) {
    CUZK_ASSIGN(const std::vector<uint8_t> bytes, read_whole_file(path));
    CUZK_ASSIGN(std::vector<PostSectorProof> sectors,
                in_file(path, parse_post_sector_proofs(bytes, input.sector_bytes)));
    std::move(sectors.begin(), sectors.end(), std::back_inserter(input.sectors));
  }
  if (input.winning && input.sectors.size() != 1)
    return invalid("--vanilla: " + std::to_string(input.sectors.size()) + " sectors, a WinningPoSt has one");
  return ProofInput(std::move(input));
}

Result<ProofInput> read_snap(const FilecoinInputOptions& options) {
  UpdateInputs inputs;
  CUZK_ASSIGN(inputs.statement.sector_bytes, read_sector_size(options));
  for (const auto& [option, value] : {std::pair("--comm-r-old", options.comm_r_old),
                                      {"--comm-r-new", options.comm_r_new},
                                      {"--comm-d-new", options.comm_d_new}})
    if (value.empty()) return invalid(std::string(option) + " is missing");
  CUZK_ASSIGN(inputs.statement.comm_r_old, parse_bytes32(options.comm_r_old, "--comm-r-old"));
  CUZK_ASSIGN(inputs.statement.comm_r_new, parse_bytes32(options.comm_r_new, "--comm-r-new"));
  CUZK_ASSIGN(inputs.statement.comm_d_new, parse_bytes32(options.comm_d_new, "--comm-d-new"));
  CUZK_TRY(check_vanilla(options));
  const UpdatePublic& s = inputs.statement;
  const uint32_t partitions = update_partitions(s.sector_bytes);
  // A single file beside --partition may be that partition's alone.
  if (options.partition && *options.partition > 0 && options.vanilla.size() == 1) {
    CUZK_ASSIGN(const std::vector<uint8_t> bytes, read_whole_file(options.vanilla[0]));
    auto one = parse_update_input(
        bytes, {s.sector_bytes, *options.partition, s.comm_r_old, s.comm_d_new, s.comm_r_new});
    if (one) {
      inputs.partitions.push_back(std::move(*one));
      return ProofInput(std::move(inputs));
    }
  }
  for (const std::string& path : options.vanilla) {
    CUZK_ASSIGN(const std::vector<uint8_t> bytes, read_whole_file(path));
    const auto first = static_cast<uint32_t>(inputs.partitions.size());
    CUZK_ASSIGN(std::vector<UpdateInput> read,
                in_file(path, parse_update_inputs(
                                  bytes, {s.sector_bytes, first, s.comm_r_old, s.comm_d_new, s.comm_r_new})));
    std::move(read.begin(), read.end(), std::back_inserter(inputs.partitions));
  }
  if (!options.partition && inputs.partitions.size() != partitions)
    return invalid("--vanilla: proofs of " + std::to_string(inputs.partitions.size()) +
                   " partitions, an update of " + sector_size_name(s.sector_bytes) + " has " +
                   std::to_string(partitions) + "; --partition K proves one");
  return ProofInput(std::move(inputs));
}

}  // namespace

Result<std::vector<uint8_t>> read_whole_file(const std::string& path) {
  CUZK_ASSIGN(const InputFilePtr file, InputFile::open(path));
  if (file->size() == 0) return invalid(path + ": empty file (0 bytes)");
  if (file->size() > kMostInputBytes)
    return invalid(path + ": " + std::to_string(file->size()) + " bytes, expected at most " +
                   std::to_string(kMostInputBytes) + ": it is not the input of a proof");
  std::vector<uint8_t> bytes(static_cast<size_t>(file->size()));
  CUZK_TRY(file->read(0, bytes));
  CUZK_TRY(file->check_unchanged());
  return bytes;
}

void add_input_options(CLI::App* app, FilecoinInputOptions& o) {
  app->add_option("--partition", o.partition, "this partition alone, numbered from 0");
  app->add_flag("--no-input-check", o.no_input_check, "do not recompute what the input states");
  if (o.kind == ProofKind::kPorep) {
    app->add_option(
        "--c1", o.c1,
        "output of the first commit phase, JSON: itself, {SectorNum, Phase1Out, SectorSize} or {c1out, …}");
    app->add_option("--miner", o.miner, "the miner's number, where the file does not say");
    app->add_option("--sector", o.sector, "the sector's number, where the file does not say");
    app->add_option("--porep-id", o.porep_id, "32 bytes in hex, where the file has no registered_proof");
    app->add_option("--api", o.api, "1.0, 1.1 or 1.2, where the file has no registered_proof; default 1.1");
    return;
  }
  app->add_option("--sector-size", o.sector_size, "2KiB … 64GiB");
  if (o.kind == ProofKind::kSnap) {
    app->add_option("--vanilla", o.vanilla,
                    "vanilla proofs of the partitions in order, bincode, one or more a file")
        ->expected(0, CLI::detail::expected_max_vector_size);
    app->add_option("--comm-r-old", o.comm_r_old, "32 bytes in hex");
    app->add_option("--comm-r-new", o.comm_r_new, "32 bytes in hex");
    app->add_option("--comm-d-new", o.comm_d_new, "32 bytes in hex");
    return;
  }
  app->add_option("--vanilla", o.vanilla,
                  "vanilla proofs of the sectors in order, bincode, one or more a file")
      ->expected(0, CLI::detail::expected_max_vector_size);
  app->add_option("--randomness", o.randomness, "32 bytes in hex");
  app->add_option("--miner", o.miner,
                  "the miner's number, for --public; nothing that is proved depends on it");
  if (o.kind == ProofKind::kWindow) app->add_option("--api", o.api, "1.0, 1.1 or 1.2; default 1.2");
}

std::shared_ptr<KindCommands> add_kind_commands(CLI::App* app, const std::string& verb) {
  auto commands = std::make_shared<KindCommands>();
  commands->parent = app;
  app->require_subcommand(0, 1);
  for (size_t i = 0; i < 4; ++i) {
    CLI::App* sub = app->add_subcommand(proof_kind_name(kKinds[i]), verb + " " + kKindTexts[i]);
    sub->fallthrough();
    commands->apps[i] = sub;
    commands->inputs[i].kind = kKinds[i];
  }
  return commands;
}

const FilecoinInputOptions* KindCommands::chosen() const {
  for (size_t i = 0; i < 4; ++i)
    if (apps[i]->parsed()) return &inputs[i];
  return nullptr;
}

Status KindCommands::check_no_parent_options() const {
  for (const CLI::Option* option : parent->get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || name == "--json" || name == "--threads") continue;
    const std::string kind = proof_kind_name(chosen()->kind), command = parent->get_name() + " " + kind;
    return invalid(name + ": `cuzk " + command + "` does not read it here: leave it out, or, if `cuzk " +
                   command + " --help` lists it, give it after " + kind);
  }
  return {};
}

std::vector<std::string> input_files(const FilecoinInputOptions& options) {
  std::vector<std::string> files = options.vanilla;
  files.push_back(options.c1);
  return files;
}

Result<ProofInput> read_proof_input(const FilecoinInputOptions& options) {
  switch (options.kind) {
    case ProofKind::kPorep:
      return read_porep(options);
    case ProofKind::kSnap:
      return read_snap(options);
    default:
      return read_post(options);
  }
}

Status check_input(const FilecoinInputOptions& options, const ProofInput& input, uint32_t partition,
                   Executor& executor) {
  Status status = input.check(partition, executor);
  if (status) return status;
  const std::vector<std::string>& files = options.vanilla;
  if (files.size() <= 1) return tl::unexpected(status.error().at(files.empty() ? options.c1 : files[0]));
  return tl::unexpected(
      status.error().at(files[0] + " and " + std::to_string(files.size() - 1) + " more files"));
}

Result<std::vector<uint32_t>> chosen_partitions(const FilecoinInputOptions& options,
                                                const ProofInput& input) {
  const uint32_t count = input.partitions();
  if (options.partition) {
    if (*options.partition >= count)
      return invalid("--partition " + std::to_string(*options.partition) + ": there are " +
                     std::to_string(count) + ", numbered from 0");
    return std::vector<uint32_t>{*options.partition};
  }
  std::vector<uint32_t> all(count);
  for (uint32_t i = 0; i < count; ++i) all[i] = i;
  return all;
}

}  // namespace cuzk::cli
