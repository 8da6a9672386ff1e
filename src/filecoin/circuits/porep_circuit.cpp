#include "filecoin/circuits/porep_circuit.hpp"

#include <array>

#include "base/check.hpp"
#include "filecoin/labels.hpp"
#include "filecoin/sector.hpp"
#include "gadgets/poseidon_circuit.hpp"
#include "gadgets/sha256_circuit.hpp"
#include "r1cs/compact_system.hpp"

namespace cuzk {
namespace {

// A number's bits as they enter labels.
NumberBits label_bits(ConstraintSystem& cs, const AllocatedNum& number) {
  return reversed_in_bytes(to_bits(cs, number));
}

constexpr size_t kParents = kDrgParents + kExpanderParents;

// Opens one parent's column; returns its labels.
Numbers parent_circuit(ConstraintSystem& cs, const TreeShape& tree, size_t i, const PorepColumn& parent,
                       const AllocatedNum& comm_c) {
  const bool base = i < kDrgParents;
  const size_t number = base ? i : i - kDrgParents;
  Numbers column(parent.labels.size());
  {
    const Scope scope(cs, {base ? "drg_parent_{}_num" : "exp_parent_{}_num", number});
    const Scope inner(cs, "column");
    for (size_t row = 0; row < column.size(); ++row)
      column[row] = AllocatedNum::alloc(*Scope(cs, {"column_num_row_{}", row}), parent.labels[row]);
  }
  const AllocatedNum hash = poseidon_circuit(
      *Scope(cs, {base ? "drg_parent_{}_constraint" : "exp_parent_{}_constraint", number}), column);
  inclusion_circuit(*Scope(cs, {base ? "drg_parent_{}_inclusion" : "exp_parent_{}_inclusion", number}), tree,
                    hash, parent.path, comm_c);
  return column;
}

// The same for up to kSideBySide parents, each on its own system. parents may be more than systems.
void parent_witnesses(std::span<CompactSystem* const> systems, const TreeShape& tree,
                      std::span<const PorepColumn> parents, const AllocatedNum& comm_c) {
  SideBySide<Numbers> columns(systems.size());
  SideBySide<const MerklePath*> paths;
  for (size_t i = 0; i < systems.size(); ++i) {
    paths.push_back(&parents[i].path);
    for (const Fr& label : parents[i].labels) columns[i].push_back(AllocatedNum::alloc(*systems[i], label));
  }
  inclusion_witnesses(systems, tree, poseidon_witnesses(systems, columns), paths, comm_c);
}

// By node: a label in each layer.
using Columns = InlineVector<Numbers, kParents>;
// Labels that a label is made of.
using ParentLabels = InlineVector<AllocatedNum, kParents>;
using NodeBits = std::array<Boolean, 64>;

// The challenged node's number, a public input.
NodeBits challenged_node(ConstraintSystem& cs, const PorepChallenge& challenge) {
  const NodeBits node = alloc_u64(*Scope(cs, "challenge"), challenge.node);
  pack_into_inputs(*Scope(cs, "challenge input"), node);
  return node;
}

// The labels that a label in this layer is made of: base parents' in the same layer, expander parents' in the
// one before; the first layer has none of these.
ParentLabels parent_labels(const Columns& columns, size_t layer) {
  ParentLabels labels;
  for (size_t i = 0; i < (layer == 1 ? kDrgParents : columns.size()); ++i)
    labels.push_back(columns[i][i < kDrgParents ? layer - 1 : layer - 2]);
  return labels;
}

// The label of a challenged node in one layer, from its parents' columns.
AllocatedNum label_circuit(ConstraintSystem& cs, size_t layer, std::span<const Boolean> replica_id,
                           std::span<const Boolean> node, const Columns& columns) {
  const Scope scope(cs, {"labeling_{}", layer});
  InlineVector<NumberBits, kParents> parents;
  for (const AllocatedNum& label : parent_labels(columns, layer)) {
    const size_t i = parents.size();
    parents.push_back(
        label_bits(*Scope(cs, {i < kDrgParents ? "drg_parent_{}_bits" : "exp_parent_{}_bits", i}), label));
  }
  std::array<const NumberBits*, kLabelParents> repeated;
  for (size_t i = 0; i < kLabelParents; ++i) repeated[i] = &parents[i % parents.size()];
  return create_label_circuit(*Scope(cs, "create_label"), replica_id, repeated, static_cast<uint32_t>(layer),
                              node);
}

// That the encoded data lies in tree R.
void replica_circuit(ConstraintSystem& cs, const TreeShape& tree, const PorepHeader& header,
                     const PorepChallenge& challenge, const AllocatedNum& label, const AllocatedNum& data) {
  const AllocatedNum encoded = encode(*Scope(cs, "encode_node"), label, data);
  inclusion_circuit(*Scope(cs, "comm_r_last_data_inclusion"), tree, encoded, challenge.replica_path,
                    header.comm_r_last);
}

// That the column of the labels lies in tree C.
void column_circuit(ConstraintSystem& cs, const TreeShape& tree, const PorepHeader& header,
                    const PorepChallenge& challenge, std::span<const AllocatedNum> labels) {
  const AllocatedNum column = poseidon_circuit(*Scope(cs, "c_x_column_hash"), labels);
  inclusion_circuit(*Scope(cs, "c_x_inclusion"), tree, column, challenge.column_path, header.comm_c);
}

// What parent_circuit() returns, without its witness.
Columns column_values(const PorepChallenge& challenge) {
  Columns columns;
  for (const PorepColumn& parent : challenge.parents) {
    columns.push_back({});
    for (const Fr& label : parent.labels) columns.back().push_back({kOne, label});
  }
  return columns;
}

// What label_circuit() returns, without its witness.
AllocatedNum label_value(size_t layer, const PorepHeader& header, uint64_t node, const Columns& columns) {
  InlineVector<Fr, kParents> parents;
  for (const AllocatedNum& label : parent_labels(columns, layer)) parents.push_back(label.value);
  return {kOne,
          node_label(header.replica_id_bytes, static_cast<uint32_t>(layer), node, repeated_parents(parents))};
}

// The challenge's part from its parents on, where all of it can be left for later.
void leave_challenge(CompactSystem& compact, const TreeShape& tree, const PorepHeader& header,
                     const PorepChallenge& challenge, const AllocatedNum& data) {
  const std::span<const PorepColumn> parents(challenge.parents);
  leave_side_by_side(compact, parents, [&tree, &header](auto systems, auto some) {
    parent_witnesses(systems, tree, some, header.comm_c);
  });
  const NodeBits node = challenged_node(compact, challenge);
  const size_t layers = parents[0].labels.size();
  for (size_t layer = 1; layer <= layers; ++layer)
    compact.leave([layer, node, &header, &challenge](CompactSystem& cs) {
      label_circuit(cs, layer, header.replica_id, node, column_values(challenge));
    });
  compact.leave([layers, data, &tree, &header, &challenge](CompactSystem& cs) {
    const AllocatedNum label = label_value(layers, header, challenge.node, column_values(challenge));
    replica_circuit(cs, tree, header, challenge, label, data);
  });
  compact.leave([layers, &tree, &header, &challenge](CompactSystem& cs) {
    Numbers labels;
    const Columns columns = column_values(challenge);
    for (size_t layer = 1; layer <= layers; ++layer)
      labels.push_back(label_value(layer, header, challenge.node, columns));
    column_circuit(cs, tree, header, challenge, labels);
  });
}

void challenge_circuit(ConstraintSystem& cs, const TreeShape& tree, const PorepHeader& header,
                       const PorepChallenge& challenge) {
  CUZK_CHECK(challenge.parents.size() == kParents);
  const AllocatedNum data = AllocatedNum::alloc(*Scope(cs, "data_leaf"), challenge.data);
  run_apart(cs, [data, &header, &challenge](ConstraintSystem& system) {
    inclusion_circuit(*Scope(system, "comm_d_inclusion"), kBinarySha256Tree, data, challenge.data_path,
                      header.comm_d);
  });
  if (CompactSystem* compact = cs.compact()) return leave_challenge(*compact, tree, header, challenge, data);
  Columns columns;
  for (size_t i = 0; i < challenge.parents.size(); ++i)
    columns.push_back(parent_circuit(cs, tree, i, challenge.parents[i], header.comm_c));
  const NodeBits node = challenged_node(cs, challenge);
  Numbers labels;
  for (size_t layer = 1; layer <= columns[0].size(); ++layer)
    labels.push_back(label_circuit(cs, layer, header.replica_id, node, columns));
  replica_circuit(cs, tree, header, challenge, labels.back(), data);
  column_circuit(cs, tree, header, challenge, labels);
}

}  // namespace

AllocatedNum create_label_circuit(ConstraintSystem& cs, std::span<const Boolean> replica_id,
                                  std::span<const NumberBits* const> parents, uint32_t layer,
                                  std::span<const Boolean> node) {
  CUZK_CHECK(replica_id.size() == 256 && node.size() == 64);
  InlineVector<Boolean, 512 + 256 * kLabelParents> preimage(replica_id);
  for (size_t i = 32; i-- > 0;) preimage.push_back(Boolean::constant(((layer >> i) & 1) != 0));
  for (size_t i = node.size(); i-- > 0;) preimage.push_back(node[i]);
  preimage.resize(512);
  for (const NumberBits* parent : parents) {
    CUZK_CHECK(parent->size() == 256);
    preimage.append(*parent);
  }
  const NumberBits digest = sha256_circuit(*Scope(cs, "hash"), preimage);
  return pack_bits(*Scope(cs, "result_num"), reversed_in_bytes(digest));
}

PorepHeader porep_header_circuit(ConstraintSystem& cs, const PorepCommitments& commitments) {
  PorepHeader header;
  const AllocatedNum replica_id = AllocatedNum::alloc(*Scope(cs, "replica_id"), commitments.replica_id);
  replica_id.inputize(*Scope(cs, "replica_id_input"));
  header.replica_id = label_bits(*Scope(cs, "replica_id_bits"), replica_id);
  commitments.replica_id.to_le_bytes(header.replica_id_bytes.data());
  header.comm_d = AllocatedNum::alloc(*Scope(cs, "comm_d"), commitments.comm_d);
  header.comm_d.inputize(*Scope(cs, "comm_d_input"));
  const AllocatedNum comm_r = AllocatedNum::alloc(*Scope(cs, "comm_r"), commitments.comm_r);
  comm_r.inputize(*Scope(cs, "comm_r_input"));
  header.comm_r_last = AllocatedNum::alloc(*Scope(cs, "comm_r_last"), commitments.comm_r_last);
  header.comm_c = AllocatedNum::alloc(*Scope(cs, "comm_c"), commitments.comm_c);
  run_apart(cs, [comm_r, comm_c = header.comm_c, last = header.comm_r_last](ConstraintSystem& system) {
    const AllocatedNum hash =
        poseidon_circuit(*Scope(system, "H_comm_c_comm_r_last"), std::array{comm_c, last});
    enforce_equal(system, "enforce comm_r = H(comm_c || comm_r_last)", comm_r, hash);
  });
  return header;
}

void porep_challenge_circuit(ConstraintSystem& cs, const TreeShape& tree, const PorepHeader& header,
                             size_t number, const PorepChallenge& challenge) {
  const Scope scope(cs, {"challenge_{}", number});
  challenge_circuit(cs, tree, header, challenge);
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
