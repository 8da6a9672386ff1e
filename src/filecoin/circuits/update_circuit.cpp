#include "filecoin/circuits/update_circuit.hpp"

#include <array>
#include <bit>

#include "base/check.hpp"
#include "filecoin/merkle.hpp"
#include "filecoin/sector.hpp"
#include "gadgets/poseidon_circuit.hpp"
#include "gadgets/sha256_circuit.hpp"
#include "r1cs/compact_system.hpp"

namespace cuzk {
namespace {

size_t log2_of(uint64_t v) {
  return static_cast<size_t>(std::countr_zero(v));
}

AllocatedNum randomness(ConstraintSystem& cs, const AllocatedNum& a, const AllocatedNum& b) {
  return poseidon_circuit(cs, std::array{a, b}, PoseidonDomain::kRandomness);
}

// Sum of 2^i · bit i = number.
void enforce_decomposition(ConstraintSystem& cs, const Name& name, std::span<const Boolean> bits,
                           const AllocatedNum& number) {
  if (cs.compact() != nullptr) return;
  LinearCombination sum;
  for (size_t i = 0; i < bits.size(); ++i) bits[i].add_to(sum, powers_of_two()[i]);
  cs.enforce(name, sum, {kOne}, {number.variable});
}

// What a sector size decides.
struct Sizes {
  explicit Sizes(uint64_t sector_bytes)
      : tree(sector_tree(sector_bytes)),
        high_bits(update_high_bits(sector_bytes)),
        challenges(update_challenges_per_partition(sector_bytes)),
        challenge_bits(log2_of(sector_nodes(sector_bytes))),
        partition_bits(log2_of(update_partitions(sector_bytes))),
        apex_bits(log2_of(update_apex_leaves(sector_bytes))) {}

  TreeShape tree;
  std::array<uint32_t, 6> high_bits;
  size_t challenges, challenge_bits, partition_bits, apex_bits;
};

AllocatedNum apex_node(ConstraintSystem& cs, const AllocatedNum& left, const AllocatedNum& right) {
  CompactSystem* const compact = cs.compact();
  if (compact == nullptr) return sha256_hash2(cs, left, right);
  compact->leave([left, right](CompactSystem& later) { sha256_hash2(later, left, right); });
  return {kOne, merkle_node(TreeHash::kSha256, std::array{left.value, right.value})};
}

class HeaderCircuit {
 public:
  HeaderCircuit(ConstraintSystem& cs, const Sizes& sizes, const UpdateWitness& witness)
      : cs_(cs), w_(witness), sizes_(sizes) {}

  UpdateHeader run() {
    CUZK_CHECK(w_.challenges.size() == sizes_.challenges && w_.apex_leaves.size() == size_t{1}
                                                                                         << sizes_.apex_bits);
    public_inputs();
    h_.phi = randomness(*Scope(cs_, "phi"), comm_d_new_, comm_r_old_);
    private_inputs();
    apex_circuit(*Scope(cs_, "apex_gadget"), h_.apex_leaves, h_.partition_bits, partition_path_, comm_d_new_);
    h_.challenges = generate_challenges(*Scope(cs_, "gen_challenge_bits"));
    return std::move(h_);
  }

 private:
  AllocatedNum alloc(const Name& name, const Fr& value) {
    return AllocatedNum::alloc(*Scope(cs_, name), value);
  }

