#include <filesystem>
#include <iostream>

#include "cli/key_options.hpp"
#include "cli/outputs.hpp"
#include "formats/bellman_vk.hpp"
#include "formats/inspect.hpp"
#include "formats/key_writer.hpp"
#include "formats/proof_bytes.hpp"
#include "formats/snarkjs_json.hpp"

namespace cuzk::cli {

namespace {

struct ConvertOptions {
  std::string in, out;
};

tl::unexpected<Error> no_such_conversion(const InputFile& in, FileKind kind, const std::string& out) {
  return invalid(
      in.name() + " is a " + file_kind_text(kind) + "; it cannot become " + out +
      ". Known: .vk, .params or .zkey to NAME.json (verification key); .params or .zkey to .vk; .zkey to "
      ".params; proof of 192 bytes to NAME.json and back to NAME.bin");
}

Status write_vk(const VerifyingKey& vk, const std::string& out, const std::string& ending,
                Executor& executor) {
  warn_about_key(vk);
  if (ending == ".json") return write_file(out, verification_key_to_json(vk));
  return write_bellman_vk(out, vk, executor);
}

Status convert_zkey(const InputFilePtr& in, const std::string& out, const std::string& ending,
                    Executor& executor) {
  // The conversion multiplies points of H by scalars: they must be in the subgroup.
  PointCheck check = ending == ".params" ? PointCheck::kFull : PointCheck::kCurve;
  CUZK_ASSIGN(ZkeyFile zkey, open_zkey(in, check, executor));
  if (ending != ".params") return write_vk(zkey.key.vk, out, ending, executor);
  warn_about_key(zkey.key.vk);
  CUZK_ASSIGN(auto writer, create_params_writer(out, executor));
  if (auto status = convert_to_bellman(zkey.key, *writer, executor); !status)
    return tl::unexpected<Error>(status.error().at(in->name()));
  CUZK_TRY(in->check_unchanged());
  return writer->finish();
}

Status convert_file(const InputFilePtr& in, FileKind kind, const std::string& out, Executor& executor) {
  std::string ending = std::filesystem::path(out).extension().string();
  bool to_vk = ending == ".json" || ending == ".vk";
  if (kind == FileKind::kZkey && (to_vk || ending == ".params"))
    return convert_zkey(in, out, ending, executor);
  if (kind == FileKind::kParams && to_vk) {
    CUZK_ASSIGN(ParamsFile params, open_params(in, PointCheck::kFull, executor));
    return write_vk(params.key.vk, out, ending, executor);
  }
  if (kind == FileKind::kVk && ending == ".json") {
    CUZK_ASSIGN(VerifyingKey vk, read_bellman_vk(in, PointCheck::kFull, executor));
    return write_vk(vk, out, ending, executor);
  }
  if (kind == FileKind::kProofBytes && ending == ".json") {
    CUZK_ASSIGN(Proof proof, read_proof_bytes(in));
    return write_file(out, proof_to_json(proof));
  }
  if (kind == FileKind::kProofJson && ending == ".bin") {
    CUZK_ASSIGN(Proof proof, read_proof_json(in));
    return write_proof_bytes(out, proof);
  }
  return no_such_conversion(*in, kind, out);
}

Result<ExitStatus> convert(const ConvertOptions& options, const Context& context) {
  CUZK_TRY(check_outputs({options.out}, {options.in}));
  Progress progress;
  Stopwatch watch(progress);
  ThreadPool executor(context.threads);
  watch.start("convert");
  CUZK_ASSIGN(auto in, InputFile::open(options.in));
  CUZK_ASSIGN(FileKind kind, detect(in));
  CUZK_TRY(convert_file(in, kind, options.out, executor));
  watch.stop();
  if (context.json) {
    Json json;
    json["in"] = options.in;
    json["kind"] = file_kind_text(kind);
    json["out"] = options.out;
    json["seconds"] = watch.to_json();
    print_json(json);
  } else {
    std::cout << "wrote " << options.out << "\n";
  }
  return kDone;
}

}  // namespace

Command add_convert(CLI::App& program) {
  CLI::App* app = program.add_subcommand("convert", "change the form of a key or a proof");
  auto options = std::make_shared<ConvertOptions>();
  app->add_option("IN", options->in, "what to convert")->required();
  app->add_option("OUT", options->out, "where to; its ending says into what: .json, .bin, .vk, .params")
      ->required();
  return [options](const Context& context) { return convert(*options, context); };
}

}  // namespace cuzk::cli
