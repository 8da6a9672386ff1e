#include "device/cuda/cuda_key.hpp"

#include <algorithm>
#include <bit>

#include "base/check.hpp"

namespace cuzk::gpu {

namespace {

constexpr size_t kWord = kPieceMultiple;
constexpr size_t kMostStagingBytes = size_t{2} << 30;
constexpr size_t kVariableBytes = 3 * sizeof(G1Affine) + sizeof(G2Affine);  // in l, a, b_g1 and b_g2

// Bases at the front of l that make its order that of the variables.
template <class G>
class LeadingInfinities final : public PointSource<G> {
 public:
  LeadingInfinities(size_t count, const PointSource<G>& rest) : count_(count), rest_(rest) {}
  size_t size() const override { return count_ + rest_.size(); }
  Status load(size_t begin, std::span<typename G::Point> out) const override {
    const size_t leading = begin < count_ ? std::min(count_ - begin, out.size()) : 0;
    std::fill_n(out.begin(), leading, G::Point::infinity());
    if (leading == out.size()) return {};
    return rest_.load(begin + leading - count_, out.subspan(leading));
  }

 private:
  size_t count_;
  const PointSource<G>& rest_;
};

// At most the bytes of the bases of the first `variables` variables.
size_t bytes_of_variables(const ProofShape& shape, size_t variables) {
  return variables * sizeof(G1Affine) + std::min(variables, shape.num_a) * sizeof(G1Affine) +
         std::min(variables, shape.num_b) * (sizeof(G1Affine) + sizeof(G2Affine)) + kNumLists * 256;
}

size_t all_bytes(const ProofShape& shape) {
  return bytes_of_variables(shape, shape.num_variables()) + shape.num_h * sizeof(G1Affine);
}

void add_pieces(std::vector<MsmPiece>& pieces, size_t begin, size_t end, size_t most, bool streamed) {
  for (size_t first = begin; first < end; first += most)
    pieces.push_back({first, std::min(most, end - first), streamed});
}

size_t whole_words(size_t variables) {
  return std::max<size_t>(kWord, variables / kWord * kWord);
}

}  // namespace

// Matrices.

namespace {

struct MatrixPlaces {
  uint32_t* begins[3];
  Term* terms[3];
  Fr* coefficients;
};

MatrixPlaces carve_matrices(Arena& arena, const R1cs& c) {
  MatrixPlaces p{};
  const SparseMatrix* sources[] = {&c.a, &c.b, &c.c};
  for (size_t i = 0; i < 3; ++i) {
    p.begins[i] = arena.take<uint32_t>(sources[i]->rows() + 1);
    p.terms[i] = arena.take<Term>(sources[i]->nonzeros());
  }
  p.coefficients = arena.take<Fr>(c.coefficients.size());
  return p;
}

}  // namespace

MemoryPlan CudaMatrices::plan(const ProofShape& shape) {
  return {shape.nonzeros * sizeof(Term) + 3 * (shape.num_constraints + 1) * sizeof(uint32_t) +
              shape.coefficients * sizeof(Fr) + 7 * 256,
          0, 0};
}

Result<std::unique_ptr<CudaMatrices>> CudaMatrices::load(std::shared_ptr<const R1cs> circuit,
                                                         std::shared_ptr<DeviceHeap> heap, Lane& lane) {
  auto out = std::make_unique<CudaMatrices>();
  const R1cs& c = *circuit;
  out->circuit_ = std::move(circuit);
  out->heap_ = std::move(heap);
  Arena count;
  carve_matrices(count, c);
  CUZK_ASSIGN(out->memory_, out->heap_->allocate(count.bytes()));
  Arena arena(out->memory_.get());
  const MatrixPlaces places = carve_matrices(arena, c);
  const SparseMatrix* sources[] = {&c.a, &c.b, &c.c};
  for (size_t i = 0; i < 3; ++i) {
    CUZK_TRY(lane.upload(places.begins[i], sources[i]->row_begins()));
    CUZK_TRY(lane.upload(places.terms[i], sources[i]->terms()));
    out->matrices_[i] = {places.begins[i], places.terms[i], sources[i]->rows()};
  }
  std::vector<Fr> table(c.coefficients.size());
  for (size_t i = 0; i < table.size(); ++i) table[i] = c.coefficients[static_cast<uint32_t>(i)];
  out->coefficients_ = places.coefficients;
  CUZK_TRY(lane.upload(places.coefficients, std::span<const Fr>(table)));
  return out;
}

// Placement.

KeyPlacement place_key(const ProofShape& shape, size_t room, size_t most_piece) {
  const size_t variables = shape.num_variables();
  const size_t piece = whole_words(most_piece);
  KeyPlacement p;
  if (all_bytes(shape) <= room) {
    p.variables = variables;
    p.h = shape.num_h;
    p.device_bytes = all_bytes(shape);
    add_pieces(p.variable_pieces, 0, variables, piece, false);
    add_pieces(p.h_pieces, 0, shape.num_h, piece, false);
    return p;
  }
  const size_t half =
      std::min(room / 4, kMostStagingBytes / 2);  // few large pieces cost less than many small ones
  const size_t chunk = std::min(piece, whole_words(half / kVariableBytes));
  const size_t chunk_h = std::min(piece, whole_words(half / sizeof(G1Affine)));
  p.staging_bytes = 2 * std::max(chunk * kVariableBytes + kNumLists * 256, chunk_h * sizeof(G1Affine));
  const size_t left = room - std::min(room, p.staging_bytes);
  // The most words of variables whose bases fit for certain.
  size_t low = 0, high = variables / kWord + 1;
  while (low + 1 < high) {
    const size_t middle = low + (high - low) / 2;
    (bytes_of_variables(shape, middle * kWord) <= left ? low : high) = middle;
  }
  p.variables = bytes_of_variables(shape, variables) <= left ? variables : low * kWord;
  const size_t used = bytes_of_variables(shape, p.variables);
  p.h = left < used ? 0 : std::min(shape.num_h, (left - used) / sizeof(G1Affine));
  p.device_bytes = used + p.h * sizeof(G1Affine);
  // The variables after the first ones may have all the bases of a and b.
  const size_t rest = variables - p.variables;
  p.pinned_bytes = bytes_of_variables(shape, rest) + (shape.num_h - p.h) * sizeof(G1Affine);
  add_pieces(p.variable_pieces, 0, p.variables, piece, false);
  add_pieces(p.variable_pieces, p.variables, variables, chunk, true);
  add_pieces(p.h_pieces, 0, p.h, piece, false);
  add_pieces(p.h_pieces, p.h, shape.num_h, chunk_h, true);
  return p;
}

// Keys.

MemoryPlan CudaKey::plan(const ProofShape& shape, const KeyPlacement& placement) {
  MemoryPlan plan = CudaMatrices::plan(shape);
  const size_t words = shape.num_variables() / kWord + 1;
  plan.device_bytes += placement.device_bytes + 2 * (2 * words * sizeof(uint32_t) + 512);
  plan.pinned_bytes += placement.pinned_bytes;
  return plan;
}

Result<std::shared_ptr<CudaKey>> CudaKey::load(const KeyMaterial& key, KeyPlacement placement,
                                               std::shared_ptr<DeviceHeap> heap, Lane& lane,
                                               Executor& executor) {
  auto out = std::make_shared<CudaKey>();
  out->shape_ = key.shape();
  out->has_c_ = key.has_c();
  out->placement_ = std::move(placement);
  out->heap_ = heap;
  CUZK_ASSIGN(out->matrices_, CudaMatrices::load(key.circuit, std::move(heap), lane));
  CUZK_TRY(out->load_subset(key.a_variables, out->a_, out->a_block_, lane));
  CUZK_TRY(out->load_subset(key.b_variables, out->b_, out->b_block_, lane));
  CUZK_TRY(out->load_lists(key, lane, executor));
  return out;
}

Status CudaKey::load_subset(const VariableSet& variables, Subset& subset, DeviceHeap::Block& block,
                            Lane& lane) {
  if (variables.empty()) return {};
  const size_t words = shape_.num_variables() / kWord + 1;
  std::vector<uint32_t> marks(words), before(words);
  for (uint32_t v : variables) marks[v / kWord] |= uint32_t{1} << (v % kWord);
  for (size_t w = 1; w < words; ++w)
    before[w] = before[w - 1] + static_cast<uint32_t>(std::popcount(marks[w - 1]));
  CUZK_ASSIGN(block, heap_->allocate(2 * words * sizeof(uint32_t)));
  auto* at = block.as<uint32_t>();
  subset = {at, at + words};
  CUZK_TRY(lane.upload(at, std::span<const uint32_t>(marks)));
  return lane.upload(at + words, std::span<const uint32_t>(before));
}

// Twice: without a lane to learn the sizes, then with it.
Status CudaKey::load_lists(const KeyMaterial& key, Lane& lane, Executor& executor) {
  const LeadingInfinities<G1> l(shape_.num_inputs, *key.l);
  auto all = [&](Arena& resident, Arena& streamed, Lane* now) -> Status {
    CUZK_TRY(load_list<G1>(kListL, l, {}, resident, streamed, now, executor));
    CUZK_TRY(load_list<G1>(kListA, *key.a, key.a_variables, resident, streamed, now, executor));
    CUZK_TRY(load_list<G1>(kListB1, *key.b_g1, key.b_variables, resident, streamed, now, executor));
    CUZK_TRY(load_list<G2>(kListB2, *key.b_g2, key.b_variables, resident, streamed, now, executor));
    return load_list<G1>(kListH, *key.h, {}, resident, streamed, now, executor);
  };
  Arena resident_size, streamed_size;
  CUZK_TRY(all(resident_size, streamed_size, nullptr));
  CUZK_ASSIGN(resident_, heap_->allocate(resident_size.bytes()));
  if (streamed_size.bytes() != 0) {
    CUZK_ASSIGN(streamed_, PinnedMemory::allocate(streamed_size.bytes()));
  }
  Arena resident(resident_.get()), streamed(streamed_.get());
  return all(resident, streamed, &lane);
}

// variables: those that have a base in the list, or none if every one has.
template <class G>
Status CudaKey::load_list(size_t list, const PointSource<G>& source, const VariableSet& variables,
                          Arena& resident, Arena& streamed, Lane* lane, Executor& executor) {
  using Point = typename G::Point;
  auto bases_before = [&](size_t place) -> size_t {
    if (variables.empty()) return std::min(place, source.size());
    return static_cast<size_t>(std::lower_bound(variables.begin(), variables.end(), place) -
                               variables.begin());
  };
  const bool of_h = list == kListH;
  const size_t on_card = bases_before(of_h ? placement_.h : placement_.variables),
               rest = source.size() - on_card;
  auto* resident_at = resident.take<Point>(on_card);
  auto* streamed_at = streamed.take<Point>(rest);
  if (lane == nullptr) return {};
  CUZK_TRY(lane->upload_points(resident_at, source, on_card, executor));
  if (rest != 0) CUZK_TRY(load_points(source, on_card, std::span(streamed_at, rest), executor));
  for (const MsmPiece& piece : of_h ? placement_.h_pieces : placement_.variable_pieces) {
    BaseRange range;
    range.first = bases_before(piece.first);
    range.count = bases_before(piece.first + piece.count) - range.first;
    const Point* from = piece.streamed ? streamed_at + (range.first - on_card) : resident_at + range.first;
    range.at = reinterpret_cast<const char*>(from);
    ranges_[list].push_back(range);
  }
  return {};
}

MsmBases CudaKey::subset(size_t list, size_t first) const {
  MsmBases set;
  set.g2 = is_g2(list);
  const Subset none, &from = list == kListA ? a_ : list == kListB1 || list == kListB2 ? b_ : none;
  if (from.marks == nullptr) return set;
  CUZK_CHECK(first % kWord == 0);
  set.marks = from.marks + first / kWord;
  set.before_word = from.before_word + first / kWord;
  return set;
}

}  // namespace cuzk::gpu
