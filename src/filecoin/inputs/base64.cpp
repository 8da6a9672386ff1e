#include "filecoin/inputs/base64.hpp"

#include <array>
#include <cstdint>

namespace cuzk {
namespace {

constexpr std::array<int8_t, 256> digits() {
  std::array<int8_t, 256> table{};
  table.fill(-1);
  constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (int8_t i = 0; i < 64; ++i) table[static_cast<uint8_t>(kAlphabet[i])] = i;
  return table;
}
constexpr std::array<int8_t, 256> kDigits = digits();

}  // namespace

Result<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) return invalid("base64 text of a length that is no multiple of 4");
  size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  for (size_t i = 0; i < text.size(); i += 4) {
    uint32_t group = 0;
    for (size_t j = 0; j < 4; ++j) {
      const bool pad = i + j >= text.size() - padding;
      const int8_t digit = pad ? int8_t{0} : kDigits[static_cast<uint8_t>(text[i + j])];
      if (digit < 0)
        return invalid("base64 text with a character outside the alphabet at " + std::to_string(i + j));
      group = (group << 6) | static_cast<uint32_t>(digit);
    }
    for (int shift = 16; shift >= 0; shift -= 8) out.push_back(static_cast<char>(group >> shift));
  }
  if (padding > 0) {
    for (size_t i = out.size() - padding; i < out.size(); ++i)
      if (out[i] != 0) return invalid("base64 text with bits set in its padding");
  }
  out.resize(out.size() - padding);
  return out;
}

}  // namespace cuzk
