#include "device/cuda/cuda_steps.hpp"

#include <bit>

#include "device/cuda/ntt.hpp"

namespace cuzk::gpu {

namespace {

uint32_t log2_of(size_t n) {
  return static_cast<uint32_t>(std::bit_width(n) - 1);
}

// Calls put(values, place) for each array of a compact witness: `place` is where its address on the card
// goes.
template <class Put>
Status each_array(const WitnessView& view, DeviceCompact& compact, const Put& put) {
  const WitnessShape& shape = view.shape();
  compact.variables = view.size();
  CUZK_TRY(put(shape.bit_marks(), &compact.bit_marks));
  CUZK_TRY(put(shape.bits_before_word(), &compact.bits_before_word));
  CUZK_TRY(put(std::span<const uint32_t>(view.packed().bits), &compact.bits));
  const Fr* wide = nullptr;
  CUZK_TRY(put(std::span<const Fr>(view.packed().wide), &wide));
  compact.wide = wide;
  return {};
}

}  // namespace

size_t witness_size(const WitnessInput& witness) {
  return std::visit([](const auto& w) { return w.size(); }, witness);
}

size_t witness_bytes(const WitnessInput& witness) {
  Arena arena;
  if (const auto* values = std::get_if<std::span<const Fr>>(&witness)) {
    arena.take<Fr>(values->size());
  } else {
    DeviceCompact compact;
    (void)each_array(std::get<WitnessView>(witness), compact,
                     [&]<class T>(std::span<const T> array, const T**) -> Status {
                       arena.take<T>(array.size());
                       return {};
                     });
  }
  return arena.bytes();
}

size_t most_witness_bytes(size_t variables) {
  // Marks, counts and bits, a u32 for 32 variables each, and at most every value wide.
  return variables / 8 * 3 + variables * sizeof(Fr) + 4096;
}

Result<DeviceWitness> upload_witness(Lane& lane, const WitnessInput& witness, Arena& arena) {
  DeviceWitness out;
  if (const auto* values = std::get_if<std::span<const Fr>>(&witness)) {
    void* to = arena.take<Fr>(values->size());
    CUZK_TRY(lane.upload(to, *values));
    out.values = to;
    return out;
  }
  CUZK_TRY(each_array(std::get<WitnessView>(witness), out.compact,
                      [&]<class T>(std::span<const T> values, const T** place) -> Status {
                        T* to = arena.take<T>(values.size());
                        *place = to;
                        return lane.upload(to, values);
                      }));
  return out;
}

Status evaluate_on_card(Lane& lane, const CudaMatrices& matrices, const DeviceWitness& witness, void* a,
                        void* b, size_t n) {
  Stream& stream = lane.stream();
  const size_t rows = matrices.circuit().num_constraints(), inputs = matrices.circuit().num_inputs;
  CUZK_TRY(matrices.evaluate(stream, 0, witness, a));
  CUZK_TRY(matrices.evaluate(stream, 1, witness, b));
  char *a_rest = static_cast<char*>(a) + rows * sizeof(Fr),
       *b_rest = static_cast<char*>(b) + rows * sizeof(Fr);
  CUZK_TRY(copy_variables(stream, witness, inputs, a_rest));
  CUZK_TRY(stream.fill(a_rest + inputs * sizeof(Fr), 0, (n - rows - inputs) * sizeof(Fr)));
  return stream.fill(b_rest, 0, (n - rows) * sizeof(Fr));
}

size_t quotient_table_bytes(size_t domain_size) {
  return ntt_table_bytes(log2_of(domain_size));
}

Status quotient_on_card(Lane& lane, QuotientBasis basis, DomainRoot root, size_t n, char* a, char* b,
                        char* scratch, void* tables, char** result) {
  const bool odd = basis == QuotientBasis::kOddLagrange;
  const Fr shift = odd ? fr_root_of_unity(log2_of(n) + 1, root) : Fr::generator();
  CUZK_ASSIGN(auto domain, NttDomain::create(lane.stream(), log2_of(n), tables, root, shift));
  *result = odd ? a : b;
  if (odd) return domain.values_on_coset(lane.stream(), a, b, scratch);
  return domain.quotient(lane.stream(), a, b, scratch);
}

}  // namespace cuzk::gpu
