#include "filecoin/inputs/write_inputs.hpp"

#include <charconv>

#include "filecoin/sector.hpp"

namespace cuzk {
namespace {

// How many rows of a path belong to the base, sub and top tree.
std::vector<size_t> parts_of(const TreeShape& tree, const MerklePath& path) {
  const size_t upper = (tree.sub_arity > 0 ? 1u : 0u) + (tree.top_arity > 0 ? 1u : 0u);
  std::vector<size_t> out = {path.size() - upper};
  out.insert(out.end(), upper, 1);
  return out;
}

class JsonWriter {
 public:
  explicit JsonWriter(const PorepInput& input) : input_(input), tree_(input.tree()) {}

  std::string run() {
    const bool registered = is_network_sector_size(input_.sector_bytes);
    if (registered) {
      const RegisteredSeal seal{input_.sector_bytes, input_.api, input_.variant};
      text("{\"registered_proof\":\"" + seal.name() + "\",\"vanilla_proofs\":{\"StackedDrg" +
           sector_size_name(input_.sector_bytes) + "V1\":");
    } else {
      text("{\"sector_size\":");
      number(input_.sector_bytes);
      text(",\"vanilla_proofs\":");
    }
    list(input_.partitions,
         [&](const auto& partition) { list(partition, [&](const auto& proof) { challenge(proof); }); });
    if (registered) text("}");
    field(",\"comm_r\":", input_.comm_r);
    field(",\"comm_d\":", input_.comm_d);
    field(",\"replica_id\":", input_.replica_id);
    field(",\"seed\":", input_.seed);
    field(",\"ticket\":", input_.ticket);
    text("}");
    return std::move(out_);
  }

 private:
  void text(std::string_view value) { out_ += value; }
  void number(uint64_t value) {
    char digits[20];
    out_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }
  template <class List, class Write>
  void list(const List& values, Write&& write) {
    char separator = '[';
    for (const auto& value : values) {
      out_ += separator;
      write(value);
      separator = ',';
    }
    if (separator == '[') out_ += '[';
    out_ += ']';
  }
  void bytes(Bytes value) {
    list(value, [&](uint8_t byte) { number(byte); });
  }
  void field(std::string_view name, const Bytes32& value) {
    text(name);
    bytes(value);
  }
  void element(const Fr& value) {
    uint8_t data[Fr::kBytes];
    value.to_le_bytes(data);
    bytes(data);
  }
  void elements(const std::vector<Fr>& values) {
    list(values, [&](const Fr& value) { element(value); });
  }

  void proof(const TreeShape& tree, const Fr& root, const Fr& leaf, const MerklePath& path) {
    static constexpr const char* kForms[] = {"Single", "Sub", "Top"};
    static constexpr const char* kParts[] = {"base_proof", "sub_proof", "top_proof"};
    const std::vector<size_t> parts = parts_of(tree, path);
    text("{\"data\":{\"");
    text(kForms[parts.size() - 1]);
    text("\":{");
    if (parts.size() == 1) ends(root, leaf);
    auto row = path.begin();
    for (size_t i = 0; i < parts.size(); ++i) {
      text(parts.size() == 1 || i > 0 ? ",\"" : "\"");
      text(parts.size() == 1 ? "path" : kParts[i]);
      text("\":{\"path\":");
      list(std::span(row, parts[i]), [&](const PathRow& r) {
        text("{\"hashes\":");
        elements(r.siblings);
        text(",\"index\":");
        number(r.index);
        text("}");
      });
      text("}");
      row += static_cast<ptrdiff_t>(parts[i]);
    }
    if (parts.size() > 1) {
      text(",");
      ends(root, leaf);
    }
    text("}}}");
  }
  void ends(const Fr& root, const Fr& leaf) {
    text("\"root\":");
    element(root);
    text(",\"leaf\":");
    element(leaf);
  }

  void column(const std::vector<Fr>& labels, const ColumnOpening& opening, const MerklePath& path) {
    text("{\"column\":{\"index\":");
    number(opening.node);
    text(",\"rows\":");
    elements(labels);
    text(",\"_h\":null},\"inclusion_proof\":");
    proof(tree_, opening.root, opening.leaf, path);
    text("}");
  }

