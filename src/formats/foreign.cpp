#include "formats/foreign.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "field/fp.hpp"
#include "field/fr.hpp"

namespace cuzk {
namespace {

struct Magic {
  std::string_view bytes, what;
};
constexpr Magic kMagics[] = {
    {"r1cs", "a circom .r1cs file"},
    {"wtns", "a .wtns file (a witness)"},
    {"zkey", "a snarkjs .zkey file"},
    {"ptau", "a snarkjs powers-of-tau file"},
    {"\x28\xb5\x2f\xfd", "compressed with zstd: decompress it first (zstd -d)"},
    {"\x1f\x8b", "compressed with gzip: decompress it first (gzip -d)"},
    {"PK\x03\x04", "a zip archive"},
    {"\x7f"
     "ELF",
     "a program"},
};

struct NamedModulus {
  std::string_view hex, what;
};
constexpr NamedModulus kModuli[] = {
    {"73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", "the group order of bls12381"},
    {"1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
     "the coordinate field of bls12381"},
    {"30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001", "the group order of bn128 (bn254)"},
    {"30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47",
     "the coordinate field of bn128 (bn254)"},
    {"12ab655e9a2ca55660b44d1e5c37b00159aa76fed00000010a11800000000001", "the group order of bls12377"},
    {"40000000000000000000000000000000224698fc094cf91b992d30ed00000001", "the group order of vesta"},
    {"40000000000000000000000000000000224698fc0994a8dd8c46eb2100000001", "the group order of pallas"},
    {"ffffffff00000001", "the goldilocks prime"},
};

std::string big_endian_hex(Bytes little_endian) {
  std::vector<uint8_t> bytes(little_endian.rbegin(), little_endian.rend());
  std::string hex = to_hex(bytes);
  const size_t digits = hex.find_first_not_of('0');
  return digits == std::string::npos ? "0" : hex.substr(digits);
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

template <class F>
Status check_modulus(Bytes little_endian, const char* field) {
  uint8_t expected[F::kBytes];
  F::kModulus.to_le_bytes(expected);
  if (std::equal(little_endian.begin(), little_endian.end(), std::begin(expected), std::end(expected)))
    return {};
  return invalid("wrong curve: the modulus is " + describe_modulus(little_endian) + ", expected " + field +
                 " of bls12381: compile the circuit with --prime bls12381");
}

}  // namespace

std::optional<std::string> recognise_foreign(const InputFile& file) {
  if (file.size() == 0) return "it is empty (0 bytes): an interrupted copy or download? Fetch it again";
  std::array<uint8_t, 64> buffer{};
  const size_t count = static_cast<size_t>(std::min<uint64_t>(buffer.size(), file.size()));
  if (!file.read(0, MutableBytes(buffer.data(), count))) return std::nullopt;
  const std::string_view head(reinterpret_cast<const char*>(buffer.data()), count);
  for (const Magic& magic : kMagics) {
    if (head.substr(0, magic.bytes.size()) == magic.bytes) return "it is " + std::string(magic.what);
  }
  const size_t first = head.find_first_not_of(" \t\r\n");
  const std::string text = lower(std::string(first == head.npos ? head : head.substr(first)));
  if (text.rfind("<!doctype", 0) == 0 || text.rfind("<html", 0) == 0 || text.rfind("<?xml", 0) == 0) {
    return "it is an HTML or XML page of " + std::to_string(file.size()) +
           " bytes, most likely the error page of a failed download: fetch it again";
  }
  if (text.rfind('{', 0) == 0 || text.rfind('[', 0) == 0) return "it is JSON text";
  return std::nullopt;
}

std::string describe_foreign(const InputFile& file) {
  if (auto kind = recognise_foreign(file)) return *kind;
  std::array<uint8_t, 8> head{};
  const size_t count = static_cast<size_t>(std::min<uint64_t>(head.size(), file.size()));
  if (auto status = file.read(0, MutableBytes(head.data(), count)); !status) return status.error().message;
  return "its first bytes are " + to_hex(Bytes(head.data(), count));
}

std::string describe_modulus(Bytes little_endian) {
  const std::string hex = big_endian_hex(little_endian);
  for (const NamedModulus& modulus : kModuli) {
    if (hex == modulus.hex) return std::string(modulus.what);
  }
  return hex.size() > 128 ? "0x" + hex.substr(0, 128) + "…" : "0x" + hex;
}

Status check_modulus_r(Bytes little_endian) {
  return check_modulus<Fr>(little_endian, "the group order");
}
Status check_modulus_p(Bytes little_endian) {
  return check_modulus<Fp>(little_endian, "the coordinate field");
}

}  // namespace cuzk
