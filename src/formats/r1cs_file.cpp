#include "formats/r1cs_file.hpp"

#include <algorithm>
#include <optional>

#include "formats/foreign.hpp"
#include "formats/memory_guard.hpp"
#include "formats/row_builder.hpp"
#include "formats/sections.hpp"

namespace cuzk {
namespace {

constexpr uint32_t kVersion = 1;
constexpr uint32_t kHeader = 1, kConstraints = 2, kMap = 3, kCustomGates = 4, kCustomGateUses = 5;
constexpr size_t kTermBytes = 4 + Fr::kBytes;

struct Header {
  R1csFile file;
  uint64_t num_wires = 0;
  uint32_t num_constraints = 0;
};

Result<Header> read_header(const SectionTable& table) {
  CUZK_ASSIGN(Cursor cursor, table.open(kHeader, "header"));
  CUZK_ASSIGN(const uint32_t field_bytes, cursor.le32("the size of a field element"));
  if (field_bytes == 0 || field_bytes % 8 != 0 || field_bytes > 256) {
    return cursor.error("field elements of " + std::to_string(field_bytes) + " bytes, expected 32");
  }
  CUZK_ASSIGN(const Bytes modulus, cursor.take(field_bytes, "the modulus"));
  if (auto status = check_modulus_r(modulus); !status) return cursor.error(status.error().message);

  Header header;
  R1csFile& file = header.file;
  CUZK_ASSIGN(header.num_wires, cursor.le32("the number of wires"));
  CUZK_ASSIGN(file.num_public_outputs, cursor.le32("the number of public outputs"));
  CUZK_ASSIGN(file.num_public_inputs, cursor.le32("the number of public inputs"));
  CUZK_ASSIGN(file.num_private_inputs, cursor.le32("the number of private inputs"));
  CUZK_ASSIGN(file.num_labels, cursor.le64("the number of labels"));
  CUZK_ASSIGN(header.num_constraints, cursor.le32("the number of constraints"));
  CUZK_TRY(cursor.expect_end());

  const uint64_t inputs = uint64_t{1} + file.num_public_outputs + file.num_public_inputs;
  if (inputs + file.num_private_inputs > header.num_wires) {
    return cursor.error(std::to_string(header.num_wires) + " wires are fewer than the constant one, " +
                        std::to_string(file.num_public_outputs) + " public outputs, " +
                        std::to_string(file.num_public_inputs) + " public and " +
                        std::to_string(file.num_private_inputs) + " private inputs together");
  }
  file.circuit.num_inputs = inputs;
  file.circuit.num_aux = header.num_wires - inputs;
  return header;
}

Status read_combination(Cursor& cursor, CoefficientReader& coefficients, RowBuilder& row,
                        uint64_t num_wires) {
  CUZK_ASSIGN(uint32_t left, cursor.le32("the number of terms of a combination"));
  if (left > RowBuilder::kMostTerms)
    return cursor.error(std::to_string(left) + " terms in one combination: too many");
  if (left > cursor.remaining() / kTermBytes) {
    return cursor.error(std::to_string(left) + " terms need " + std::to_string(uint64_t{left} * kTermBytes) +
                        " bytes, the section has " + std::to_string(cursor.remaining()) + " more");
  }
  while (left > 0) {
    const auto count = std::min<uint32_t>(left, Cursor::kMostBytes / kTermBytes);
    const uint64_t offset = cursor.offset();
    CUZK_ASSIGN(const Bytes bytes, cursor.take(count * kTermBytes, "terms"));
    for (uint32_t i = 0; i < count; ++i) {
      const uint8_t* term = bytes.data() + i * kTermBytes;
      const uint32_t wire = load_le32(term);
      if (wire >= num_wires) {
        return cursor.error_at(offset + i * kTermBytes, "wire " + std::to_string(wire) +
                                                            ", but the circuit has only " +
                                                            std::to_string(num_wires) + " (0 to " +
                                                            std::to_string(num_wires - 1) + ")");
      }
      const auto coefficient = coefficients.read(term + 4);
      if (!coefficient) {
        return cursor.error_at(
            offset + i * kTermBytes + 4,
            "the coefficient of wire " + std::to_string(wire) + " is not below r (not canonical)");
      }
      if (*coefficient != CoefficientReader::kZero) row.add(wire, *coefficient);
    }
    left -= count;
  }
  row.finish();
  return {};
}

Status read_constraints(const SectionTable& table, Header& header) {
  CUZK_ASSIGN(Cursor cursor, table.open(kConstraints, "constraints"));
  R1cs& circuit = header.file.circuit;
  if (header.num_constraints > cursor.remaining() / 12) {
    return cursor.error("the header announces " + std::to_string(header.num_constraints) +
                        " constraints, which do not fit into the " + std::to_string(cursor.remaining()) +
                        " bytes of this section");
  }
  for (SparseMatrix* matrix : {&circuit.a, &circuit.b, &circuit.c})
    matrix->reserve(header.num_constraints, 0);
  RowBuilder a(circuit.a, circuit.coefficients), b(circuit.b, circuit.coefficients),
      c(circuit.c, circuit.coefficients);
  CoefficientReader coefficients(circuit.coefficients, Fr::from_canonical);
  for (uint32_t i = 0; i < header.num_constraints; ++i) {
    for (RowBuilder* row : {&a, &b, &c}) {
      if (row->full()) return cursor.error("more than 2^32 - 1 terms in one matrix: too large a circuit");
      auto status = read_combination(cursor, coefficients, *row, header.num_wires);
      if (!status) {
        return fail(status.error().code,
                    status.error().message + " (in constraint " + std::to_string(i) + ")");
      }
    }
  }
  return cursor.expect_end();
}

Status read_map(const SectionTable& table, Header& header) {
  if (table.find(kMap) == nullptr) return {};
  CUZK_ASSIGN(Cursor cursor,
              table.open_sized(kMap, "map of wires to labels", 8 * header.num_wires,
                               "8 for each of " + std::to_string(header.num_wires) + " wires"));
  header.file.labels.reserve(header.num_wires);
  for (uint64_t i = 0; i < header.num_wires; ++i) {
    CUZK_ASSIGN(const uint64_t label, cursor.le64("a label"));
    header.file.labels.push_back(label);
  }
  return {};
}

// circom writes the two sections of custom gates for circuits that use them (PLONK only).
Status refuse_custom_gates(const SectionTable& table) {
  for (const uint32_t type : {kCustomGates, kCustomGateUses}) {
    const Section* section = table.find(type);
    if (section == nullptr) continue;
    CUZK_ASSIGN(Cursor cursor, table.open(type, "custom gates"));
    CUZK_ASSIGN(const uint32_t count, cursor.le32("the number of custom gates"));
    if (count > 0) {
      return cursor.error(
          "the circuit uses custom gates, which Groth16 cannot prove: compile it without them");
    }
  }
  return {};
}

// A few bytes can announce four billion wires, for which a setup would allocate a terabyte: most wires must
// have a label or a term in the file.
Status check_wires(const InputFile& file, const Header& header) {
  constexpr uint64_t kMostUnused = uint64_t{1} << 20;
  const R1cs& circuit = header.file.circuit;
  const uint64_t terms = circuit.a.nonzeros() + circuit.b.nonzeros() + circuit.c.nonzeros();
  if (!header.file.labels.empty() || header.num_wires <= terms + kMostUnused) return {};
  return invalid(file.name() + ": section 1 (header): " + std::to_string(header.num_wires) +
                 " wires, but the file has no labels and only " + std::to_string(terms) +
                 " terms: the number of wires is damaged");
}

Result<R1csFile> read_whole(const InputFilePtr& file) {
  CUZK_ASSIGN(const SectionTable table, SectionTable::read(file, "r1cs", kVersion));
  CUZK_TRY(refuse_custom_gates(table));
  CUZK_ASSIGN(Header header, read_header(table));
  CUZK_TRY(read_constraints(table, header));
  CUZK_TRY(read_map(table, header));
  CUZK_TRY(check_wires(*file, header));
  CUZK_TRY(file->check_unchanged());
  return std::move(header.file);
}

Status write_matrix_row(AtomicFile& out, std::span<const Term> row, const CoefficientTable& table) {
  std::vector<uint8_t> bytes(4 + row.size() * kTermBytes);
  store_le32(bytes.data(), static_cast<uint32_t>(row.size()));
  uint8_t* to = bytes.data() + 4;
  for (const Term& term : row) {
    store_le32(to, term.variable);
    table[term.coefficient].to_le_bytes(to + 4);
    to += kTermBytes;
  }
  return out.write(bytes);
}

Status write_header(SectionWriter& writer, const R1csFile& file) {
  uint8_t modulus[Fr::kBytes];
  Fr::kModulus.to_le_bytes(modulus);
  CUZK_TRY(writer.begin(kHeader));
  CUZK_TRY(writer.le32(Fr::kBytes));
  CUZK_TRY(writer.file().write(modulus));
  CUZK_TRY(writer.le32(static_cast<uint32_t>(file.circuit.num_variables())));
  CUZK_TRY(writer.le32(file.num_public_outputs));
  CUZK_TRY(writer.le32(file.num_public_inputs));
  CUZK_TRY(writer.le32(file.num_private_inputs));
  CUZK_TRY(writer.le64(file.num_labels));
  CUZK_TRY(writer.le32(static_cast<uint32_t>(file.circuit.num_constraints())));
  return writer.end();
}

}  // namespace

Result<R1csFile> read_r1cs(InputFilePtr file) {
  return guard_memory(file->name(), [&] { return read_whole(file); });
}

Status write_r1cs(const std::string& path, const R1csFile& file) {
  const R1cs& circuit = file.circuit;
  CUZK_ASSIGN(SectionWriter writer,
              SectionWriter::create(path, "r1cs", kVersion, file.labels.empty() ? 2 : 3));
  CUZK_TRY(write_header(writer, file));
  CUZK_TRY(writer.begin(kConstraints));
  for (size_t i = 0; i < circuit.num_constraints(); ++i) {
    for (const SparseMatrix* matrix : {&circuit.a, &circuit.b, &circuit.c}) {
      CUZK_TRY(write_matrix_row(writer.file(), matrix->row(i), circuit.coefficients));
    }
  }
  CUZK_TRY(writer.end());
  if (!file.labels.empty()) {
    CUZK_TRY(writer.begin(kMap));
    for (const uint64_t label : file.labels) CUZK_TRY(writer.le64(label));
    CUZK_TRY(writer.end());
  }
  return writer.commit();
}

R1csFile as_r1cs_file(R1cs circuit) {
  R1csFile file;
  file.num_public_inputs = static_cast<uint32_t>(circuit.num_inputs - 1);
  file.num_labels = circuit.num_variables();
  file.circuit = std::move(circuit);
  return file;
}

}  // namespace cuzk
