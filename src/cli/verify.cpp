#include "groth16/verify.hpp"

#include <iostream>

#include "cli/filecoin_prove.hpp"
#include "cli/key_options.hpp"
#include "formats/snarkjs_json.hpp"

namespace cuzk::cli {

namespace {

struct VerifyOptions {
  std::string vk, proof, public_in;
};

Result<ExitStatus> verify_files(const VerifyOptions& options, const Context& context) {
  if (options.vk.empty() || options.proof.empty() || options.public_in.empty())
    return invalid(
        "verify: --vk, --proof and --public are needed; `cuzk verify --help` lists what can be verified");
  Progress progress;
  Stopwatch watch(progress);
  ThreadPool executor(context.threads);
  watch.start("verify");
  CUZK_ASSIGN(VerifyingKey vk, read_any_vk(options.vk, executor));
  warn_about_key(vk);
  CUZK_ASSIGN(Proof proof, read_any_proof(options.proof));
  CUZK_ASSIGN(auto public_file, InputFile::open(options.public_in));
  CUZK_ASSIGN(auto inputs, read_public_json(public_file));
  PreparedVerifyingKey prepared(std::move(vk));
  auto valid = verify(prepared, proof, inputs, executor);
  if (!valid) return tl::unexpected<Error>(valid.error().at(options.public_in));
  watch.stop();
  if (context.json) {
    Json out;
    out["valid"] = *valid;
    out["public_inputs"] = inputs.size();
    out["warnings"] = key_warnings(prepared.key());
    out["seconds"] = watch.to_json();
    print_json(out);
  } else {
    std::cout << (*valid ? "valid" : "invalid: the proof does not prove this statement under this key")
              << "\n";
  }
  return *valid ? kDone : kAnswerIsNo;
}

}  // namespace

Command add_verify(CLI::App& program) {
  CLI::App* app =
      program.add_subcommand("verify", "verify a proof, or a Filecoin proof from commitments: verify KIND");
  auto options = std::make_shared<VerifyOptions>();
  app->add_option("--vk", options->vk, "verifying key: bellman's .vk or snarkjs's JSON");
  app->add_option("--proof", options->proof, "proof: snarkjs's JSON or 192 bytes");
  app->add_option("--public", options->public_in, "public inputs, JSON");
  KindCommand kinds = add_verify_kinds(app);
  return [options, kinds](const Context& context) {
    if (auto done = kinds(context)) return std::move(*done);
    return verify_files(*options, context);
  };
}

}  // namespace cuzk::cli