  void label(const LabelProof& value) {
    text("{\"parents\":");
    elements(value.parents);
    text(",\"layer_index\":");
    number(value.layer);
    text(",\"node\":");
    number(value.node);
    text("}");
  }

  void parents(const PorepVanillaProof& p, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      text(i == begin ? "[" : ",");
      column(p.circuit.parents[i].labels, p.parents[i], p.circuit.parents[i].path);
    }
    text("]");
  }

  void challenge(const PorepVanillaProof& p) {
    text("{\"comm_d_proofs\":");
    proof(kBinarySha256Tree, p.data_root, p.circuit.data, p.circuit.data_path);
    text(",\"comm_r_last_proof\":");
    proof(tree_, p.replica_root, p.replica_leaf, p.circuit.replica_path);
    text(",\"replica_column_proofs\":{\"c_x\":");
    column(p.labels, p.column, p.circuit.column_path);
    text(",\"drg_parents\":");
    parents(p, 0, kDrgParents);
    text(",\"exp_parents\":");
    parents(p, kDrgParents, p.parents.size());
    text("},\"labeling_proofs\":");
    list(p.label_proofs, [&](const LabelProof& value) { label(value); });
    text(",\"encoding_proof\":");
    label(p.encoding);
    text("}");
  }

  const PorepInput& input_;
  const TreeShape tree_;
  std::string out_;
};

class BincodeWriter {
 public:
  void u64(uint64_t value) {
    out_.resize(out_.size() + 8);
    store_le64(out_.data() + out_.size() - 8, value);
  }
  void bytes(Bytes value) {
    for (uint8_t byte : value) out_.push_back(byte);
  }
  void element(const Fr& value) {
    uint8_t data[Fr::kBytes];
    value.to_le_bytes(data);
    bytes(data);
  }
  void elements(const std::vector<Fr>& values) {
    u64(values.size());
    for (const Fr& value : values) element(value);
  }
  void proof(const TreeShape& tree, const Fr& root, const Fr& leaf, const MerklePath& path) {
    const std::vector<size_t> parts = parts_of(tree, path);
    const auto variant = static_cast<uint8_t>(parts.size() - 1);
    bytes(std::array<uint8_t, 4>{variant, 0, 0, 0});
    if (variant == 0) {
      element(root);
      element(leaf);
    }
    auto row = path.begin();
    for (size_t count : parts) {
      u64(count);
      for (size_t i = 0; i < count; ++i, ++row) {
        elements(row->siblings);
        u64(row->index);
      }
    }
    if (variant == 0) return;
    element(root);
    element(leaf);
  }
  std::vector<uint8_t> take() { return std::move(out_); }

 private:
  std::vector<uint8_t> out_;
};

}  // namespace

std::string porep_input_to_json(const PorepInput& input) {
  return JsonWriter(input).run();
}

std::vector<uint8_t> post_sector_proof_to_bincode(const PostSectorProof& sector, uint64_t sector_bytes) {
  const TreeShape tree = sector_tree(sector_bytes);
  BincodeWriter out;
  out.u64(sector.sector_id);
  out.bytes(sector.comm_r);
  out.u64(1);
  out.u64(sector.circuit.leaves.size());
  for (size_t i = 0; i < sector.circuit.leaves.size(); ++i)
    out.proof(tree, sector.leaf_roots[i], sector.circuit.leaves[i].value, sector.circuit.leaves[i].path);
  out.element(sector.circuit.comm_c);
  out.element(sector.circuit.comm_r_last);
  return out.take();
}

std::vector<uint8_t> update_input_to_bincode(const UpdateInput& input) {
  const TreeShape tree = sector_tree(input.sector_bytes);
  BincodeWriter out;
  out.element(input.circuit.comm_c);
  out.elements(input.circuit.apex_leaves);
  out.u64(input.circuit.challenges.size());
  for (size_t i = 0; i < input.circuit.challenges.size(); ++i) {
    const UpdateChallenge& c = input.circuit.challenges[i];
    const UpdateInput::Challenge& repeated = input.challenges[i];
    out.proof(tree, repeated.root_r_old, c.leaf_r_old, c.path_r_old);
    out.proof(kBinarySha256Tree, repeated.root_d_new, c.leaf_d_new, c.path_d_new);
    out.proof(tree, repeated.root_r_new, repeated.leaf_r_new, c.path_r_new);
  }
  return out.take();
}

}  // namespace cuzk
