// Files of stored matrices: whatever is accepted can be evaluated from a witness of its shape, and gives
// plain matrices that have the same values.
#include <sys/mman.h>
#include <unistd.h>

#include "base/check.hpp"
#include "r1cs/template_evaluate.hpp"

namespace {

using namespace cuzk;

// Sizes that take no time; a damaged header may state more inputs than fit into memory.
constexpr size_t kMostVariables = 1 << 16, kMostTerms = 1 << 18;

std::shared_ptr<const StoredMatrices> open(Bytes data) {
  const int file = memfd_create("matrices", 0);
  CUZK_CHECK(file >= 0 && write(file, data.data(), data.size()) == static_cast<ssize_t>(data.size()));
  const auto opened = StoredMatrices::open("/proc/self/fd/" + std::to_string(file));
  close(file);
  return opened ? *opened : nullptr;
}

template <class T>
std::vector<T> copy(std::span<const T> values) {
  return {values.begin(), values.end()};
}

// Everything that rows are read from in allocations of its size, so that the address sanitizer sees a read
// past an end.
struct Copy {
  explicit Copy(const StoredMatrices::Arrays& from)
      : coefficients(copy(from.coefficients)),
        forms(copy(from.forms)),
        begins(copy(from.begins)),
        terms(copy(from.terms)),
        marks(copy(from.marks)),
        pieces(copy(from.pieces)),
        externals(copy(from.externals)) {}

  std::vector<Fr> coefficients;
  std::vector<MatrixForm> forms;
  std::vector<uint64_t> begins;
  std::vector<Term> terms;
  std::vector<uint32_t> marks;
  std::vector<MatrixPiece> pieces;
  std::vector<uint32_t> externals;
};

void use(const std::shared_ptr<const StoredMatrices>& matrices) {
  InlineExecutor executor;
  CompactWitness w;
  w.bits.assign(matrices->witness_shape().num_bit_words(), 0x55555555);
  w.wide.assign(matrices->witness_shape().num_wide(), Fr::from_u64(3));
  CUZK_CHECK(check_witness_form(*matrices, w));
  const WitnessView view(matrices->witness_shape(), w);
  std::vector<Fr> values;
  for (size_t v = 0; v < view.size(); ++v) values.push_back(view[v]);

  const size_t rows = matrices->num_constraints();
  std::vector<Fr> a(rows), b(rows), c(rows), plain(rows);
  const StoredEvaluator evaluator(matrices);
  evaluator.evaluate(w, a, b, c, executor);
  (void)evaluator.first_unsatisfied(w, executor);
  (void)density_of(*matrices);
  const R1cs expanded = expand(*matrices);
  for (const auto& [matrix, stored] : {std::pair(&expanded.a, &a), {&expanded.b, &b}, {&expanded.c, &c}}) {
    evaluate(*matrix, expanded.coefficients, std::span<const Fr>(values), plain, executor);
    CUZK_CHECK(*stored == plain);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto opened = open({data, size});
  if (!opened || opened->num_variables() > kMostVariables || opened->num_constraints() > kMostVariables ||
      opened->nonzeros() > kMostTerms)
    return 0;
  const auto owner = std::make_shared<const Copy>(opened->arrays());
  const auto copied = StoredMatrices::create(opened->name(), opened->counts(),
                                             {owner->coefficients, owner->forms, owner->begins, owner->terms,
                                              owner->marks, owner->pieces, owner->externals},
                                             owner);
  CUZK_CHECK(copied);
  use(*copied);
  return 0;
}
