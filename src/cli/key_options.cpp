#include "cli/key_options.hpp"

#include "formats/bellman_vk.hpp"
#include "formats/proof_bytes.hpp"
#include "formats/snarkjs_json.hpp"
#include "groth16/verify.hpp"

namespace cuzk::cli {

Result<PointCheck> parse_check(const std::string& text) {
  if (text == "none") return PointCheck::kNone;
  if (text == "curve") return PointCheck::kCurve;
  if (text == "full") return PointCheck::kFull;
  return invalid("--check " + text + ": expected none, curve or full");
}

Result<OpenKey> open_key(const KeyPaths& paths, PointCheck check, Executor& executor) {
  OpenKey out;
  CUZK_ASSIGN(out.file, InputFile::open(paths.params.empty() ? paths.zkey : paths.params));
  if (!paths.r1cs.empty()) {
    CUZK_ASSIGN(auto file, InputFile::open(paths.r1cs));
    CUZK_ASSIGN(auto r1cs, read_r1cs(file));
    out.circuit = std::make_shared<const R1cs>(std::move(r1cs.circuit));
  }
  if (!paths.params.empty()) {
    CUZK_ASSIGN(auto params, open_params(out.file, check, executor));
    out.key = std::move(params.key);
    return out;
  }
  CUZK_ASSIGN(auto zkey, open_zkey(out.file, check, executor));
  if (!out.circuit) {
    CUZK_ASSIGN(auto circuit, read_zkey_circuit(zkey, executor));
    out.circuit = std::make_shared<const R1cs>(std::move(circuit));
  }
  out.key = std::move(zkey.key);
  return out;
}

Result<VerifyingKey> read_any_vk(const std::string& path, Executor& executor) {
  CUZK_ASSIGN(auto file, InputFile::open(path));
  if (looks_like_json(*file)) return read_verification_key_json(file);
  return read_bellman_vk(file, PointCheck::kFull, executor);
}

Result<Proof> read_any_proof(const std::string& path) {
  CUZK_ASSIGN(auto file, InputFile::open(path));
  if (looks_like_json(*file)) return read_proof_json(file);
  return read_proof_bytes(file);
}

void warn_about_key(const VerifyingKey& vk) {
  for (const std::string& warning : key_warnings(vk)) report_warning(warning);
}

}  // namespace cuzk::cli
