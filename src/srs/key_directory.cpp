#include "srs/key_directory.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/atomic_file.hpp"
#include "formats/bellman_vk.hpp"
#include "formats/snarkjs_json.hpp"

namespace cuzk {
namespace {

using Json = nlohmann::ordered_json;

// Whether the file is the one expected; says what was found and by whom it was expected.
class Verdict {
 public:
  Verdict(std::string path, const FileDigest& found) : path_(std::move(path)), found_(found) {}

  bool accept(const Manifest& manifest, const std::string& file) {
    const auto expected = manifest.find(file);
    if (!expected) {
      expectations_ += "; " + manifest.source() + " has no such file";
      return false;
    }
    if (matches(*expected, found_)) return true;
    expectations_ += "; expected " + to_hex(*expected) + "… by " + manifest.source();
    return false;
  }
  bool accept(const FileDigest& expected, const std::string& source) {
    if (expected == found_) return true;
    expectations_ += "; expected " + to_hex(Bytes(expected).first(kManifestDigestBytes)) + "… by " + source;
    return false;
  }
  void note(const std::string& text) { expectations_ += "; " + text; }
  tl::unexpected<Error> refuse() const {
    return invalid(path_ + ": not the key it should be: its BLAKE2b-512 digest is " +
                   to_hex(Bytes(found_).first(kManifestDigestBytes)) + "…" + expectations_ +
                   "; fetch or make the file again");
  }

 private:
  std::string path_;
  FileDigest found_;
  std::string expectations_;
};

}  // namespace

std::map<std::string, CheckedFile> parse_checked_files(std::string_view text) {
  std::map<std::string, CheckedFile> out;
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return out;
  for (const auto& [name, entry] : json.items()) {
    if (!entry.is_object()) continue;
    const auto number = [&](const char* field) -> std::optional<uint64_t> {
      const auto it = entry.find(field);
      if (it == entry.end() || !it->is_number_unsigned()) return std::nullopt;
      return it->template get<uint64_t>();
    };
    const auto digest = entry.find("blake2b_512");
    const auto size = number("size"), time = number("modified_ns"), inode = number("inode");
    if (!size || !time || !inode || digest == entry.end() || !digest->is_string()) continue;
    const auto bytes = from_hex(digest->template get<std::string>());
    if (!bytes || bytes->size() != sizeof(FileDigest)) continue;
    CheckedFile& file = out[name];
    file.identity = {*size, static_cast<int64_t>(*time), *inode};
    std::copy(bytes->begin(), bytes->end(), file.digest.begin());
    const auto points = entry.find("points_tested");
    file.points = points != entry.end() && points->is_boolean() && points->template get<bool>();
  }
  return out;
}

std::string checked_files_to_json(const std::map<std::string, CheckedFile>& files) {
  Json json = Json::object();
  for (const auto& [name, file] : files) {
    Json& entry = json[name];
    entry["size"] = file.identity.size;
    entry["modified_ns"] = static_cast<uint64_t>(file.identity.modified_ns);
    entry["inode"] = file.identity.inode;
    entry["blake2b_512"] = to_hex(file.digest);
    entry["points_tested"] = file.points;
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<KeyDirectory> KeyDirectory::open(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error))
    return fail(ErrorCode::kNotFound,
                path + ": no such folder; it is where keys are, NAME.params and NAME.vk");
  KeyDirectory out(path);
  if (const auto record = InputFile::open(out.path_of(kRecordName)))
    if (const auto text = read_json_text(*record)) out.checked_ = parse_checked_files(*text);
  return out;
}

Result<std::vector<std::string>> KeyDirectory::key_files() const {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(path_, error), end; !error && it != end; it.increment(error)) {
    const std::string extension = it->path().extension();
    if (extension == ".params" || extension == ".vk") names.push_back(it->path().filename());
  }
  if (error) return fail(ErrorCode::kIo, path_ + ": cannot list the folder: " + error.message());
  std::sort(names.begin(), names.end());
  return names;
}

bool KeyDirectory::recalls(const std::string& name, const InputFile& file) const {
  const auto known = checked_.find(name);
  return known != checked_.end() && known->second.identity == file.identity();
}

Result<CheckedFile> KeyDirectory::check(const std::string& name, const InputFile& file,
                                        const DigestProgress& progress) {
  if (recalls(name, file)) return checked_.at(name);
  CheckedFile out{file.identity(), {}, false};
  CUZK_ASSIGN(out.digest, digest_file(file, progress));
  return out;
}

void KeyDirectory::remember(const std::string& name, const CheckedFile& checked) {
  const auto known = checked_.find(name);
  if (known != checked_.end() && known->second == checked) return;
  // Another process may have added to the record since.
  if (auto now = open(path_)) checked_ = std::move(now->checked_);
  checked_[name] = checked;
  auto record = AtomicFile::create(path_of(kRecordName), AtomicFile::Temporary::kUnnamedIfPossible,
                                   AtomicFile::Links::kReplaced);
  if (record && record->write(checked_files_to_json(checked_))) (void)record->commit();
}

