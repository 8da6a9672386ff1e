// What a CUDA card holds of a circuit and its key.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "device/cuda/arena.hpp"
#include "device/cuda/evaluate.hpp"
#include "device/cuda/heap.hpp"
#include "device/cuda/lane.hpp"
#include "device/cuda/msm.hpp"
#include "device/device.hpp"

namespace cuzk::gpu {

// A circuit's matrices on the card.
class CudaMatrices final : public DeviceMatrices {
 public:
  static MemoryPlan plan(const ProofShape& shape);
  static Result<std::unique_ptr<CudaMatrices>> load(std::shared_ptr<const R1cs> circuit,
                                                    std::shared_ptr<DeviceHeap> heap, Lane& lane);

  const R1cs& circuit() const { return *circuit_; }
  // Matrix 0, 1, 2: A, B, C.
  Status evaluate(Stream& stream, size_t which, const DeviceWitness& w, void* out) const {
    return evaluate_matrix(stream, matrices_[which], coefficients_, w, out);
  }

 private:
  std::shared_ptr<const R1cs> circuit_;
  std::shared_ptr<DeviceHeap> heap_;  // outlives the block
  DeviceHeap::Block memory_;
  DeviceMatrix matrices_[3];
  const void* coefficients_ = nullptr;
};

// A part of the scalars of one multiplication, worked on at a time.
struct MsmPiece {
  size_t first = 0, count = 0;
  bool streamed = false;  // its bases are in pinned memory and come to the card when it is their turn
};

// Where the bases of a key are. The bases of the first `variables` variables (in the lists l, a, b_g1 and
// b_g2) and the first `h` bases of h are on the card; all others are in pinned memory and are copied to one
// half of a staging area on the card while the other half is worked on.
struct KeyPlacement {
  size_t variables = 0, h = 0;
  size_t staging_bytes = 0;  // of both halves; 0 if all is on the card
  size_t device_bytes = 0;   // of bases on the card, at most
  size_t pinned_bytes = 0;   // of the others, at most
  std::vector<MsmPiece> variable_pieces, h_pieces;

  bool streams() const { return staging_bytes != 0; }
};

// Pieces but the last of a list begin and end at multiples of this: whole words of marks.
inline constexpr size_t kPieceMultiple = 32;

// room: device memory for bases and the staging area. most_piece: the most scalars of one piece. Everything
// on the card if it fits; otherwise first what the witness multiplies, since the scalars of h are all wide
// and keep the card busy while bases come.
KeyPlacement place_key(const ProofShape& shape, size_t room, size_t most_piece);

// The order of a key's base lists here.
enum BaseList : size_t { kListL, kListA, kListB1, kListB2, kListH, kNumLists };
constexpr bool is_g2(size_t list) {
  return list == kListB2;
}
constexpr size_t point_bytes(size_t list) {
  return is_g2(list) ? sizeof(G2Affine) : sizeof(G1Affine);
}

// Bases first … first + count - 1 of a list: on the card, or in pinned memory.
struct BaseRange {
  const char* at = nullptr;
  size_t first = 0, count = 0;
};

class CudaKey final : public DeviceKey {
 public:
  // Marks of the two lists of variables.
  static MemoryPlan plan(const ProofShape& shape, const KeyPlacement& placement);
  static Result<std::shared_ptr<CudaKey>> load(const KeyMaterial& key, KeyPlacement placement,
                                               std::shared_ptr<DeviceHeap> heap, Lane& lane,
                                               Executor& executor);

  const ProofShape& shape() const override { return shape_; }
  const KeyPlacement& placement() const { return placement_; }
  const CudaMatrices& matrices() const { return *matrices_; }
  bool has_c() const { return has_c_; }

  // The bases that a piece of the variables, or of h, needs of a list.
  BaseRange bases(size_t list, size_t piece) const { return ranges_[list][piece]; }
  // The set of a list, for a piece that begins at variable `first`, without its points.
  MsmBases subset(size_t list, size_t first) const;

 private:
  struct Subset {
    const uint32_t *marks = nullptr, *before_word = nullptr;  // on the card; null: every variable
  };

  Status load_lists(const KeyMaterial& key, Lane& lane, Executor& executor);
  template <class G>
  Status load_list(size_t list, const PointSource<G>& source, const VariableSet& variables, Arena& resident,
                   Arena& streamed, Lane* lane, Executor& executor);
  Status load_subset(const VariableSet& variables, Subset& subset, DeviceHeap::Block& block, Lane& lane);

  ProofShape shape_;
  KeyPlacement placement_;
  bool has_c_ = false;
  std::shared_ptr<DeviceHeap> heap_;  // outlives the blocks
  std::unique_ptr<CudaMatrices> matrices_;
  DeviceHeap::Block resident_, a_block_, b_block_;
  PinnedMemory streamed_;
  std::array<std::vector<BaseRange>, kNumLists> ranges_;
  Subset a_, b_;
};

}  // namespace cuzk::gpu
