#include "filecoin/circuits/porep_circuit.hpp"

#include "base/check.hpp"
#include "filecoin/sector.hpp"
#include "gadgets/poseidon_circuit.hpp"
#include "gadgets/sha256_circuit.hpp"
#include "r1cs/compact_system.hpp"

namespace cuzk {
namespace {

// A number's bits as they enter labels.
std::vector<Boolean> label_bits(ConstraintSystem& cs, const AllocatedNum& number) {
  return reversed_in_bytes(to_bits(cs, number));
}

class ChallengeCircuit {
 public:
  ChallengeCircuit(ConstraintSystem& cs, const TreeShape& tree, const PorepChallenge& challenge)
      : cs_(cs), tree_(tree), challenge_(challenge) {}

  void run(const PorepHeader& header) {
    const AllocatedNum data = AllocatedNum::alloc(*Scope(cs_, "data_leaf"), challenge_.data);
    inclusion_circuit(*Scope(cs_, "comm_d_inclusion"), kBinarySha256Tree, data, challenge_.data_path,
                      header.comm_d);
    open_parents(header.comm_c);
    const std::vector<AllocatedNum> labels = recompute_labels(header.replica_id);
    const AllocatedNum encoded = encode(*Scope(cs_, "encode_node"), labels.back(), data);
    inclusion_circuit(*Scope(cs_, "comm_r_last_data_inclusion"), tree_, encoded, challenge_.replica_path,
                      header.comm_r_last);
    const AllocatedNum column = poseidon_circuit(*Scope(cs_, "c_x_column_hash"), labels);
    inclusion_circuit(*Scope(cs_, "c_x_inclusion"), tree_, column, challenge_.column_path, header.comm_c);
  }

 private:
  void open_parents(const AllocatedNum& comm_c) {
    CUZK_CHECK(challenge_.parents.size() == kDrgParents + kExpanderParents);
    if (CompactSystem* compact = cs_.compact()) {
      run_side_by_side(*compact, challenge_.parents.size(), [&](std::span<CompactSystem* const> systems) {
        open_parents_side_by_side(systems, comm_c);
      });
      return;
    }
    for (size_t i = 0; i < challenge_.parents.size(); ++i) {
      const bool base = i < kDrgParents;
      const size_t number = base ? i : i - kDrgParents;
      const PorepColumn& parent = challenge_.parents[i];
      std::vector<AllocatedNum> column(parent.labels.size());
      {
        const Scope scope(cs_, {base ? "drg_parent_{}_num" : "exp_parent_{}_num", number});
        const Scope inner(cs_, "column");
        for (size_t row = 0; row < column.size(); ++row)
          column[row] = AllocatedNum::alloc(*Scope(cs_, {"column_num_row_{}", row}), parent.labels[row]);
      }
      const AllocatedNum hash = poseidon_circuit(
          *Scope(cs_, {base ? "drg_parent_{}_constraint" : "exp_parent_{}_constraint", number}), column);
      inclusion_circuit(*Scope(cs_, {base ? "drg_parent_{}_inclusion" : "exp_parent_{}_inclusion", number}),
                        tree_, hash, parent.path, comm_c);
      columns_.push_back(std::move(column));
    }
  }

  void open_parents_side_by_side(std::span<CompactSystem* const> systems, const AllocatedNum& comm_c) {
    // One system alone counts; the labels are needed afterwards all the same.
    columns_.assign(challenge_.parents.size(), {});
    std::vector<const MerklePath*> paths;
    for (size_t i = 0; i < columns_.size(); ++i) {
      const PorepColumn& parent = challenge_.parents[i];
      paths.push_back(&parent.path);
      for (const Fr& label : parent.labels)
        columns_[i].push_back(i < systems.size() ? AllocatedNum::alloc(*systems[i], label)
                                                 : AllocatedNum{kOne, label});
    }
    inclusion_witnesses(systems, tree_, poseidon_witnesses(systems, columns_), paths, comm_c);
  }

