// Counts that upstream's own tests pin: rust-fil-proofs 87348a74, storage-proofs-core (por_circuit,
// insertion, select, util), filecoin-hashers (poseidon), storage-proofs-porep (create_label, hash,
// stacked_circuit), -post (fallback_circuit), -update (circuit).
#include <gtest/gtest.h>

#include "filecoin/circuit_digest.hpp"
#include "filecoin/circuits/porep_circuit.hpp"
#include "filecoin/circuits/post_circuit.hpp"
#include "filecoin/circuits/update_circuit.hpp"
#include "filecoin/sector.hpp"
#include "gadgets/poseidon_circuit.hpp"
#include "gadgets/sha256_circuit.hpp"

namespace cuzk {
namespace {

AllocatedNum zero(ConstraintSystem& cs) {
  return {cs.alloc("num", Fr::zero()), Fr::zero()};
}

std::vector<AllocatedNum> zeros(ConstraintSystem& cs, size_t count) {
  std::vector<AllocatedNum> out;
  while (out.size() < count) out.push_back(zero(cs));
  return out;
}

constexpr TreeShape poseidon(uint32_t base, uint32_t sub = 0, uint32_t top = 0) {
  return {TreeHash::kPoseidon, base, sub, top};
}

uint64_t base_trees(const TreeShape& tree) {
  return std::max(tree.sub_arity, 1u) * std::max(tree.top_arity, 1u);
}

// A path over 64 leaves a base tree, the root private: one constraint less than with a public one.
uint64_t inclusion(const TreeShape& tree) {
  DigestSystem cs;
  const AllocatedNum leaf = zero(cs), root = zero(cs);
  inclusion_circuit(cs, tree, leaf, blank_path(tree, 64 * base_trees(tree)), root);
  EXPECT_EQ(cs.num_inputs(), 2u);
  return cs.num_constraints();
}

TEST(UpstreamCounts, Inclusion) {
  EXPECT_EQ(inclusion(poseidon(2)), 1886u);
  EXPECT_EQ(inclusion(poseidon(4)), 1163u);
  EXPECT_EQ(inclusion(poseidon(8)), 1062u);
  EXPECT_EQ(inclusion(poseidon(8, 2)), 1377u - 1);
  EXPECT_EQ(inclusion(poseidon(8, 4, 2)), 1764u - 1);
  EXPECT_EQ(inclusion(poseidon(8, 8)), 1593u - 1);
  EXPECT_EQ(inclusion(poseidon(8, 8, 2)), 1907u - 1);
  EXPECT_EQ(inclusion(poseidon(8, 2, 4)), 1764u - 1);
  EXPECT_EQ(inclusion(kBinarySha256Tree), 272295u - 1);
}

TEST(UpstreamCounts, InsertionAndSelection) {
  for (size_t size : {2, 4, 8, 16}) {
    const auto bits = static_cast<size_t>(std::countr_zero(size));
    DigestSystem cs;
    const NumberBits index = alloc_bits(cs, Fr::Int{}, bits);
    const AllocatedNum element = zero(cs);
    (void)insert(cs, element, index, zeros(cs, size - 1));
    EXPECT_EQ(cs.num_constraints() - bits, size == 8 ? 22 : size == 4 ? 8 : size * (size - 1)) << size;
    DigestSystem other;
    const NumberBits place = alloc_bits(other, Fr::Int{}, bits);
    (void)select(other, zeros(other, size), place);
    EXPECT_EQ(other.num_constraints() - bits, size - 1) << size;
  }
}

TEST(UpstreamCounts, Hashes) {
  for (const auto& [arity, count] :
       {std::pair{2, 311}, {4, 377}, {8, 505}, {11, 598}, {16, 761}, {24, 1009}, {36, 1385}}) {
    DigestSystem cs;
    (void)poseidon_circuit(cs, zeros(cs, static_cast<size_t>(arity)));
    EXPECT_EQ(cs.num_constraints(), static_cast<uint64_t>(count)) << arity;
  }
  DigestSystem md;
  (void)poseidon_md_circuit(md, zeros(md, 71));
  EXPECT_EQ(md.num_constraints(), 2770u);

  DigestSystem leaf;  // hash_leaf_bits: both leaves as bits
  InlineVector<Boolean, 512> bits(alloc_bits(leaf, Fr::Int{}, 256));
  bits.append(alloc_bits(leaf, Fr::Int{}, 256));
  (void)pack_bits(leaf, reversed_in_bytes(sha256_circuit(leaf, bits)));
  EXPECT_EQ(leaf.num_constraints(), 45387u);
}

TEST(UpstreamCounts, CreateLabel) {
  DigestSystem cs;
  const NumberBits replica_id = alloc_bits(cs, Fr::Int{}, 256);
  const std::vector<Boolean> node(64, Boolean::constant(false));
  std::vector<NumberBits> parents;
  for (size_t i = 0; i < kLabelParents; ++i) parents.push_back(alloc_bits(cs, Fr::Int{}, 256));
  std::vector<const NumberBits*> all;
  for (const auto& parent : parents) all.push_back(&parent);
  (void)create_label_circuit(cs, replica_id, all, 1, node);
  EXPECT_EQ(cs.num_constraints(), 532025u);
}

// Eight nodes a base tree, two layers, one challenge.
uint64_t stacked(const TreeShape& tree) {
  DigestSystem cs;
  const uint64_t nodes = 8 * base_trees(tree);
  const PorepChallenge challenge = blank_porep_challenge(tree, nodes, 2);
  const Fr zero_value = Fr::zero();
  porep_circuit(cs, tree, {zero_value, zero_value, zero_value, zero_value, zero_value},
                std::array{&challenge});
  EXPECT_EQ(cs.num_inputs(), 22u);
  return cs.num_constraints();
}

TEST(UpstreamCounts, StackedDrg) {
  EXPECT_EQ(stacked(poseidon(2)), 1206212u);
  EXPECT_EQ(stacked(poseidon(8)), 1199620u);
  EXPECT_EQ(stacked(poseidon(8, 4)), 1296576u);
  EXPECT_EQ(stacked(poseidon(8, 4, 2)), 1346982u);
}

uint64_t fallback(const TreeShape& tree, uint64_t leaves, uint32_t challenges, size_t sectors) {
  DigestSystem cs;
  const PostSector sector = blank_post_sector(tree, leaves, challenges);
  post_circuit(cs, tree, std::vector<PostCircuitSector>(sectors, sector));
  EXPECT_EQ(cs.num_inputs(), 1 + sectors * (1 + challenges));
  return cs.num_constraints();
}

TEST(UpstreamCounts, FallbackPost) {
  EXPECT_EQ(fallback(poseidon(8), 64, 5, 3), 16869u);
  EXPECT_EQ(fallback(poseidon(8, 4), 64 * 4, 5, 3), 22674u);
  EXPECT_EQ(fallback(poseidon(8, 4, 2), 64 * 8, 5, 3), 27384u);
  EXPECT_EQ(fallback(poseidon(8), 64, 5, 2), 11246u);
  EXPECT_EQ(fallback(poseidon(8), uint64_t{1} << 30, 10, 5), 266665u);
}

uint64_t apex(size_t leaves, size_t partition_bits) {
  DigestSystem cs;
  const auto bits = alloc_bits(cs, Fr::Int{}, partition_bits);
  apex_circuit(cs, zeros(cs, leaves), bits, zeros(cs, partition_bits), zero(cs));
  return cs.num_constraints() - partition_bits;  // their own constraints are not the gadget's
}

TEST(UpstreamCounts, ApexOfAnUpdate) {
  EXPECT_EQ(apex(8, 0), 317654u);
  EXPECT_EQ(apex(128, 1), 5808515u);  // 16 and 32 KiB
  EXPECT_EQ(apex(16, 2), 771448u);
  EXPECT_EQ(apex(8, 3), 453797u);
}

// Counts the constraints in one of the outermost namespaces.
class CountIn final : public ConstraintSystem {
 public:
  explicit CountIn(std::string name) : ConstraintSystem(false), name_(std::move(name)) {}
  Variable alloc(const Name&, const Fr&) override { return Variable::aux(aux_++); }
  Variable alloc_input(const Name&, const Fr&) override { return Variable::input(inputs_++); }
  void enforce(const Name&, LinearTerms, LinearTerms, LinearTerms) override { count_ += inside_ ? 1 : 0; }
  void push(const Name& name) override {
    if (depth_++ == 0) inside_ = name.to_string() == name_;
  }
  void pop() override {
    if (--depth_ == 0) inside_ = false;
  }
  uint64_t count() const { return count_; }

