#include "cli/filecoin_prove.hpp"

#include <iostream>

#include "base/atomic_file.hpp"
#include "cli/devices.hpp"
#include "cli/filecoin_input.hpp"
#include "cli/filecoin_keys.hpp"
#include "cli/key_options.hpp"
#include "cli/outputs.hpp"
#include "cli/secrets.hpp"
#include "filecoin/circuit_matrices.hpp"
#include "formats/proof_bytes.hpp"
#include "groth16/prove.hpp"
#include "r1cs/assignment_system.hpp"

namespace cuzk::cli {
namespace {

struct Options {
  KeyChoice key;
  std::string out, public_out, blinding, device = "cpu";
};

Status unsatisfied(const AssignmentSystem& cs) {
  return fail(ErrorCode::kUnsatisfied,
              "the input does not satisfy the circuit: " + std::to_string(cs.num_unsatisfied()) + " of " +
                  std::to_string(cs.num_constraints()) + " constraints fail, the first one is number " +
                  std::to_string(cs.first_unsatisfied()->constraint) + ", " + cs.first_unsatisfied()->path);
}

// The first constraint that fails, by its path: a slow pass, for when it is known that there is one. Stored
// matrices that the circuit's own input does not satisfy are damaged.
Status explain(const ProofInput& input, uint32_t partition, Error error, const std::string& matrices_file) {
  AssignmentSystem cs;
  CUZK_TRY(input.synthesize(partition, cs));
  if (cs.first_unsatisfied()) return unsatisfied(cs);
  if (error.code == ErrorCode::kUnsatisfied)
    return invalid(matrices_file + ": damaged: the input satisfies " + input.circuit().name() +
                   ", but not the matrices in this file: delete it, it is made again");
  return tl::unexpected(std::move(error));
}

Status compare_public_inputs(const Statement& statement, uint32_t partition, std::span<const Fr> found) {
  CUZK_ASSIGN(const std::vector<Fr> expected, statement.public_inputs(partition));
  if (expected.size() != found.size())
    return invalid(std::to_string(found.size()) + " public inputs, a verifier derives " +
                   std::to_string(expected.size()));
  for (size_t i = 0; i < found.size(); ++i)
    if (!(found[i] == expected[i]))
      return invalid("public input " + std::to_string(i) +
                     " is not what a verifier derives from ids, commitments "
                     "and randomness: the input is not of this statement");
  return {};
}

class Prover {
 public:
  Prover(const Options& options, const FilecoinInputOptions& input_options, const Context& context)
      : options_(options),
        input_options_(input_options),
        context_(context),
        watch_(progress_),
        executor_(context.threads) {}

  Result<ExitStatus> run() {
    CUZK_ASSIGN(const std::unique_ptr<Device> device,
                open_device(options_.device, executor_, CpuDevice::Residency::kSource));
    if (!options_.blinding.empty()) {
      CUZK_ASSIGN(const Blinding blinding, parse_blinding(options_.blinding));
      blinding_.emplace(blinding);
    }
    CUZK_TRY(create_outputs());
    watch_.start("read");
    CUZK_ASSIGN(const ProofInput input, read_proof_input(input_options_));
    CUZK_ASSIGN(const std::vector<uint32_t> partitions, chosen_partitions(input_options_, input));
    CUZK_TRY(check_outputs({options_.out, options_.public_out}, files_of_key(options_.key, input.circuit())));
    if (!options_.blinding.empty() && partitions.size() != 1)
      return invalid("--blinding is for one proof: choose a --partition of " +
                     std::to_string(input.partitions()));
    if (auto statement = input.statement())
      statement_ = std::move(*statement);
    else if (!input_options_.no_input_check)
      return tl::unexpected(statement.error());
    else if (!options_.public_out.empty())
      return invalid("--public: it is not known whose sector it is: give --miner and --sector");
    CUZK_ASSIGN(OpenedKey key, open_circuit_key(options_.key, input.circuit(), executor_, progress_));
    warn_about_key(key.vk);
    if (!input_options_.no_input_check) {
      watch_.start("check input");
      CUZK_TRY(check(input, partitions));
    }
    watch_.start("circuit");
    CUZK_ASSIGN(matrices_, load_or_make_matrices(input.circuit(), options_.key.folder, executor_));
    if (key.origin && key.origin->circuit_digest != to_hex(matrices_->digest()))
      return invalid(key.params.file->name() + ": made for another constraint system than " +
                     input.circuit().name() + " of this version; make the key again");
    auto resident = ResidentKey::load(*device, key.params.key, Matrices(matrices_));
    if (!resident)
      return tl::unexpected(
          resident.error().at(key.params.file->name() + ": not a key of " + input.circuit().name()));
    std::vector<uint8_t> proofs;
    for (uint32_t partition : partitions) {
      auto proof = prove(*device, *resident, input, partition);
      if (!proof) return tl::unexpected(proof.error().at("partition " + std::to_string(partition)));
      const auto bytes = encode_proof(*proof);
      proofs.insert(proofs.end(), bytes.begin(), bytes.end());
    }
    CUZK_TRY(key.params.file->check_unchanged());
    watch_.start("write");
    CUZK_TRY(write_outputs(proofs,
                           partitions.size() < input.partitions() ? input_options_.partition : std::nullopt));
    watch_.stop();
    report(input, partitions, key.network, device->name());
    return kDone;
  }

