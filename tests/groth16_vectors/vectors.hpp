// Reading the vector files that lie beside the project.
#pragma once

#include <gtest/gtest.h>
#include <sodium.h>
#include <zstd.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "curve/encoding.hpp"
#include "groth16/setup.hpp"

namespace cuzk::vectors {

using nlohmann::json;

inline std::string shared(const std::string& path) {
  return std::string(CUZK_SOURCE_DIR) + "/../shared/" + path;
}

inline std::vector<uint8_t> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::vector<uint8_t> read_zstd(const std::string& path) {
  const auto packed = read_file(path);
  const auto size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  EXPECT_LT(size, uint64_t{1} << 32) << path;
  std::vector<uint8_t> out(size);
  EXPECT_EQ(ZSTD_decompress(out.data(), out.size(), packed.data(), packed.size()), out.size()) << path;
  return out;
}

inline json read_json(const std::string& path) {
  std::ifstream in(path);
  return json::parse(in);
}

inline Fr fr_from_hex(std::string text) {
  if (text.starts_with("0x")) text = text.substr(2);
  const auto bytes = from_hex(text);
  auto value = bytes && bytes->size() == 32 ? Fr::from_be_bytes(bytes->data()) : std::nullopt;
  EXPECT_TRUE(value) << text;
  return value.value_or(Fr::zero());
}

inline std::vector<Fr> frs_from_hex(const json& list) {
  std::vector<Fr> out;
  for (const auto& text : list) out.push_back(fr_from_hex(text.get<std::string>()));
  return out;
}

inline SetupSecrets secrets_from(const json& object) {
  auto value = [&](const char* name) { return fr_from_hex(object.at(name).get<std::string>()); };
  return {value("alpha"), value("beta"), value("gamma"), value("delta"), value("tau")};
}

inline std::string blake2b_512(Bytes bytes) {
  uint8_t digest[64];
  crypto_generichash(digest, sizeof digest, bytes.data(), bytes.size(), nullptr, 0);
  return to_hex(digest);
}

// A key as bellperson writes it, straight from the definition of the layout (engine.md 6.3): the second
// opinion on what the formats module writes.
class ParamsBytes final : public KeySink {
 public:
  Status begin(const VerifyingKey& vk, const KeyCounts& counts) override {
    counts_ = counts;
    point<G1>(vk.alpha_g1);
    point<G1>(vk.beta_g1);
    point<G2>(vk.beta_g2);
    point<G2>(vk.gamma_g2);
    point<G1>(vk.delta_g1);
    point<G2>(vk.delta_g2);
    count(vk.ic.size());
    for (const auto& p : vk.ic) point<G1>(p);
    vk_bytes_ = bytes_.size();
    return {};
  }
  Status append(KeySection section, std::span<const G1Affine> points) override {
    const size_t sizes[] = {counts_.h, counts_.l, counts_.a, counts_.b};
    start_list(section, sizes[static_cast<size_t>(section)]);
    for (const auto& p : points) point<G1>(p);
    return {};
  }
  Status append_b_g2(std::span<const G2Affine> points) override {
    start_list(KeySection::kBG2, counts_.b);
    for (const auto& p : points) point<G2>(p);
    return {};
  }

  Bytes params() const { return bytes_; }
  Bytes vk() const { return Bytes(bytes_).first(vk_bytes_); }

 private:
  void count(size_t n) {
    bytes_.resize(bytes_.size() + 4);
    store_be32(bytes_.data() + bytes_.size() - 4, static_cast<uint32_t>(n));
  }
  void start_list(KeySection section, size_t n) {
    if (static_cast<int>(section) == last_) return;
    EXPECT_EQ(static_cast<int>(section), last_ + 1);
    last_ = static_cast<int>(section);
    count(n);
  }
  template <class G>
  void point(const typename G::Point& p) {
    bytes_.resize(bytes_.size() + kUncompressedBytes<G>);
    encode_uncompressed<G>(p, bytes_.data() + bytes_.size() - kUncompressedBytes<G>);
  }

  KeyCounts counts_{};
  std::vector<uint8_t> bytes_;
  size_t vk_bytes_ = 0;
  int last_ = -1;
};

inline std::string proof_hex(const Proof& proof) {
  uint8_t bytes[192];
  encode_compressed<G1>(proof.a, bytes);
  encode_compressed<G2>(proof.b, bytes + 48);
  encode_compressed<G1>(proof.c, bytes + 144);
  return to_hex(bytes);
}

}  // namespace cuzk::vectors