  void public_inputs() {
    const AllocatedNum packed = alloc("k_and_h_select", Fr::from_u64(w_.k_and_h_select));
    packed.inputize(*Scope(cs_, "k_and_h_select (public input)"));
    const size_t count = sizes_.partition_bits + sizes_.high_bits.size();
    PathBits bits(count);
    for (size_t i = 0; i < count; ++i)
      bits[i] =
          Boolean::alloc(*Scope(cs_, {"k_and_h_select_bit_{}", i}), ((w_.k_and_h_select >> i) & 1) != 0);
    enforce_decomposition(cs_, "k_and_h_select binary decomp", bits, packed);
    const std::span<const Boolean> all(bits);
    h_.partition_bits.append(all.first(sizes_.partition_bits));
    h_.select_bits.append(all.subspan(sizes_.partition_bits));
    partition_ = pack_bits(*Scope(cs_, "pack partition bits"), h_.partition_bits);
    comm_r_old_ = alloc("comm_r_old", w_.comm_r_old);
    comm_r_old_.inputize(*Scope(cs_, "comm_r_old_input"));
    comm_d_new_ = alloc("comm_d_new", w_.comm_d_new);
    comm_d_new_.inputize(*Scope(cs_, "comm_d_new_input"));
    comm_r_new_ = alloc("comm_r_new", w_.comm_r_new);
    comm_r_new_.inputize(*Scope(cs_, "comm_r_new_input"));
  }

  void private_inputs() {
    const AllocatedNum comm_c = alloc("comm_c", w_.comm_c);
    h_.root_r_old = alloc("root_r_old", w_.root_r_old);
    h_.root_r_new = alloc("root_r_new", w_.root_r_new);
    h_.apex_leaves.reserve(w_.apex_leaves.size());
    for (size_t i = 0; i < w_.apex_leaves.size(); ++i)
      h_.apex_leaves.push_back(alloc({"apex_leaf_{}", i}, w_.apex_leaves[i]));
    const MerklePath& path = w_.challenges[0].path_d_new;
    for (size_t i = 0; i < sizes_.partition_bits; ++i)
      partition_path_.push_back(alloc({"partition_path_sibling_{}", i},
                                      path[sizes_.challenge_bits - sizes_.partition_bits + i].siblings[0]));
    const AllocatedNum old_commitment =
        poseidon_circuit(*Scope(cs_, "comm_r_old_calc"), std::array{comm_c, h_.root_r_old});
    enforce_equal(cs_, "enforce comm_r_old_calc == comm_r_old", old_commitment, comm_r_old_);
    const AllocatedNum new_commitment =
        poseidon_circuit(*Scope(cs_, "comm_r_new_calc"), std::array{comm_c, h_.root_r_new});
    enforce_equal(cs_, "enforce comm_r_new_calc == comm_r_new", new_commitment, comm_r_new_);
  }

  // For each challenge its bits below the partition's: digests of comm_r_new and a counter, cut into pieces.
  std::vector<PathBits> generate_challenges(ConstraintSystem&) {
    const size_t bits = sizes_.challenge_bits - sizes_.partition_bits;
    const size_t per_digest = kPackedBits / bits;
    const size_t digests = (sizes_.challenges + per_digest - 1) / per_digest;
    std::vector<PathBits> generated;
    generated.reserve(sizes_.challenges);
    for (size_t j = 0; j < digests; ++j) {
      const Fr factor = Fr::from_u64(digests), offset = Fr::from_u64(j);
      const AllocatedNum index = alloc({"digest_index_{}", j}, partition_.value * factor + offset);
      cs_.enforce({"digest_index_{} == k * digests_per_partition + {}", j, j},
                  {{factor, partition_.variable}, {offset, kOne}}, {kOne}, {index.variable});
      const AllocatedNum digest = randomness(*Scope(cs_, {"digest_{}", j}), comm_r_new_, index);
      const Scope scope(cs_, {"digest_{}_bits", j});
      const Fr::Int value = cs_.wants_values() ? digest.value.to_canonical() : Fr::Int::zero();
      const NumberBits digest_bits = alloc_bits(cs_, value, Fr::kBits);
      enforce_decomposition(cs_, "binary decomp", digest_bits, digest);
      for (size_t i = 0; i < per_digest && generated.size() < sizes_.challenges; ++i)
        generated.emplace_back(std::span<const Boolean>(digest_bits).subspan(i * bits, bits));
    }
    return generated;
  }

