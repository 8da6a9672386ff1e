#include "formats/bellman_vk.hpp"

#include <algorithm>

#include "base/atomic_file.hpp"
#include "formats/cursor.hpp"
#include "formats/foreign.hpp"

namespace cuzk {
namespace {

template <class G>
Result<typename G::Point> read_point(const InputFilePtr& file, uint64_t& offset, PointForm form,
                                     std::string name) {
  FilePoints<G> list(file, {std::move(name), offset, 1, form, false}, PointCheck::kFull);
  std::vector<typename G::Point> point(1);
  CUZK_TRY(list.load(0, point));
  offset += kUncompressedBytes<G>;
  return point[0];
}

}  // namespace

Result<VerifyingKey> read_vk_head(const InputFilePtr& file, uint64_t offset, PointForm form,
                                  const std::string& place) {
  VerifyingKey vk;
  CUZK_ASSIGN(vk.alpha_g1, read_point<G1>(file, offset, form, place + "alpha_g1"));
  CUZK_ASSIGN(vk.beta_g1, read_point<G1>(file, offset, form, place + "beta_g1"));
  CUZK_ASSIGN(vk.beta_g2, read_point<G2>(file, offset, form, place + "beta_g2"));
  CUZK_ASSIGN(vk.gamma_g2, read_point<G2>(file, offset, form, place + "gamma_g2"));
  CUZK_ASSIGN(vk.delta_g1, read_point<G1>(file, offset, form, place + "delta_g1"));
  CUZK_ASSIGN(vk.delta_g2, read_point<G2>(file, offset, form, place + "delta_g2"));
  return vk;
}

Result<VerifyingKey> read_vk_prefix(const InputFilePtr& file, PointCheck check, Executor& executor,
                                    uint64_t& ic_end) {
  if (file->size() < kVkHeadBytes + 4) {
    return invalid(file->name() + ": not a bellman key: it has " + std::to_string(file->size()) +
                   " bytes, the verifying key alone needs at least " + std::to_string(kVkHeadBytes + 4 + 96) +
                   "; " + describe_foreign(*file));
  }
  auto head = read_vk_head(file, 0, PointForm::kUncompressed, "verifying key, ");
  // A file of another kind fails at its first bytes: say what it is instead.
  if (!head) {
    if (auto kind = recognise_foreign(*file)) return invalid(file->name() + ": not a bellman key: " + *kind);
    return tl::unexpected<Error>(head.error());
  }
  Cursor cursor(file, kVkHeadBytes, file->size(), "verifying key");
  CUZK_ASSIGN(const uint32_t count, cursor.be32("the number of ic points"));
  if (count == 0) return cursor.error_at(kVkHeadBytes, "0 ic points, expected at least 1 (the constant one)");
  if (count > cursor.remaining() / kUncompressedBytes<G1>) {
    return cursor.error_at(kVkHeadBytes, std::to_string(count) + " ic points need " +
                                             std::to_string(uint64_t{count} * kUncompressedBytes<G1>) +
                                             " bytes, the file has " + std::to_string(cursor.remaining()) +
                                             " more: it is truncated or damaged");
  }
  const FilePoints<G1> ic(file, {"list ic", cursor.offset(), count, PointForm::kUncompressed, true}, check);
  CUZK_ASSIGN(head->ic, load_all<G1>(ic, executor));
  ic_end = cursor.offset() + uint64_t{count} * kUncompressedBytes<G1>;
  return head;
}

Result<VerifyingKey> read_bellman_vk(InputFilePtr file, PointCheck check, Executor& executor) {
  uint64_t end = 0;
  CUZK_ASSIGN(VerifyingKey vk, read_vk_prefix(file, check, executor, end));
  if (end != file->size()) {
    return invalid(file->name() + ": a verifying key with " + std::to_string(vk.ic.size()) +
                   " ic points has " + std::to_string(end) + " bytes, the file has " +
                   std::to_string(file->size()) + ": something is appended, or it is a .params file");
  }
  CUZK_TRY(file->check_unchanged());
  return vk;
}

std::vector<uint8_t> encode_vk_head(const VerifyingKey& vk, PointForm form) {
  InlineExecutor executor;
  std::vector<uint8_t> out;
  auto g1 = [&](const G1Affine& p) { encode_points<G1>(std::span(&p, 1), form, out, executor); };
  auto g2 = [&](const G2Affine& p) { encode_points<G2>(std::span(&p, 1), form, out, executor); };
  g1(vk.alpha_g1);
  g1(vk.beta_g1);
  g2(vk.beta_g2);
  g2(vk.gamma_g2);
  g1(vk.delta_g1);
  g2(vk.delta_g2);
  return out;
}

std::vector<uint8_t> encode_bellman_vk(const VerifyingKey& vk, Executor& executor) {
  std::vector<uint8_t> out = encode_vk_head(vk, PointForm::kUncompressed);
  out.resize(out.size() + 4);
  store_be32(out.data() + kVkHeadBytes, static_cast<uint32_t>(vk.ic.size()));
  encode_points<G1>(vk.ic, PointForm::kUncompressed, out, executor);
  return out;
}

Status write_bellman_vk(const std::string& path, const VerifyingKey& vk, Executor& executor) {
  return write_file(path, encode_bellman_vk(vk, executor));
}

}  // namespace cuzk