 private:
  // Before the work, so that a bad name costs no time.
  Status create_outputs() {
    std::vector<std::string> inputs = input_files(input_options_);
    inputs.push_back(options_.key.manifest);
    CUZK_TRY(check_outputs({options_.out, options_.public_out}, inputs));
    CUZK_ASSIGN(AtomicFile proof, AtomicFile::create(options_.out));
    proof_file_.emplace(std::move(proof));
    if (options_.public_out.empty()) return {};
    CUZK_ASSIGN(AtomicFile statement, AtomicFile::create(options_.public_out));
    public_file_.emplace(std::move(statement));
    return {};
  }

  // Both or none. partition: the only one of several, if it is.
  Status write_outputs(const std::vector<uint8_t>& proofs, std::optional<uint32_t> partition) {
    CUZK_TRY(proof_file_->write(proofs));
    CUZK_TRY(proof_file_->sync());
    if (public_file_) {
      CUZK_TRY(public_file_->write(statement_to_json(*statement_, partition)));
      CUZK_TRY(public_file_->sync());
      CUZK_TRY(public_file_->commit());
    }
    return proof_file_->commit();
  }

  Status check(const ProofInput& input, const std::vector<uint32_t>& partitions) {
    for (uint32_t partition : partitions) CUZK_TRY(check_input(input_options_, input, partition, executor_));
    return {};
  }

  Result<Proof> prove(Device& device, const std::shared_ptr<const ResidentKey>& key, const ProofInput& input,
                      uint32_t partition) {
    const std::string number = " " + std::to_string(partition);
    watch_.start("witness" + number);
    CUZK_ASSIGN(const CompactWitness packed, input.compact(partition, executor_));
    const WitnessView witness(matrices_->witness_shape(), packed);
    CUZK_TRY(check_public_inputs(input, partition, witness));
    CUZK_ASSIGN(const Blinding blinding, choose_blinding());
    watch_.start("prove" + number);
    auto pending = start(device, key, witness, blinding);
    if (!pending && pending.error().code == ErrorCode::kUnsatisfied)
      CUZK_TRY(
          explain(input, partition, pending.error(), matrices_path(options_.key.folder, input.circuit())));
    if (!pending) return tl::unexpected(pending.error());
    return finish(std::move(*pending));
  }

  // The circuit must state what a verifier will derive. Where it does not, that it is not satisfied says
  // more.
  Status check_public_inputs(const ProofInput& input, uint32_t partition, const WitnessView& witness) {
    if (!statement_) return {};
    std::vector<Fr> found(matrices_->num_inputs() - 1);
    for (size_t i = 0; i < found.size(); ++i) found[i] = witness[i + 1];
    if (Status same = compare_public_inputs(*statement_, partition, found); !same)
      return explain(input, partition, same.error(), matrices_path(options_.key.folder, input.circuit()));
    return {};
  }

  Result<Blinding> choose_blinding() {
    if (blinding_) {
      report_warning(
          "--blinding: the proof is not zero-knowledge for anyone who knows R and S; for tests only");
      return *blinding_;
    }
    SystemRandom random;
    return Blinding::random(random);
  }

  void report(const ProofInput& input, const std::vector<uint32_t>& partitions, bool network,
              const std::string& device) {
    if (context_.json) {
      Json out;
      out["proof"] = options_.out;
      out["circuit"] = input.circuit().name();
      out["partitions"] = partitions;
      out["bytes"] = kProofBytes * partitions.size();
      out["constraints"] = matrices_->num_constraints();
      out["public_inputs"] = matrices_->num_inputs() - 1;
      out["key"] = network ? "network" : "development";
      out["params"] = options_.key.folder;
      out["device"] = device;
      out["seconds"] = watch_.to_json();
      print_json(out);
      return;
    }
    std::cout << "proved and checked: " << input.circuit().name() << ", " << partitions.size() << " of "
              << input.partitions() << " partitions of " << matrices_->num_constraints() << " constraints, "
              << (network ? "the network's key" : "a key for development") << " in " << options_.key.folder
              << (options_.key.from_environment ? " by " + std::string(kKeyFolderVariable) : "") << "; "
              << watch_.to_text() << "; wrote " << options_.out << "\n";
  }

  const Options& options_;
  const FilecoinInputOptions& input_options_;
  const Context& context_;
  Progress progress_;
  Stopwatch watch_;
  ThreadPool executor_;
  std::optional<AtomicFile> proof_file_, public_file_;
  std::optional<Statement> statement_;
  std::optional<Blinding> blinding_;
  std::shared_ptr<const StoredMatrices> matrices_;
};

}  // namespace

KindCommand add_prove_kinds(CLI::App* prove) {
  auto commands = add_kind_commands(prove, "prove a");
  auto options = std::make_shared<Options>();
  for (size_t i = 0; i < commands->apps.size(); ++i) {
    CLI::App* app = commands->apps[i];
    add_input_options(app, commands->inputs[i]);
    add_key_choice(app, options->key);
    app->add_option("--out", options->out,
                    "where the proof goes: 192 bytes a partition, as the network has them")
        ->required();
    app->add_option("--public", options->public_out,
                    "also write what `cuzk verify` needs: ids, commitments, randomness");
    app->add_option("--device", options->device, "cpu, cuda or cuda:N; no other is taken in its place");
    app->add_option("--blinding", options->blinding, "R,S in hex: for tests only");
  }
  return [commands, options](const Context& context) -> std::optional<Result<ExitStatus>> {
    const FilecoinInputOptions* input = commands->chosen();
    if (input == nullptr) return std::nullopt;
    if (Status status = commands->check_no_parent_options(); !status)
      return Result<ExitStatus>(tl::unexpected(status.error()));
    read_environment(options->key);
    return Prover(*options, *input, context).run();
  };
}

}  // namespace cuzk::cli