Result<InputFilePtr> KeyDirectory::open_file(const std::string& name) const {
  auto file = InputFile::open(path_of(name));
  if (!file) return file;
  if ((*file)->size() == 0) return invalid(path_of(name) + ": empty file (0 bytes): fetch or make it again");
  return file;
}

Result<std::optional<KeyOrigin>> KeyDirectory::origin_of(const std::string& name) const {
  const std::string path = path_of(name + ".origin.json");
  const auto file = InputFile::open(path);
  if (!file && file.error().code == ErrorCode::kNotFound) return std::optional<KeyOrigin>();
  if (!file) return tl::unexpected(file.error());
  CUZK_ASSIGN(const std::string text, read_json_text(*file));
  CUZK_ASSIGN(KeyOrigin origin, parse_key_origin(text, path));
  return std::optional<KeyOrigin>(std::move(origin));
}

Result<KeyDirectory::VerifyingKeyFile> KeyDirectory::find_vk(const std::string& name,
                                                             const Manifest& manifest,
                                                             bool network_only) const {
  const std::string file_name = name + ".vk";
  VerifyingKeyFile out;
  CUZK_ASSIGN(out.vk, open_file(file_name));
  CUZK_ASSIGN(const FileDigest digest, digest_file(*out.vk));
  Verdict verdict(path_of(file_name), digest);
  if (verdict.accept(manifest, file_name)) {
    out.network = true;
    return out;
  }
  if (network_only) {
    CUZK_TRY(confirm_digest(*out.vk, digest));
    verdict.note("--network-keys takes no others");
    return verdict.refuse();
  }
  CUZK_ASSIGN(out.origin, origin_of(name));
  if (!out.origin) verdict.note("there is no " + name + ".origin.json");
  if (out.origin && verdict.accept(out.origin->vk, path_of(name + ".origin.json"))) return out;
  CUZK_TRY(confirm_digest(*out.vk, digest));
  return verdict.refuse();
}

Result<KeyDirectory::Key> KeyDirectory::find(const std::string& name, const Manifest& manifest,
                                             bool network_only, const DigestProgress& progress) {
  const std::string file_name = name + ".params";
  Key out;
  CUZK_ASSIGN(out.params, open_file(file_name));
  CUZK_ASSIGN(VerifyingKeyFile vk, find_vk(name, manifest, network_only));
  out.vk = std::move(vk.vk);
  out.network = vk.network;
  out.origin = std::move(vk.origin);
  for (;;) {
    const bool recalled = recalls(file_name, *out.params);
    CUZK_ASSIGN(const CheckedFile checked, check(file_name, *out.params, progress));
    Verdict verdict(path_of(file_name), checked.digest);
    const bool accepted =
        out.network ? verdict.accept(manifest, file_name)
                    : out.origin && verdict.accept(out.origin->params, path_of(name + ".origin.json"));
    if (accepted) {
      out.points_checked = checked.points;
      remember(file_name, checked);
      return out;
    }
    if (!recalled) {
      CUZK_TRY(confirm_digest(*out.params, checked.digest, progress));
      return verdict.refuse();
    }
    forget(file_name);  // the record may be of other bytes that had the same size and time: the file decides
  }
}

Status KeyDirectory::check_there(const std::string& name, const Manifest& manifest, bool network_only) const {
  CUZK_TRY(open_file(name + ".params"));
  CUZK_TRY(find_vk(name, manifest, network_only));
  return {};
}

Error advise(const std::string& circuit, const std::string& folder, Error error) {
  if (error.code != ErrorCode::kNotFound) return error;
  return {ErrorCode::kNotFound,
          "no key for " + circuit + ": " + error.message +
              "; fetch the network's, or make one for development: cuzk setup --circuit " + circuit +
              " --out " + folder};
}

Result<OpenedKey> open_key(KeyDirectory& folder, const std::string& name, const Manifest& manifest,
                           bool network_only, Executor& executor, const DigestProgress& progress) {
  CUZK_ASSIGN(KeyDirectory::Key files, folder.find(name, manifest, network_only, progress));
  OpenedKey out;
  out.network = files.network;
  out.origin = std::move(files.origin);
  CUZK_ASSIGN(out.vk, read_bellman_vk(files.vk, PointCheck::kFull, executor));
  const PointCheck level = files.points_checked ? PointCheck::kNone : PointCheck::kCurve;
  CUZK_ASSIGN(out.params, open_params(files.params, level, executor));
  if (!(out.params.key.vk == out.vk))
    return invalid(files.params->name() + ": its verifying key is not that of " + files.vk->name());
  return out;
}

}  // namespace cuzk
