// Digests of whole files, BLAKE2b-512 as the network's manifest has them.
#pragma once

#include <sodium.h>

#include <functional>

#include "formats/input_file.hpp"
#include "srs/manifest.hpp"

namespace cuzk {

// Of bytes as they come.
class RunningDigest {
 public:
  RunningDigest();
  void add(Bytes bytes);
  FileDigest finish();

 private:
  crypto_generichash_state state_;
};

// Bytes done and in all.
using DigestProgress = std::function<void(uint64_t done, uint64_t total)>;
Result<FileDigest> digest_file(const InputFile& file, const DigestProgress& progress = {});
// For a digest that is not the expected one: taken again, is it the same bytes? Errors: kUnavailable when it
// is another, which is the fault of memory or disk, not of the file.
Status confirm_digest(const InputFile& file, const FileDigest& first, const DigestProgress& progress = {});

}  // namespace cuzk
