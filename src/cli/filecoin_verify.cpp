#include <iostream>

#include "cli/filecoin_input.hpp"
#include "cli/filecoin_keys.hpp"
#include "cli/filecoin_prove.hpp"
#include "cli/key_options.hpp"
#include "formats/proof_bytes.hpp"
#include "formats/snarkjs_json.hpp"
#include "groth16/verify.hpp"

namespace cuzk::cli {
namespace {

struct Options {
  KeyChoice key;
  std::string public_in, proof;
  std::optional<uint32_t> partition;
};

// One proof for each partition, or the proof of the single one that is asked for.
Result<std::vector<uint32_t>> partitions_of(const Options& options, const ParsedStatement& parsed,
                                            uint64_t proof_bytes) {
  const uint32_t count = parsed.statement.partitions();
  std::optional<uint32_t> single = options.partition;
  if (single && parsed.partition && *single != *parsed.partition)
    return invalid("--partition " + std::to_string(*single) + ": " + options.public_in + " is of partition " +
                   std::to_string(*parsed.partition));
  if (!single && proof_bytes == kProofBytes) single = parsed.partition;
  if (single && *single >= count)
    return invalid("--partition " + std::to_string(*single) + ": there are " + std::to_string(count));
  if (single && proof_bytes == kProofBytes) return std::vector<uint32_t>{*single};
  if (options.partition)
    return invalid(options.proof + ": malformed proof: " + std::to_string(proof_bytes) +
                   " bytes, expected the " + std::to_string(kProofBytes) + " of partition " +
                   std::to_string(*options.partition) + " alone");
  if (proof_bytes != kProofBytes * count) {
    return invalid(
        options.proof + ": malformed proof: " + std::to_string(proof_bytes) + " bytes, expected " +
        std::to_string(kProofBytes * count) + ", " + std::to_string(kProofBytes) + " for each of " +
        std::to_string(count) + " partitions" +
        (count > 1 ? ", or with --partition K the " + std::to_string(kProofBytes) + " of one" : ""));
  }
  std::vector<uint32_t> all(count);
  for (uint32_t i = 0; i < count; ++i) all[i] = i;
  return all;
}

Result<std::vector<ProofInstance>> read_instances(const Options& options, const Statement& statement,
                                                  const std::vector<uint32_t>& partitions, Bytes bytes) {
  std::vector<ProofInstance> out(partitions.size());
  for (size_t i = 0; i < partitions.size(); ++i) {
    auto proof = decode_proof(bytes.subspan(i * kProofBytes, kProofBytes));
    if (!proof)
      return tl::unexpected(proof.error().at(options.proof + ": partition " + std::to_string(partitions[i])));
    auto inputs = statement.public_inputs(partitions[i]);
    if (!inputs) return tl::unexpected(inputs.error().at(options.public_in));
    out[i] = {*proof, std::move(*inputs)};
  }
  return out;
}

Result<ExitStatus> verify_kind(const Options& options, ProofKind kind, const Context& context) {
  Progress progress;
  Stopwatch watch(progress);
  ThreadPool executor(context.threads);
  watch.start("verify");
  CUZK_ASSIGN(const InputFilePtr public_file, InputFile::open(options.public_in));
  CUZK_ASSIGN(const std::string text, read_json_text(public_file));
  auto parsed = parse_statement(kind, text);
  if (!parsed) return tl::unexpected(parsed.error().at(options.public_in));
  CUZK_ASSIGN(const InputFilePtr proof_file, InputFile::open(options.proof));
  if (proof_file->size() == 0) return invalid(options.proof + ": empty file (0 bytes)");
  // By the length alone, before anything is read.
  CUZK_ASSIGN(const std::vector<uint32_t> partitions, partitions_of(options, *parsed, proof_file->size()));
  CUZK_ASSIGN(const std::vector<uint8_t> bytes, read_whole_file(options.proof));
  if (bytes.size() != kProofBytes * partitions.size())
    return fail(ErrorCode::kIo, options.proof + ": the file changed while it was read");
  CUZK_ASSIGN(const std::vector<ProofInstance> instances,
              read_instances(options, parsed->statement, partitions, bytes));
  CUZK_ASSIGN(VerifyingKey vk, open_circuit_vk(options.key, parsed->statement.circuit(), executor));
  warn_about_key(vk);
  const PreparedVerifyingKey prepared(std::move(vk));
  SystemRandom random;
  CUZK_ASSIGN(const std::vector<size_t> bad, find_invalid(prepared, instances, random, executor));
  watch.stop();
  std::vector<uint32_t> invalid_partitions;
  for (size_t i : bad) invalid_partitions.push_back(partitions[i]);
  if (context.json) {
    Json out;
    out["valid"] = bad.empty();
    out["circuit"] = parsed->statement.circuit().name();
    out["partitions"] = partitions;
    out["invalid_partitions"] = invalid_partitions;
    out["seconds"] = watch.to_json();
    print_json(out);
  } else if (bad.empty()) {
    std::cout << "valid\n";
  } else {
    std::cout << "invalid: the proof does not prove this statement under this key: partition";
    for (uint32_t partition : invalid_partitions) std::cout << " " << partition;
    std::cout << "\n";
  }
  return bad.empty() ? kDone : kAnswerIsNo;
}

}  // namespace

KindCommand add_verify_kinds(CLI::App* verify) {
  auto commands = add_kind_commands(verify, "verify a");
  auto options = std::make_shared<Options>();
  for (CLI::App* app : commands->apps) {
    add_key_choice(app, options->key);
    app->add_option("--public", options->public_in, "what the verifier knows, JSON (docs/filecoin.md)")
        ->required();
    app->add_option("--proof", options->proof, "192 bytes a partition")->required();
    app->add_option("--partition", options->partition, "the proof is of this partition alone");
  }
  return [commands, options](const Context& context) -> std::optional<Result<ExitStatus>> {
    const FilecoinInputOptions* chosen = commands->chosen();
    if (chosen == nullptr) return std::nullopt;
    if (Status status = commands->check_no_parent_options(); !status)
      return Result<ExitStatus>(tl::unexpected(status.error()));
    read_environment(options->key);
    return verify_kind(*options, chosen->kind, context);
  };
}

}  // namespace cuzk::cli