  ConstraintSystem& cs_;
  const UpdateWitness& w_;
  const Sizes& sizes_;
  UpdateHeader h_;
  AllocatedNum partition_, comm_r_old_, comm_d_new_, comm_r_new_;
  PathNumbers partition_path_;
};

class ChallengeCircuit {
 public:
  ChallengeCircuit(ConstraintSystem& cs, const Sizes& sizes, const UpdateHeader& header)
      : cs_(cs), sizes_(sizes), h_(header) {}

  void run(size_t c, const UpdateChallenge& proof) {
    PathBits bits = h_.challenges[c];
    bits.append(h_.partition_bits);
    const AllocatedNum high = high_bits_of(*Scope(cs_, {"get_challenge_high_bits (c_index={})", c}), bits);
    const AllocatedNum rho = randomness(*Scope(cs_, {"rho (c_index={})", c}), h_.phi, high);
    const AllocatedNum leaf_r_old = alloc({"leaf_r_old (c_index={})", c}, proof.leaf_r_old);
    const AllocatedNum leaf_d_new = alloc({"leaf_d_new (c_index={})", c}, proof.leaf_d_new);
    const AllocatedNum leaf_r_new =
        encoded(*Scope(cs_, {"leaf_r_new (c_index={})", c}), leaf_r_old, leaf_d_new, rho);
    lies_in("path_r_old sibling (c_index={}, tree_row={}, sibling_index={})", "por tree_r_old (c_index={})",
            c, leaf_r_old, proof.path_r_old, h_.root_r_old, bits);
    lies_in("path_r_new sibling (c_index={}, tree_row={}, sibling_index={})", "por tree_r_new (c_index={})",
            c, leaf_r_new, proof.path_r_new, h_.root_r_new, bits);
    const size_t to_apex = sizes_.challenge_bits - sizes_.partition_bits - sizes_.apex_bits;
    const std::span<const Boolean> all(bits);
    const AllocatedNum apex_leaf = select(*Scope(cs_, {"select_apex_leaf (c_index={})", c}), h_.apex_leaves,
                                          all.subspan(to_apex, sizes_.apex_bits));
    run_apart(cs_, [c, to_apex, leaf_d_new, apex_leaf, bits, &path = proof.path_d_new](ConstraintSystem& cs) {
      PathNumbers path_d;
      for (size_t row = 0; row < to_apex; ++row)
        path_d.push_back(
            AllocatedNum::alloc(*Scope(cs, {"path_to_apex_leaf sibling (c_index={}, tree_row={})", c, row}),
                                path[row].siblings[0]));
      inclusion_circuit_of(*Scope(cs, {"por to_apex_leaf (c_index={})", c}), kBinarySha256Tree,
                           std::span<const Boolean>(bits).first(to_apex), leaf_d_new, path_d, apex_leaf);
    });
  }

 private:
  AllocatedNum alloc(const Name& name, const Fr& value) {
    return AllocatedNum::alloc(*Scope(cs_, name), value);
  }

  // The number of high bits that the select bits choose, as a number.
  AllocatedNum high_bits_of(ConstraintSystem&, std::span<const Boolean> bits) {
    Numbers candidates;
    for (size_t k = 0; k < sizes_.high_bits.size(); ++k) {
      const uint32_t h = sizes_.high_bits[k];
      const AllocatedNum high = pack_bits(*Scope(cs_, {"c_high (h={}, k={})", h, k}), bits.last(h));
      const Boolean& chosen = h_.select_bits[k];
      const AllocatedNum candidate =
          alloc({"c_high_or_zero (h={}, k={})", h, k}, chosen.value() ? high.value : Fr::zero());
      cs_.enforce({"c_high_or_zero == c_high * h_select_bit (h={}, k={})", h, k}, {high.variable},
                  {chosen.variable()}, {candidate.variable});
      candidates.push_back(candidate);
    }
    Fr sum = Fr::zero();
    SmallCombination<6> terms;
    for (const AllocatedNum& candidate : candidates) {
      sum += candidate.value;
      terms.push_back(candidate.variable);
    }
    const AllocatedNum selected = alloc("c_high_selected", sum);
    cs_.enforce("c_high_selected == dot(c_highs, h_select_bits)", terms, {kOne}, {selected.variable});
    return selected;
  }

