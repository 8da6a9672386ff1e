#include "cli/filecoin_keys.hpp"

#include <cstdlib>

#include "filecoin/circuit_matrices.hpp"
#include "filecoin/circuit_size.hpp"
#include "formats/bellman_vk.hpp"
#include "formats/snarkjs_json.hpp"

namespace cuzk::cli {
namespace {

template <class T>
Result<T> with_advice(const CircuitId& circuit, const KeyChoice& choice, Result<T> result) {
  if (result) return result;
  return tl::unexpected(say_whence(choice, advise(circuit.name(), choice.folder, std::move(result.error()))));
}

Result<KeyDirectory> open_folder(const KeyChoice& choice) {
  if (choice.folder.empty())
    return invalid("--params DIR is missing (and " + std::string(kKeyFolderVariable) +
                   " is not set): where keys are");
  return KeyDirectory::open(choice.folder);
}

// A key with its own origin file, under the name of another circuit's.
Status check_origin(const std::optional<KeyOrigin>& origin, const CircuitId& circuit,
                    const std::string& file) {
  if (!origin || origin->circuit == circuit.name()) return {};
  return invalid(file + ": a key of " + origin->circuit.substr(0, 80) +
                 " by its origin file, expected one of " + circuit.name() +
                 ": make it again, cuzk setup --circuit " + circuit.name());
}

struct Count {
  const char* what;
  uint64_t found, expected;
};
Status compare(const std::vector<Count>& counts, const CircuitId& circuit, const std::string& file) {
  std::string differences;
  for (const Count& count : counts)
    if (count.found != count.expected)
      differences += std::string(differences.empty() ? ": " : ", ") + count.what + " found " +
                     std::to_string(count.found) + ", expected " + std::to_string(count.expected);
  if (differences.empty()) return {};
  return invalid(file + ": not a key of " + circuit.name() + differences +
                 ": it is another circuit's; fetch or make it again");
}

}  // namespace

std::vector<std::string> files_of_key(const KeyChoice& choice, const CircuitId& circuit) {
  const std::string base = choice.folder + "/" + key_name(circuit);
  return {base + ".params", base + ".vk", base + ".origin.json", matrices_path(choice.folder, circuit),
          choice.folder + "/" + KeyDirectory::kRecordName};
}

void add_key_choice(CLI::App* app, KeyChoice& choice) {
  app->add_option("--params", choice.folder,
                  "folder of keys, NAME.params and NAME.vk as the network names them (default: the "
                  "environment's " +
                      std::string(kKeyFolderVariable) + ")");
  add_key_rules(app, choice);
}

void add_key_rules(CLI::App* app, KeyChoice& choice) {
  app->add_option("--manifest", choice.manifest,
                  "digests that keys must have, parameters.json; default: built in");
  app->add_flag("--network-keys", choice.network_only,
                "only keys of the manifest, none made for development");
}

void read_environment(KeyChoice& choice) {
  const char* folder = std::getenv(kKeyFolderVariable);
  if (!choice.folder.empty() || folder == nullptr || *folder == 0) return;
  choice.folder = folder;
  choice.from_environment = true;
}

Error say_whence(const KeyChoice& choice, Error error) {
  if (choice.from_environment)
    error.message += "; the folder is the one that the environment names, " +
                     std::string(kKeyFolderVariable) + ": --params takes its place";
  return error;
}

Result<Manifest> choose_manifest(const std::string& path) {
  if (path.empty()) return Manifest::network();
  CUZK_ASSIGN(const InputFilePtr file, InputFile::open(path));
  CUZK_ASSIGN(const std::string text, read_json_text(file));
  return Manifest::parse(text, path);
}

Status check_counts(const ProvingKey& key, const CircuitId& circuit, const std::string& file) {
  const CircuitSize size = known_circuit(circuit).size;
  return compare({{"public inputs with the one:", key.num_inputs(), size.inputs},
                  {"auxiliary variables:", key.num_aux(), size.aux},
                  {"domain:", key.domain_size(), size.domain_size()},
                  {"points of a:", key.a->size(), size.a_variables},
                  {"points of b:", key.b_g1->size(), size.b_variables}},
                 circuit, file);
}

Status check_counts(const VerifyingKey& vk, const CircuitId& circuit, const std::string& file) {
  return compare({{"public inputs with the one:", vk.num_inputs(), known_circuit(circuit).size.inputs}},
                 circuit, file);
}

std::string size_text(uint64_t bytes) {
  char text[32];
  const double value = static_cast<double>(bytes);
  if (bytes >= 1'000'000'000)
    std::snprintf(text, sizeof text, "%.2f GB", value / 1e9);
  else
    std::snprintf(text, sizeof text, "%.2f MB", value / 1e6);
  return text;
}

Result<OpenedKey> open_circuit_key(const KeyChoice& choice, const CircuitId& circuit, Executor& executor,
                                   Progress& progress) {
  CUZK_ASSIGN(const Manifest manifest, choose_manifest(choice.manifest));
  CUZK_ASSIGN(KeyDirectory folder, with_advice(circuit, choice, open_folder(choice)));
  const auto report = [&](uint64_t done, uint64_t total) {
    progress.stage("digest of the key: " + size_text(done) + " of " + size_text(total));
  };
  CUZK_ASSIGN(OpenedKey key, with_advice(circuit, choice,
                                         open_key(folder, key_name(circuit), manifest, choice.network_only,
                                                  executor, report)));
  CUZK_TRY(check_origin(key.origin, circuit, key.params.file->name()));
  CUZK_TRY(check_counts(key.params.key, circuit, key.params.file->name()));
  return key;
}

Result<VerifyingKey> open_circuit_vk(const KeyChoice& choice, const CircuitId& circuit, Executor& executor) {
  CUZK_ASSIGN(const Manifest manifest, choose_manifest(choice.manifest));
  CUZK_ASSIGN(const KeyDirectory folder, with_advice(circuit, choice, open_folder(choice)));
  CUZK_ASSIGN(const KeyDirectory::VerifyingKeyFile file,
              with_advice(circuit, choice, folder.find_vk(key_name(circuit), manifest, choice.network_only)));
  CUZK_TRY(check_origin(file.origin, circuit, file.vk->name()));
  CUZK_ASSIGN(VerifyingKey vk, read_bellman_vk(file.vk, PointCheck::kFull, executor));
  CUZK_TRY(check_counts(vk, circuit, file.vk->name()));
  return vk;
}

}  // namespace cuzk::cli
