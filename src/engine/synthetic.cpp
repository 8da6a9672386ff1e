#include "engine/synthetic.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "groth16/setup.hpp"

namespace cuzk::engine {

namespace {

constexpr size_t kInputs = 2;  // the constant one and the end of the chain
constexpr size_t kLeastLog2 = 4, kMostLog2 = 27;
constexpr uint32_t kMostWork = 1'000'000;
constexpr uint64_t kKeySeed = 0x63757a6b;

// y_(k-1) of the chain: the first link starts from the constant one.
uint32_t previous(uint32_t k, uint32_t first_wide) {
  return k == 0 ? 0 : first_wide + k - 1;
}

R1cs make_circuit(size_t num_bits, size_t num_wide) {
  R1cs circuit;
  circuit.num_inputs = kInputs;
  circuit.num_aux = num_bits + num_wide - 1;  // the last link is the public input
  const uint32_t first_bit = kInputs, first_wide = static_cast<uint32_t>(kInputs + num_bits);
  const Fr one = Fr::one();
  for (uint32_t i = 0; i < num_bits; ++i)
    circuit.add_constraint({{first_bit + i, one}}, {{first_bit + i, one}, {0, -one}}, {});
  for (uint32_t k = 0; k < num_wide; ++k) {
    uint32_t from = previous(k, first_wide), bit = first_bit + static_cast<uint32_t>(k % num_bits);
    uint32_t to = k + 1 == num_wide ? 1 : first_wide + k;
    circuit.add_constraint({{from, one}}, {{from, one}, {bit, one}, {0, Fr::from_u64(3)}}, {{to, one}});
  }
  return circuit;
}

}  // namespace

Result<SyntheticSpec> parse_synthetic(const std::string& text) {
  const std::string expected =
      "'" + text + "': expected synthetic:LOG2SIZE, then :bits=SHARE or :work=TIMES or both";
  constexpr std::string_view kPrefix = "synthetic:", kBits = "bits=", kWork = "work=";
  if (!text.starts_with(kPrefix)) return invalid(expected);
  std::string_view rest = std::string_view(text).substr(kPrefix.size());
  auto number = [](std::string_view digits, auto& value) {
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  SyntheticSpec spec;
  size_t colon = std::min(rest.find(':'), rest.size());
  if (!number(rest.substr(0, colon), spec.log2_size)) return invalid(expected);
  if (spec.log2_size < kLeastLog2 || spec.log2_size > kMostLog2)
    return invalid("'" + text + "': the size is from 2^4 to 2^27");
  while (colon < rest.size()) {
    rest.remove_prefix(colon + 1);
    colon = std::min(rest.find(':'), rest.size());
    const std::string_view option = rest.substr(0, colon);
    if (option.starts_with(kBits)) {
      if (!number(option.substr(kBits.size()), spec.bits) || !(spec.bits >= 0 && spec.bits <= 1))
        return invalid("'" + text + "': bits is a share from 0 to 1");
    } else if (option.starts_with(kWork)) {
      if (!number(option.substr(kWork.size()), spec.work) || spec.work < 1 || spec.work > kMostWork)
        return invalid("'" + text + "': work is from 1 to " + std::to_string(kMostWork));
    } else {
      return invalid(expected);
    }
  }
  return spec;
}

SyntheticCircuit::SyntheticCircuit(const SyntheticSpec& spec, Executor* executor)
    : spec_(spec), executor_(executor) {
  char bits[32];
  std::snprintf(bits, sizeof bits, "%g", spec.bits);
  name_ = "synthetic:" + std::to_string(spec.log2_size) + ":bits=" + bits;
  if (spec.work != 1) name_ += ":work=" + std::to_string(spec.work);
  // Fills the domain: constraints and inputs together are a power of two.
  size_t constraints = (size_t{1} << spec.log2_size) - kInputs;
  num_bits_ = std::clamp<size_t>(
      static_cast<size_t>(std::llround(spec.bits * static_cast<double>(constraints))), 1, constraints - 1);
  num_wide_ = constraints - num_bits_;
  circuit_ = std::make_shared<const R1cs>(make_circuit(num_bits_, num_wide_));
  shape_ = std::make_shared<const WitnessShape>(WitnessShape::of(*circuit_));
}

Result<ProofShape> SyntheticCircuit::shape() const {
  ProofShape shape;
  shape.num_inputs = kInputs;
  shape.num_aux = circuit_->num_aux;
  shape.num_constraints = num_constraints();
  shape.nonzeros = circuit_->a.nonzeros() + circuit_->b.nonzeros() + circuit_->c.nonzeros();
  shape.coefficients = circuit_->coefficients.size();
  shape.domain_size = size_t{1} << spec_.log2_size;
  shape.num_h = shape.domain_size - 1;
  shape.num_l = shape.num_aux;
  shape.num_a = shape.num_b = kInputs + shape.num_aux;  // at most
  return shape;
}

uint64_t SyntheticCircuit::witness_bytes() const {
  return 4 * shape_->num_bit_words() + sizeof(Fr) * shape_->num_wide();
}

Result<CircuitKey> SyntheticCircuit::load_key() {
  TestRandom random(kKeySeed);
  InlineExecutor inline_executor;
  Executor& executor = executor_ != nullptr ? *executor_ : inline_executor;
  CUZK_ASSIGN(ProvingKey key, setup(*circuit_, SetupSecrets::random(random), kBellmanForm, executor));
  return CircuitKey{std::move(key), circuit_};
}

Status SyntheticCircuit::check_input(const JobInput& input) const {
  if (dynamic_cast<const SyntheticInput*>(&input) == nullptr)
    return invalid(name_ + ": the input is another circuit's");
  return {};
}

PartitionWitness SyntheticCircuit::witness(uint64_t seed, const SynthesisContext* context) const {
  TestRandom random(seed);
  PartitionWitness out{shape_, {}};
  std::vector<uint32_t>& bits = out.values.bits;
  bits.assign(shape_->num_bit_words(), 0);
  bits[0] = 1;  // the constant one comes first
  for (size_t i = 0; i < num_bits_; ++i)
    bits[(i + 1) / 32] |= static_cast<uint32_t>(random.next() & 1) << ((i + 1) % 32);
  // The public input comes first among the wide values, then the links before it.
  auto& wide = out.values.wide;
  wide.resize(num_wide_);
  constexpr size_t kBetweenPauses = 16384;
  for (uint32_t time = 0; time < spec_.work; ++time) {
    Fr value = Fr::one();
    for (size_t k = 0; k < num_wide_; ++k) {
      if (context != nullptr && k % kBetweenPauses == 0) {
        context->throttle.pause();
        if (context->stop) return out;
      }
      size_t bit = k % num_bits_ + 1;
      bool set = (bits[bit / 32] >> (bit % 32) & 1) != 0;
      value = value * (value + Fr::from_u64(set ? 4 : 3));
      wide[k + 1 == num_wide_ ? 0 : k + 1] = value;
    }
  }
  return out;
}

Result<PartitionWitness> SyntheticCircuit::synthesise(const JobInput& input, uint32_t partition,
                                                      const SynthesisContext& context) const {
  auto out = witness(static_cast<const SyntheticInput&>(input).seed() + partition, &context);
  if (context.stop) return fail(ErrorCode::kCancelled, "cancelled");
  return out;
}

}  // namespace cuzk::engine
