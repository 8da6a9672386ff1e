#include "formats/key_writer.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "formats/bellman_vk.hpp"
#include "formats/zkey_layout.hpp"
#include "groth16/group_dft.hpp"

namespace cuzk {
namespace {

constexpr size_t kSections = 5;
constexpr KeySection kOrder[kSections] = {KeySection::kH, KeySection::kL, KeySection::kA, KeySection::kBG1,
                                          KeySection::kBG2};
constexpr const char* kNames[kSections] = {"h", "l", "a", "b_g1", "b_g2"};
constexpr size_t kChunk = size_t{1} << 16;

// What both forms share: lists come in kOrder, each announced by its count before its first point.
class ListWriter : public KeyFileWriter {
 public:
  ListWriter(std::string path, PointForm form, Executor& executor)
      : path_(std::move(path)), form_(form), executor_(executor) {}

  Status begin(const VerifyingKey& vk, const KeyCounts& counts) override {
    const size_t sizes[kSections] = {counts.h, counts.l, counts.a, counts.b, counts.b};
    std::copy_n(sizes, kSections, counts_);
    return write_head(vk, counts);
  }
  Status append(KeySection section, std::span<const G1Affine> points) override {
    return add<G1>(section, points);
  }
  Status append_b_g2(std::span<const G2Affine> points) override { return add<G2>(KeySection::kBG2, points); }
  Status sync() override {
    if (synced_) return {};
    CUZK_TRY(advance_to(kSections));
    CUZK_TRY(write_tail());
    CUZK_TRY(file().sync());
    synced_ = true;
    return {};
  }
  Status finish() override {
    CUZK_TRY(sync());
    return file().commit();
  }

 protected:
  // The head of the file, up to the first list.
  virtual Status write_head(const VerifyingKey& vk, const KeyCounts& counts) = 0;
  virtual Status begin_list(size_t list, uint64_t count) = 0;
  virtual Status end_list() = 0;
  virtual Status write_tail() = 0;
  virtual AtomicFile& file() = 0;
  virtual Status write(Bytes bytes) = 0;
  virtual bool infinity_allowed(size_t list) const = 0;

  const std::string path_;
  const PointForm form_;
  Executor& executor_;

 private:
  // Ends the lists before `list` and begins it; kSections ends them all.
  Status advance_to(size_t list) {
    while (current_ != list) {
      if (current_ != kNone) {
        CUZK_CHECK(written_ == counts_[current_]);
        CUZK_TRY(end_list());
      }
      current_ = current_ == kNone ? 0 : current_ + 1;
      written_ = 0;
      if (current_ < kSections) CUZK_TRY(begin_list(current_, counts_[current_]));
    }
    return {};
  }

  template <class G>
  Status add(KeySection section, std::span<const typename G::Point> points) {
    const auto list = static_cast<size_t>(std::find(kOrder, kOrder + kSections, section) - kOrder);
    CUZK_CHECK(list < kSections && (current_ == kNone || list >= current_));
    CUZK_TRY(advance_to(list));
    if (!infinity_allowed(list)) {
      for (size_t i = 0; i < points.size(); ++i) {
        if (!points[i].is_infinity()) continue;
        return invalid(path_ + ": point " + std::to_string(written_ + i) + " of list " + kNames[list] +
                       " is infinity, which this form of a key cannot hold");
      }
    }
    written_ += points.size();
    buffer_.clear();
    encode_points<G>(points, form_, buffer_, executor_);
    return write(buffer_);
  }

  static constexpr size_t kNone = SIZE_MAX;
  uint64_t counts_[kSections] = {};
  size_t current_ = kNone;
  uint64_t written_ = 0;
  bool synced_ = false;
  std::vector<uint8_t> buffer_;
};

class ParamsWriter final : public ListWriter {
 public:
  ParamsWriter(std::string path, AtomicFile file, Executor& executor, std::function<void(Bytes)> written)
      : ListWriter(std::move(path), PointForm::kUncompressed, executor),
        file_(std::move(file)),
        written_(std::move(written)) {}

 private:
  Status write_head(const VerifyingKey& vk, const KeyCounts&) override {
    return write(encode_bellman_vk(vk, executor_));
  }
  Status begin_list(size_t list, uint64_t count) override {
    if (count > UINT32_MAX)
      return invalid(path_ + ": list " + kNames[list] + " is too long for this form of a key");
    uint8_t bytes[4];
    store_be32(bytes, static_cast<uint32_t>(count));
    return write(bytes);
  }
  Status end_list() override { return {}; }
  Status write_tail() override { return {}; }
  AtomicFile& file() override { return file_; }
  Status write(Bytes bytes) override {
    if (written_) written_(bytes);
    return file_.write(bytes);
  }
  bool infinity_allowed(size_t) const override { return false; }

