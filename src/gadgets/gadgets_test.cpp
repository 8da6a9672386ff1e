// Every gadget against the upstream implementation's constraints: in words where the vectors have words, by
// counts and digest otherwise; and satisfied, and broken by a change of any variable.
#include <gtest/gtest.h>
#include <zstd.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/mapped_file.hpp"
#include "filecoin/circuit_digest.hpp"
#include "gadgets/merkle_circuit.hpp"
#include "gadgets/poseidon_circuit.hpp"
#include "gadgets/sha256_circuit.hpp"
#include "hash/sha256.hpp"
#include "r1cs/test_system.hpp"

namespace cuzk {
namespace {

const std::string kGadgets = CUZK_SOURCE_DIR "/../shared/vectors/circuits/gadgets/";

std::string decompress(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) return "";
  Bytes in = file->bytes();
  ZSTD_DStream* stream = ZSTD_createDStream();
  ZSTD_inBuffer input{in.data(), in.size(), 0};
  std::string out;
  std::vector<char> chunk(ZSTD_DStreamOutSize());
  while (input.pos < input.size) {
    ZSTD_outBuffer output{chunk.data(), chunk.size(), 0};
    if (ZSTD_isError(ZSTD_decompressStream(stream, &output, &input)) != 0) break;
    out.append(chunk.data(), output.pos);
  }
  ZSTD_freeDStream(stream);
  return out;
}

void compare_words(const TestSystem& cs, const std::string& expected_text) {
  std::istringstream expected(expected_text);
  size_t number = 0, differences = 0;
  std::string line;
  cs.words([&](const std::string& ours) {
    ++number;
    if (differences > 0) return;
    if (!std::getline(expected, line)) line = "(end)";
    if (line != ours) {
      ++differences;
      ADD_FAILURE() << "line " << number << "\n  expected " << line.substr(0, 300) << "\n  found    "
                    << ours.substr(0, 300);
    }
  });
  const bool more = differences == 0 && static_cast<bool>(std::getline(expected, line));
  EXPECT_FALSE(more) << "missing " << line.substr(0, 300);
}

using Build = std::function<void(ConstraintSystem&)>;

// Words, counts and digest of one gadget against the vectors; satisfied.
void check_gadget(const std::string& name, const Build& build, bool has_words = true) {
  std::ifstream index(kGadgets + "index.json");
  if (!index) GTEST_SKIP() << "no shared vectors";
  nlohmann::json entry;
  for (auto& e : nlohmann::json::parse(index))
    if (e["gadget"] == name) entry = e;
  ASSERT_FALSE(entry.is_null()) << name;

  DigestSystem digest;
  build(digest);
  digest.finish();
  EXPECT_EQ(digest.num_inputs(), entry["inputs"].get<uint64_t>()) << name;
  EXPECT_EQ(digest.num_aux(), entry["aux"].get<uint64_t>()) << name;
  EXPECT_EQ(digest.num_constraints(), entry["constraints"].get<uint64_t>()) << name;
  EXPECT_EQ(digest.nonzeros()[0], entry["nonzeros"]["a"].get<uint64_t>()) << name;
  EXPECT_EQ(digest.nonzeros()[1], entry["nonzeros"]["b"].get<uint64_t>()) << name;
  EXPECT_EQ(digest.nonzeros()[2], entry["nonzeros"]["c"].get<uint64_t>()) << name;
  EXPECT_EQ(to_hex(digest.hasher().digest()), entry["digest"].get<std::string>()) << name;
  if (!has_words) return;

  TestSystem cs;
  build(cs);
  compare_words(cs, decompress(kGadgets + name + ".txt.zst"));
}

std::vector<AllocatedNum> alloc_nums(ConstraintSystem& cs, size_t count, uint64_t first = 1) {
  std::vector<AllocatedNum> nums(count);
  for (size_t i = 0; i < count; ++i)
    nums[i] = AllocatedNum::alloc(*Scope(cs, {"input {}", i}), Fr::from_u64(first + i));
  return nums;
}

std::vector<Boolean> alloc_named_bits(ConstraintSystem& cs, size_t count, uint64_t value) {
  std::vector<Boolean> bits;
  for (size_t i = 0; i < count; ++i)
    bits.push_back(Boolean::alloc(*Scope(cs, {"bit {}", i}), i < 64 && ((value >> i) & 1) != 0));
  return bits;
}

TEST(Gadgets, Boolean) {
  check_gadget("boolean", [](ConstraintSystem& cs) {
    const Boolean a = Boolean::alloc(*Scope(cs, "a"), true), b = Boolean::alloc(*Scope(cs, "b"), true);
    bit_and(*Scope(cs, "a and b"), a, b);
    bit_and(*Scope(cs, "a and not b"), a, !b);
    bit_and(*Scope(cs, "not a and not b"), !a, !b);
    bit_and(*Scope(cs, "a and constant"), a, Boolean::constant(true));
    bit_xor(*Scope(cs, "a xor b"), a, b);
    bit_xor(*Scope(cs, "a xor not b"), a, !b);
    bit_xor(*Scope(cs, "a xor constant"), a, Boolean::constant(true));
    enforce_equal(*Scope(cs, "a = b"), a, b);
  });
}

TEST(Gadgets, NumToBits) {
  check_gadget("num-to-bits", [](ConstraintSystem& cs) {
    const AllocatedNum n = AllocatedNum::alloc(*Scope(cs, "n"), Fr::from_u64(77));
    to_bits(*Scope(cs, "bits"), n);
  });
}

TEST(Gadgets, NumArithmetic) {
  check_gadget("num-arithmetic", [](ConstraintSystem& cs) {
    const auto n = alloc_nums(cs, 3);
    multiply(*Scope(cs, "product"), n[0], n[1]);
    square(*Scope(cs, "square"), n[0]);
    enforce_equal(cs, "equal", n[0], n[1]);
    enforce_sum(cs, "sum", n[0], n[1], n[2]);
    enforce_difference(cs, "difference", n[0], n[1], n[2]);
    n[0].inputize(*Scope(cs, "inputize"));
    encode(*Scope(cs, "encode"), n[0], n[1]);
  });
}

TEST(Gadgets, UInt64) {
  check_gadget("uint64", [](ConstraintSystem& cs) {
    const auto bits = alloc_u64(*Scope(cs, "u"), 0x123456789abcdef0);
    pack_into_inputs(*Scope(cs, "packed"), bits);
  });
}

TEST(Gadgets, Insert) {
  for (size_t size : {2, 4, 8, 16})
    check_gadget("insert-" + std::to_string(size), [&](ConstraintSystem& cs) {
      const auto others = alloc_nums(cs, size - 1);
      const AllocatedNum value = AllocatedNum::alloc(*Scope(cs, "value"), Fr::from_u64(100));
      const size_t bits = static_cast<size_t>(__builtin_ctzll(size));
      insert(cs, value, alloc_named_bits(cs, bits, 1), others);
    });
}

TEST(Gadgets, Select) {
  check_gadget("select-8", [](ConstraintSystem& cs) {
    const auto from = alloc_nums(cs, 8);
    const auto bits = alloc_named_bits(cs, 3, 5);
    select(*Scope(cs, "select"), from, bits);
  });
}

TEST(Gadgets, Poseidon) {
  auto hash = [](size_t count) {
    return [count](ConstraintSystem& cs) {
      const auto nums = alloc_nums(cs, count);
      poseidon_circuit(*Scope(cs, "hash"), nums);
    };
  };
  check_gadget("poseidon-2", hash(2));
  check_gadget("poseidon-node-2", hash(2));
  check_gadget("poseidon-node-4", hash(4));
  check_gadget("poseidon-node-8", hash(8));
  check_gadget("poseidon-column-11", hash(11));
}

TEST(Gadgets, PoseidonMd) {
  check_gadget("poseidon-md-71", [](ConstraintSystem& cs) {
    const auto nums = alloc_nums(cs, 71);
    poseidon_md_circuit(*Scope(cs, "hash"), nums);
  });
}

TEST(Gadgets, Sha256) {
  for (size_t count : {8, 512})
    check_gadget("sha256-" + std::to_string(count), [&](ConstraintSystem& cs) {
      const auto bits = alloc_named_bits(cs, count, 0x5a);
      sha256_circuit(*Scope(cs, "sha"), bits);
    });
}

TEST(Gadgets, Sha256Node) {
  check_gadget("sha256-node-2", [](ConstraintSystem& cs) {
    const auto nums = alloc_nums(cs, 2);
    sha256_node(*Scope(cs, "hash"), nums[0], nums[1]);
  });
}

// Every variable that a constraint determines is told apart: changing it breaks the system.
void check_every_variable_matters(TestSystem& cs, size_t first_aux) {
  ASSERT_TRUE(cs.is_satisfied()) << *cs.which_is_unsatisfied();
  for (size_t i = first_aux; i < cs.num_aux(); ++i) {
    Fr& value = cs.value(Variable::aux(i));
    value += Fr::one();
    EXPECT_FALSE(cs.is_satisfied()) << "aux " << i;
    value -= Fr::one();
  }
}

TEST(GadgetValues, PoseidonEqualsPlainHash) {
  for (size_t arity : {2, 4, 8, 11}) {
    TestSystem cs;
    const auto nums = alloc_nums(cs, arity, 40);
    std::vector<Fr> plain;
    for (const AllocatedNum& n : nums) plain.push_back(n.value);
    EXPECT_EQ(poseidon_circuit(*Scope(cs, "hash"), nums).value, poseidon_hash(plain));
    if (arity == 2) check_every_variable_matters(cs, 0);
    EXPECT_TRUE(cs.is_satisfied());
  }
  TestSystem cs;
  const auto nums = alloc_nums(cs, 71, 3);
  std::vector<Fr> plain;
  for (const AllocatedNum& n : nums) plain.push_back(n.value);
  EXPECT_EQ(poseidon_md_circuit(*Scope(cs, "md"), nums).value, poseidon_hash_md(plain));
  EXPECT_TRUE(cs.is_satisfied());
}

TEST(GadgetValues, Sha256EqualsPlainHash) {
  TestRandom random(5);
  for (size_t bytes : {0, 1, 55, 56, 64, 100}) {
    std::vector<uint8_t> data(bytes);
    random.fill(data);
    TestSystem cs;
    std::vector<Boolean> bits;
    for (size_t i = 0; i < 8 * bytes; ++i)
      bits.push_back(Boolean::alloc(*Scope(cs, {"in {}", i}), ((data[i / 8] >> (7 - i % 8)) & 1) != 0));
    const auto digest = sha256_circuit(*Scope(cs, "sha"), bits);
    Digest256 found{};
    for (size_t i = 0; i < 256; ++i)
      found[i / 8] = static_cast<uint8_t>(found[i / 8] | (digest[i].value() << (7 - i % 8)));
    EXPECT_EQ(to_hex(found), to_hex(sha256(data)));
    EXPECT_TRUE(cs.is_satisfied());
  }
}

TEST(GadgetValues, InsertPutsTheValueAtTheIndex) {
  for (size_t bits = 1; bits <= 4; ++bits) {
    const size_t size = size_t{1} << bits;
    for (size_t index = 0; index < size; ++index) {
      TestSystem cs;
      const auto others = alloc_nums(cs, size - 1, 1);
      const AllocatedNum value = AllocatedNum::alloc(*Scope(cs, "value"), Fr::from_u64(100));
      const auto result = insert(cs, value, alloc_named_bits(cs, bits, index), others);
      for (size_t i = 0; i < size; ++i)
        EXPECT_EQ(result[i].value, i == index ? value.value : others[i < index ? i : i - 1].value);
      EXPECT_TRUE(cs.is_satisfied());
      if (index == size - 1 && bits == 3) check_every_variable_matters(cs, size);
    }
  }
}

TEST(GadgetValues, BitsFoldConstantsAndSatisfy) {
  // Every combination of constants, bits and negations for choose and majority.
  for (unsigned kinds = 0; kinds < 64; ++kinds) {
    for (unsigned values = 0; values < 8; ++values) {
      TestSystem cs;
      Boolean x[3];
      for (unsigned i = 0; i < 3; ++i) {
        const bool value = ((values >> i) & 1) != 0;
        const unsigned kind = (kinds >> (2 * i)) & 3;
        if (kind >= 2)
          x[i] = Boolean::constant(value);
        else
          x[i] = kind == 0 ? Boolean::alloc(*Scope(cs, {"x{}", i}), value)
                           : !Boolean::alloc(*Scope(cs, {"x{}", i}), !value);
      }
      const bool a = x[0].value(), b = x[1].value(), c = x[2].value();
      EXPECT_EQ(bit_choose(*Scope(cs, "ch"), x[0], x[1], x[2]).value(), a ? b : c);
      EXPECT_EQ(bit_majority(*Scope(cs, "maj"), x[0], x[1], x[2]).value(), (a && b) || (a && c) || (b && c));
      EXPECT_EQ(bit_xor(*Scope(cs, "xor"), x[0], x[1]).value(), a != b);
      EXPECT_EQ(bit_and(*Scope(cs, "and"), x[0], x[1]).value(), a && b);
      EXPECT_TRUE(cs.is_satisfied()) << kinds << " " << values << " " << *cs.which_is_unsatisfied();
    }
  }
}

TEST(TestSystemValues, SetAndFind) {
  TestSystem cs;
  const auto n = alloc_nums(cs, 2);
  multiply(*Scope(cs, "product"), n[0], n[1]);
  EXPECT_EQ(*cs.get("product/product num"), Fr::from_u64(2));
  ASSERT_TRUE(cs.set("product/product num", Fr::from_u64(3)));
  EXPECT_EQ(cs.which_is_unsatisfied(), "product/multiplication constraint");
  EXPECT_FALSE(cs.set("nothing", Fr::one()));
  EXPECT_FALSE(cs.get("nothing"));
}

// PoR counts pinned by storage-proofs-core's own tests (value and root allocated, the root public), for
// `64 · base trees` leaves.
TEST(Gadgets, InclusionCounts) {
  struct Case {
    TreeShape tree;
    uint64_t leaves;
    size_t constraints;
  };
  using enum TreeHash;
  const Case cases[] = {
      {{kPoseidon, 2, 0, 0}, 64, 1887},   {{kPoseidon, 4, 0, 0}, 64, 1164},
      {{kPoseidon, 8, 0, 0}, 64, 1063},   {{kPoseidon, 8, 2, 0}, 128, 1377},
      {{kPoseidon, 8, 4, 2}, 512, 1764},  {{kPoseidon, 8, 8, 0}, 512, 1593},
      {{kPoseidon, 8, 8, 2}, 1024, 1907}, {{kPoseidon, 8, 2, 4}, 512, 1764},
      {{kSha256, 2, 0, 0}, 64, 272295},
  };
  for (const Case& c : cases) {
    DigestSystem cs;
    const AllocatedNum leaf = AllocatedNum::alloc(cs, Fr::zero());
    const AllocatedNum root = AllocatedNum::alloc(cs, Fr::zero());
    inclusion_circuit(cs, c.tree, leaf, blank_path(c.tree, c.leaves), root);
    root.inputize(cs);
    EXPECT_EQ(cs.num_constraints(), c.constraints);
    EXPECT_EQ(cs.num_inputs(), 3u);
  }
}

}  // namespace
}  // namespace cuzk
