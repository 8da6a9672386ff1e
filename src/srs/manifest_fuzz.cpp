// Manifests, origin files and the record of checked files: what is read and written again reads the same.
#include "base/check.hpp"
#include "srs/key_directory.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cuzk;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)Manifest::parse(text, "input");
  if (const auto origin = parse_key_origin(text, "input"))
    CUZK_CHECK(*parse_key_origin(key_origin_to_json(*origin), "again") == *origin);
  const auto files = parse_checked_files(text);
  CUZK_CHECK(parse_checked_files(checked_files_to_json(files)) == files);
  return 0;
}
