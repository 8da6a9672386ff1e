#include "groth16/prove.hpp"

#include <iostream>
#include <optional>

#include "base/atomic_file.hpp"
#include "cli/devices.hpp"
#include "cli/filecoin_prove.hpp"
#include "cli/key_options.hpp"
#include "cli/outputs.hpp"
#include "cli/secrets.hpp"
#include "formats/proof_bytes.hpp"
#include "formats/snarkjs_json.hpp"
#include "formats/wtns_file.hpp"

namespace cuzk::cli {

namespace {

struct ProveOptions {
  KeyPaths key;
  std::string witness, out, proof_bin, public_out, check = "curve", blinding, device = "cpu";
};

Result<Blinding> choose_blinding(const std::string& text) {
  if (text.empty()) {
    SystemRandom random;
    return Blinding::random(random);
  }
  report_warning("--blinding: the proof is not zero-knowledge for anyone who knows R and S; for tests only");
  return parse_blinding(text);
}

// The files of a proof: created before the work, so that a bad name costs no time, and all of them appear or
// none.
class ProofFiles {
 public:
  static Result<ProofFiles> create(const ProveOptions& options) {
    CUZK_TRY(check_outputs({options.out, options.proof_bin, options.public_out},
                           {options.key.params, options.key.zkey, options.key.r1cs, options.witness}));
    ProofFiles out;
    CUZK_TRY(out.add(options.proof_bin, out.bytes_));
    CUZK_TRY(out.add(options.public_out, out.public_));
    CUZK_TRY(out.add(options.out, out.json_));
    return out;
  }

  Status write(const Proof& proof, std::span<const Fr> public_inputs) {
    if (bytes_) CUZK_TRY(bytes_->write(encode_proof(proof)));
    if (public_) CUZK_TRY(public_->write(public_to_json(public_inputs)));
    CUZK_TRY(json_->write(proof_to_json(proof)));
    for (auto* file : {&bytes_, &public_, &json_})
      if (*file) CUZK_TRY((*file)->sync());
    for (auto* file : {&bytes_, &public_, &json_})
      if (*file) CUZK_TRY((*file)->commit());
    return {};
  }

 private:
  Status add(const std::string& path, std::optional<AtomicFile>& file) {
    if (path.empty()) return {};
    CUZK_ASSIGN(auto created, AtomicFile::create(path));
    file.emplace(std::move(created));
    return {};
  }

  std::optional<AtomicFile> bytes_, public_, json_;
};

Result<ExitStatus> prove_files(const ProveOptions& options, const Context& context) {
  if (options.witness.empty())
    return invalid("prove: --witness is missing; `cuzk prove --help` lists what can be proved");
  if (options.out.empty()) return invalid("--out: the name is missing or empty");
  if (options.key.params.empty() == options.key.zkey.empty())
    return invalid("prove: give one key, --params FILE or --zkey FILE");
  if (options.key.r1cs.empty() && !options.key.params.empty())
    return invalid("prove: --params needs --r1cs: the key does not hold its circuit");
  CUZK_ASSIGN(PointCheck check, parse_check(options.check));
  CUZK_ASSIGN(Blinding blinding, choose_blinding(options.blinding));
  CUZK_ASSIGN(ProofFiles files, ProofFiles::create(options));

  Progress progress;
  Stopwatch watch(progress);
  ThreadPool executor(context.threads);
  CUZK_ASSIGN(auto device, open_device(options.device, executor, CpuDevice::Residency::kSource));
  watch.start("read");
  CUZK_ASSIGN(OpenKey opened, open_key(options.key, check, executor));
  CUZK_ASSIGN(auto witness_file, InputFile::open(options.witness));
  CUZK_ASSIGN(auto witness, read_wtns(witness_file, executor));
  warn_about_key(opened.key.vk);

  watch.start("prove");
  auto proof = cuzk::prove(*device, opened.key, opened.circuit, std::span<const Fr>(witness), blinding);
  if (!proof) {
    const std::string circuit = options.key.r1cs.empty() ? "" : options.key.r1cs + " and ";
    Error error = proof.error().at(opened.file->name() + " with " + circuit + options.witness);
    if (error.code == ErrorCode::kInternal)
      error.message += "; `cuzk inspect KEY --check` tests every point of the key";
    return tl::unexpected<Error>(std::move(error));
  }
  const auto public_inputs = std::span<const Fr>(witness).subspan(1, opened.circuit->num_inputs - 1);
  CUZK_TRY(opened.file->check_unchanged());
  watch.start("write");
  CUZK_TRY(files.write(*proof, public_inputs));
  watch.stop();
  if (context.json) {
    Json out;
    out["proof"] = options.out;
    out["constraints"] = opened.circuit->num_constraints();
    out["public_inputs"] = public_inputs.size();
    out["device"] = device->name();
    out["warnings"] = key_warnings(opened.key.vk);
    out["seconds"] = watch.to_json();
    print_json(out);
  } else {
    std::cout << "proved and checked: " << opened.circuit->num_constraints() << " constraints, "
              << public_inputs.size() << " public inputs; " << watch.to_text() << "; wrote " << options.out
              << "\n";
  }
  return kDone;
}

}  // namespace

Command add_prove(CLI::App& program) {
  CLI::App* app = program.add_subcommand(
      "prove", "prove that a witness satisfies a circuit, or a Filecoin proof: prove KIND");
  auto options = std::make_shared<ProveOptions>();
  app->add_option("--params", options->key.params, "proving key, bellman's .params");
  app->add_option("--zkey", options->key.zkey, "proving key, snarkjs's .zkey");
  app->add_option("--r1cs", options->key.r1cs, "the circuit; needed with --params");
  app->add_option("--witness", options->witness, "the witness, .wtns");
  app->add_option("--out", options->out, "where the proof goes, JSON as snarkjs writes it");
  app->add_option("--proof-bin", options->proof_bin, "also write the proof as 192 bytes");
  app->add_option("--public", options->public_out, "also write the public inputs, JSON");
  app->add_option(
      "--check", options->check,
      "what to test of the key's points: none, curve (canonical and on the curve) or full (also the "
      "subgroup); the proof itself is always verified");
  app->add_option("--device", options->device, "cpu, cuda or cuda:N; no other is taken in its place");
  app->add_option("--blinding", options->blinding, "R,S in hex: for tests only");
  KindCommand kinds = add_prove_kinds(app);
  return [options, kinds](const Context& context) {
    if (auto done = kinds(context)) return std::move(*done);
    return prove_files(*options, context);
  };
}

}  // namespace cuzk::cli
