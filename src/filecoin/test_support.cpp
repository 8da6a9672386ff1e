#include "filecoin/test_support.hpp"

#include <zstd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "filecoin/circuit_digest.hpp"
#include "filecoin/circuit_matrices.hpp"
#include "filecoin/circuit_size.hpp"
#include "filecoin/witness_digest.hpp"
#include "r1cs/template_evaluate.hpp"

namespace cuzk::testing_support {
namespace {

std::optional<std::string> read_path(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

std::string decompressed(const std::string& data) {
  std::string out;
  ZSTD_DStream* stream = ZSTD_createDStream();
  ZSTD_inBuffer input{data.data(), data.size(), 0};
  std::string chunk(ZSTD_DStreamOutSize(), 0);
  while (input.pos < input.size) {
    ZSTD_outBuffer output{chunk.data(), chunk.size(), 0};
    if (ZSTD_isError(ZSTD_decompressStream(stream, &output, &input)) != 0) break;
    out.append(chunk.data(), output.pos);
  }
  ZSTD_freeDStream(stream);
  return out;
}

Bytes32 to_bytes32(const std::string& hex) {
  Bytes32 out{};
  const auto bytes = from_hex(hex);
  if (bytes && bytes->size() == 32) std::copy(bytes->begin(), bytes->end(), out.begin());
  return out;
}

}  // namespace

struct Case::Json {
  nlohmann::json value;
};

std::optional<Case> Case::load(const std::string& path) {
  const auto text = read_path(kVectors + path + ".json");
  if (!text) return std::nullopt;
  Case c;
  c.path_ = path;
  c.json_ = std::make_shared<const Json>(Json{nlohmann::json::parse(*text)});
  return c;
}

bool Case::has(const std::string& key) const {
  return json_->value.contains(key);
}

std::string Case::text(const std::string& key) const {
  return json_->value.value(key, "");
}

uint64_t Case::number(const std::string& key) const {
  return json_->value.value(key, uint64_t{0});
}

std::vector<std::string> Case::texts(const std::string& key) const {
  return json_->value.value(key, std::vector<std::string>{});
}

Bytes32 Case::bytes32(const std::string& key) const {
  return to_bytes32(text(key));
}

std::vector<std::string> Case::input_files() const {
  return has("input_files") ? texts("input_files") : std::vector<std::string>{text("input_file")};
}

std::vector<PostPublicSector> Case::sectors() const {
  std::vector<PostPublicSector> out;
  for (const auto& sector : json_->value["sectors"])
    out.push_back({sector["sector_id"], to_bytes32(sector["comm_r"])});
  return out;
}

std::string Case::gadget_digest(const std::string& gadget) const {
  for (const auto& entry : json_->value)
    if (entry["gadget"] == gadget) return entry["digest"];
  return "";
}

std::vector<Case::Block> Case::blocks() const {
  std::vector<Block> out;
  for (const auto& block : json_->value["blocks"]) out.push_back({block[1], block[2], block[3]});
  return out;
}

std::array<uint64_t, 3> Case::nonzeros() const {
  const auto& n = json_->value["nonzeros"];
  return {n["a"], n["b"], n["c"]};
}

std::optional<std::string> Case::read_file(const std::string& name) const {
  const std::string file = std::filesystem::path(kVectors + path_).parent_path().string() + "/" + name;
  if (auto plain = read_path(file)) return plain;
  if (auto packed = read_path(file + ".zst")) return decompressed(*packed);
  return std::nullopt;
}

std::vector<Case> all_cases() {
  std::vector<Case> out;
  for (const char* folder : {"inputs/", "real/", "full/"}) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(kVectors + folder, ignored)) {
      const std::string file = entry.path().filename();
      if (!file.ends_with(".json") || file.find(".p") == std::string::npos) continue;
      out.push_back(*Case::load(folder + file.substr(0, file.size() - 5)));
    }
  }
  std::sort(out.begin(), out.end(), [](const Case& a, const Case& b) { return a.path() < b.path(); });
  return out;
}

void check_circuit(const std::string& name) {
  const auto expected = Case::load("circuits/" + name);
  if (!expected) GTEST_SKIP() << "no shared vectors for " << name;
  const auto circuit = parse_circuit_name(name);
  ASSERT_TRUE(circuit) << circuit.error().message;
  EXPECT_EQ(circuit_identifier(*circuit), expected->text("identifier"));
  EXPECT_EQ(key_name(*circuit), expected->text("parameters"));

  DigestSystem cs;
  synthesize_shape(*circuit, cs);
  cs.finish();
  const auto blocks = expected->blocks();
  for (size_t i = 0; i < std::min(blocks.size(), cs.hasher().blocks().size()); ++i) {
    const auto& start = cs.block_starts()[i];
    ASSERT_EQ(blocks[i].aux_before, start.aux_before) << "auxiliaries before block " << i;
    ASSERT_EQ(blocks[i].inputs_before, start.inputs_before) << "inputs before block " << i;
    ASSERT_EQ(blocks[i].digest, to_hex(cs.hasher().blocks()[i]))
        << name << ": first differing block starts at constraint " << start.first_constraint;
  }
  EXPECT_EQ(cs.num_inputs(), expected->number("inputs"));
  EXPECT_EQ(cs.num_aux(), expected->number("aux"));
  EXPECT_EQ(cs.num_constraints(), expected->number("constraints"));
  EXPECT_EQ(cs.nonzeros(), expected->nonzeros());
  EXPECT_EQ(cs.zero_terms_dropped(), expected->number("zero_terms_dropped"));
  EXPECT_EQ(to_hex(cs.hasher().digest()), expected->text("digest"));
}