 private:
  std::string name_;
  size_t depth_ = 0, inputs_ = 1, aux_ = 0;
  bool inside_ = false;
  uint64_t count_ = 0;
};

TEST(UpstreamCounts, ChallengeBitsOfAnUpdate) {
  for (const auto& [bytes, count] : {std::pair{1 * kKiB, 568u},
                                     {2 * kKiB, 568u},
                                     {4 * kKiB, 568u},
                                     {8 * kKiB, 568u},
                                     {16 * kKiB, 568u},
                                     {32 * kKiB, 568u},
                                     {8 * kMiB, 568u},
                                     {512 * kMiB, 4544u},
                                     {32 * kGiB, 5680u},
                                     {64 * kGiB, 5680u}}) {
    CountIn cs("gen_challenge_bits");
    update_header_circuit(cs, bytes, blank_update_witness(bytes));
    EXPECT_EQ(cs.count(), count) << bytes;
  }
}

uint64_t update(uint64_t bytes) {
  DigestSystem cs;
  update_circuit(cs, bytes, blank_update_witness(bytes));
  return cs.num_constraints();
}

TEST(UpstreamCounts, EmptySectorUpdate) {
  EXPECT_EQ(update(1 * kKiB), 1248389u);
  EXPECT_EQ(update(2 * kKiB), 1705039u);
  EXPECT_EQ(update(4 * kKiB), 2165109u);
  EXPECT_EQ(update(8 * kKiB), 2620359u);
  EXPECT_EQ(update(16 * kKiB), 6300021u);
  EXPECT_EQ(update(32 * kKiB), 6760091u);
}

}  // namespace
}  // namespace cuzk
