// The matrices of a large circuit with equal parts stored once. A circuit is a sequence of pieces; a piece
// has a form, which says what its rows are up to the numbers of variables, and a table of the variables from
// before it that its rows use. 5,040 SHA-256 blocks of a 32 GiB PoRep have 15 forms, 23,490 paths of a
// WindowPoSt have one.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "base/executor.hpp"
#include "base/result.hpp"
#include "r1cs/constraint_system.hpp"
#include "r1cs/density.hpp"
#include "r1cs/r1cs.hpp"
#include "r1cs/witness.hpp"

namespace cuzk {

// Variables in rows of a form are local: 0 is the constant one, then the externals (variables from before the
// piece, and all inputs), then the auxiliaries that the piece allocates itself, in order.
struct MatrixForm {
  uint32_t rows = 0, own = 0, externals = 0;
  uint32_t first_mark = 0;   // in marks(): local i is a bit if bit i % 32 of word i / 32 is set
  uint64_t first_begin = 0;  // in begins(): rows + 1 numbers for A, then for B, then for C
  uint64_t first_term = 0;   // in terms(): what begins are counted from

  size_t locals() const { return size_t{1} + externals + own; }
  bool operator==(const MatrixForm&) const = default;
};

// Pieces follow one another in rows and in auxiliaries.
struct MatrixPiece {
  uint32_t form, first_row, first_aux, first_external;
};

class StoredMatrices {
 public:
  using Digest = std::array<uint8_t, 32>;
  enum Side { kA = 0, kB = 1, kC = 2 };

  struct Counts {
    uint64_t inputs = 1, aux = 0, constraints = 0;  // inputs: with the constant one
    std::array<uint64_t, 3> nonzeros{};
  };
  // The arrays that make up the matrices. coefficients: as in CoefficientTable. externals: Variable::id.
  struct Arrays {
    std::span<const Fr> coefficients;
    std::span<const MatrixForm> forms;
    std::span<const uint64_t> begins;
    std::span<const Term> terms;
    std::span<const uint32_t> marks;
    std::span<const MatrixPiece> pieces;
    std::span<const uint32_t> externals;
  };

  // Maps a file. Errors: kNotFound, kIo; kInvalidInput when it is not whole or not of this version. All
  // numbers in it are checked, so that a damaged file is an error or gives other matrices, no more.
  static Result<std::shared_ptr<const StoredMatrices>> open(const std::string& path);
  // Of arrays that `owner` keeps alive. Checks as open() does.
  static Result<std::shared_ptr<StoredMatrices>> create(std::string name, const Counts& counts,
                                                        const Arrays& arrays,
                                                        std::shared_ptr<const void> owner);
  Status save(const std::string& path) const;

  // The circuit's name and the digest of its constraint system (filecoin/circuit_digest.hpp), zeros until it
  // is set.
  const std::string& name() const { return name_; }
  const Digest& digest() const { return digest_; }
  void set_digest(const Digest& digest) { digest_ = digest; }

  size_t num_inputs() const { return counts_.inputs; }
  size_t num_aux() const { return counts_.aux; }
  size_t num_variables() const { return counts_.inputs + counts_.aux; }
  size_t num_constraints() const { return counts_.constraints; }
  size_t nonzeros() const { return counts_.nonzeros[0] + counts_.nonzeros[1] + counts_.nonzeros[2]; }
  const Counts& counts() const { return counts_; }
  const Arrays& arrays() const { return arrays_; }
  size_t stored_bytes() const;
  // Bits are the constant one and what the circuit allocates as bits. Numbers of variables: inputs first.
  const WitnessShape& witness_shape() const { return shape_; }

  std::span<const Term> row(const MatrixForm& form, Side side, size_t index) const {
    const uint64_t* begin = arrays_.begins.data() + form.first_begin + side * (size_t{form.rows} + 1) + index;
    return arrays_.terms.subspan(form.first_term + begin[0], begin[1] - begin[0]);
  }
  Variable variable(const MatrixPiece& piece, uint32_t local) const {
    const uint32_t externals = arrays_.forms[piece.form].externals;
    if (local == 0) return kOne;
    if (local <= externals) return {arrays_.externals[piece.first_external + local - 1]};
    return Variable::aux(piece.first_aux + (local - externals - 1));
  }
  // Inputs first.
  size_t number(Variable v) const { return v.is_aux() ? counts_.inputs + v.index() : v.index(); }
  // The piece that has this row.
  size_t piece_of_row(size_t row) const;

 private:
  StoredMatrices() = default;
  Status check() const;
  Status check_form(const MatrixForm& form) const;
  Status check_pieces() const;
  void mark_bits();
  Status check_kinds() const;

  std::string name_;
  Digest digest_{};
  Counts counts_;
  Arrays arrays_;
  std::shared_ptr<const void> owner_;
  WitnessShape shape_;
};

// density_of() and the whole as plain matrices (8 bytes a term).
Density density_of(const StoredMatrices& matrices);
R1cs expand(const StoredMatrices& matrices);

// Records a circuit as it runs. Pieces end where the circuit says so (Piece), and between those; equal ones
// are found by their content.
class TemplateSystem final : public ConstraintSystem {
 public:
  TemplateSystem();
  ~TemplateSystem() override;

  Variable alloc(const Name& name, const Fr& value) override;
  Variable alloc_bit(const Name& name, bool value) override;
  Variable alloc_input(const Name& name, const Fr& value) override;
  void enforce(const Name& name, LinearTerms a, LinearTerms b, LinearTerms c) override;
  void begin_piece() override;
  void end_piece() override;

  // Call once, at the end.
  Result<std::shared_ptr<StoredMatrices>> take(std::string name);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cuzk
