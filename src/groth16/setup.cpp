#include "groth16/setup.hpp"

#include <bit>
#include <new>
#include <optional>

#include "msm/fixed_base.hpp"
#include "poly/domain.hpp"
#include "r1cs/density.hpp"

namespace cuzk {
namespace {

// Points computed and handed to the sink at a time: enough to share inversions and to keep many threads busy.
constexpr size_t kChunk = size_t{1} << 16;

// out[i] = scale · base^(first + i).
void fill_powers(std::span<Fr> out, const Fr& base, const Fr& scale, size_t first, Executor& executor) {
  parallel_ranges(executor, out.size(), 1024, [&](size_t begin, size_t end) {
    Fr power = scale * base.pow(first + begin);
    for (size_t i = begin; i < end; ++i) {
      out[i] = power;
      power = power * base;
    }
  });
}

// L_i(x)·scale for the Lagrange polynomials of the domain: the inverse transform of the powers of x, since
// x^j = Σ_i L_i(x)·ω^(ij).
std::vector<Fr> lagrange_at(const Domain& domain, const Fr& x, const Fr& scale, Executor& executor) {
  std::vector<Fr> values(domain.size());
  fill_powers(values, x, scale, 0, executor);
  domain.inverse(values, executor);
  return values;
}

// out[v] = Σ_i matrix[i][v]·lagrange[i].
void accumulate(const SparseMatrix& matrix, const CoefficientTable& table, std::span<const Fr> lagrange,
                std::span<Fr> out) {
  std::fill(out.begin(), out.end(), Fr::zero());
  for (size_t i = 0; i < matrix.rows(); ++i) {
    for (const Term& term : matrix.row(i)) {
      Fr& sum = out[term.variable];
      if (term.coefficient == CoefficientTable::kOne) {
        sum += lagrange[i];
      } else if (term.coefficient == CoefficientTable::kMinusOne) {
        sum -= lagrange[i];
      } else {
        sum += lagrange[i] * table[term.coefficient];
      }
    }
  }
}

// The polynomials of the circuit at tau, for each variable.
struct Evaluations {
  std::vector<Fr> a, b;
  std::vector<Fr> ext;  // (β·a + α·b + c)/γ for inputs, over δ for auxiliaries
};

Evaluations evaluate_at_tau(const R1cs& circuit, const SetupSecrets& secrets, const Domain& domain,
                            Executor& executor) {
  std::vector<Fr> lagrange = lagrange_at(domain, secrets.tau, Fr::one(), executor);
  const size_t variables = circuit.num_variables();
  Evaluations at{std::vector<Fr>(variables), std::vector<Fr>(variables), std::vector<Fr>(variables)};
  // Rows add into variables in no order, so a matrix is one task: a small part of the work of a setup.
  executor.run(3, [&](size_t which) {
    const SparseMatrix& matrix = which == 0 ? circuit.a : which == 1 ? circuit.b : circuit.c;
    accumulate(matrix, circuit.coefficients, lagrange, which == 0 ? at.a : which == 1 ? at.b : at.ext);
  });
  for (size_t i = 0; i < circuit.num_inputs; ++i) at.a[i] += lagrange[circuit.num_constraints() + i];

  const Fr over_gamma = secrets.gamma.inverse(), over_delta = secrets.delta.inverse();
  parallel_ranges(executor, variables, 1024, [&](size_t begin, size_t end) {
    for (size_t v = begin; v < end; ++v) {
      Fr sum = secrets.beta * at.a[v] + secrets.alpha * at.b[v] + at.ext[v];
      at.ext[v] = sum * (v < circuit.num_inputs ? over_gamma : over_delta);
    }
  });
  return at;
}

Status check_secrets(const SetupSecrets& secrets, size_t domain_size) {
  const std::pair<const char*, const Fr*> all[] = {{"alpha", &secrets.alpha},
                                                   {"beta", &secrets.beta},
                                                   {"gamma", &secrets.gamma},
                                                   {"delta", &secrets.delta},
                                                   {"tau", &secrets.tau}};
  for (const auto& [name, value] : all) {
    if (value->is_zero())
      return invalid(std::string("the secret ") + name + " is zero: choose it at random, from 1 to r - 1");
  }
  if (secrets.tau.pow(domain_size).is_one()) {
    return invalid("the secret tau is a point of the evaluation domain of " + std::to_string(domain_size) +
                   " points: choose it at random");
  }
  return {};
}

// Computes the lists of a key and hands them to the sink.
class Generator {
 public:
  Generator(KeySink& sink, Executor& executor, size_t count_g1, size_t count_g2)
      : sink_(sink),
        executor_(executor),
        g1_(G1::generator(), count_g1, executor),
        g2_(G2::generator(), count_g2, executor),
        scalars_(kChunk) {}