  // The encoding of a node: old + data · rho.
  AllocatedNum encoded(ConstraintSystem&, const AllocatedNum& old_leaf, const AllocatedNum& data,
                       const AllocatedNum& rho) {
    const AllocatedNum scaled = multiply(*Scope(cs_, "label_d_new * rho"), data, rho);
    const AllocatedNum result = alloc("label_r_new", old_leaf.value + scaled.value);
    enforce_sum(cs_, "label_r_new == label_r_old + label_d_new * rho", old_leaf, scaled, result);
    return result;
  }

  // A leaf of a tree R, by its place's bits.
  void lies_in(const char* sibling_name, const char* name, size_t c, const AllocatedNum& leaf,
               const MerklePath& path, const AllocatedNum& root, const PathBits& bits) {
    run_apart(cs_, [=, &path, &root, tree = sizes_.tree](ConstraintSystem& cs) {
      PathNumbers siblings;
      for (size_t row = 0; row < path.size(); ++row)
        for (size_t i = 0; i < path[row].siblings.size(); ++i)
          siblings.push_back(
              AllocatedNum::alloc(*Scope(cs, {sibling_name, c, row, i}), path[row].siblings[i]));
      inclusion_circuit_of(*Scope(cs, {name, c}), tree, bits, leaf, siblings, root);
    });
  }

  ConstraintSystem& cs_;
  const Sizes& sizes_;
  const UpdateHeader& h_;
};

}  // namespace

void apex_circuit(ConstraintSystem& cs, std::vector<AllocatedNum> apex_leaves,
                  std::span<const Boolean> partition_bits, std::span<const AllocatedNum> partition_path,
                  const AllocatedNum& root) {
  std::vector<AllocatedNum> row = std::move(apex_leaves);
  for (size_t height = 0; row.size() > 1; ++height) {
    for (size_t i = 0; i < row.size() / 2; ++i) {
      const Scope scope(cs, {"apex_tree generation hash (tree_row={}, siblings={})", height, i});
      row[i] = apex_node(cs, row[2 * i], row[2 * i + 1]);
    }
    row.resize(row.size() / 2);
  }
  inclusion_circuit_of(*Scope(cs, "partition-tree por"), kBinarySha256Tree, partition_bits, row[0],
                       partition_path, root);
}

UpdateHeader update_header_circuit(ConstraintSystem& cs, uint64_t sector_bytes,
                                   const UpdateWitness& witness) {
  const Sizes sizes(sector_bytes);
  return HeaderCircuit(cs, sizes, witness).run();
}

void update_challenge_circuit(ConstraintSystem& cs, uint64_t sector_bytes, const UpdateHeader& header,
                              size_t number, const UpdateChallenge& challenge) {
  const Sizes sizes(sector_bytes);
  ChallengeCircuit(cs, sizes, header).run(number, challenge);
}

void update_circuit(ConstraintSystem& cs, uint64_t sector_bytes, const UpdateWitness& witness) {
  const UpdateHeader header = update_header_circuit(cs, sector_bytes, witness);
  for (size_t i = 0; i < witness.challenges.size(); ++i)
    update_challenge_circuit(cs, sector_bytes, header, i, witness.challenges[i]);
}

UpdateWitness blank_update_witness(uint64_t sector_bytes) {
  const Fr zero = Fr::zero();
  const uint64_t nodes = sector_nodes(sector_bytes);
  const MerklePath path_r = blank_path(sector_tree(sector_bytes), nodes);
  const UpdateChallenge challenge{zero, zero, path_r, blank_path(kBinarySha256Tree, nodes), path_r};
  UpdateWitness w{0, zero, zero, zero, zero, zero, zero, {}, {}};
  w.apex_leaves.assign(update_apex_leaves(sector_bytes), zero);
  w.challenges.assign(update_challenges_per_partition(sector_bytes), challenge);
  return w;
}

}  // namespace cuzk
