// `cuzk gen KIND`: made-up inputs of the full shape.
#include <iostream>

#include "base/atomic_file.hpp"
#include "cli/commands.hpp"
#include "cli/filecoin_input.hpp"
#include "filecoin/gen/generate.hpp"
#include "filecoin/inputs/write_inputs.hpp"
#include "filecoin/sector.hpp"

namespace cuzk::cli {
namespace {

struct Options {
  std::string sector_size, out;
  uint64_t seed = 0;
  std::optional<uint64_t> sectors;
};

// Of 64 GiB sectors: 3 GB of vanilla proofs, held in memory.
constexpr uint64_t kMostSectors = 100'000;

struct Generated {
  ProofInput input;
  std::vector<uint8_t> file;
};

void append(std::vector<uint8_t>& out, const std::vector<uint8_t>& more) {
  out.insert(out.end(), more.begin(), more.end());
}

Generated generate(ProofKind kind, uint64_t bytes, const Options& options, Executor& executor) {
  std::vector<uint8_t> file;
  if (kind == ProofKind::kPorep) {
    PorepInput input = generate_porep(bytes, options.seed, executor);
    const std::string json = porep_input_to_json(input);
    file.assign(json.begin(), json.end());
    return {ProofInput(std::move(input)), std::move(file)};
  }
  if (kind == ProofKind::kSnap) {
    UpdateInputs inputs = generate_update(bytes, options.seed);
    for (const UpdateInput& input : inputs.partitions) append(file, update_input_to_bincode(input));
    return {ProofInput(std::move(inputs)), std::move(file)};
  }
  const uint64_t sectors = options.sectors.value_or(window_sectors_per_partition(bytes));
  PostInput input = kind == ProofKind::kWinning ? generate_winning(bytes, options.seed, executor)
                                                : generate_window(bytes, sectors, options.seed, executor);
  for (const PostSectorProof& sector : input.sectors)
    append(file, post_sector_proof_to_bincode(sector, bytes));
  return {ProofInput(std::move(input)), std::move(file)};
}

Result<ExitStatus> run(ProofKind kind, const Options& options, const Context& context) {
  CUZK_ASSIGN(const uint64_t bytes, parse_sector_size(options.sector_size));
  if (options.sectors && (*options.sectors == 0 || *options.sectors > kMostSectors))
    return invalid("--sectors " + std::to_string(*options.sectors) + ": expected from 1 to " +
                   std::to_string(kMostSectors));
  const std::string public_out = options.out + ".public.json";
  CUZK_ASSIGN(AtomicFile input_file, AtomicFile::create(options.out));
  CUZK_ASSIGN(AtomicFile public_file, AtomicFile::create(public_out));
  Progress progress;
  Stopwatch watch(progress);
  ThreadPool executor(context.threads);
  watch.start("generate");
  const Generated made = generate(kind, bytes, options, executor);
  CUZK_ASSIGN(const Statement statement, made.input.statement());
  watch.start("write");
  CUZK_TRY(input_file.write(made.file));
  CUZK_TRY(public_file.write(statement_to_json(statement)));
  CUZK_TRY(input_file.sync());
  CUZK_TRY(public_file.sync());
  CUZK_TRY(input_file.commit());
  CUZK_TRY(public_file.commit());
  watch.stop();
  if (context.json) {
    Json out;
    out["circuit"] = made.input.circuit().name();
    out["partitions"] = made.input.partitions();
    out["input"] = options.out;
    out["bytes"] = made.file.size();
    out["public"] = public_out;
    out["seconds"] = watch.to_json();
    print_json(out);
  } else {
    std::cout << "made up an input of " << made.input.circuit().name() << ", " << made.input.partitions()
              << " partitions, " << made.file.size() << " bytes; " << watch.to_text() << "; wrote "
              << options.out << " and " << public_out << "\n";
  }
  return kDone;
}

}  // namespace

Command add_gen(CLI::App& program) {
  CLI::App* app = program.add_subcommand(
      "gen", "make up an input that satisfies its circuit, for benchmarks and tests: no sector is sealed");
  auto commands = add_kind_commands(app, "input of a");
  app->require_subcommand(1);
  auto options = std::make_shared<Options>();
  for (CLI::App* sub : commands->apps) {
    sub->add_option("--sector-size", options->sector_size, "2KiB … 64GiB")->required();
    sub->add_option("--seed", options->seed, "the same seed gives the same input; default 0");
    sub->add_option("--out", options->out, "where the input goes; FILE.public.json is what a verifier knows")
        ->required();
  }
  commands->apps[static_cast<size_t>(ProofKind::kWindow)]->add_option(
      "--sectors", options->sectors, "how many sectors; default: as many as fill one partition");
  return [commands, options](const Context& context) {
    return run(commands->chosen()->kind, *options, context);
  };
}

}  // namespace cuzk::cli
