#include "gadgets/poseidon_circuit.hpp"

#include <array>
#include <map>
#include <memory>
#include <mutex>

#include "base/check.hpp"
#include "hash/poseidon_lanes.hpp"

namespace cuzk {
namespace {

// The rows of one hash that are the same in every instance. Auxiliary variables here are counted from the
// first one that the hash allocates.
struct Plan {
  struct Sbox {
    LinearCombination input;  // of one and of earlier outputs; sorted; empty in the first round
    Fr key;                   // added to the fifth power, zero in the last round
  };
  std::vector<Fr> first_keys;  // added to the preimage before the first S-boxes (index 0: the tag, unused)
  std::vector<Sbox> sboxes;    // in order of allocation; the first round without the constant tag
  LinearCombination output;
};

// Follows the permutation on linear combinations instead of numbers.
class Planner {
 public:
  Planner(size_t arity, PoseidonDomain domain) : c_(poseidon_constants(arity)), state_(c_.width) {
    first_round(poseidon_domain_tag(domain, arity));
    const size_t half = c_.half_full_rounds(), rounds = c_.full_rounds + c_.partial_rounds;
    for (size_t round = 1; round < rounds; ++round) {
      const bool partial = round >= half && round < half + c_.partial_rounds;
      for (size_t i = 0; i < (partial ? 1 : c_.width); ++i) {
        const Fr key = round + 1 == rounds ? Fr::zero() : *key_++;
        plan_.sboxes.push_back({sorted(state_[i]), key});
        allocated_ += 4;  // the input, its square, fourth power and output
        state_[i] = {LinearTerm(Variable::aux(allocated_ - 1))};
      }
      if (partial)
        apply(c_.sparse[round - half]);
      else
        apply(round + 1 == half ? c_.pre_sparse : c_.mds);
    }
    plan_.output = sorted(state_[1]);
  }

  Plan take() { return std::move(plan_); }

 private:
  using State = std::vector<LinearCombination>;

  void first_round(const Fr& tag) {
    const Fr* key = c_.compressed.data();
    plan_.first_keys.assign(key, key + c_.width);
    key_ = key + c_.width;
    state_[0] = {LinearTerm((tag + plan_.first_keys[0]).pow(5) + *key_++, kOne)};
    for (size_t i = 1; i < c_.width; ++i) {
      plan_.sboxes.push_back({{}, *key_++});
      allocated_ += 3;  // square, fourth power, output
      state_[i] = {LinearTerm(Variable::aux(allocated_ - 1))};
    }
    apply(c_.half_full_rounds() == 1 ? c_.pre_sparse : c_.mds);
  }

  static LinearCombination sorted(LinearCombination terms) {
    normalise(terms);
    return terms;
  }
  static void add_scaled(LinearCombination& sum, const LinearCombination& terms, const Fr& factor) {
    for (const LinearTerm& t : terms) sum.push_back({factor * t.coefficient, t.variable});
  }
  void apply(const std::vector<std::vector<Fr>>& matrix) {
    State out(c_.width);
    for (size_t j = 0; j < c_.width; ++j) {
      for (size_t i = 0; i < c_.width; ++i) add_scaled(out[j], state_[i], matrix[i][j]);
      normalise(out[j]);
    }
    state_ = std::move(out);
  }
  void apply(const PoseidonSparseMatrix& matrix) {
    LinearCombination first;
    for (size_t i = 0; i < c_.width; ++i) add_scaled(first, state_[i], matrix.column[i]);
    for (size_t j = 1; j < c_.width; ++j) {
      add_scaled(state_[j], state_[0], matrix.row[j - 1]);
      normalise(state_[j]);
    }
    normalise(first);
    state_[0] = std::move(first);
  }