  AtomicFile file_;
  const std::function<void(Bytes)> written_;
};

class ZkeyWriter final : public ListWriter {
 public:
  ZkeyWriter(std::string path, SectionWriter file, const R1cs& circuit, Executor& executor)
      : ListWriter(std::move(path), PointForm::kMontgomery, executor),
        file_(std::move(file)),
        circuit_(circuit) {}

 private:
  Status write_head(const VerifyingKey& vk, const KeyCounts& counts) override {
    CUZK_CHECK(vk.ic.size() == circuit_.num_inputs && counts.a == circuit_.num_variables());
    CUZK_TRY(file_.begin(zkey::kProtocol));
    CUZK_TRY(file_.le32(zkey::kGroth16));
    CUZK_TRY(file_.end());
    CUZK_TRY(write_header(vk, counts.domain_size));
    CUZK_TRY(write_coefficients());
    CUZK_TRY(file_.begin(zkey::kIc));
    std::vector<uint8_t> ic;
    encode_points<G1>(vk.ic, form_, ic, executor_);
    CUZK_TRY(file_.file().write(ic));
    return file_.end();
  }

  Status write_header(const VerifyingKey& vk, uint64_t domain) {
    uint8_t p[Fp::kBytes], r[Fr::kBytes];
    Fp::kModulus.to_le_bytes(p);
    Fr::kModulus.to_le_bytes(r);
    CUZK_TRY(file_.begin(zkey::kHeader));
    CUZK_TRY(file_.le32(Fp::kBytes));
    CUZK_TRY(file_.file().write(p));
    CUZK_TRY(file_.le32(Fr::kBytes));
    CUZK_TRY(file_.file().write(r));
    CUZK_TRY(file_.le32(static_cast<uint32_t>(circuit_.num_variables())));
    CUZK_TRY(file_.le32(static_cast<uint32_t>(circuit_.num_inputs - 1)));
    CUZK_TRY(file_.le32(static_cast<uint32_t>(domain)));
    CUZK_TRY(file_.file().write(encode_vk_head(vk, form_)));
    return file_.end();
  }

  Status write_coefficients() {
    const uint64_t count = circuit_.a.nonzeros() + circuit_.b.nonzeros() + circuit_.num_inputs;
    if (count > UINT32_MAX)
      return invalid(path_ + ": the circuit has too many coefficients for a .zkey file");
    CUZK_TRY(file_.begin(zkey::kCoefficients));
    CUZK_TRY(file_.le32(static_cast<uint32_t>(count)));
    for (size_t i = 0; i < circuit_.num_constraints(); ++i) {
      CUZK_TRY(write_row(0, i, circuit_.a.row(i)));
      CUZK_TRY(write_row(1, i, circuit_.b.row(i)));
    }
    for (size_t i = 0; i < circuit_.num_inputs; ++i) {
      const Term one{static_cast<uint32_t>(i), CoefficientTable::kOne};
      CUZK_TRY(write_row(0, circuit_.num_constraints() + i, std::span(&one, 1)));
    }
    return file_.end();
  }

  Status write_row(uint32_t matrix, size_t row, std::span<const Term> terms) {
    uint8_t bytes[zkey::kCoefficientBytes];
    for (const Term& term : terms) {
      store_le32(bytes, matrix);
      store_le32(bytes + 4, static_cast<uint32_t>(row));
      store_le32(bytes + 8, term.variable);
      zkey::coefficient_to_stored(circuit_.coefficients[term.coefficient]).to_le_bytes(bytes + 12);
      CUZK_TRY(file_.file().write(bytes));
    }
    return {};
  }

  Status begin_list(size_t list, uint64_t) override {
    constexpr uint32_t kTypes[kSections] = {zkey::kH, zkey::kC, zkey::kA, zkey::kB1, zkey::kB2};
    return file_.begin(kTypes[list]);
  }
  Status end_list() override { return file_.end(); }
  Status write_tail() override {
    constexpr uint8_t kNoHash[64] = {};
    CUZK_TRY(file_.begin(zkey::kContributions));
    CUZK_TRY(file_.file().write(kNoHash));
    CUZK_TRY(file_.le32(0));
    return file_.end();
  }
  AtomicFile& file() override { return file_.file(); }
  Status write(Bytes bytes) override { return file_.file().write(bytes); }
  bool infinity_allowed(size_t list) const override { return list != 0; }

