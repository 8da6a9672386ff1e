#include "groth16/prove.hpp"

#include <iostream>

#include "cli/devices.hpp"
#include "cli/key_options.hpp"
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

Status write_outputs(const ProveOptions& options, const Proof& proof, std::span<const Fr> public_inputs) {
  if (!options.proof_bin.empty()) CUZK_TRY(write_proof_bytes(options.proof_bin, proof));
  if (!options.public_out.empty()) CUZK_TRY(write_file(options.public_out, public_to_json(public_inputs)));
  return write_file(options.out, proof_to_json(proof));
}

Result<ExitStatus> prove_files(const ProveOptions& options, const Context& context) {
  if (options.key.params.empty() == options.key.zkey.empty())
    return invalid("prove: give one key, --params FILE or --zkey FILE");
  if (options.key.r1cs.empty() && !options.key.params.empty())
    return invalid("prove: --params needs --r1cs: the key does not hold its circuit");
  CUZK_ASSIGN(PointCheck check, parse_check(options.check));
  CUZK_ASSIGN(Blinding blinding, choose_blinding(options.blinding));

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
    Error error = proof.error().at(opened.file->name() + " with " + options.witness);
    if (error.code == ErrorCode::kInternal)
      error.message += "; `cuzk inspect KEY --check` tests every point of the key";
    return tl::unexpected<Error>(std::move(error));
  }
  const auto public_inputs = std::span<const Fr>(witness).subspan(1, opened.circuit->num_inputs - 1);
  CUZK_TRY(opened.file->check_unchanged());
  watch.start("write");
  CUZK_TRY(write_outputs(options, *proof, public_inputs));
  watch.stop();
  if (context.json) {
    Json out;
    out["proof"] = options.out;
    out["constraints"] = opened.circuit->num_constraints();
    out["public_inputs"] = public_inputs.size();
    out["device"] = device->name();
    out["seconds"] = watch.to_json();
    std::cout << out.dump(2) << "\n";
  } else {
    std::cout << "proved and checked: " << opened.circuit->num_constraints() << " constraints, "
              << public_inputs.size() << " public inputs; " << watch.to_text() << "; wrote " << options.out
              << "\n";
  }
  return kDone;
}

}  // namespace

Command add_prove(CLI::App& program) {
  CLI::App* app = program.add_subcommand("prove", "prove that a witness satisfies a circuit");
  auto options = std::make_shared<ProveOptions>();
  app->add_option("--params", options->key.params, "proving key, bellman's .params");
  app->add_option("--zkey", options->key.zkey, "proving key, snarkjs's .zkey");
  app->add_option("--r1cs", options->key.r1cs, "the circuit; needed with --params");
  app->add_option("--witness", options->witness, "the witness, .wtns")->required();
  app->add_option("--out", options->out, "where the proof goes, JSON as snarkjs writes it")->required();
  app->add_option("--proof-bin", options->proof_bin, "also write the proof as 192 bytes");
  app->add_option("--public", options->public_out, "also write the public inputs, JSON");
  app->add_option(
      "--check", options->check,
      "what to test of the key's points: none, curve (canonical and on the curve) or full (also the "
      "subgroup); the proof itself is always verified");
  app->add_option("--device", options->device, "cpu, cuda or cuda:N; no other is taken in its place");
  app->add_option("--blinding", options->blinding, "R,S in hex: for tests only");
  return [options](const Context& context) { return prove_files(*options, context); };
}

}  // namespace cuzk::cli