  const PoseidonConstants& c_;
  const Fr* key_ = nullptr;
  State state_;
  size_t allocated_ = 0;
  Plan plan_;
};

const Plan& plan_of(size_t arity, PoseidonDomain domain) {
  struct Slot {
    std::once_flag once;
    std::unique_ptr<const Plan> plan;
  };
  static std::array<std::array<Slot, kPoseidonMaxArity + 1>, 2> slots;
  CUZK_CHECK(arity >= 1 && arity <= kPoseidonMaxArity);
  Slot& slot = slots[static_cast<size_t>(domain)][arity];
  std::call_once(slot.once, [&] { slot.plan = std::make_unique<const Plan>(Planner(arity, domain).take()); });
  return *slot.plan;
}

// The values of one hash in order of allocation.
void write_trace(const PoseidonConstants& c, std::span<const AllocatedNum> preimage, PoseidonDomain domain,
                 Fr* out) {
  std::array<Fr, kPoseidonMaxArity> values;
  for (size_t i = 0; i < preimage.size(); ++i) values[i] = preimage[i].value;
  const PoseidonLane lane{values.data(), out};
  poseidon_traces(c, domain, {&lane, 1});
}

// The values again, one by one; zeros where none are wanted.
class Trace {
 public:
  Trace(std::span<const AllocatedNum> preimage, PoseidonDomain domain, bool wanted) : wanted_(wanted) {
    if (!wanted) return;
    const PoseidonConstants& c = poseidon_constants(preimage.size());
    values_.resize(poseidon_trace_size(c));
    write_trace(c, preimage, domain, values_.data());
  }
  Fr next() { return wanted_ ? values_[at_++] : Fr::zero(); }

 private:
  bool wanted_;
  size_t at_ = 0;
  std::vector<Fr> values_;
};

class Emitter {
 public:
  Emitter(ConstraintSystem& cs, std::span<const AllocatedNum> preimage, PoseidonDomain domain)
      : cs_(cs),
        c_(poseidon_constants(preimage.size())),
        plan_(plan_of(preimage.size(), domain)),
        trace_(preimage, domain, cs.wants_values()) {
    first_round(preimage);
    const size_t half = c_.half_full_rounds();
    for (size_t i = 1; i < half; ++i) full_round({"initial full round {}", i}, false);
    for (size_t i = 0; i < c_.partial_rounds; ++i) {
      const Scope round(cs_, {"partial round {}", i});
      sbox(*Scope(cs_, "solitary quintic s-box"), false);
    }
    for (size_t i = 0; i + 1 < half; ++i) full_round({"final full round {}", i}, false);
    full_round("terminal full round", true);
    result_ = tied(*Scope(cs_, "hash result"), plan_.output);
  }

  const AllocatedNum& result() const { return result_; }

 private:
  void first_round(std::span<const AllocatedNum> preimage) {
    const Scope round(cs_, "first round");
    for (size_t i = 0; i < preimage.size(); ++i) {
      const Scope scope(cs_, {"quintic s-box {}", i + 1});
      const Plan::Sbox& box = plan_.sboxes[next_sbox_++];
      const LinearTerm key(plan_.first_keys[i + 1], kOne), x = preimage[i].variable;
      const Variable x2 = alloc({"(l+rk)^2"}, "squared sum");
      if (i == 0) base_ = x2;
      cs_.push("(l+rk)^2");
      cs_.enforce("squared sum constraint", {key, x}, {key, x}, {x2});
      cs_.pop();
      const Variable x4 = fourth_power(x2);
      const Variable out = alloc("l4 * (l + rk)", "mul_sum");
      const Scope last(cs_, "l4 * (l + rk)");
      cs_.enforce("mul sum constraint pre-post-add", {key, x}, {x4}, {{-box.key, kOne}, out});
    }
  }

  void full_round(const Name& name, bool last) {
    const Scope round(cs_, name);
    for (size_t i = 0; i < c_.width; ++i) sbox(*Scope(cs_, {"quintic s-box {}", i}), last);
  }

  void sbox(ConstraintSystem&, bool last) {
    const Plan::Sbox& box = plan_.sboxes[next_sbox_++];
    const AllocatedNum x = tied(*Scope(cs_, "S-box input"), box.input);
    Variable x2;
    {
      const Scope scope(cs_, "l^2");
      x2 = cs_.alloc("squared num", trace_.next());
      cs_.enforce("squaring constraint", {x.variable}, {x.variable}, {x2});
    }
    const Variable x4 = fourth_power(x2);
    const Variable out = alloc("(l4 * l) + rk)", "mul_sum");
    const Scope scope(cs_, "(l4 * l) + rk)");
    if (last)
      cs_.enforce("mul sum constraint", {x.variable}, {x4}, {out});
    else
      cs_.enforce("mul sum constraint post-add", {x.variable}, {x4}, {{-box.key, kOne}, out});
  }

