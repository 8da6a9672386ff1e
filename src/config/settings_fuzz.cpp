// Configuration files: what one changes can be said again by assignments; the lines as assignments, too.
#include "base/check.hpp"
#include "config/settings.hpp"

namespace {

using namespace cuzk;

// Settings that were accepted are in range, and read the same after they were written.
void write_and_read(const Settings& settings) {
  Settings again;
  for (const Setting& setting : setting_table()) {
    std::string value = setting_value(settings, setting);
    if (value == "\"auto\"") value = "auto";
    CUZK_CHECK(apply_assignment(again, std::string(setting.key) + "=" + value));
  }
  CUZK_CHECK(describe_changes(again) == describe_changes(settings));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  Settings settings;
  if (apply_toml(settings, text, "input")) write_and_read(settings);
  Settings assigned;
  if (apply_assignment(assigned, text.substr(0, text.find('\n')))) write_and_read(assigned);
  return 0;
}
