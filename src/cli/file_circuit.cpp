#include "cli/file_circuit.hpp"

#include "formats/bellman_params.hpp"
#include "formats/r1cs_file.hpp"
#include "formats/wtns_file.hpp"
#include "groth16/prove.hpp"

namespace cuzk::cli {

Result<std::shared_ptr<FileCircuit>> FileCircuit::open(const CircuitFiles& files, Executor& executor) {
  std::shared_ptr<FileCircuit> out(new FileCircuit);
  out->name_ = "r1cs:" + files.r1cs;
  out->files_ = files;
  CUZK_ASSIGN(auto r1cs_file, InputFile::open(files.r1cs));
  CUZK_ASSIGN(auto r1cs, read_r1cs(r1cs_file));
  out->circuit_ = std::make_shared<const R1cs>(std::move(r1cs.circuit));
  out->witness_shape_ = std::make_shared<const WitnessShape>(WitnessShape::of(*out->circuit_));
  for (const std::string& path : files.witnesses) {
    CUZK_ASSIGN(auto file, InputFile::open(path));
    CUZK_ASSIGN(auto values, read_wtns(file, executor));
    auto compacted = compact(*out->witness_shape_, values);
    if (!compacted) return tl::unexpected<Error>(compacted.error().at(path));
    out->witnesses_.push_back(std::move(values));
  }
  CUZK_ASSIGN(auto params_file, InputFile::open(files.params));
  CUZK_ASSIGN(auto params, open_params(params_file, PointCheck::kNone, executor));
  auto material = key_material(params.key, out->circuit_);
  if (!material) return tl::unexpected<Error>(material.error().at(files.params));
  out->shape_ = material->shape();
  return out;
}

uint64_t FileCircuit::witness_bytes() const {
  return 4 * witness_shape_->num_bit_words() + sizeof(Fr) * witness_shape_->num_wide();
}

Result<engine::CircuitKey> FileCircuit::load_key() {
  CUZK_ASSIGN(auto file, InputFile::open(files_.params));
  InlineExecutor executor;
  CUZK_ASSIGN(auto params, open_params(file, PointCheck::kCurve, executor));
  return engine::CircuitKey{std::move(params.key), circuit_};
}

Status FileCircuit::check_input(const engine::JobInput& input) const {
  if (dynamic_cast<const FileInput*>(&input) == nullptr)
    return invalid(name_ + ": the input is another circuit's");
  return {};
}

Result<engine::PartitionWitness> FileCircuit::synthesise(const engine::JobInput&, uint32_t partition,
                                                         const engine::SynthesisContext& context) const {
  context.throttle.pause();
  if (context.stop) return fail(ErrorCode::kCancelled, "cancelled");
  CUZK_ASSIGN(auto values, compact(*witness_shape_, witnesses_[partition % witnesses_.size()]));
  return engine::PartitionWitness{witness_shape_, std::move(values)};
}

}  // namespace cuzk::cli
