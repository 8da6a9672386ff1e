#include <algorithm>
#include <bit>

#include "filecoin/challenges.hpp"
#include "filecoin/gen/generate.hpp"
#include "filecoin/gen/seeded_values.hpp"
#include "filecoin/gen/sparse_tree.hpp"
#include "filecoin/sector.hpp"
#include "hash/poseidon.hpp"

namespace cuzk {
namespace {

constexpr uint64_t kPeriod = 8;

unsigned log2_of(uint64_t value) {
  return static_cast<unsigned>(std::countr_zero(value));
}

class UpdateGenerator {
 public:
  UpdateGenerator(uint64_t sector_bytes, uint64_t seed)
      : values_(seed),
        sector_bytes_(sector_bytes),
        nodes_(sector_nodes(sector_bytes)),
        node_bits_(log2_of(nodes_)),
        partition_bits_(log2_of(update_partitions(sector_bytes))),
        apex_bits_(log2_of(update_apex_leaves(sector_bytes))),
        high_bits_(update_high_bits(sector_bytes)[kUpdateHighBitsIndex]),
        // A region lies below one apex leaf, if there are enough leaves, and has one encoding.
        region_bits_(
            std::min(std::max(partition_bits_ + apex_bits_, high_bits_), node_bits_ - log2_of(kPeriod))),
        old_(tree(), nodes_, region_leaves(), kPeriod,
             [this](uint64_t r, uint64_t i) { return old_leaf(r, i); }),
        data_(kBinarySha256Tree, nodes_, region_leaves(), kPeriod,
              [this](uint64_t r, uint64_t i) { return data_leaf(r, i); }),
        new_(tree(), nodes_, region_leaves(), kPeriod,
             [this](uint64_t r, uint64_t i) { return old_leaf(r, i) + data_leaf(r, i) * rho_[r]; }) {}

  UpdateInputs run() {
    comm_c_ = values_.element("comm_c");
    const Fr comm_r_old = poseidon_hash(std::array{comm_c_, old_.root()});
    make_encodings(poseidon_hash(std::array{data_.root(), comm_r_old}, PoseidonDomain::kRandomness));
    const Fr comm_r_new = poseidon_hash(std::array{comm_c_, new_.root()});
    UpdateInputs out;
    out.statement.sector_bytes = sector_bytes_;
    comm_r_old.to_le_bytes(out.statement.comm_r_old.data());
    data_.root().to_le_bytes(out.statement.comm_d_new.data());
    comm_r_new.to_le_bytes(out.statement.comm_r_new.data());
    for (uint32_t k = 0; k < update_partitions(sector_bytes_); ++k)
      out.partitions.push_back(partition(out.statement, k, comm_r_old, comm_r_new));
    return out;
  }

 private:
  TreeShape tree() const { return sector_tree(sector_bytes_); }
  uint64_t region_leaves() const { return nodes_ >> region_bits_; }
  Fr old_leaf(uint64_t region, uint64_t place) const { return values_.element("old", region, place); }
  Fr data_leaf(uint64_t region, uint64_t place) const { return values_.element("data", region, place); }

  void make_encodings(const Fr& phi) {
    for (uint64_t region = 0; region < uint64_t{1} << region_bits_; ++region) {
      const uint64_t high = region >> (region_bits_ - high_bits_);
      if (region == high << (region_bits_ - high_bits_))
        rho_.push_back(poseidon_hash(std::array{phi, Fr::from_u64(high)}, PoseidonDomain::kRandomness));
      else
        rho_.push_back(rho_.back());
    }
  }

  UpdateInput partition(const UpdatePublic& statement, uint32_t k, const Fr& comm_r_old,
                        const Fr& comm_r_new) {
    UpdateInput out{
        sector_bytes_, k, statement.comm_r_old, statement.comm_d_new, statement.comm_r_new, {}, {}};
    UpdateWitness& w = out.circuit;
    w.k_and_h_select = update_k_and_h_select(sector_bytes_, k);
    w.comm_r_old = comm_r_old;
    w.comm_d_new = data_.root();
    w.comm_r_new = comm_r_new;
    w.comm_c = comm_c_;
    w.root_r_old = old_.root();
    w.root_r_new = new_.root();
    const uint64_t apex_leaves = update_apex_leaves(sector_bytes_);
    for (uint64_t i = 0; i < apex_leaves; ++i)
      w.apex_leaves.push_back(data_.node(node_bits_ - partition_bits_ - apex_bits_, k * apex_leaves + i));
    for (uint64_t node : update_challenges(sector_bytes_, comm_r_new, k)) {
      MerkleProof r_old = old_.proof(node), d_new = data_.proof(node), r_new = new_.proof(node);
      out.challenges.push_back({r_old.root, d_new.root, r_new.root, r_new.leaf});
      w.challenges.push_back(
          {r_old.leaf, d_new.leaf, std::move(r_old.path), std::move(d_new.path), std::move(r_new.path)});
    }
    return out;
  }

  const SeededValues values_;
  const uint64_t sector_bytes_, nodes_;
  const unsigned node_bits_, partition_bits_, apex_bits_, high_bits_, region_bits_;
  RepeatingTree old_, data_, new_;
  Fr comm_c_;
  std::vector<Fr> rho_;  // of each region
};

}  // namespace

UpdateInputs generate_update(uint64_t sector_bytes, uint64_t seed) {
  return UpdateGenerator(sector_bytes, seed).run();
}

ProofInput generate_input(const CircuitId& circuit, uint64_t seed, Executor& executor) {
  const uint64_t bytes = circuit.sector_bytes;
  switch (circuit.kind) {
    case ProofKind::kPorep:
      return ProofInput(generate_porep(bytes, seed, executor));
    case ProofKind::kWinning:
      return ProofInput(generate_winning(bytes, seed, executor));
    case ProofKind::kWindow:
      return ProofInput(generate_window(bytes, window_sectors_per_partition(bytes), seed, executor));
    default:
      return ProofInput(generate_update(bytes, seed));
  }
}

}  // namespace cuzk
