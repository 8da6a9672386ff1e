#include "formats/inspect.hpp"

#include <nlohmann/json.hpp>

#include "formats/bellman_params.hpp"
#include "formats/bellman_vk.hpp"
#include "formats/foreign.hpp"
#include "formats/proof_bytes.hpp"
#include "formats/r1cs_file.hpp"
#include "formats/snarkjs_json.hpp"
#include "formats/wtns_file.hpp"
#include "formats/zkey_file.hpp"
#include "groth16/verify.hpp"
#include "r1cs/density.hpp"
#include "r1cs/witness.hpp"

namespace cuzk {
namespace {

tl::unexpected<Error> unknown(const InputFile& file, const std::string& what) {
  return invalid(file.name() +
                 ": not a file that cuzk knows (.params, .vk, .zkey, .r1cs, .wtns, proof, JSON of "
                 "snarkjs): " +
                 what);
}

Result<FileKind> detect_json(const InputFilePtr& file) {
  CUZK_ASSIGN(const std::string text, read_json_text(file));
  const auto document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_discarded()) return unknown(*file, "it looks like JSON, but does not parse");
  if (document.is_array()) return FileKind::kPublicJson;
  if (document.contains("pi_a")) return FileKind::kProofJson;
  if (document.contains("vk_alpha_1") || document.contains("IC")) return FileKind::kVerificationKeyJson;
  return unknown(*file,
                 "a JSON object without the members of a proof (pi_a) or verification key (vk_alpha_1)");
}

bool has_ending(const std::string& name, std::string_view ending) {
  return name.size() >= ending.size() &&
         name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
}

// A bellman file has no magic number; it begins with a point of G1.
Result<FileKind> detect_bellman(const InputFilePtr& file) {
  if (file->size() >= kVkHeadBytes + 4) {
    uint8_t point[kUncompressedBytes<G1>], count[4];
    CUZK_TRY(file->read(0, point));
    CUZK_TRY(file->read(kVkHeadBytes, count));
    if (decode_uncompressed<G1>(point, PointCheck::kCurve)) {
      const uint64_t vk_end = kVkHeadBytes + 4 + uint64_t{load_be32(count)} * kUncompressedBytes<G1>;
      if (file->size() == vk_end && !has_ending(file->name(), ".params")) return FileKind::kVk;
      if (file->size() > vk_end && !has_ending(file->name(), ".vk")) return FileKind::kParams;
    }
  }
  if (has_ending(file->name(), ".vk")) return FileKind::kVk;
  if (has_ending(file->name(), ".params")) return FileKind::kParams;
  return unknown(*file, describe_foreign(*file));
}

class Inspector {
 public:
  Inspector(InputFilePtr file, bool full_check, Executor& executor, const InspectProgress& progress)
      : file_(std::move(file)), full_check_(full_check), executor_(executor), progress_(progress) {}

  Result<FileReport> run() {
    CUZK_ASSIGN(report_.kind, detect(file_));
    report_.size_bytes = file_->size();
    CUZK_TRY(read());
    CUZK_TRY(file_->check_unchanged());
    return std::move(report_);
  }

 private:
  Status read() {
    switch (report_.kind) {
      case FileKind::kR1cs:
        return r1cs();
      case FileKind::kWtns:
        return wtns();
      case FileKind::kZkey:
        return zkey();
      case FileKind::kParams:
        return params();
      case FileKind::kVk:
        return vk();
      case FileKind::kProofBytes:
        return proof(read_proof_bytes(file_));
      case FileKind::kProofJson:
        return proof(read_proof_json(file_));
      case FileKind::kPublicJson:
        return public_values();
      case FileKind::kVerificationKeyJson:
        return verification_key();
    }
    return {};
  }

  void count(std::string name, uint64_t value) { report_.counts.emplace_back(std::move(name), value); }
  PointCheck check() const { return full_check_ ? PointCheck::kFull : PointCheck::kCurve; }

  Status r1cs() {
    CUZK_ASSIGN(const R1csFile file, read_r1cs(file_));
    const R1cs& circuit = file.circuit;
    count("constraints", circuit.num_constraints());
    count("wires", circuit.num_variables());
    count("public outputs", file.num_public_outputs);
    count("public inputs", file.num_public_inputs);
    count("private inputs", file.num_private_inputs);
    count("labels", file.num_labels);
    count("nonzeros in A", circuit.a.nonzeros());
    count("nonzeros in B", circuit.b.nonzeros());
    count("nonzeros in C", circuit.c.nonzeros());
    count("wires bound to 0 or 1", WitnessShape::of(circuit).num_bits() - 1);
    const VariableSet unused = unused_variables(circuit);
    for (size_t i = 0; i < unused.size() && i < 3; ++i) {
      report_.warnings.push_back(variable_name(circuit, unused[i]) + " occurs in no constraint" +
                                 (i == 2 && unused.size() > 3
                                      ? ", nor do " + std::to_string(unused.size() - 3) + " further wires"
                                      : ""));
    }
    return {};
  }

  Status wtns() {
    CUZK_ASSIGN(const std::vector<Fr> values, read_wtns(file_, executor_));
    uint64_t zeros = 0, ones = 0;
    for (const Fr& value : values) {
      zeros += value.is_zero() ? 1 : 0;
      ones += value.is_one() ? 1 : 0;
    }
    count("values", values.size());
    count("values that are 0", zeros);
    count("values that are 1", ones);
    if (values.empty() || !values[0].is_one()) report_.warnings.emplace_back("the first value is not 1");
    return {};
  }

