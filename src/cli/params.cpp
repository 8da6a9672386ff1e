// `cuzk params check DIR`: whether the keys in a folder are whole and the right ones.
#include <iostream>
#include <map>

#include "cli/commands.hpp"
#include "cli/filecoin_keys.hpp"
#include "filecoin/circuit_size.hpp"
#include "formats/bellman_params.hpp"
#include "formats/bellman_vk.hpp"
#include "formats/inspect.hpp"
#include "formats/snarkjs_json.hpp"

namespace cuzk::cli {
namespace {

struct Options {
  std::string folder, manifest;
};

struct Finding {
  std::string file, verdict;  // "network", "development", "unknown" or "bad"
  std::string message;        // what is wrong, if anything is
  uint64_t points = 0;
  bool remembered = false;

  bool good() const { return verdict != "bad"; }
};

std::string text_of(const Finding& finding) {
  if (!finding.good()) return "BAD: " + finding.message;
  return finding.verdict + (finding.remembered ? ", points tested before" : ", all points tested") +
         (finding.message.empty() ? "" : " (" + finding.message + ")");
}

// Checks one file of the folder after the other.
class FolderCheck {
 public:
  FolderCheck(KeyDirectory folder, Manifest manifest, Executor& executor, Progress& progress)
      : folder_(std::move(folder)),
        manifest_(std::move(manifest)),
        executor_(executor),
        progress_(progress) {}

  Result<std::vector<Finding>> run() {
    std::vector<Finding> findings;
    CUZK_ASSIGN(const std::vector<std::string> names, folder_.key_files());
    for (const std::string& name : names) {
      Finding finding{name, "bad", "", 0, false};
      Status status = check(name, finding);
      if (status) status = check_circuit(name);
      if (status && name.ends_with(".params")) status = check_pair(name);
      if (!status) {
        finding.verdict = "bad";
        finding.message = status.error().message;
      }
      findings.push_back(std::move(finding));
    }
    return findings;
  }

 private:
  Status check(const std::string& name, Finding& finding) {
    CUZK_ASSIGN(const InputFilePtr file, folder_.open_file(name));
    const auto report = [&](uint64_t done, uint64_t total) {
      progress_.stage(name.substr(0, 40) + "…: digest of " + size_text(done) + " of " + size_text(total));
    };
    const bool recalled = folder_.recalls(name, *file);
    CUZK_ASSIGN(CheckedFile checked, folder_.check(name, *file, report));
    Status judged = judge(name, *file, checked.digest, finding);
    if (!judged && recalled) {  // the record may be of other bytes that had the same size and time
      folder_.forget(name);
      CUZK_ASSIGN(checked, folder_.check(name, *file, report));
      judged = judge(name, *file, checked.digest, finding);
    }
    CUZK_TRY(judged);
    finding.remembered = checked.points;
    if (checked.points) return {};
    const auto points = [&](uint64_t done, uint64_t total) {
      progress_.stage(name.substr(0, 40) + "…: tested " + std::to_string(done) + " of " +
                      std::to_string(total) + " points");
    };
    CUZK_ASSIGN(const FileReport tested, inspect(file, true, executor_, points));
    const FileKind expected = name.ends_with(".vk") ? FileKind::kVk : FileKind::kParams;
    if (tested.kind != expected)
      return invalid(file->name() + ": is a " + file_kind_text(tested.kind) + ", not a " +
                     file_kind_text(expected));
    finding.points = tested.points_tested;
    for (const std::string& warning : tested.warnings) report_warning(name + ": " + warning);
    CUZK_TRY(file->check_unchanged());
    checked.points = true;
    folder_.remember(name, checked);
    return {};
  }

  // A file of a circuit's name has as many points as the circuit needs, whatever an origin file says.
  Status check_circuit(const std::string& name) {
    const auto circuit = circuits_.find(name.substr(0, name.rfind('.')));
    if (circuit == circuits_.end()) return {};
    CUZK_ASSIGN(const InputFilePtr file, folder_.open_file(name));
    if (name.ends_with(".vk")) {
      CUZK_ASSIGN(const VerifyingKey vk, read_bellman_vk(file, PointCheck::kNone, executor_));
      return check_counts(vk, circuit->second, file->name());
    }
    CUZK_ASSIGN(const ParamsFile opened, open_params(file, PointCheck::kNone, executor_));
    return check_counts(opened.key, circuit->second, file->name());
  }

