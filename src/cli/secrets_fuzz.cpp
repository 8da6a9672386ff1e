// Secrets of a setup, and blinding factors as on a command line.
#include "base/check.hpp"
#include "cli/secrets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cuzk;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto secrets = cli::parse_secrets(text, "input"))
    for (const Fr& secret : {secrets->alpha, secrets->beta, secrets->gamma, secrets->delta, secrets->tau})
      CUZK_CHECK(!secret.is_zero());
  (void)cli::parse_blinding(text);
  return 0;
}
