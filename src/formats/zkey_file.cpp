#include "formats/zkey_file.hpp"

#include <algorithm>
#include <bit>

#include "formats/bellman_vk.hpp"
#include "formats/first_error.hpp"
#include "formats/foreign.hpp"
#include "formats/memory_guard.hpp"
#include "formats/row_builder.hpp"
#include "formats/sections.hpp"
#include "formats/zkey_layout.hpp"

namespace cuzk {
namespace {

using namespace zkey;

Status check_protocol(const SectionTable& table) {
  CUZK_ASSIGN(Cursor cursor, table.open(kProtocol, "protocol"));
  CUZK_ASSIGN(const uint32_t protocol, cursor.le32("the protocol"));
  if (protocol != kGroth16) {
    const char* name = protocol == 2 ? " (plonk)" : protocol == 10 ? " (fflonk)" : "";
    return cursor.error_at(cursor.offset() - 4, "a key for protocol " + std::to_string(protocol) + name +
                                                    ", expected 1 (groth16)");
  }
  return cursor.expect_end();
}

struct Sizes {
  uint64_t variables = 0, num_public = 0, domain = 0;
  uint64_t head_offset = 0;
};

template <class F>
Status check_field(Cursor& cursor, Status (*check)(Bytes)) {
  CUZK_ASSIGN(const uint32_t bytes, cursor.le32("the size of a field element"));
  if (bytes == 0 || bytes % 8 != 0 || bytes > 256) {
    return cursor.error("field elements of " + std::to_string(bytes) + " bytes, expected " +
                        std::to_string(F::kBytes));
  }
  CUZK_ASSIGN(const Bytes modulus, cursor.take(bytes, "the modulus"));
  if (auto status = check(modulus); !status) return cursor.error(status.error().message);
  return {};
}

Result<Sizes> read_header(const SectionTable& table) {
  CUZK_ASSIGN(Cursor cursor, table.open(kHeader, "header"));
  CUZK_TRY(check_field<Fp>(cursor, check_modulus_p));
  CUZK_TRY(check_field<Fr>(cursor, check_modulus_r));
  Sizes sizes;
  CUZK_ASSIGN(sizes.variables, cursor.le32("the number of variables"));
  CUZK_ASSIGN(sizes.num_public, cursor.le32("the number of public values"));
  CUZK_ASSIGN(sizes.domain, cursor.le32("the size of the domain"));
  sizes.head_offset = cursor.offset();
  if (sizes.variables < sizes.num_public + 1) {
    return cursor.error(std::to_string(sizes.variables) + " variables are fewer than the constant one and " +
                        std::to_string(sizes.num_public) + " public values");
  }
  if (!std::has_single_bit(sizes.domain) || sizes.domain < sizes.num_public + 1) {
    return cursor.error("a domain of " + std::to_string(sizes.domain) + ", expected a power of two above " +
                        std::to_string(sizes.num_public) + " (the number of public values)");
  }
  if (cursor.remaining() != kVkHeadBytes) {
    return cursor.error("the header goes on for " + std::to_string(cursor.remaining()) + " bytes, expected " +
                        std::to_string(kVkHeadBytes) + " (three G1 and three G2 points)");
  }
  return sizes;
}

// The list that fills a section.
template <class G>
Result<PointList> point_section(const SectionTable& table, uint32_t type, const char* name, uint64_t count,
                                bool infinity_allowed) {
  CUZK_ASSIGN(const Cursor cursor, table.open_sized(type, name, count * kUncompressedBytes<G>,
                                                    std::to_string(count) + " points of " +
                                                        std::to_string(kUncompressedBytes<G>)));
  return PointList{cursor.place(), cursor.offset(), count, PointForm::kMontgomery, infinity_allowed};
}

Status open_coefficients(const SectionTable& table, ZkeyFile& out) {
  CUZK_ASSIGN(Cursor cursor, table.open(kCoefficients, "coefficients"));
  CUZK_ASSIGN(const uint32_t count, cursor.le32("the number of coefficients"));
  if (cursor.remaining() != count * kCoefficientBytes) {
    return cursor.error_at(cursor.offset() - 4, std::to_string(count) + " coefficients need " +
                                                    std::to_string(count * kCoefficientBytes) +
                                                    " bytes, the section has " +
                                                    std::to_string(cursor.remaining()));
  }
  out.num_coefficients = count;
  out.coefficients_offset = cursor.offset();
  return {};
}

Status read_contributions(const SectionTable& table, ZkeyFile& out) {
  if (table.find(kContributions) == nullptr) return {};
  CUZK_ASSIGN(Cursor cursor, table.open(kContributions, "contributions"));
  CUZK_TRY(cursor.take(64, "the hash of the circuit"));
  CUZK_ASSIGN(out.contributions, cursor.le32("the number of contributions"));
  // Each has at least three G1 and one G2 points, a hash of 64 bytes, u32 type and u32 length.
  if (*out.contributions > cursor.remaining() / (3 * 96 + 192 + 64 + 8)) {
    return cursor.error(std::to_string(*out.contributions) + " contributions do not fit into " +
                        std::to_string(cursor.remaining()) + " bytes");
  }
  return {};
}

struct Entry {
  uint32_t row;
  uint32_t variable;
  uint32_t coefficient;  // index in the table, or CoefficientReader::kZero
};
using Entries = std::vector<Entry>;

// What one task read: entries of A and of B, with indices into a table of its own.
struct Part {
  CoefficientTable coefficients;
  Entries entries[2];
};

std::optional<Fr> decode_coefficient(const Fr::Int& stored) {
  if (!(stored < Fr::kModulus)) return std::nullopt;
  return coefficient_from_stored(stored);
}

Status read_part(const ZkeyFile& zkey, Range range, Part& part) {
  const uint64_t domain = zkey.key.h->size();
  const uint64_t begin = zkey.coefficients_offset + range.begin * kCoefficientBytes;
  Cursor cursor(zkey.file, begin, begin + range.size() * kCoefficientBytes, "section 4 (coefficients)");
  CoefficientReader reader(part.coefficients, decode_coefficient);
  for (Entries& list : part.entries) list.reserve(range.size() * 5 / 8);
  for (size_t next = range.begin; next < range.end;) {
    const size_t count = std::min<size_t>(range.end - next, Cursor::kMostBytes / kCoefficientBytes);
    const uint64_t offset = cursor.offset();
    CUZK_ASSIGN(const Bytes bytes, cursor.take(count * kCoefficientBytes, "coefficients"));
    for (size_t i = 0; i < count; ++i) {
      const uint8_t* at = bytes.data() + i * kCoefficientBytes;
      auto bad = [&](const std::string& what) {
        return cursor.error_at(offset + i * kCoefficientBytes, "coefficient " + std::to_string(next + i) +
                                                                   ": " + what + ": the file is damaged");
      };
      const uint32_t matrix = load_le32(at), row = load_le32(at + 4), variable = load_le32(at + 8);
      if (matrix > 1) return bad("matrix " + std::to_string(matrix) + ", expected 0 or 1");
      if (row >= domain) return bad("constraint " + std::to_string(row) + " is beyond the domain");
      if (variable >= zkey.num_variables) {
        return bad("wire " + std::to_string(variable) + ", but there are only " +
                   std::to_string(zkey.num_variables));
      }
      const auto coefficient = reader.read(at + 12);
      if (!coefficient) return bad("the value is not below r");
      part.entries[matrix].push_back({row, variable, *coefficient});
    }
    next += count;
  }
  return {};
}

// Indices into the table of a part become indices into `table`, which gets what it lacks.
void renumber(Part& part, CoefficientTable& table) {
  std::vector<uint32_t> index(part.coefficients.size());
  bool same = true;
  for (uint32_t i = 0; i < index.size(); ++i) {
    index[i] = i < CoefficientTable::kFirstGeneral ? i : table.index_of(part.coefficients[i]);
    same = same && index[i] == i;
  }
  if (same) return;
  for (Entries& list : part.entries) {
    for (Entry& entry : list)
      if (entry.coefficient != CoefficientReader::kZero) entry.coefficient = index[entry.coefficient];
  }
}

// The table is the same for any number of parts: coefficients in the order of the file.
Status read_entries(const ZkeyFile& zkey, CoefficientTable& coefficients, Entries (&entries)[2],
                    Executor& executor) {
  constexpr size_t kLeastPart = size_t{1} << 12;  // less is not worth a table
  const size_t count = zkey.num_coefficients;
  std::vector<Part> parts(std::clamp<size_t>(count / kLeastPart, 1, executor.concurrency()));
  FirstError first;
  executor.run(parts.size(), [&](size_t i) {
    if (auto status = read_part(zkey, split_range(count, parts.size(), i), parts[i]); !status)
      first.add(i, status.error());
  });
  CUZK_TRY(first.status());
  for (Part& part : parts) renumber(part, coefficients);
  executor.run(2, [&](size_t matrix) {
    Entries& list = entries[matrix];
    list = std::move(parts.front().entries[matrix]);
    for (size_t i = 1; i < parts.size(); ++i)
      list.insert(list.end(), parts[i].entries[matrix].begin(), parts[i].entries[matrix].end());
    // In order already, but for files that snarkjs did not write.
    const auto by_row = [](const Entry& x, const Entry& y) { return x.row < y.row; };
    if (!std::is_sorted(list.begin(), list.end(), by_row)) std::stable_sort(list.begin(), list.end(), by_row);
  });
  return {};
}

// Takes the rows x_i · 0 = 0 off the end of A, which are the last num_inputs rows; returns how many rows are
// left.
Result<size_t> take_off_input_rows(const ZkeyFile& zkey, Entries (&entries)[2]) {
  auto& a = entries[0];
  const size_t num_inputs = zkey.num_public + 1;
  bool good = a.size() >= num_inputs && a.back().row + uint64_t{1} >= num_inputs;
  const uint64_t constraints = good ? a.back().row + uint64_t{1} - num_inputs : 0;
  for (size_t i = 0; good && i < num_inputs; ++i) {
    const Entry& entry = a[a.size() - num_inputs + i];
    good = entry.row == constraints + i && entry.variable == i && entry.coefficient == CoefficientTable::kOne;
  }
  good = good && (a.size() == num_inputs || a[a.size() - num_inputs - 1].row < constraints) &&
         (entries[1].empty() || entries[1].back().row < constraints);
  if (!good) {
    return invalid(zkey.file->name() + ": section 4 (coefficients): the rows that bind the " +
                   std::to_string(num_inputs) +
                   " inputs are not at its end: not a groth16 key made by snarkjs");
  }
  a.resize(a.size() - num_inputs);
  return static_cast<size_t>(constraints);
}

void fill(SparseMatrix& matrix, CoefficientTable& table, const Entries& entries, size_t rows) {
  matrix.reserve(rows, entries.size());
  RowBuilder builder(matrix, table);
  size_t next = 0;
  for (size_t row = 0; row < rows; ++row) {
    for (; next < entries.size() && entries[next].row == row; ++next) {
      const Entry& entry = entries[next];
      if (entry.coefficient != CoefficientReader::kZero) builder.add(entry.variable, entry.coefficient);
    }
    builder.finish();
  }
}

// Both matrices at once, unless a row names a variable twice and the sum of its coefficients is new to the
// table: then one after the other, because they share it.
void fill_both(R1cs& circuit, const Entries (&entries)[2], size_t rows, Executor& executor) {
  SparseMatrix* const matrices[2] = {&circuit.a, &circuit.b};
  if (executor.concurrency() > 1) {
    CoefficientTable tables[2] = {circuit.coefficients, circuit.coefficients};
    executor.run(2, [&](size_t i) { fill(*matrices[i], tables[i], entries[i], rows); });
    const size_t known = circuit.coefficients.size();
    if (tables[0].size() == known && tables[1].size() == known) return;
    for (SparseMatrix* matrix : matrices) *matrix = {};
  }
  for (size_t i : {0, 1}) fill(*matrices[i], circuit.coefficients, entries[i], rows);
}

Result<R1cs> read_circuit(const ZkeyFile& zkey, Executor& executor) {
  R1cs circuit;
  Entries entries[2];
  CUZK_TRY(read_entries(zkey, circuit.coefficients, entries, executor));
  CUZK_ASSIGN(const size_t rows, take_off_input_rows(zkey, entries));
  circuit.num_inputs = zkey.num_public + 1;
  circuit.num_aux = zkey.num_variables - circuit.num_inputs;
  fill_both(circuit, entries, rows, executor);
  CUZK_TRY(zkey.file->check_unchanged());
  return circuit;
}

}  // namespace

Result<ZkeyFile> open_zkey(InputFilePtr file, PointCheck check, Executor& executor) {
  CUZK_ASSIGN(const SectionTable table, SectionTable::read(file, "zkey", kVersion));
  CUZK_TRY(check_protocol(table));
  CUZK_ASSIGN(const Sizes sizes, read_header(table));
  ZkeyFile out;
  out.file = file;
  out.num_variables = sizes.variables;
  out.num_public = sizes.num_public;

  const uint64_t inputs = sizes.num_public + 1;
  CUZK_ASSIGN(const PointList ic, point_section<G1>(table, kIc, "IC", inputs, true));
  CUZK_ASSIGN(PointList a, point_section<G1>(table, kA, "A", sizes.variables, true));
  CUZK_ASSIGN(PointList b1, point_section<G1>(table, kB1, "B1", sizes.variables, true));
  CUZK_ASSIGN(PointList b2, point_section<G2>(table, kB2, "B2", sizes.variables, true));
  CUZK_ASSIGN(PointList c, point_section<G1>(table, kC, "C", sizes.variables - inputs, true));
  CUZK_ASSIGN(PointList h, point_section<G1>(table, kH, "H", sizes.domain, false));
  CUZK_TRY(open_coefficients(table, out));
  CUZK_TRY(read_contributions(table, out));

  ProvingKey& key = out.key;
  CUZK_ASSIGN(key.vk, read_vk_head(file, sizes.head_offset, PointForm::kMontgomery, "section 2 (header), "));
  CUZK_ASSIGN(key.vk.ic, load_all<G1>(FilePoints<G1>(file, ic, check), executor));
  CUZK_TRY(file->check_unchanged());
  key.quotient_basis = QuotientBasis::kOddLagrange;
  key.domain_root = DomainRoot::kSnarkjs;
  key.layout = QueryLayout::kEveryVariable;
  key.a = std::make_shared<FilePoints<G1>>(file, a, check);
  key.b_g1 = std::make_shared<FilePoints<G1>>(file, b1, check);
  key.b_g2 = std::make_shared<FilePoints<G2>>(file, b2, check);
  key.l = std::make_shared<FilePoints<G1>>(file, c, check);
  key.h = std::make_shared<FilePoints<G1>>(file, h, check);
  out.lists = {std::move(a), std::move(b1), std::move(b2), std::move(c), std::move(h)};
  return out;
}

Result<R1cs> read_zkey_circuit(const ZkeyFile& zkey, Executor& executor) {
  return guard_memory(zkey.file->name(), [&] { return read_circuit(zkey, executor); });
}

}  // namespace cuzk
