// Statements of all kinds: whatever is accepted reads the same after it was written, and has public inputs or
// an error.
#include "base/check.hpp"
#include "filecoin/statement.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cuzk;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (ProofKind kind : {ProofKind::kPorep, ProofKind::kWinning, ProofKind::kWindow, ProofKind::kSnap}) {
    const auto parsed = parse_statement(kind, text);
    if (!parsed) continue;
    const std::string written = statement_to_json(parsed->statement);
    const auto again = parse_statement(kind, written);
    CUZK_CHECK(again && statement_to_json(again->statement) == written);
    if (parsed->statement.circuit().sector_bytes <= 32768) (void)parsed->statement.public_inputs(0);
  }
  return 0;
}
