// The container that circom and snarkjs put their binary files in (iden3 "binfileutils"): magic, u32 version,
// u32 number of sections, then for each its u32 type, u64 length and bytes. Little-endian. Sections come in
// any order.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.hpp"
#include "formats/cursor.hpp"
#include "formats/input_file.hpp"

namespace cuzk {

struct Section {
  uint32_t type;
  uint64_t offset, size;  // of the content, in the file
};

class SectionTable {
 public:
  // Walks the file from head to end. Errors: wrong magic (says what the file is instead), a version other
  // than `version`, a section that reaches beyond the file, a type twice, bytes after the last section.
  static Result<SectionTable> read(InputFilePtr file, std::string_view magic, uint32_t version);

  const InputFilePtr& file() const { return file_; }
  const std::vector<Section>& sections() const { return sections_; }
  const Section* find(uint32_t type) const;

  // A cursor over a section. name: what it holds, for messages. Errors: there is none of this type.
  Result<Cursor> open(uint32_t type, const char* name) const;
  // The same for a section that must have exactly `size` bytes. why: where that number comes from.
  Result<Cursor> open_sized(uint32_t type, const char* name, uint64_t size, const std::string& why) const;

 private:
  InputFilePtr file_;
  std::vector<Section> sections_;
};

// Writes the container. Every section is begun, written to file() and ended, in turn.
class SectionWriter {
 public:
  static Result<SectionWriter> create(const std::string& path, std::string_view magic, uint32_t version,
                                      uint32_t num_sections);

  AtomicFile& file() { return file_; }
  Status begin(uint32_t type);
  Status end();
  Status le32(uint32_t value);
  Status le64(uint64_t value);
  // Makes the file appear under its name.
  Status commit() { return file_.commit(); }

 private:
  explicit SectionWriter(AtomicFile file) : file_(std::move(file)) {}
  AtomicFile file_;
  uint64_t length_offset_ = 0;
};

}  // namespace cuzk