Result<PorepInput> porep_input(const Case& c) {
  const auto text = c.read_file(c.text("input_file"));
  if (!text) return fail(ErrorCode::kNotFound, "no input file");
  CUZK_ASSIGN(PorepInput input, parse_porep_input(as_bytes(*text)));
  input.porep_id = c.bytes32("porep_id");
  input.prover = c.bytes32("prover_id");
  input.sector = c.number("sector_id");
  return input;
}

Result<PostInput> post_input(const Case& c) {
  PostInput input;
  input.sector_bytes = c.number("sector_size");
  input.winning = c.path().find("winning") != std::string::npos;
  CUZK_ASSIGN(input.api, parse_api_version(c.text("api")));
  input.randomness = c.bytes32("randomness");
  for (const std::string& name : c.input_files()) {
    const auto bytes = c.read_file(name);
    if (!bytes) return fail(ErrorCode::kNotFound, "no input file");
    CUZK_ASSIGN(PostSectorProof sector, parse_post_sector_proof(as_bytes(*bytes), input.sector_bytes));
    input.sectors.push_back(std::move(sector));
  }
  return input;
}

Result<UpdateInput> update_input(const Case& c) {
  const auto bytes = c.read_file(c.text("input_file"));
  if (!bytes) return fail(ErrorCode::kNotFound, "no input file");
  return parse_update_input(as_bytes(*bytes),
                            {c.number("sector_size"), static_cast<uint32_t>(c.number("partition")),
                             c.bytes32("comm_r_old"), c.bytes32("comm_d_new"), c.bytes32("comm_r_new")});
}

namespace {

void compare_witness(const Case& c, const std::function<Status(ConstraintSystem&)>& synthesize) {
  const auto w = digest_witness(synthesize, c.number("aux"));
  ASSERT_TRUE(w) << c.path() << ": " << w.error().message;
  EXPECT_EQ(w->num_aux, c.number("aux")) << c.path();
  EXPECT_EQ(w->num_constraints, c.number("constraints")) << c.path();
  EXPECT_EQ(w->inputs.size(), c.number("inputs")) << c.path();
  EXPECT_EQ(w->num_unsatisfied, 0u) << c.path() << ": " << w->first_unsatisfied->path;
  EXPECT_EQ(to_hex(w->input_digest), c.text("input_digest")) << c.path();
  const auto blocks = c.texts("aux_blocks");
  for (size_t i = 0; i < std::min(blocks.size(), w->aux_blocks.size()); ++i)
    ASSERT_EQ(to_hex(w->aux_blocks[i]), blocks[i]) << c.path() << ": auxiliaries, block " << i;
  EXPECT_EQ(w->aux_zero, c.number("aux_zero")) << c.path();
  EXPECT_EQ(w->aux_one, c.number("aux_one")) << c.path();
  EXPECT_EQ(to_hex(w->aux_digest), c.text("aux_digest")) << c.path();
  EXPECT_EQ(to_hex(w->a_digest), c.text("a_digest")) << c.path();
  EXPECT_EQ(to_hex(w->b_digest), c.text("b_digest")) << c.path();
  EXPECT_EQ(to_hex(w->c_digest), c.text("c_digest")) << c.path();
}

void expect_ok(const Case& c, const Status& status) {
  EXPECT_TRUE(status) << c.path() << ": " << status.error().message;
}

}  // namespace

Result<std::shared_ptr<const StoredMatrices>> matrices_of(const CircuitId& circuit) {
  static std::map<std::string, std::shared_ptr<const StoredMatrices>> made;
  std::shared_ptr<const StoredMatrices>& one = made[circuit.name()];
  if (!one) {
    ThreadPool pool;
    CUZK_ASSIGN(one, record_matrices(circuit, pool));
  }
  return one;
}

