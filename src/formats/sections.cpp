#include "formats/sections.hpp"

#include <algorithm>

#include "formats/foreign.hpp"

namespace cuzk {
namespace {
constexpr uint64_t kFileHeaderBytes = 12, kSectionHeaderBytes = 12;
// Files have about ten. A table of millions of empty sections would be searched for each of them.
constexpr uint32_t kMostSections = 1024;
}  // namespace

Result<SectionTable> SectionTable::read(InputFilePtr file, std::string_view magic, uint32_t version) {
  const std::string name(magic);
  SectionTable table;
  table.file_ = file;
  Cursor cursor(file, 0, file->size(), "header");
  auto head = cursor.take(4, "the magic number");
  if (!head || std::string_view(reinterpret_cast<const char*>(head->data()), 4) != magic) {
    return invalid(file->name() + ": not a ." + name + " file: " + describe_foreign(*file));
  }
  CUZK_ASSIGN(const uint32_t found, cursor.le32("the version"));
  if (found != version) {
    return cursor.error_at(4, "version " + std::to_string(found) + " of the ." + name + " format, expected " +
                                  std::to_string(version));
  }
  CUZK_ASSIGN(const uint32_t count, cursor.le32("the number of sections"));
  if (count > (file->size() - kFileHeaderBytes) / kSectionHeaderBytes) {
    return cursor.error_at(8, std::to_string(count) + " sections do not fit into " +
                                  std::to_string(file->size()) + " bytes: the file is truncated or damaged");
  }
  if (count > kMostSections) {
    return cursor.error_at(8, std::to_string(count) + " sections, expected at most " +
                                  std::to_string(kMostSections) + ": the file is damaged");
  }
  uint64_t position = kFileHeaderBytes;
  for (uint32_t i = 0; i < count; ++i) {
    // No more than the header, so that the cursor does not read ahead.
    Cursor at(file, position, std::min(position + kSectionHeaderBytes, file->size()),
              "section " + std::to_string(i + 1) + " of " + std::to_string(count));
    CUZK_ASSIGN(const uint32_t type, at.le32("the type of the section"));
    CUZK_ASSIGN(const uint64_t size, at.le64("the length of the section"));
    const uint64_t left = file->size() - at.offset();
    if (size > left) {
      return at.error("section of type " + std::to_string(type) + " has a length of " + std::to_string(size) +
                      " bytes, the file has only " + std::to_string(left) +
                      " more: it is truncated or damaged");
    }
    if (table.find(type) != nullptr) return at.error("a second section of type " + std::to_string(type));
    table.sections_.push_back({type, at.offset(), size});
    position = at.offset() + size;
  }
  if (position != file->size()) {
    return invalid(file->name() + ": " + std::to_string(file->size() - position) +
                   " bytes after the last section, which ends at offset " + std::to_string(position));
  }
  return table;
}

const Section* SectionTable::find(uint32_t type) const {
  for (const Section& section : sections_) {
    if (section.type == type) return &section;
  }
  return nullptr;
}

Result<Cursor> SectionTable::open(uint32_t type, const char* name) const {
  const Section* section = find(type);
  if (section == nullptr) {
    return invalid(file_->name() + ": section " + std::to_string(type) + " (" + name + ") is missing");
  }
  return Cursor(file_, section->offset, section->offset + section->size,
                "section " + std::to_string(type) + " (" + name + ")");
}

Result<Cursor> SectionTable::open_sized(uint32_t type, const char* name, uint64_t size,
                                        const std::string& why) const {
  CUZK_ASSIGN(Cursor cursor, open(type, name));
  if (cursor.remaining() != size) {
    return cursor.error("the section has " + std::to_string(cursor.remaining()) + " bytes, expected " +
                        std::to_string(size) + " (" + why + ")");
  }
  return cursor;
}

Result<SectionWriter> SectionWriter::create(const std::string& path, std::string_view magic, uint32_t version,
                                            uint32_t num_sections) {
  CUZK_ASSIGN(AtomicFile file, AtomicFile::create(path));
  SectionWriter writer(std::move(file));
  CUZK_TRY(writer.file_.write(magic));
  CUZK_TRY(writer.le32(version));
  CUZK_TRY(writer.le32(num_sections));
  return writer;
}

Status SectionWriter::begin(uint32_t type) {
  CUZK_TRY(le32(type));
  length_offset_ = file_.size_bytes();
  return le64(0);
}

Status SectionWriter::end() {
  uint8_t length[8];
  store_le64(length, file_.size_bytes() - length_offset_ - 8);
  return file_.write_at(length_offset_, length);
}

Status SectionWriter::le32(uint32_t value) {
  uint8_t bytes[4];
  store_le32(bytes, value);
  return file_.write(bytes);
}
Status SectionWriter::le64(uint64_t value) {
  uint8_t bytes[8];
  store_le64(bytes, value);
  return file_.write(bytes);
}

}  // namespace cuzk