  Status zkey() {
    CUZK_ASSIGN(const ZkeyFile zkey, open_zkey(file_, check(), executor_));
    CUZK_ASSIGN(const R1cs circuit, read_zkey_circuit(zkey, executor_));
    count("wires", zkey.num_variables);
    count("public values", zkey.num_public);
    count("constraints", circuit.num_constraints());
    count("domain", zkey.key.domain_size());
    count("coefficients", zkey.num_coefficients);
    for (const PointList& list : zkey.lists) count("points in " + list.name, list.count);
    if (zkey.contributions) count("contributions", *zkey.contributions);
    return lists(zkey.key);
  }

  Status params() {
    CUZK_ASSIGN(const ParamsFile params, open_params(file_, check(), executor_));
    count("inputs, with the constant one", params.key.num_inputs());
    count("auxiliaries", params.key.num_aux());
    count("domain", params.key.domain_size());
    for (const PointList& list : params.lists) count("points in " + list.name, list.count);
    if (params.ceremony) {
      report_.trailer = "record of a phase-2 ceremony with " +
                        std::to_string(params.ceremony->contributions) + " contributions, at offset " +
                        std::to_string(params.ceremony->offset);
    }
    return lists(params.key);
  }

  Status lists(const ProvingKey& key) {
    report_.warnings = key_warnings(key.vk);
    if (!full_check_) return {};
    const uint64_t head = 6 + key.vk.ic.size();
    const uint64_t total = head + key.h->size() + key.l->size() + key.a->size() + 2 * key.b_g1->size();
    report_.points_tested = head;
    const PointProgress step = [&](uint64_t points) {
      report_.points_tested += points;
      if (progress_) progress_(report_.points_tested, total);
    };
    CUZK_TRY(test_points<G1>(*key.h, executor_, step));
    CUZK_TRY(test_points<G1>(*key.l, executor_, step));
    CUZK_TRY(test_points<G1>(*key.a, executor_, step));
    CUZK_TRY(test_points<G1>(*key.b_g1, executor_, step));
    return test_points<G2>(*key.b_g2, executor_, step);
  }

  Status vk() {
    CUZK_ASSIGN(const VerifyingKey vk, read_bellman_vk(file_, PointCheck::kFull, executor_));
    count("inputs, with the constant one", vk.ic.size());
    report_.warnings = key_warnings(vk);
    report_.points_tested = 6 + vk.ic.size();
    return {};
  }
  Status verification_key() {
    CUZK_ASSIGN(const VerifyingKey vk, read_verification_key_json(file_));
    count("public values", vk.ic.size() - 1);
    report_.warnings = key_warnings(vk);
    report_.points_tested = 4 + vk.ic.size();
    return {};
  }
  Status proof(const Result<Proof>& proof) {
    if (!proof) return tl::unexpected<Error>(proof.error());
    report_.points_tested = 3;
    return {};
  }
  Status public_values() {
    CUZK_ASSIGN(const std::vector<Fr> values, read_public_json(file_));
    count("public values", values.size());
    return {};
  }

  InputFilePtr file_;
  bool full_check_;
  Executor& executor_;
  const InspectProgress& progress_;
  FileReport report_;
};

}  // namespace

const char* file_kind_text(FileKind kind) {
  switch (kind) {
    case FileKind::kR1cs:
      return "circom circuit (.r1cs)";
    case FileKind::kWtns:
      return "witness (.wtns)";
    case FileKind::kZkey:
      return "snarkjs groth16 proving key (.zkey)";
    case FileKind::kParams:
      return "bellman proving key (.params)";
    case FileKind::kVk:
      return "bellman verifying key (.vk)";
    case FileKind::kProofBytes:
      return "proof of 192 bytes";
    case FileKind::kProofJson:
      return "snarkjs proof (JSON)";
    case FileKind::kPublicJson:
      return "public values (JSON)";
    case FileKind::kVerificationKeyJson:
      return "snarkjs verification key (JSON)";
  }
  return "unknown";
}

Result<FileKind> detect(const InputFilePtr& file) {
  uint8_t head[16] = {};
  const size_t size = static_cast<size_t>(std::min<uint64_t>(sizeof head, file->size()));
  if (size == 0) return unknown(*file, describe_foreign(*file));
  CUZK_TRY(file->read(0, MutableBytes(head, size)));
  const std::string_view text(reinterpret_cast<const char*>(head), size);
  if (text.starts_with("r1cs")) return FileKind::kR1cs;
  if (text.starts_with("wtns")) return FileKind::kWtns;
  if (text.starts_with("zkey")) return FileKind::kZkey;
  if (looks_like_json(*file)) return detect_json(file);
  if (file->size() == kProofBytes && (head[0] & 0x80) != 0) return FileKind::kProofBytes;
  return detect_bellman(file);
}

Result<FileReport> inspect(const InputFilePtr& file, bool full_check, Executor& executor,
                           const InspectProgress& progress) {
  return Inspector(file, full_check, executor, progress).run();
}

}  // namespace cuzk
