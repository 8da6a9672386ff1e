#include "formats/wtns_file.hpp"

#include <algorithm>

#include "formats/first_error.hpp"
#include "formats/foreign.hpp"
#include "formats/memory_guard.hpp"
#include "formats/sections.hpp"

namespace cuzk {
namespace {

constexpr uint32_t kVersion = 2;
constexpr uint32_t kHeader = 1, kValues = 2;
constexpr size_t kBlock = 2048;  // values read at a time: 64 KiB

Result<uint64_t> read_header(const SectionTable& table) {
  CUZK_ASSIGN(Cursor cursor, table.open(kHeader, "header"));
  CUZK_ASSIGN(const uint32_t field_bytes, cursor.le32("the size of a field element"));
  if (field_bytes == 0 || field_bytes % 8 != 0 || field_bytes > 256) {
    return cursor.error("field elements of " + std::to_string(field_bytes) + " bytes, expected 32");
  }
  CUZK_ASSIGN(const Bytes modulus, cursor.take(field_bytes, "the modulus"));
  if (auto status = check_modulus_r(modulus); !status) return cursor.error(status.error().message);
  CUZK_ASSIGN(const uint32_t count, cursor.le32("the number of values"));
  CUZK_TRY(cursor.expect_end());
  return count;
}

Result<Cursor> open_values(const SectionTable& table, uint64_t count) {
  return table.open_sized(
      kValues, "values", count * Fr::kBytes,
      "32 for each of the " + std::to_string(count) + " values that the header announces");
}

Result<std::vector<Fr>> read_whole(const InputFilePtr& file, Executor& executor) {
  CUZK_ASSIGN(const SectionTable table, SectionTable::read(file, "wtns", kVersion));
  CUZK_ASSIGN(const uint64_t count, read_header(table));
  CUZK_ASSIGN(const Cursor cursor, open_values(table, count));
  std::vector<Fr> values(count);
  FirstError first;
  executor.run((count + kBlock - 1) / kBlock, [&](size_t block) {
    const size_t begin = block * kBlock, size = std::min<size_t>(kBlock, count - begin);
    const uint64_t offset = cursor.offset() + begin * Fr::kBytes;
    std::vector<uint8_t> buffer(size * Fr::kBytes);
    if (auto status = file->read(offset, buffer); !status) return first.add(begin, status.error());
    for (size_t i = 0; i < size; ++i) {
      const auto value = Fr::from_le_bytes(buffer.data() + i * Fr::kBytes);
      if (!value) {
        return first.add(
            begin + i,
            cursor.error_at(offset + i * Fr::kBytes, "value " + std::to_string(begin + i) + " is not below r")
                .value());
      }
      values[begin + i] = *value;
    }
  });
  CUZK_TRY(first.status());
  CUZK_TRY(file->check_unchanged());
  return values;
}

}  // namespace

Result<uint64_t> wtns_size(const InputFilePtr& file) {
  CUZK_ASSIGN(const SectionTable table, SectionTable::read(file, "wtns", kVersion));
  CUZK_ASSIGN(const uint64_t count, read_header(table));
  CUZK_TRY(open_values(table, count));
  return count;
}

Result<std::vector<Fr>> read_wtns(InputFilePtr file, Executor& executor) {
  return guard_memory(file->name(), [&] { return read_whole(file, executor); });
}

Status write_wtns(const std::string& path, std::span<const Fr> values) {
  if (values.size() > UINT32_MAX)
    return invalid(path + ": more than 2^32 - 1 values do not fit into a .wtns file");
  uint8_t bytes[Fr::kBytes];
  CUZK_ASSIGN(SectionWriter writer, SectionWriter::create(path, "wtns", kVersion, 2));
  CUZK_TRY(writer.begin(kHeader));
  CUZK_TRY(writer.le32(Fr::kBytes));
  Fr::kModulus.to_le_bytes(bytes);
  CUZK_TRY(writer.file().write(bytes));
  CUZK_TRY(writer.le32(static_cast<uint32_t>(values.size())));
  CUZK_TRY(writer.end());
  CUZK_TRY(writer.begin(kValues));
  for (const Fr& value : values) {
    value.to_le_bytes(bytes);
    CUZK_TRY(writer.file().write(bytes));
  }
  CUZK_TRY(writer.end());
  return writer.commit();
}

}  // namespace cuzk
