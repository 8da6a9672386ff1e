#include "engine/filecoin/filecoin_circuit.hpp"

#include <bit>

#include "hash/blake2b.hpp"

namespace cuzk::engine {
namespace {

ProofShape shape_of(const StoredMatrices& matrices) {
  const Density density = density_of(matrices);
  ProofShape out;
  out.num_inputs = matrices.num_inputs();
  out.num_aux = matrices.num_aux();
  out.num_constraints = matrices.num_constraints();
  out.nonzeros = matrices.nonzeros();
  out.coefficients = matrices.arrays().coefficients.size();
  out.domain_size = std::bit_ceil(out.num_constraints + out.num_inputs);
  out.num_h = out.domain_size - 1;
  out.num_l = out.num_aux;
  out.num_a = density.a.size();
  out.num_b = density.b.size();
  out.stored_bytes = matrices.stored_bytes();
  return out;
}

// A missing key is found before hours of sealing and synthesis are spent on a proof that needs it.
Status find_key(const CircuitId& id, const FilecoinCircuit::Keys& keys) {
  const auto look = [&]() -> Status {
    CUZK_ASSIGN(const KeyDirectory folder, KeyDirectory::open(keys.folder));
    return folder.check_there(key_name(id), keys.manifest, keys.network_only);
  };
  Status there = look();
  if (!there) return tl::unexpected(advise(id.name(), keys.folder, std::move(there.error())));
  return {};
}

}  // namespace

FilecoinInput::FilecoinInput(ProofInput input, Bytes source) : input_(std::move(input)) {
  Blake2b256 hash;
  if (const auto statement = input_.statement()) {
    const std::string text = input_.circuit().name() + statement_to_json(*statement);
    hash.update({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }
  hash.update(source);
  digest_ = to_hex(hash.finish());
}

Result<CircuitId> parse_engine_circuit(const std::string& name) {
  if (name.starts_with("wpost-")) return parse_circuit_name("window-" + name.substr(6));
  return parse_circuit_name(name);
}

Result<std::shared_ptr<FilecoinCircuit>> FilecoinCircuit::open(const CircuitId& id, Keys keys,
                                                               Executor& executor) {
  std::shared_ptr<FilecoinCircuit> out(new FilecoinCircuit);
  out->id_ = id;
  out->name_ = id.name();
  out->keys_ = std::move(keys);
  CUZK_TRY(find_key(id, out->keys_));
  auto matrices = load_or_make_matrices(id, out->keys_.folder, executor);
  if (!matrices) matrices = make_matrices(id, executor);  // a folder that cannot be written
  if (!matrices) return tl::unexpected(matrices.error());
  out->matrices_ = std::move(*matrices);
  out->witness_shape_ = std::shared_ptr<const WitnessShape>(out->matrices_, &out->matrices_->witness_shape());
  out->shape_ = shape_of(*out->matrices_);
  return out;
}

uint64_t FilecoinCircuit::witness_bytes() const {
  return 4 * witness_shape_->num_bit_words() + sizeof(Fr) * witness_shape_->num_wide();
}

Result<CircuitKey> FilecoinCircuit::load_key() {
  InlineExecutor executor;
  CUZK_ASSIGN(KeyDirectory folder, KeyDirectory::open(keys_.folder));
  CUZK_ASSIGN(OpenedKey key, open_key(folder, key_name(id_), keys_.manifest, keys_.network_only, executor));
  if (key.origin && key.origin->circuit_digest != to_hex(matrices_->digest()))
    return invalid(key.params.file->name() + ": made for another constraint system than " + name_ +
                   " of this version; make the key again");
  return CircuitKey{std::move(key.params.key), Matrices(matrices_)};
}

Status FilecoinCircuit::check_input(const JobInput& input) const {
  const auto* own = dynamic_cast<const FilecoinInput*>(&input);
  if (own == nullptr || !(own->input().circuit() == id_))
    return invalid(name_ + ": the input is another circuit's");
  if (auto statement = own->input().statement(); !statement)
    return tl::unexpected(statement.error().at(name_));
  return {};
}

Result<PartitionWitness> FilecoinCircuit::synthesise(const JobInput& input, uint32_t partition,
                                                     const SynthesisContext& context) const {
  const ProofInput& own = dynamic_cast<const FilecoinInput&>(input).input();
  InlineExecutor executor;
  context.throttle.pause();
  if (context.stop) return fail(ErrorCode::kCancelled, "cancelled");
  CUZK_TRY(own.check(partition, executor));
  if (context.stop) return fail(ErrorCode::kCancelled, "cancelled");
  CUZK_ASSIGN(CompactWitness values, own.compact(partition, executor));
  // The circuit must state what a verifier will derive.
  CUZK_ASSIGN(const Statement statement, own.statement());
  CUZK_ASSIGN(const std::vector<Fr> expected, statement.public_inputs(partition));
  const WitnessView view(*witness_shape_, values);
  for (size_t i = 0; i < expected.size(); ++i)
    if (!(view[i + 1] == expected[i]))
      return invalid("partition " + std::to_string(partition) + ": public input " + std::to_string(i) +
                     " is not what a verifier derives from ids, commitments and randomness");
  return PartitionWitness{witness_shape_, std::move(values)};
}

}  // namespace cuzk::engine