  template <class G>
  std::vector<typename G::Point> points(std::span<const Fr> scalars) {
    std::vector<typename G::Point> out(scalars.size());
    table<G>().multiply(scalars, out, executor_);
    return out;
  }

  // fill(first, scalars) writes the scalars from index `first` on.
  template <class G, class Fill>
  Status list(KeySection section, size_t count, Fill&& fill) {
    std::vector<typename G::Point> out(std::min(count, kChunk));
    for (size_t begin = 0; begin < count; begin += kChunk) {
      const size_t size = std::min(kChunk, count - begin);
      std::span<Fr> scalars(scalars_.data(), size);
      std::span<typename G::Point> part(out.data(), size);
      fill(begin, scalars);
      table<G>().multiply(scalars, part, executor_);
      if constexpr (std::is_same_v<G, G1>) {
        CUZK_TRY(sink_.append(section, part));
      } else {
        CUZK_TRY(sink_.append_b_g2(part));
      }
    }
    return {};
  }

  // values[select[k]], or values[k] when there is no selection.
  template <class G>
  Status list(KeySection section, std::span<const Fr> values, const VariableSet* select) {
    return list<G>(section, select ? select->size() : values.size(),
                   [&](size_t first, std::span<Fr> scalars) {
                     for (size_t k = 0; k < scalars.size(); ++k)
                       scalars[k] = select ? values[(*select)[first + k]] : values[first + k];
                   });
  }

 private:
  template <class G>
  const FixedBase<G>& table() const {
    if constexpr (std::is_same_v<G, G1>) {
      return g1_;
    } else {
      return g2_;
    }
  }