void check_matrices(const std::string& name) {
  const auto expected = Case::load("circuits/" + name);
  if (!expected) GTEST_SKIP() << "no shared vectors for " << name;
  const auto circuit = parse_circuit_name(name);
  ASSERT_TRUE(circuit);
  const auto matrices = matrices_of(*circuit);
  ASSERT_TRUE(matrices) << matrices.error().message;
  EXPECT_EQ((*matrices)->num_inputs(), expected->number("inputs"));
  EXPECT_EQ((*matrices)->num_aux(), expected->number("aux"));
  EXPECT_EQ((*matrices)->num_constraints(), expected->number("constraints"));
  EXPECT_EQ((*matrices)->counts().nonzeros, expected->nonzeros());
  EXPECT_TRUE(size_of(**matrices) == known_circuit(*circuit).size) << "run tools/known_circuits.py";
  if (to_hex((*matrices)->digest()) == expected->text("digest")) return;
  ThreadPool pool;
  const auto blocks = digest_of(**matrices, pool).blocks;
  const auto expected_blocks = expected->blocks();
  for (size_t i = 0; i < std::min(blocks.size(), expected_blocks.size()); ++i)
    ASSERT_EQ(to_hex(blocks[i]), expected_blocks[i].digest) << name << ", block " << i;
  FAIL() << name << ": digest " << to_hex((*matrices)->digest());
}

CircuitId circuit_of(const Case& c) {
  const ProofKind kind = c.has("replica_id")                             ? ProofKind::kPorep
                         : c.has("comm_r_old")                           ? ProofKind::kSnap
                         : c.path().find("winning") != std::string::npos ? ProofKind::kWinning
                                                                         : ProofKind::kWindow;
  return {kind, c.number("sector_size")};
}

Result<CompactWitness> compact_witness(const Case& c, Executor& executor) {
  const auto partition = static_cast<uint32_t>(c.number("partition"));
  if (c.has("replica_id")) {
    CUZK_ASSIGN(const PorepInput input, porep_input(c));
    return compact_porep(input, partition, executor);
  }
  if (c.has("comm_r_old")) {
    CUZK_ASSIGN(const UpdateInput input, update_input(c));
    return compact_update(input, executor);
  }
  CUZK_ASSIGN(const PostInput input, post_input(c));
  return compact_post(input, partition, executor);
}

void check_compact_case(const std::string& path) {
  const auto c = Case::load(path);
  if (!c) GTEST_SKIP() << "no shared vectors for " << path;
  ThreadPool pool;
  const auto matrices = matrices_of(circuit_of(*c));
  ASSERT_TRUE(matrices) << path << ": " << matrices.error().message;
  const StoredMatrices& m = **matrices;
  const auto w = compact_witness(*c, pool);
  ASSERT_TRUE(w) << path << ": " << w.error().message;
  const Status form = check_witness_form(m, *w);
  ASSERT_TRUE(form) << path << ": " << form.error().message;

  const WitnessView view(m.witness_shape(), *w);
  std::vector<Fr> inputs;
  for (size_t i = 0; i < m.num_inputs(); ++i) inputs.push_back(view[i]);
  EXPECT_EQ(to_hex(digest_of_inputs(inputs)), c->text("input_digest")) << path;
  BlockHasher aux;
  for (size_t i = m.num_inputs(); i < view.size(); ++i) aux.add_value(view[i]);
  aux.finish();
  const auto blocks = c->texts("aux_blocks");
  for (size_t i = 0; i < std::min(blocks.size(), aux.blocks().size()); ++i)
    ASSERT_EQ(to_hex(aux.blocks()[i]), blocks[i]) << path << ": auxiliaries, block " << i;
  EXPECT_EQ(to_hex(aux.digest()), c->text("aux_digest")) << path;

  const StoredEvaluator evaluator(*matrices);
  const auto bad = evaluator.first_unsatisfied(*w, pool);
  EXPECT_FALSE(bad) << path << ": constraint " << bad->index;
  std::vector<Fr> a(m.num_constraints()), b(a.size());
  evaluator.evaluate(*w, a, b, {}, pool);
  EXPECT_EQ(to_hex(digest_of_values(a)), c->text("a_digest")) << path;
  EXPECT_EQ(to_hex(digest_of_values(b)), c->text("b_digest")) << path;
  // C·w takes the place of A·w.
  evaluator.evaluate(*w, a, b, a, pool);
  EXPECT_EQ(to_hex(digest_of_values(a)), c->text("c_digest")) << path;
}

void check_case(const std::string& path) {
  const auto c = Case::load(path);
  if (!c) GTEST_SKIP() << "no shared vectors for " << path;
  const auto partition = static_cast<uint32_t>(c->number("partition"));
  if (c->has("replica_id")) {
    const auto input = porep_input(*c);
    ASSERT_TRUE(input) << path << ": " << input.error().message;
    expect_ok(*c, check_porep_input(*input, partition));
    compare_witness(*c, [&](ConstraintSystem& cs) { return synthesize_porep(*input, partition, cs); });
  } else if (c->has("comm_r_old")) {
    const auto input = update_input(*c);
    ASSERT_TRUE(input) << path << ": " << input.error().message;
    expect_ok(*c, check_update_input(*input));
    compare_witness(*c, [&](ConstraintSystem& cs) {
      synthesize_update(*input, cs);
      return Status{};
    });
  } else {
    const auto input = post_input(*c);
    ASSERT_TRUE(input) << path << ": " << input.error().message;
    expect_ok(*c, check_post_input(*input, partition));
    compare_witness(*c, [&](ConstraintSystem& cs) { return synthesize_post(*input, partition, cs); });
  }
}

}  // namespace cuzk::testing_support
