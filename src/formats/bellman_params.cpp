#include "formats/bellman_params.hpp"

#include <bit>

#include "formats/bellman_vk.hpp"
#include "formats/cursor.hpp"

namespace cuzk {
namespace {

constexpr uint64_t kCeremonyHashBytes = 64, kContributionBytes = 544;

// The list that starts at `offset` with its count; moves offset behind it.
Result<PointList> read_list(const InputFilePtr& file, uint64_t& offset, const char* name,
                            uint64_t point_bytes) {
  Cursor cursor(file, offset, file->size(), std::string("list ") + name);
  CUZK_ASSIGN(const uint32_t count, cursor.be32("its number of points"));
  if (count > cursor.remaining() / point_bytes) {
    return cursor.error_at(offset, std::to_string(count) + " points need " +
                                       std::to_string(uint64_t{count} * point_bytes) +
                                       " bytes, the file has " + std::to_string(cursor.remaining()) +
                                       " more: it is truncated or damaged, fetch it again");
  }
  PointList list{std::string("list ") + name, cursor.offset(), count, PointForm::kUncompressed, false};
  offset = cursor.offset() + uint64_t{count} * point_bytes;
  return list;
}

Result<std::optional<CeremonyRecord>> read_end(const InputFilePtr& file, uint64_t offset) {
  const uint64_t left = file->size() - offset;
  if (left == 0) return std::optional<CeremonyRecord>();
  if (left >= kCeremonyHashBytes + 4) {
    Cursor cursor(file, offset + kCeremonyHashBytes, file->size(), "ceremony record");
    CUZK_ASSIGN(const uint32_t contributions, cursor.be32("the number of contributions"));
    if (cursor.remaining() == contributions * kContributionBytes) {
      return std::optional(CeremonyRecord{offset, contributions});
    }
  }
  return invalid(
      file->name() + ": the key ends at offset " + std::to_string(offset) + ", and " + std::to_string(left) +
      " bytes follow that are not the record of a phase-2 ceremony (64 bytes, a u32 n, n x 544 bytes): the "
      "file is damaged or something is appended");
}

Status check_counts(const InputFile& file, size_t num_inputs, const std::vector<PointList>& lists) {
  auto bad = [&](const std::string& what) {
    return invalid(file.name() + ": the lists do not belong to one key: " + what + ": the file is damaged");
  };
  const uint64_t h = lists[0].count, l = lists[1].count, a = lists[2].count;
  const uint64_t b1 = lists[3].count, b2 = lists[4].count, variables = num_inputs + l;
  if (!std::has_single_bit(h + 1)) {
    return bad("h has " + std::to_string(h) + " points, expected 2^k - 1 (the size of the domain less one)");
  }
  if (h + 1 < num_inputs) {
    return bad("h has " + std::to_string(h) + " points, too few for " + std::to_string(num_inputs) +
               " inputs");
  }
  if (a < num_inputs || a > variables) {
    return bad("a has " + std::to_string(a) + " points, expected at least " + std::to_string(num_inputs) +
               " (inputs) and at most " + std::to_string(variables) + " (inputs and auxiliaries)");
  }
  if (b1 != b2) {
    return bad("b_g1 has " + std::to_string(b1) + " points and b_g2 has " + std::to_string(b2) +
               ", expected equal numbers");
  }
  if (b1 > variables) {
    return bad("b_g1 has " + std::to_string(b1) + " points, expected at most " + std::to_string(variables) +
               " (inputs and auxiliaries)");
  }
  return {};
}

}  // namespace

Result<ParamsFile> open_params(InputFilePtr file, PointCheck check, Executor& executor) {
  ParamsFile out;
  out.file = file;
  uint64_t offset = 0;
  CUZK_ASSIGN(out.key.vk, read_vk_prefix(file, check, executor, offset));
  if (offset == file->size()) {
    return invalid(file->name() + ": a verifying key alone (" + std::to_string(offset) +
                   " bytes), the lists of a proving key do not follow: is it a .vk file, or truncated?");
  }
  constexpr struct {
    const char* name;
    uint64_t point_bytes;
  } kLists[] = {{"h", 96}, {"l", 96}, {"a", 96}, {"b_g1", 96}, {"b_g2", 192}};
  for (const auto& list : kLists) {
    CUZK_ASSIGN(PointList read, read_list(file, offset, list.name, list.point_bytes));
    out.lists.push_back(std::move(read));
  }
  CUZK_ASSIGN(out.ceremony, read_end(file, offset));
  CUZK_TRY(check_counts(*file, out.key.vk.ic.size(), out.lists));
  CUZK_TRY(file->check_unchanged());

  auto g1 = [&](size_t i) { return std::make_shared<FilePoints<G1>>(file, out.lists[i], check); };
  out.key.quotient_basis = QuotientBasis::kCoefficients;
  out.key.layout = QueryLayout::kWithEntries;
  out.key.h = g1(0);
  out.key.l = g1(1);
  out.key.a = g1(2);
  out.key.b_g1 = g1(3);
  out.key.b_g2 = std::make_shared<FilePoints<G2>>(file, out.lists[4], check);
  return out;
}

}  // namespace cuzk
