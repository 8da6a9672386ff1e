#include "r1cs/stored_matrices.hpp"

#include <algorithm>
#include <cstring>

#include "base/atomic_file.hpp"
#include "base/mapped_file.hpp"

namespace cuzk {
namespace {

constexpr char kMagic[8] = {'c', 'u', 'z', 'k', 'm', 'a', 't', '\0'};
constexpr uint32_t kVersion = 1;
constexpr size_t kAlignment = 64, kNameBytes = 60;

// The file: this, then the arrays of StoredMatrices::Arrays in order, each from a multiple of 64 bytes on.
// Little-endian; field elements in Montgomery form (R = 2^256).
struct FileHeader {
  char magic[8];
  uint32_t version;
  char name[kNameBytes];
  uint8_t digest[32];
  uint64_t inputs, aux, constraints, nonzeros[3];
  uint64_t sizes[7];  // elements of each array
};
static_assert(sizeof(FileHeader) == 104 + 13 * 8 && std::is_trivially_copyable_v<FileHeader>);
static_assert(sizeof(MatrixForm) == 32 && sizeof(MatrixPiece) == 16 && sizeof(Term) == 8 && sizeof(Fr) == 32);

size_t aligned(size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

template <class Function>
void for_each_array(StoredMatrices::Arrays& arrays, Function&& function) {
  function(arrays.coefficients);
  function(arrays.forms);
  function(arrays.begins);
  function(arrays.terms);
  function(arrays.marks);
  function(arrays.pieces);
  function(arrays.externals);
}

tl::unexpected<Error> damaged(const std::string& what) {
  return invalid("stored matrices are damaged: " + what + "; make them again");
}

Status require(bool holds, const char* what) {
  if (!holds) return damaged(what);
  return {};
}

// The table that expand() makes of them has the same places: none is zero, powers of two are in theirs, all
// others come once.
Status check_coefficients(std::span<const Fr> coefficients) {
  CUZK_TRY(require(coefficients.size() >= CoefficientTable::kFirstGeneral, "coefficients are missing"));
  CoefficientTable table;
  for (size_t i = 0; i < coefficients.size(); ++i) {
    const Fr& coefficient = coefficients[i];
    CUZK_TRY(require(coefficient.montgomery() < Fr::kModulus, "a coefficient is not reduced"));
    CUZK_TRY(require(!coefficient.is_zero() && table.index_of(coefficient) == i,
                     "a coefficient is not in its place"));
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<StoredMatrices>> StoredMatrices::create(std::string name, const Counts& counts,
                                                               const Arrays& arrays,
                                                               std::shared_ptr<const void> owner) {
  std::shared_ptr<StoredMatrices> out(new StoredMatrices);
  out->name_ = std::move(name);
  out->counts_ = counts;
  out->arrays_ = arrays;
  out->owner_ = std::move(owner);
  CUZK_TRY(out->check());
  out->mark_bits();
  CUZK_TRY(out->check_kinds());
  return out;
}

Result<std::shared_ptr<const StoredMatrices>> StoredMatrices::open(const std::string& path) {
  CUZK_ASSIGN(MappedFile mapped, MappedFile::open(path));
  const auto file = std::make_shared<const MappedFile>(std::move(mapped));
  const Bytes bytes = file->bytes();
  FileHeader header;
  if (bytes.size() < sizeof(header)) return damaged(path + " is too short");
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0)
    return invalid(path + " has no stored matrices");
  if (header.version != kVersion) {
    return invalid(path + " has version " + std::to_string(header.version) + " of stored matrices, not " +
                   std::to_string(kVersion) + "; make them again");
  }
  Arrays arrays;
  size_t at = aligned(sizeof(header)), index = 0;
  bool whole = true;
  for_each_array(arrays, [&](auto& array) {
    using Element = typename std::remove_reference_t<decltype(array)>::element_type;
    const uint64_t size = header.sizes[index++];
    whole = whole && at <= bytes.size() && size <= (bytes.size() - at) / sizeof(Element);
    if (!whole) return;
    array = {reinterpret_cast<Element*>(bytes.data() + at), size};
    at += aligned(size * sizeof(Element));
  });
  if (!whole || at != bytes.size()) return damaged(path + " has not the size that its header states");
  const Counts counts{header.inputs,
                      header.aux,
                      header.constraints,
                      {header.nonzeros[0], header.nonzeros[1], header.nonzeros[2]}};
  CUZK_ASSIGN(const std::shared_ptr<StoredMatrices> out,
              create(std::string(header.name, strnlen(header.name, kNameBytes)), counts, arrays, file));
  std::copy_n(header.digest, out->digest_.size(), out->digest_.begin());
  return out;
}

Status StoredMatrices::save(const std::string& path) const {
  FileHeader header{};
  std::copy_n(kMagic, sizeof(kMagic), header.magic);
  header.version = kVersion;
  std::copy_n(name_.data(), std::min(name_.size(), kNameBytes - 1), header.name);
  std::copy(digest_.begin(), digest_.end(), header.digest);
  header.inputs = counts_.inputs;
  header.aux = counts_.aux;
  header.constraints = counts_.constraints;
  std::copy(counts_.nonzeros.begin(), counts_.nonzeros.end(), header.nonzeros);
  Arrays arrays = arrays_;
  size_t index = 0;
  for_each_array(arrays, [&](const auto& array) { header.sizes[index++] = array.size(); });

  CUZK_ASSIGN(AtomicFile file, AtomicFile::create(path, AtomicFile::Temporary::kUnnamedIfPossible,
                                                  AtomicFile::Links::kReplaced));
  Status status;
  auto write = [&](const void* data, size_t size) {
    static constexpr uint8_t kZeros[kAlignment] = {};
    if (status) status = file.write(Bytes(static_cast<const uint8_t*>(data), size));
    if (status) status = file.write(Bytes(kZeros, aligned(size) - size));
  };
  write(&header, sizeof(header));
  for_each_array(arrays, [&](const auto& array) { write(array.data(), array.size_bytes()); });
  CUZK_TRY(status);
  return file.commit();
}

size_t StoredMatrices::stored_bytes() const {
  size_t bytes = aligned(sizeof(FileHeader));
  Arrays arrays = arrays_;
  for_each_array(arrays, [&](const auto& array) { bytes += aligned(array.size_bytes()); });
  return bytes;
}

Status StoredMatrices::check() const {
  const size_t most = Variable::kAuxBit;
  CUZK_TRY(require(
      counts_.inputs >= 1 && counts_.inputs < most && counts_.aux < most && counts_.constraints <= UINT32_MAX,
      "counts are too large"));
  CUZK_TRY(check_coefficients(arrays_.coefficients));
  for (const MatrixForm& form : arrays_.forms) CUZK_TRY(check_form(form));
  return check_pieces();
}

Status StoredMatrices::check_form(const MatrixForm& form) const {
  CUZK_TRY(require(form.locals() < Variable::kAuxBit, "a form has too many variables"));
  const uint64_t begins = 3 * (uint64_t{form.rows} + 1), marks = (form.locals() + 31) / 32;
  CUZK_TRY(require(begins <= arrays_.begins.size() && form.first_begin <= arrays_.begins.size() - begins,
                   "a form has rows that are not there"));
  CUZK_TRY(require(form.first_mark + marks <= arrays_.marks.size(), "a form has marks that are not there"));
  CUZK_TRY(require(form.first_term <= arrays_.terms.size(), "a form has terms that are not there"));
  const auto begin = arrays_.begins.subspan(form.first_begin, begins);
  CUZK_TRY(require(std::is_sorted(begin.begin(), begin.end()) && begin.front() == 0 &&
                       begin.back() <= arrays_.terms.size() - form.first_term,
                   "a form has terms that are not there"));
  bool right = true;
  for (const Term& term : arrays_.terms.subspan(form.first_term, begin.back()))
    right = right && term.variable < form.locals() && term.coefficient < arrays_.coefficients.size();
  return require(right, "a term is none of its form's");
}

Status StoredMatrices::check_pieces() const {
  uint64_t row = 0, aux = 0, external = 0;
  std::array<uint64_t, 3> nonzeros{};
  for (const MatrixPiece& piece : arrays_.pieces) {
    CUZK_TRY(require(piece.form < arrays_.forms.size() && piece.first_row == row && piece.first_aux == aux &&
                         piece.first_external == external,
                     "pieces do not follow one another"));
    const MatrixForm& form = arrays_.forms[piece.form];
    CUZK_TRY(require(form.externals <= arrays_.externals.size() - external, "variables are missing"));
    bool right = true;
    for (uint32_t id : arrays_.externals.subspan(external, form.externals)) {
      const Variable v{id};
      right &= (v != kOne) & (v.index() < (v.is_aux() ? aux : counts_.inputs));
    }
    CUZK_TRY(require(right, "a piece uses a variable that is not there"));
    for (size_t side = 0; side < 3; ++side) {
      const uint64_t* begin = arrays_.begins.data() + form.first_begin + side * (size_t{form.rows} + 1);
      nonzeros[side] += begin[form.rows] - begin[0];
    }
    row += form.rows;
    aux += form.own;
    external += form.externals;
  }
  return require(row == counts_.constraints && aux == counts_.aux && external == arrays_.externals.size() &&
                     nonzeros == counts_.nonzeros,
                 "counts are not those of the pieces");
}

void StoredMatrices::mark_bits() {
  shape_ = WitnessShape(num_variables());
  shape_.mark_bit(0);
  for (const MatrixPiece& piece : arrays_.pieces) {
    const MatrixForm& form = arrays_.forms[piece.form];
    shape_.mark_bits(counts_.inputs + piece.first_aux, arrays_.marks.data() + form.first_mark,
                     size_t{1} + form.externals, form.own);
  }
  shape_.finish();
}

// Forms take their externals for what they are: bits or wide.
Status StoredMatrices::check_kinds() const {
  bool right = true;
  for (const MatrixPiece& piece : arrays_.pieces) {
    const MatrixForm& form = arrays_.forms[piece.form];
    const uint32_t* marks = arrays_.marks.data() + form.first_mark;
    for (size_t local = 1; local <= form.externals; ++local) {
      const bool bit = ((marks[local / 32] >> (local % 32)) & 1) != 0;
      const uint32_t id = arrays_.externals[piece.first_external + local - 1];
      right &= bit == shape_.is_bit(number({id}));
    }
    right = right && (marks[0] & 1) != 0;
  }
  return require(right, "a form takes a bit for a number, or a number for a bit");
}

size_t StoredMatrices::piece_of_row(size_t row) const {
  const auto after = std::upper_bound(arrays_.pieces.begin(), arrays_.pieces.end(), row,
                                      [](size_t r, const MatrixPiece& p) { return r < p.first_row; });
  // Pieces without rows share their number with the next.
  return static_cast<size_t>(after - arrays_.pieces.begin()) - 1;
}

Density density_of(const StoredMatrices& matrices) {
  const StoredMatrices::Arrays& arrays = matrices.arrays();
  // Which locals of each form occur.
  std::array<std::vector<std::vector<uint32_t>>, 2> used;
  for (size_t side = 0; side < 2; ++side) {
    for (const MatrixForm& form : arrays.forms) {
      std::vector<uint32_t> locals;
      for (size_t i = 0; i < form.rows; ++i)
        for (const Term& t : matrices.row(form, static_cast<StoredMatrices::Side>(side), i))
          locals.push_back(t.variable);
      std::sort(locals.begin(), locals.end());
      locals.erase(std::unique(locals.begin(), locals.end()), locals.end());
      used[side].push_back(std::move(locals));
    }
  }
  Density out;
  for (size_t side = 0; side < 2; ++side) {
    std::vector<bool> in(matrices.num_variables());
    if (side == 0) std::fill_n(in.begin(), matrices.num_inputs(), true);
    for (const MatrixPiece& piece : arrays.pieces)
      for (uint32_t local : used[side][piece.form])
        in[matrices.number(matrices.variable(piece, local))] = true;
    VariableSet& set = side == 0 ? out.a : out.b;
    for (size_t i = 0; i < in.size(); ++i)
      if (in[i]) set.push_back(static_cast<uint32_t>(i));
  }
  return out;
}

R1cs expand(const StoredMatrices& matrices) {
  R1cs out;
  out.num_inputs = matrices.num_inputs();
  out.num_aux = matrices.num_aux();
  for (const Fr& coefficient : matrices.arrays().coefficients) out.coefficients.index_of(coefficient);
  std::vector<Term> row;
  const std::array<SparseMatrix*, 3> sides = {&out.a, &out.b, &out.c};
  for (size_t side = 0; side < 3; ++side)
    sides[side]->reserve(matrices.num_constraints(), matrices.counts().nonzeros[side]);
  for (const MatrixPiece& piece : matrices.arrays().pieces) {
    const MatrixForm& form = matrices.arrays().forms[piece.form];
    for (size_t i = 0; i < form.rows; ++i) {
      for (size_t side = 0; side < 3; ++side) {
        row.clear();
        for (const Term& t : matrices.row(form, static_cast<StoredMatrices::Side>(side), i))
          row.push_back(
              {static_cast<uint32_t>(matrices.number(matrices.variable(piece, t.variable))), t.coefficient});
        std::sort(row.begin(), row.end(),
                  [](const Term& x, const Term& y) { return x.variable < y.variable; });
        sides[side]->push_row(row);
      }
    }
  }
  return out;
}

}  // namespace cuzk