  std::vector<AllocatedNum> recompute_labels(std::span<const Boolean> replica_id) {
    const std::vector<Boolean> node = alloc_u64(*Scope(cs_, "challenge"), challenge_.node);
    pack_into_inputs(*Scope(cs_, "challenge input"), node);
    const size_t layers = columns_[0].size();
    std::vector<AllocatedNum> labels;
    for (size_t layer = 1; layer <= layers; ++layer) {
      const Scope scope(cs_, {"labeling_{}", layer});
      // Base parents lie in the same layer, expander parents in the one before; the first layer has none.
      std::vector<std::vector<Boolean>> parents;
      for (size_t i = 0; i < (layer == 1 ? kDrgParents : columns_.size()); ++i) {
        const bool base = i < kDrgParents;
        const AllocatedNum& label = columns_[i][base ? layer - 1 : layer - 2];
        parents.push_back(
            label_bits(*Scope(cs_, {base ? "drg_parent_{}_bits" : "exp_parent_{}_bits", i}), label));
      }
      std::vector<const std::vector<Boolean>*> repeated;
      for (size_t i = 0; i < kLabelParents; ++i) repeated.push_back(&parents[i % parents.size()]);
      labels.push_back(create_label_circuit(*Scope(cs_, "create_label"), replica_id, repeated,
                                            static_cast<uint32_t>(layer), node));
    }
    return labels;
  }

  ConstraintSystem& cs_;
  const TreeShape& tree_;
  const PorepChallenge& challenge_;
  std::vector<std::vector<AllocatedNum>> columns_;
};

}  // namespace

AllocatedNum create_label_circuit(ConstraintSystem& cs, std::span<const Boolean> replica_id,
                                  std::span<const std::vector<Boolean>* const> parents, uint32_t layer,
                                  std::span<const Boolean> node) {
  CUZK_CHECK(replica_id.size() == 256 && node.size() == 64);
  std::vector<Boolean> preimage(replica_id.begin(), replica_id.end());
  preimage.reserve(512 + 256 * parents.size());
  for (size_t i = 32; i-- > 0;) preimage.push_back(Boolean::constant(((layer >> i) & 1) != 0));
  preimage.insert(preimage.end(), node.rbegin(), node.rend());
  preimage.resize(512);
  for (const std::vector<Boolean>* parent : parents) {
    CUZK_CHECK(parent->size() == 256);
    preimage.insert(preimage.end(), parent->begin(), parent->end());
  }
  const std::vector<Boolean> digest = sha256_circuit(*Scope(cs, "hash"), preimage);
  return pack_bits(*Scope(cs, "result_num"), reversed_in_bytes(digest));
}

PorepHeader porep_header_circuit(ConstraintSystem& cs, const PorepCommitments& commitments) {
  PorepHeader header;
  const AllocatedNum replica_id = AllocatedNum::alloc(*Scope(cs, "replica_id"), commitments.replica_id);
  replica_id.inputize(*Scope(cs, "replica_id_input"));
  header.replica_id = label_bits(*Scope(cs, "replica_id_bits"), replica_id);
  header.comm_d = AllocatedNum::alloc(*Scope(cs, "comm_d"), commitments.comm_d);
  header.comm_d.inputize(*Scope(cs, "comm_d_input"));
  const AllocatedNum comm_r = AllocatedNum::alloc(*Scope(cs, "comm_r"), commitments.comm_r);
  comm_r.inputize(*Scope(cs, "comm_r_input"));
  header.comm_r_last = AllocatedNum::alloc(*Scope(cs, "comm_r_last"), commitments.comm_r_last);
  header.comm_c = AllocatedNum::alloc(*Scope(cs, "comm_c"), commitments.comm_c);
  const AllocatedNum hash =
      poseidon_circuit(*Scope(cs, "H_comm_c_comm_r_last"), std::array{header.comm_c, header.comm_r_last});
  enforce_equal(cs, "enforce comm_r = H(comm_c || comm_r_last)", comm_r, hash);
  return header;
}

void porep_challenge_circuit(ConstraintSystem& cs, const TreeShape& tree, const PorepHeader& header,
                             size_t number, const PorepChallenge& challenge) {
  const Scope scope(cs, {"challenge_{}", number});
  ChallengeCircuit(cs, tree, challenge).run(header);
}

void porep_circuit(ConstraintSystem& cs, const TreeShape& tree, const PorepCommitments& commitments,
                   std::span<const PorepChallenge* const> challenges) {
  const PorepHeader header = porep_header_circuit(cs, commitments);
  for (size_t i = 0; i < challenges.size(); ++i) porep_challenge_circuit(cs, tree, header, i, *challenges[i]);
}

PorepChallenge blank_porep_challenge(const TreeShape& tree, uint64_t nodes, uint32_t layers) {
  PorepChallenge challenge;
  challenge.data = Fr::zero();
  challenge.data_path = blank_path(kBinarySha256Tree, nodes);
  challenge.replica_path = challenge.column_path = blank_path(tree, nodes);
  const PorepColumn column{std::vector<Fr>(layers, Fr::zero()), challenge.column_path};
  challenge.parents.assign(kDrgParents + kExpanderParents, column);
  return challenge;
}

}  // namespace cuzk