  Variable fourth_power(Variable x2) {
    const Scope scope(cs_, "l^4");
    const Variable x4 = cs_.alloc("squared num", trace_.next());
    cs_.enforce("squaring constraint", {x2}, {x2}, {x4});
    return x4;
  }

  Variable alloc(const Name& outer, const Name& inner) {
    const Scope scope1(cs_, outer), scope2(cs_, inner);
    return cs_.alloc("num", trace_.next());
  }

  // Allocates a number and ties it to a combination of the plan.
  AllocatedNum tied(ConstraintSystem&, const LinearCombination& planned) {
    const AllocatedNum num = AllocatedNum::alloc(*Scope(cs_, "allocate for Elt::Num"), trace_.next());
    terms_.clear();
    for (const LinearTerm& t : planned)
      terms_.push_back({t.coefficient, t.variable.is_aux()
                                           ? Variable{base_.id + (t.variable.id - Variable::kAuxBit)}
                                           : t.variable});
    cs_.enforce("enforce num allocation preserves lc", terms_, {kOne}, {num.variable});
    return num;
  }

  ConstraintSystem& cs_;
  const PoseidonConstants& c_;
  const Plan& plan_;
  Trace trace_;
  size_t next_sbox_ = 0;
  Variable base_;
  LinearCombination terms_;
  AllocatedNum result_;
};

}  // namespace

AllocatedNum poseidon_circuit(ConstraintSystem& cs, std::span<const AllocatedNum> preimage,
                              PoseidonDomain domain) {
  if (CompactSystem* compact = cs.compact()) {
    const PoseidonConstants& c = poseidon_constants(preimage.size());
    const size_t size = poseidon_trace_size(c);
    Fr* out = compact->append_wide(size);
    if (out == nullptr) return {kOne, Fr::zero()};
    write_trace(c, preimage, domain, out);
    return {kOne, out[size - 1]};
  }
  const Piece piece(cs);
  return Emitter(cs, preimage, domain).result();
}

SideBySide<AllocatedNum> poseidon_witnesses(std::span<CompactSystem* const> systems,
                                            std::span<const Numbers> preimages, PoseidonDomain domain) {
  const size_t arity = preimages[0].size();
  const PoseidonConstants& c = poseidon_constants(arity);
  const size_t size = poseidon_trace_size(c);
  SideBySide<AllocatedNum> hashes(systems.size());
  SideBySide<std::array<Fr, kPoseidonMaxArity>> values(systems.size());
  SideBySide<PoseidonLane> lanes;
  for (size_t i = 0; i < systems.size(); ++i) {
    Fr* out = systems[i]->append_wide(size);
    if (out == nullptr) return hashes;
    for (size_t j = 0; j < arity; ++j) values[i][j] = preimages[i][j].value;
    lanes.push_back({values[i].data(), out});
  }
  poseidon_traces(c, domain, lanes);
  for (size_t i = 0; i < lanes.size(); ++i) hashes[i] = {kOne, lanes[i].trace[size - 1]};
  return hashes;
}

AllocatedNum poseidon_md_circuit(ConstraintSystem& cs, std::span<const AllocatedNum> elements) {
  CUZK_CHECK(elements.size() >= 2);
  std::array<AllocatedNum, kPoseidonMdArity> block;
  AllocatedNum hash = elements[0];
  for (size_t number = 0, at = 1; at < elements.size(); ++number, at += kPoseidonMdArity - 1) {
    block[0] = hash;
    for (size_t i = 1; i < kPoseidonMdArity; ++i)
      block[i] = at + i - 1 < elements.size()
                     ? elements[at + i - 1]
                     : AllocatedNum::alloc(*Scope(cs, {"padding {}", i}), Fr::zero());
    hash = poseidon_circuit(*Scope(cs, {"hash md {}", number}), block);
  }
  return hash;
}

}  // namespace cuzk
