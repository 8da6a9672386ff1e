// .vk, .params, .zkey and proof bytes: what is read, and bad input.
#include <gtest/gtest.h>

#include "formats/bellman_params.hpp"
#include "formats/bellman_vk.hpp"
#include "formats/proof_bytes.hpp"
#include "formats/r1cs_file.hpp"
#include "formats/test_files.hpp"
#include "formats/wtns_file.hpp"
#include "formats/zkey_file.hpp"
#include "r1cs/density.hpp"
#include "r1cs/evaluate.hpp"

namespace cuzk {
namespace {

using namespace test;

// On the curve, not in the subgroup (x = 4).
const char* const kOutsideSubgroup =
    "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000004"
    "0a989badd40d6212b33cffc3f3763e9bc760f988c9926b26da9dd85e928483446346b8ed00e1de5d5ea93e354abe706c";

ByteVector replaced(const ByteVector& bytes, size_t at, const ByteVector& with) {
  ByteVector out = bytes;
  std::copy(with.begin(), with.end(), out.begin() + static_cast<std::ptrdiff_t>(at));
  return out;
}
ByteVector be32(uint32_t value) {
  ByteVector out(4);
  store_be32(out.data(), value);
  return out;
}
ByteVector le32(uint32_t value) {
  ByteVector out(4);
  store_le32(out.data(), value);
  return out;
}
ByteVector infinity_bytes(size_t size) {
  ByteVector out(size);
  out[0] = 0x40;
  return out;
}

// Loads every list; the first error.
Status load_key(const ProvingKey& key, Executor& executor) {
  CUZK_TRY(test_points<G1>(*key.h, executor));
  CUZK_TRY(test_points<G1>(*key.l, executor));
  CUZK_TRY(test_points<G1>(*key.a, executor));
  CUZK_TRY(test_points<G1>(*key.b_g1, executor));
  return test_points<G2>(*key.b_g2, executor);
}
Status read_whole_params(const ByteVector& bytes, PointCheck check) {
  ThreadPool pool(2);
  CUZK_ASSIGN(const ParamsFile params, open_params(as_file(bytes), check, pool));
  return load_key(params.key, pool);
}
Status read_whole_zkey(const ByteVector& bytes, PointCheck check) {
  ThreadPool pool(2);
  CUZK_ASSIGN(const ZkeyFile zkey, open_zkey(as_file(bytes), check, pool));
  CUZK_TRY(load_key(zkey.key, pool));
  CUZK_TRY(read_zkey_circuit(zkey, pool));
  return {};
}

TEST(BellmanVk, RoundTripsToTheByte) {
  ThreadPool pool(2);
  std::vector<std::string> paths = {data_path("groth16/one-constraint.vk"), data_path("groth16/tiny.vk")};
  if (std::filesystem::exists(shared_path("vectors/groth16"))) {
    for (const char* name : {"mixed-1000", "just-under-1024", "just-over-1024", "inputs-only", "winning-2k",
                             "window-2k", "porep-2k", "snap-2k"}) {
      paths.push_back(shared_path(std::string("vectors/groth16/") + name + ".vk"));
    }
    paths.push_back(shared_path("data/groth16/zcash/sapling-output.vk"));
  }
  ScratchFolder folder;
  for (const std::string& path : paths) {
    auto vk = read_bellman_vk(open_file(path), PointCheck::kFull, pool);
    ASSERT_TRUE(vk) << message_of(vk);
    ASSERT_TRUE(write_bellman_vk(folder.path("out.vk"), *vk, pool));
    EXPECT_TRUE(slurp(folder.path("out.vk")) == slurp(path)) << path;
  }
}

TEST(BellmanVk, BadInputIsRefusedByName) {
  InlineExecutor executor;
  const ByteVector good = slurp(data_path("groth16/tiny.vk"));
  auto read = [&](const ByteVector& bytes) {
    return read_bellman_vk(as_file(bytes), PointCheck::kFull, executor);
  };
  const size_t ic = kVkHeadBytes + 4;
  EXPECT_REFUSED(read({}), "it is empty");
  EXPECT_REFUSED(read(slurp(data_path("groth16/ak-381.zkey"))),
                 "not a bellman key: it is a snarkjs .zkey file");
  const std::string page = "<!DOCTYPE html><html>" + std::string(301, ' ');
  EXPECT_REFUSED(read(ByteVector(page.begin(), page.end())), "322 bytes");
  const std::string long_page = page + std::string(2000, 'x');
  EXPECT_REFUSED(read(ByteVector(long_page.begin(), long_page.end())), "error page of a failed download");
  for (const size_t size : {size_t{1}, good.size() / 2, ic, good.size() - 1}) {
    EXPECT_FALSE(read(ByteVector(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)))) << size;
  }
  EXPECT_REFUSED(read(replaced(good, kVkHeadBytes, be32(0xffffffff))),
                 "4294967295 ic points need 412316860320 bytes");
  EXPECT_REFUSED(read(replaced(good, kVkHeadBytes, be32(0))), "0 ic points");
  EXPECT_REFUSED(read(replaced(good, kVkHeadBytes, be32(2))), "something is appended");
  EXPECT_REFUSED(read(replaced(good, ic + 96, *from_hex(kOutsideSubgroup))), "list ic, point 1");
  EXPECT_REFUSED(read(replaced(good, 0, *from_hex(kOutsideSubgroup))), "alpha_g1");
  EXPECT_REFUSED(read(replaced(good, 192, infinity_bytes(192))), "beta_g2, point 0 (offset 192): infinity");
  auto unconstrained = read(replaced(good, ic + 96, infinity_bytes(96)));
  ASSERT_TRUE(unconstrained) << message_of(unconstrained);
  EXPECT_TRUE(unconstrained->ic[1].is_infinity());
}

TEST(BellmanVk, BitFlipsAreRefused) {
  InlineExecutor executor;
  const ByteVector good = slurp(data_path("groth16/one-constraint.vk"));
  for (size_t bit = 0; bit < 8 * good.size(); bit += 13) {
    ByteVector bytes = good;
    bytes[bit / 8] = static_cast<uint8_t>(bytes[bit / 8] ^ (1u << (bit % 8)));
    EXPECT_FALSE(read_bellman_vk(as_file(bytes), PointCheck::kFull, executor)) << bit;
  }
}

struct TinyParams {
  TinyParams() : bytes(slurp(data_path("groth16/tiny.params"))) {
    InlineExecutor executor;
    lists = open_params(as_file(bytes), PointCheck::kNone, executor)->lists;
  }
  ByteVector bytes;
  std::vector<PointList> lists;  // h, l, a, b_g1, b_g2
};

TEST(BellmanParams, CountsFollowTheCircuit) {
  ThreadPool pool(2);
  const TinyParams tiny;
  auto params = open_params(as_file(tiny.bytes), PointCheck::kFull, pool);
  ASSERT_TRUE(params) << message_of(params);
  auto circuit = read_r1cs(open_file(data_path("groth16/tiny.r1cs")));
  ASSERT_TRUE(circuit);
  const Density density = density_of(circuit->circuit);
  EXPECT_EQ(params->key.num_inputs(), circuit->circuit.num_inputs);
  EXPECT_EQ(params->key.num_aux(), circuit->circuit.num_aux);
  EXPECT_EQ(params->key.a->size(), density.a.size());
  EXPECT_EQ(params->key.b_g1->size(), density.b.size());
  EXPECT_EQ(params->key.b_g2->size(), density.b.size());
  EXPECT_FALSE(params->ceremony);
  EXPECT_TRUE(load_key(params->key, pool));
  EXPECT_EQ(params->key.vk,
            *read_bellman_vk(open_file(data_path("groth16/tiny.vk")), PointCheck::kFull, pool));
}

TEST(BellmanParams, ReadsSaplingWithItsCeremonyRecord) {
  const std::string path = shared_path("data/groth16/zcash/sapling-output.params");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no ../shared/data";
  ThreadPool pool(2);
  auto params = open_params(open_file(path), PointCheck::kCurve, pool);
  ASSERT_TRUE(params) << message_of(params);
  ASSERT_TRUE(params->ceremony);
  EXPECT_EQ(params->ceremony->contributions,
            (std::filesystem::file_size(path) - params->ceremony->offset - 68) / 544);
  EXPECT_TRUE(load_key(params->key, pool));
  EXPECT_EQ(params->key.vk.ic.size(), 6u);
}

TEST(BellmanParams, EveryTruncationIsRefused) {
  const TinyParams tiny;
  for (size_t size = 0; size < tiny.bytes.size(); size += size < 1300 ? 97 : 37) {
    const ByteVector cut(tiny.bytes.begin(), tiny.bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(read_whole_params(cut, PointCheck::kNone)) << size;
  }
  for (const size_t extra : {1, 63, 68, 69, 100, 544, 612 + 1}) {
    ByteVector longer = tiny.bytes;
    longer.resize(longer.size() + extra, 1);
    EXPECT_REFUSED(read_whole_params(longer, PointCheck::kNone), "not the record of a phase-2 ceremony");
  }
  ByteVector with_record = tiny.bytes;
  with_record.resize(with_record.size() + 68 + 544);
  with_record[tiny.bytes.size() + 67] = 1;
  EXPECT_TRUE(read_whole_params(with_record, PointCheck::kNone));
}

TEST(BellmanParams, HostileCountsAreRefusedByName) {
  const TinyParams tiny;
  auto with_count = [&](size_t list, uint32_t count) {
    return read_whole_params(replaced(tiny.bytes, tiny.lists[list].offset - 4, be32(count)),
                             PointCheck::kNone);
  };
  for (const uint32_t count : {0xffffffffu, 0x80000000u, 0x02aaaaabu, 0x01555556u}) {  // products beyond 2^32
    EXPECT_REFUSED(with_count(0, count), "list h, offset");
    EXPECT_REFUSED(with_count(1, count), "list l, offset");
    EXPECT_REFUSED(with_count(4, count), "list b_g2, offset");
  }
  EXPECT_REFUSED(with_count(4, static_cast<uint32_t>(tiny.lists[4].count - 1)), "bytes follow");
  // One list longer and the next one shorter by as many bytes: consistent lengths, inconsistent key.
  const ByteVector vk = slurp(data_path("groth16/tiny.vk"));
  EXPECT_REFUSED(read_whole_params(vk, PointCheck::kNone), "a verifying key alone");
  ByteVector empty_lists = vk;
  empty_lists.resize(vk.size() + 20);
  EXPECT_REFUSED(read_whole_params(empty_lists, PointCheck::kNone), "lists do not belong to one key");
}

TEST(BellmanParams, BadPointsAreNamed) {
  const TinyParams tiny;
  const PointList& a = tiny.lists[2];
  const ByteVector outside = replaced(tiny.bytes, a.offset + 96, *from_hex(kOutsideSubgroup));
  EXPECT_REFUSED(read_whole_params(outside, PointCheck::kFull), "list a, point 1");
  EXPECT_TRUE(read_whole_params(outside, PointCheck::kCurve));
  ByteVector flipped = tiny.bytes;
  flipped[a.offset + 2 * 96 + 90] ^= 1;
  EXPECT_REFUSED(read_whole_params(flipped, PointCheck::kCurve), "list a, point 2");
  EXPECT_TRUE(read_whole_params(flipped, PointCheck::kNone));
  for (size_t list = 0; list < 5; ++list) {
    const size_t bytes = list == 4 ? 192 : 96;
    EXPECT_REFUSED(read_whole_params(replaced(tiny.bytes, tiny.lists[list].offset, infinity_bytes(bytes)),
                                     PointCheck::kNone),
                   tiny.lists[list].name + ", point 0 (offset " + std::to_string(tiny.lists[list].offset) +
                       "): infinity");
    // A coordinate of p or more, and a compressed flag in an uncompressed place.
    EXPECT_REFUSED(
        read_whole_params(replaced(tiny.bytes, tiny.lists[list].offset, ByteVector{0x1f}), PointCheck::kNone),
        tiny.lists[list].name + ", point 0");
    EXPECT_REFUSED(
        read_whole_params(replaced(tiny.bytes, tiny.lists[list].offset, ByteVector{0x80}), PointCheck::kNone),
        tiny.lists[list].name + ", point 0");
  }
}

TEST(BellmanParams, TheFirstBadPointIsNamedWhateverTheThreads) {
  const std::string path = shared_path("vectors/groth16/mixed-1000.params");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no ../shared/vectors";
  ByteVector bytes = slurp(path);
  InlineExecutor executor;
  const PointList h = open_params(as_file(bytes), PointCheck::kNone, executor)->lists[0];
  for (const size_t index : {300, 700, 1000}) bytes[h.offset + 96 * index + 95] ^= 4;
  EXPECT_REFUSED(read_whole_params(bytes, PointCheck::kCurve), "list h, point 300 ");
}

TEST(Zkey, ReadsForeignKeys) {
  ThreadPool pool(2);
  struct Case {
    const char *zkey, *r1cs, *wtns;
  };
  for (const char* name : {"groth16/ak-381.zkey", "snarkjs/poseidon.zkey"}) {
    auto zkey = open_zkey(open_file(data_path(name)), PointCheck::kFull, pool);
    ASSERT_TRUE(zkey) << message_of(zkey);
    auto loaded = load_key(zkey->key, pool);
    EXPECT_TRUE(loaded) << message_of(loaded);
    EXPECT_TRUE(zkey->contributions);
    auto circuit = read_zkey_circuit(*zkey, pool);
    ASSERT_TRUE(circuit) << message_of(circuit);
    EXPECT_EQ(circuit->num_variables(), zkey->num_variables);
  }
}

// The circuit inside a zkey is the one in the .r1cs.
TEST(Zkey, HoldsTheMatricesOfTheCircuit) {
  ThreadPool pool(2);
  auto zkey = open_zkey(open_file(data_path("snarkjs/poseidon.zkey")), PointCheck::kNone, pool);
  ASSERT_TRUE(zkey) << message_of(zkey);
  auto inside = read_zkey_circuit(*zkey, pool);
  auto file = read_r1cs(open_file(data_path("snarkjs/poseidon.r1cs")));
  auto witness = read_wtns(open_file(data_path("snarkjs/poseidon.wtns")), pool);
  ASSERT_TRUE(inside && file && witness) << message_of(inside) << message_of(file) << message_of(witness);
  ASSERT_EQ(inside->num_constraints(), file->circuit.num_constraints());
  EXPECT_EQ(inside->num_inputs, file->circuit.num_inputs);
  for (size_t i = 0; i < inside->num_constraints(); ++i) {
    for (auto matrix : {&R1cs::a, &R1cs::b}) {
      const auto mine = ((*inside).*matrix).row(i), theirs = (file->circuit.*matrix).row(i);
      ASSERT_EQ(mine.size(), theirs.size()) << i;
      for (size_t k = 0; k < mine.size(); ++k) {
        EXPECT_EQ(mine[k].variable, theirs[k].variable);
        EXPECT_EQ(inside->coefficients[mine[k].coefficient],
                  file->circuit.coefficients[theirs[k].coefficient]);
      }
    }
  }
}

struct AkKey {
  AkKey() : bytes(slurp(data_path("groth16/ak-381.zkey"))) {
    InlineExecutor executor;
    auto opened = open_zkey(as_file(bytes), PointCheck::kNone, executor);
    EXPECT_TRUE(opened) << message_of(opened);
    lists = opened->lists;
    coefficients = opened->coefficients_offset;
  }
  ByteVector bytes;
  std::vector<PointList> lists;  // A, B1, B2, C, H
  uint64_t coefficients = 0;
};

TEST(Zkey, EveryTruncationIsRefused) {
  const AkKey key;
  for (size_t size = 0; size < key.bytes.size(); size += size < 200 ? 3 : 41) {
    const ByteVector cut(key.bytes.begin(), key.bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(read_whole_zkey(cut, PointCheck::kNone)) << size;
  }
  ByteVector longer = key.bytes;
  longer.push_back(0);
  EXPECT_REFUSED(read_whole_zkey(longer, PointCheck::kNone), "1 bytes after the last section");
}

TEST(Zkey, BadNumbersAreRefusedByName) {
  const AkKey key;
  constexpr size_t kHeader = 0x28;  // offset of section 2's content
  auto refused = [&](size_t at, uint32_t value, const std::string& part) {
    SCOPED_TRACE(part);
    EXPECT_REFUSED(read_whole_zkey(replaced(key.bytes, at, le32(value)), PointCheck::kNone), part);
  };
  refused(0, 0x67616d69, "not a .zkey file");
  refused(24, 2, "(plonk)");
  refused(24, 10, "(fflonk)");
  refused(kHeader, 32, "wrong curve");
  refused(kHeader + 4, 1, "wrong curve");
  refused(kHeader + 56, 7, "wrong curve");
  refused(kHeader + 88, 2, "2 variables are fewer");
  refused(kHeader + 88, 7, "section 5 (A)");
  refused(kHeader + 88, 0xffffffff, "4294967295 points of 96");
  refused(kHeader + 92, 0xffffffff, "fewer than the constant one and 4294967295");
  refused(kHeader + 92, 1, "section 3 (IC)");
  refused(kHeader + 96, 7, "expected a power of two");
  refused(kHeader + 96, 2, "expected a power of two above 2");
  refused(kHeader + 96, 0x80000000, "section 9 (H)");
  refused(key.coefficients - 4, 0xffffffff, "4294967295 coefficients need");
  refused(key.coefficients, 2, "coefficient 0: matrix 2");
  refused(key.coefficients + 4, 8, "coefficient 0: constraint 8 is beyond the domain");
  refused(key.coefficients + 8, 6, "coefficient 0: wire 6");
  refused(key.coefficients + 12 + 28, 0xffffffff, "coefficient 0: the value is not below r");
}

TEST(Zkey, BadPointsAreNamed) {
  const AkKey key;
  for (const PointList& list : key.lists) {
    const size_t last = list.count - 1, bytes = list.name.find("B2") != std::string::npos ? 192 : 96;
    ByteVector flipped = key.bytes;
    flipped[list.offset + last * bytes] ^= 1;
    EXPECT_REFUSED(read_whole_zkey(flipped, PointCheck::kCurve),
                   list.name + ", point " + std::to_string(last));
    ByteVector large = key.bytes;
    large[list.offset + last * bytes + 47] = 0xff;  // not below p
    EXPECT_REFUSED(read_whole_zkey(large, PointCheck::kNone), list.name + ", point " + std::to_string(last));
  }
  ByteVector infinite = key.bytes;
  std::fill_n(infinite.begin() + static_cast<std::ptrdiff_t>(key.lists[4].offset), 96, uint8_t{0});
  EXPECT_REFUSED(read_whole_zkey(infinite, PointCheck::kNone), "section 9 (H), point 0");
}

TEST(ProofBytes, StrictBothWays) {
  auto vectors = slurp(data_path("groth16/tiny.params"));
  Proof proof{G1::generator(), G2::generator(), -G1::generator()};
  const auto bytes = encode_proof(proof);
  auto back = decode_proof(bytes);
  ASSERT_TRUE(back) << message_of(back);
  EXPECT_EQ(*back, proof);
  for (const size_t size : {0, 1, 191})
    EXPECT_REFUSED(decode_proof(Bytes(bytes).first(size)), "malformed proof");
  ByteVector longer(bytes.begin(), bytes.end());
  longer.push_back(0);
  EXPECT_REFUSED(decode_proof(longer), "193 bytes, expected 192");
  ByteVector alias(bytes.begin(), bytes.end());  // x = p + 4
  alias = replaced(
      alias, 0,
      *from_hex("9a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffff"
                "ffaaaf"));
  EXPECT_REFUSED(decode_proof(alias), "point A");
  ByteVector infinite(bytes.begin(), bytes.end());
  ByteVector zero(48);
  zero[0] = 0xc0;
  EXPECT_REFUSED(decode_proof(replaced(infinite, 144, zero)), "point C: infinity");
  for (size_t bit = 0; bit < 8; ++bit) {
    ByteVector flipped(bytes.begin(), bytes.end());
    flipped[48] = static_cast<uint8_t>(flipped[48] ^ (1u << bit));
    auto result = decode_proof(flipped);
    EXPECT_EQ(result.has_value(), bit == 5) << bit;  // the sort flag gives -B, another proof
  }
}

}  // namespace
}  // namespace cuzk