  // Proving needs both files of a key, and of the same key; the small one alone is enough to verify.
  Status check_pair(const std::string& name) {
    const std::string params = folder_.path_of(name), vk = params.substr(0, params.rfind('.')) + ".vk";
    const auto vk_file = InputFile::open(vk);
    if (!vk_file && vk_file.error().code == ErrorCode::kNotFound)
      return invalid(params + ": " + vk + " is not there: a key is both files; fetch or make it again");
    if (!vk_file) return {};  // its own finding
    const auto own = read_bellman_vk(*vk_file, PointCheck::kNone, executor_);
    if (!own) return {};
    CUZK_ASSIGN(const InputFilePtr file, InputFile::open(params));
    CUZK_ASSIGN(const ParamsFile opened, open_params(file, PointCheck::kNone, executor_));
    if (opened.key.vk == *own) return {};
    return invalid(params + ": its verifying key is not that of " + vk + "; fetch or make both again");
  }

  // Whose digest it has.
  Status judge(const std::string& name, const InputFile& file, const FileDigest& digest, Finding& finding) {
    const auto listed = manifest_.find(name);
    if (listed && matches(*listed, digest)) {
      finding.verdict = "network";
      return {};
    }
    const std::string base = name.substr(0, name.rfind('.'));
    CUZK_ASSIGN(const std::optional<KeyOrigin> origin, folder_.origin_of(base));
    if (origin) return judge_by_origin(base, *origin, file, digest, finding);
    if (listed) return refuse(file, digest, *listed, manifest_.source() + "; fetch it again");
    finding.verdict = "unknown";
    finding.message = "neither in " + manifest_.source() + " nor has it an origin file";
    return {};
  }

  Status judge_by_origin(const std::string& base, const KeyOrigin& origin, const InputFile& file,
                         const FileDigest& digest, Finding& finding) {
    const std::string source = folder_.path_of(base + ".origin.json");
    const FileDigest& expected = file.name().ends_with(".vk") ? origin.vk : origin.params;
    if (expected != digest) return refuse(file, digest, Bytes(expected).first(kManifestDigestBytes), source);
    const auto circuit = parse_circuit_name(origin.circuit);
    if (!circuit || key_name(*circuit) != base)
      return invalid(file.name() + ": a key of " + origin.circuit.substr(0, 80) + " by " + source +
                     ", under the name of another circuit's: make it again");
    if (origin.circuit_digest != to_hex(known_circuit(*circuit).digest))
      return invalid(file.name() + ": made for another constraint system than " + circuit->name() +
                     " of this version, by " + source + ": make the key again");
    finding.verdict = "development";
    return {};
  }

  static Status refuse(const InputFile& file, const FileDigest& found, Bytes expected,
                       const std::string& source) {
    CUZK_TRY(confirm_digest(file, found));
    return invalid(file.name() + ": BLAKE2b-512 digest " + to_hex(Bytes(found).first(kManifestDigestBytes)) +
                   "…, expected " + to_hex(expected) + "… by " + source);
  }

  static std::map<std::string, CircuitId> circuits_by_key() {
    std::map<std::string, CircuitId> out;
    for (const CircuitId& circuit : all_circuits()) out.emplace(key_name(circuit), circuit);
    return out;
  }

  KeyDirectory folder_;
  const std::map<std::string, CircuitId> circuits_ = circuits_by_key();
  const Manifest manifest_;
  Executor& executor_;
  Progress& progress_;
};

Result<ExitStatus> check(const Options& options, const Context& context) {
  CUZK_ASSIGN(Manifest manifest, choose_manifest(options.manifest));
  CUZK_ASSIGN(KeyDirectory folder, KeyDirectory::open(options.folder));
  std::vector<Finding> findings;
  {
    Progress progress;
    ThreadPool executor(context.threads);
    CUZK_ASSIGN(findings, FolderCheck(std::move(folder), std::move(manifest), executor, progress).run());
  }
  if (findings.empty()) return invalid(options.folder + ": no .params and no .vk file in it");
  bool good = true;
  Json files = Json::array();
  for (const Finding& finding : findings) {
    good = good && finding.good();
    Json entry = {{"file", finding.file}, {"verdict", finding.verdict}, {"remembered", finding.remembered}};
    if (finding.points > 0) entry["points_tested"] = finding.points;
    if (!finding.message.empty()) entry["message"] = finding.message;
    files.push_back(std::move(entry));
    if (context.json) continue;
    std::cout << printable(finding.file + ": " + text_of(finding)) << "\n";
  }
  if (context.json) print_json(Json{{"good", good}, {"files", files}});
  return good ? kDone : kAnswerIsNo;
}

}  // namespace

Command add_params(CLI::App& program) {
  CLI::App* app = program.add_subcommand("params", "folders of keys");
  app->require_subcommand(1);
  auto options = std::make_shared<Options>();
  CLI::App* sub = app->add_subcommand("check", "digests, structure and points of every key in a folder");
  sub->fallthrough();
  sub->add_option("DIR", options->folder, "the folder")->required();
  sub->add_option("--manifest", options->manifest,
                  "digests that keys must have, parameters.json; default: built in");
  return [options](const Context& context) { return check(*options, context); };
}

}  // namespace cuzk::cli