  KeySink& sink_;
  Executor& executor_;
  FixedBase<G1> g1_;
  FixedBase<G2> g2_;
  std::vector<Fr> scalars_;
};

VerifyingKey make_verifying_key(Generator& generator, const SetupSecrets& secrets, std::span<const Fr> ic) {
  const Fr in_g1[] = {secrets.alpha, secrets.beta, secrets.delta};
  const Fr in_g2[] = {secrets.beta, secrets.gamma, secrets.delta};
  auto g1 = generator.points<G1>(in_g1);
  auto g2 = generator.points<G2>(in_g2);
  return {g1[0], g1[1], g2[0], g2[1], g1[2], g2[2], generator.points<G1>(ic)};
}

Status emit_h(Generator& generator, const SetupSecrets& secrets, const KeyForm& form, const Domain& domain,
              size_t count, Executor& executor) {
  const Fr vanishing = secrets.tau.pow(domain.size()) - Fr::one();
  const Fr scale = vanishing * secrets.delta.inverse();
  if (form.quotient_basis == QuotientBasis::kCoefficients) {
    return generator.list<G1>(KeySection::kH, count, [&](size_t first, std::span<Fr> scalars) {
      fill_powers(scalars, secrets.tau, scale, first, executor);
    });
  }
  // With ω = ω₂ₙ: the Lagrange polynomial of ω^(2i+1) over the doubled domain is that of ω^2i over the domain
  // at x/ω, times (xⁿ − 1)/(ω^n − 1) = −(xⁿ − 1)/2, which is one at the odd points and zero at the even ones.
  const Fr root = fr_root_of_unity(domain.log2_size() + 1, form.domain_root);
  auto values = lagrange_at(domain, secrets.tau * root.inverse(), -scale.halved(), executor);
  return generator.list<G1>(KeySection::kH, values, nullptr);
}

}  // namespace

SetupSecrets SetupSecrets::random(RandomSource& source) {
  auto draw = [&] {
    for (;;) {
      if (Fr v = Fr::random(source); !v.is_zero()) return v;
    }
  };
  SetupSecrets secrets;
  for (Fr* v : {&secrets.alpha, &secrets.beta, &secrets.gamma, &secrets.delta, &secrets.tau}) *v = draw();
  return secrets;
}

size_t domain_size_of(size_t constraints, size_t inputs) {
  return std::bit_ceil(constraints + inputs);
}

size_t domain_size_of(const R1cs& circuit) {
  return domain_size_of(circuit.num_constraints(), circuit.num_inputs);
}

namespace {

Status generate(const R1cs& circuit, const SetupSecrets& secrets, KeyForm form, KeySink& sink,
                Executor& executor) {
  const size_t n = domain_size_of(circuit);
  const bool bellman = form.quotient_basis == QuotientBasis::kCoefficients;
  const size_t log2_size = static_cast<size_t>(std::countr_zero(n));
  if (log2_size + (bellman ? 0 : 1) > kFrTwoAdicity) {
    return invalid("the circuit needs a domain of 2^" + std::to_string(log2_size) +
                   " points, the field has room for 2^" + std::to_string(kFrTwoAdicity - (bellman ? 0 : 1)));
  }
  CUZK_TRY(check_secrets(secrets, n));

  CUZK_ASSIGN(const Domain domain, Domain::create(n, executor, form.domain_root));
  const Evaluations at = evaluate_at_tau(circuit, secrets, domain, executor);
  const std::span<const Fr> ic(at.ext.data(), circuit.num_inputs);
  const std::span<const Fr> l(at.ext.data() + circuit.num_inputs, circuit.num_aux);
  std::optional<Density> density;
  if (form.layout == QueryLayout::kWithEntries) {
    density = density_of(circuit);
    for (size_t j = 0; j < l.size(); ++j) {
      if (!l[j].is_zero()) continue;
      return invalid(variable_name(circuit, static_cast<uint32_t>(circuit.num_inputs + j)) +
                     " is used by no constraint, and bellman's key format cannot hold it: remove it from the "
                     "circuit, or write a .zkey");
    }
  }

  const VariableSet* select_a = density ? &density->a : nullptr;
  const VariableSet* select_b = density ? &density->b : nullptr;
  KeyCounts counts{n, bellman ? n - 1 : n, l.size(), density ? density->a.size() : at.a.size(),
                   density ? density->b.size() : at.b.size()};
  Generator generator(sink, executor, counts.h + counts.l + counts.a + counts.b + ic.size() + 3,
                      counts.b + 3);
  CUZK_TRY(sink.begin(make_verifying_key(generator, secrets, ic), counts));
  CUZK_TRY(emit_h(generator, secrets, form, domain, counts.h, executor));
  CUZK_TRY(generator.list<G1>(KeySection::kL, l, nullptr));
  CUZK_TRY(generator.list<G1>(KeySection::kA, at.a, select_a));
  CUZK_TRY(generator.list<G1>(KeySection::kBG1, at.b, select_b));
  return generator.list<G2>(KeySection::kBG2, at.b, select_b);
}

}  // namespace

Status setup(const R1cs& circuit, const SetupSecrets& secrets, KeyForm form, KeySink& sink,
             Executor& executor) {
  try {
    return generate(circuit, secrets, form, sink, executor);
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::kResourceExhausted, "no memory to make a key for a domain of " +
                                                   std::to_string(domain_size_of(circuit)) + " points");
  }
}

Status MemoryKeySink::begin(const VerifyingKey& vk, const KeyCounts& counts) {
  vk_ = vk;
  const size_t sizes[] = {counts.h, counts.l, counts.a, counts.b};
  for (size_t i = 0; i < 4; ++i) g1_[i].reserve(sizes[i]);
  b_g2_.reserve(counts.b);
  return {};
}

Status MemoryKeySink::append(KeySection section, std::span<const G1Affine> points) {
  auto& list = g1_[static_cast<size_t>(section)];
  list.insert(list.end(), points.begin(), points.end());
  return {};
}

Status MemoryKeySink::append_b_g2(std::span<const G2Affine> points) {
  b_g2_.insert(b_g2_.end(), points.begin(), points.end());
  return {};
}

ProvingKey MemoryKeySink::take() {
  auto g1 = [&](KeySection section) {
    return std::make_shared<MemoryPoints<G1>>(std::move(g1_[static_cast<size_t>(section)]));
  };
  ProvingKey key;
  key.vk = std::move(vk_);
  key.quotient_basis = form_.quotient_basis;
  key.layout = form_.layout;
  key.domain_root = form_.domain_root;
  key.h = g1(KeySection::kH);
  key.l = g1(KeySection::kL);
  key.a = g1(KeySection::kA);
  key.b_g1 = g1(KeySection::kBG1);
  key.b_g2 = std::make_shared<MemoryPoints<G2>>(std::move(b_g2_));
  return key;
}

Result<ProvingKey> setup(const R1cs& circuit, const SetupSecrets& secrets, KeyForm form, Executor& executor) {
  MemoryKeySink sink(form);
  CUZK_TRY(setup(circuit, secrets, form, sink, executor));
  return sink.take();
}

}  // namespace cuzk