  SectionWriter file_;
  const R1cs& circuit_;
};

// Passes points on, kChunk at a time; finite_only leaves infinity out.
template <class G, class Append>
Status pass_on(const PointSource<G>& source, bool finite_only, Executor& executor, const Append& append) {
  for (size_t begin = 0; begin < source.size(); begin += kChunk) {
    const size_t size = std::min(kChunk, source.size() - begin);
    CUZK_ASSIGN(auto points, load_range<G>(source, begin, size, executor));
    if (finite_only) std::erase_if(points, [](const auto& point) { return point.is_infinity(); });
    CUZK_TRY(append(std::span<const typename G::Point>(points)));
  }
  return {};
}

template <class G>
Result<size_t> count_finite(const PointSource<G>& source, Executor& executor) {
  size_t count = 0;
  CUZK_TRY(pass_on<G>(source, true, executor, [&](auto points) -> Status {
    count += points.size();
    return {};
  }));
  return count;
}

Status pass_lists(const ProvingKey& key, bool finite_only, KeySink& sink, Executor& executor) {
  auto g1 = [&](KeySection section, const PointSource<G1>& source, bool finite) {
    return pass_on<G1>(source, finite, executor, [&](auto points) { return sink.append(section, points); });
  };
  CUZK_TRY(g1(KeySection::kL, *key.l, false));
  CUZK_TRY(g1(KeySection::kA, *key.a, finite_only));
  CUZK_TRY(g1(KeySection::kBG1, *key.b_g1, finite_only));
  return pass_on<G2>(*key.b_g2, finite_only, executor, [&](auto points) { return sink.append_b_g2(points); });
}

// Bellman has no place for a private variable without a base in l.
Status refuse_unused_variables(const ProvingKey& key, Executor& executor) {
  size_t index = 0;
  return pass_on<G1>(*key.l, false, executor, [&](auto points) -> Status {
    for (const G1Affine& point : points) {
      if (point.is_infinity()) {
        return invalid(
            "wire " + std::to_string(key.num_inputs() + index) + " (auxiliary " + std::to_string(index) +
            ") occurs in no constraint: a .params file cannot hold such a variable, prove with the .zkey");
      }
      ++index;
    }
    return {};
  });
}

}  // namespace

Result<std::unique_ptr<KeyFileWriter>> create_params_writer(const std::string& path, Executor& executor,
                                                            std::function<void(Bytes)> written) {
  CUZK_ASSIGN(AtomicFile file, AtomicFile::create(path));
  return std::unique_ptr<KeyFileWriter>(
      new ParamsWriter(path, std::move(file), executor, std::move(written)));
}

Result<std::unique_ptr<KeyFileWriter>> create_zkey_writer(const std::string& path, const R1cs& circuit,
                                                          Executor& executor) {
  CUZK_ASSIGN(SectionWriter file, SectionWriter::create(path, "zkey", zkey::kVersion, 10));
  return std::unique_ptr<KeyFileWriter>(new ZkeyWriter(path, std::move(file), circuit, executor));
}

Status copy_key(const ProvingKey& key, KeySink& sink, Executor& executor) {
  CUZK_TRY(
      sink.begin(key.vk, {key.domain_size(), key.h->size(), key.l->size(), key.a->size(), key.b_g1->size()}));
  CUZK_TRY(
      pass_on<G1>(*key.h, false, executor, [&](auto points) { return sink.append(KeySection::kH, points); }));
  return pass_lists(key, false, sink, executor);
}

Status convert_to_bellman(const ProvingKey& key, KeySink& sink, Executor& executor) {
  CUZK_CHECK(key.quotient_basis == QuotientBasis::kOddLagrange && key.layout == QueryLayout::kEveryVariable);
  CUZK_TRY(refuse_unused_variables(key, executor));
  CUZK_ASSIGN(const size_t a, count_finite<G1>(*key.a, executor));
  CUZK_ASSIGN(const size_t b, count_finite<G1>(*key.b_g1, executor));
  CUZK_ASSIGN(const size_t b_g2, count_finite<G2>(*key.b_g2, executor));
  if (b != b_g2) {
    return invalid("the key has " + std::to_string(b) + " finite points in B1 and " + std::to_string(b_g2) +
                   " in B2, expected equal numbers: it is damaged");
  }
  CUZK_ASSIGN(const std::vector<G1Affine> odd_lagrange, load_all<G1>(*key.h, executor));
  const std::vector<G1Affine> h = coefficient_bases(odd_lagrange, key.domain_root, executor);
  CUZK_TRY(sink.begin(key.vk, {key.domain_size(), h.size(), key.l->size(), a, b}));
  CUZK_TRY(pass_on<G1>(SpanSource<G1>(h), false, executor,
                       [&](auto points) { return sink.append(KeySection::kH, points); }));
  return pass_lists(key, true, sink, executor);
}

}  // namespace cuzk
