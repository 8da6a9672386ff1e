#include "srs/file_digest.hpp"

#include <algorithm>

namespace cuzk {

namespace {
constexpr size_t kDigestChunk = size_t{4} << 20;
}  // namespace

RunningDigest::RunningDigest() {
  crypto_generichash_init(&state_, nullptr, 0, sizeof(FileDigest));
}

void RunningDigest::add(Bytes bytes) {
  crypto_generichash_update(&state_, bytes.data(), bytes.size());
}

FileDigest RunningDigest::finish() {
  FileDigest digest;
  crypto_generichash_final(&state_, digest.data(), digest.size());
  return digest;
}

Result<FileDigest> digest_file(const InputFile& file, const DigestProgress& progress) {
  RunningDigest digest;
  std::vector<uint8_t> chunk(static_cast<size_t>(std::min<uint64_t>(kDigestChunk, file.size())));
  for (uint64_t at = 0; at < file.size(); at += chunk.size()) {
    const MutableBytes part(chunk.data(),
                            static_cast<size_t>(std::min<uint64_t>(chunk.size(), file.size() - at)));
    CUZK_TRY(file.read(at, part));
    digest.add(part);
    if (progress) progress(at + part.size(), file.size());
  }
  CUZK_TRY(file.check_unchanged());
  return digest.finish();
}

Status confirm_digest(const InputFile& file, const FileDigest& first, const DigestProgress& progress) {
  CUZK_ASSIGN(const FileDigest again, digest_file(file, progress));
  if (again == first) return {};
  return fail(ErrorCode::kUnavailable, file.name() + ": unstable read (memory or disk): its digest was " +
                                           to_hex(Bytes(first).first(kManifestDigestBytes)) + "…, then " +
                                           to_hex(Bytes(again).first(kManifestDigestBytes)) + "…");
}

}  // namespace cuzk
