// A folder of keys named as the network names them: finds a circuit's key, tests that it is the one it should
// be, and remembers which files were tested.
//
// A digest of 50 GB takes a minute and a half, so each one is kept in cuzk-checked.json in the folder, with
// size, time of change and inode of the file: it is taken again as soon as one of these differs. A folder
// that cannot be written only costs that time again.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "formats/bellman_params.hpp"
#include "formats/input_file.hpp"
#include "srs/file_digest.hpp"
#include "srs/manifest.hpp"

namespace cuzk {

// What is known of a file.
struct CheckedFile {
  FileIdentity identity;
  FileDigest digest{};
  bool points = false;  // every point was tested in full

  bool operator==(const CheckedFile&) const = default;
};

// The record cuzk-checked.json. Errors in it are not errors: what cannot be read was not checked.
std::map<std::string, CheckedFile> parse_checked_files(std::string_view json);
std::string checked_files_to_json(const std::map<std::string, CheckedFile>& files);

class KeyDirectory {
 public:
  static constexpr const char* kRecordName = "cuzk-checked.json";

  // Errors: kNotFound when there is no such folder.
  static Result<KeyDirectory> open(const std::string& path);

  std::string path_of(const std::string& file) const { return path_ + "/" + file; }
  const std::string& path() const { return path_; }
  // Names of the files in it that end in .params or .vk, sorted. Errors: kIo when it cannot be listed.
  Result<std::vector<std::string>> key_files() const;

  // Errors: those of InputFile::open; kInvalidInput for an empty file.
  Result<InputFilePtr> open_file(const std::string& name) const;

  // The digest of a file, from the record where it is still the same file.
  Result<CheckedFile> check(const std::string& name, const InputFile& file,
                            const DigestProgress& progress = {});
  // Whether check() takes the digest from the record; forget() makes it read the file.
  bool recalls(const std::string& name, const InputFile& file) const;
  void forget(const std::string& name) { checked_.erase(name); }
  // Remembers it; silently does not where the folder cannot be written.
  void remember(const std::string& name, const CheckedFile& checked);

  // NAME.origin.json of the key `name`, if it is there. Errors: when it cannot be read.
  Result<std::optional<KeyOrigin>> origin_of(const std::string& name) const;

  struct Key {
    InputFilePtr params, vk;
    bool network = false;  // else made for development, by its origin file
    std::optional<KeyOrigin> origin;
    bool points_checked = false;  // all points of params were tested in full by `params check`
  };
  // The key `name` (without ending). network_only: origin files do not count. Errors: kNotFound when a file
  // is not there; kInvalidInput when it is empty, or its digest is neither the manifest's nor the origin
  // file's (names the file, found, expected, and whose expectation it is).
  Result<Key> find(const std::string& name, const Manifest& manifest, bool network_only,
                   const DigestProgress& progress = {});
  // Whether `find` has something to begin with: both files are there and not empty, and the small one is the
  // right one. Reads nothing of the large one. Errors: those of find.
  Status check_there(const std::string& name, const Manifest& manifest, bool network_only) const;
  // The verifying key alone, by the same rules.
  struct VerifyingKeyFile {
    InputFilePtr vk;
    bool network = false;
    std::optional<KeyOrigin> origin;  // of a key made for development
  };
  Result<VerifyingKeyFile> find_vk(const std::string& name, const Manifest& manifest,
                                   bool network_only) const;

 private:
  explicit KeyDirectory(std::string path) : path_(std::move(path)) {}

  std::string path_;
  std::map<std::string, CheckedFile> checked_;
};

// What to do about a key that is not there: the error of KeyDirectory, kNotFound, with how to get one. Other
// errors stay as they are.
Error advise(const std::string& circuit, const std::string& folder, Error error);

struct OpenedKey {
  ParamsFile params;
  VerifyingKey vk;
  bool network = false;
  std::optional<KeyOrigin> origin;  // of a key made for development
};
// Finds a key and opens it; its verifying part must be that of the .vk file. Its points are tested to be on
// the curve as they are read, unless `params check` has tested all of them in full.
Result<OpenedKey> open_key(KeyDirectory& folder, const std::string& name, const Manifest& manifest,
                           bool network_only, Executor& executor, const DigestProgress& progress = {});

}  // namespace cuzk
