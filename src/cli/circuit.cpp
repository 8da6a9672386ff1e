// `cuzk circuit info NAME` and `cuzk circuit digest NAME`.
#include <iostream>

#include "base/atomic_file.hpp"
#include "cli/commands.hpp"
#include "cli/filecoin_keys.hpp"
#include "filecoin/circuit_digest.hpp"
#include "filecoin/circuit_matrices.hpp"
#include "filecoin/circuit_size.hpp"
#include "formats/r1cs_file.hpp"

namespace cuzk::cli {
namespace {

struct Options {
  std::string name, out;
  bool blocks = false, count = false;
};

// Sizes and digest as known, or counted by running the circuit.
Result<KnownCircuit> facts(const CircuitId& id, bool count, const Context& context) {
  if (!count) return known_circuit(id);
  Progress progress;
  progress.stage("counting " + id.name());
  ThreadPool executor(context.threads);
  CUZK_ASSIGN(const std::shared_ptr<const StoredMatrices> matrices, record_matrices(id, executor));
  return KnownCircuit{size_of(*matrices), matrices->digest()};
}

Result<ExitStatus> info(const Options& options, const Context& context) {
  CUZK_ASSIGN(const CircuitId id, parse_circuit_name(options.name));
  CUZK_ASSIGN(const KnownCircuit known, facts(id, options.count, context));
  const CircuitSize& size = known.size;
  if (context.json) {
    Json out;
    out["circuit"] = id.name();
    out["inputs"] = size.inputs;
    out["aux"] = size.aux;
    out["constraints"] = size.constraints;
    out["nonzeros"] = {{"a", size.nonzeros[0]}, {"b", size.nonzeros[1]}, {"c", size.nonzeros[2]}};
    out["domain_size"] = size.domain_size();
    out["a_variables"] = size.a_variables;
    out["b_variables"] = size.b_variables;
    out["digest"] = to_hex(known.digest);
    out["key"] = key_name(id);
    out["identifier"] = circuit_identifier(id);
    out["params_bytes"] = size.params_bytes();
    out["stored_matrices_bytes"] = size.stored_bytes;
    out["witness_bytes"] = size.compact_bytes;
    out["prove_bytes"] = size.prove_bytes();
    print_json(out);
    return kDone;
  }
  std::cout << id.name() << "\n  inputs, with the constant one: " << size.inputs
            << "\n  auxiliaries: " << size.aux << "\n  constraints: " << size.constraints
            << "\n  non-zeros: " << size.nonzeros[0] << " + " << size.nonzeros[1] << " + " << size.nonzeros[2]
            << "\n  domain: " << size.domain_size() << "\n  digest: " << to_hex(known.digest)
            << "\n  key: " << key_name(id) << ".params, " << size_text(size.params_bytes())
            << "\n  stored matrices: " << size_text(size.stored_bytes)
            << "\n  witness of a partition: " << size_text(size.compact_bytes)
            << "\n  memory to prove a partition on the CPU, beside the key: " << size_text(size.prove_bytes())
            << "\n  identifier: " << circuit_identifier(id) << "\n";
  return kDone;
}

Result<ExitStatus> digest(const Options& options, const Context& context) {
  CUZK_ASSIGN(const CircuitId id, parse_circuit_name(options.name));
  Progress progress;
  progress.stage("digest of " + id.name());
  DigestSystem cs;
  synthesize_shape(id, cs);
  cs.finish();
  const auto& blocks = cs.hasher().blocks();
  const auto& starts = cs.block_starts();
  const std::string whole = to_hex(cs.hasher().digest());
  if (!context.json) {
    if (options.blocks)
      for (size_t i = 0; i < blocks.size(); ++i)
        std::cout << starts[i].first_constraint << " " << starts[i].aux_before << " "
                  << starts[i].inputs_before << " " << to_hex(blocks[i]) << "\n";
    std::cout << whole << "\n";
    return kDone;
  }
  Json out;
  out["circuit"] = id.name();
  out["parameters"] = key_name(id);
  out["inputs"] = cs.num_inputs();
  out["aux"] = cs.num_aux();
  out["constraints"] = cs.num_constraints();
  out["nonzeros"] = {{"a", cs.nonzeros()[0]}, {"b", cs.nonzeros()[1]}, {"c", cs.nonzeros()[2]}};
  out["zero_terms_dropped"] = cs.zero_terms_dropped();
  out["block"] = kDigestBlock;
  out["digest"] = whole;
  if (options.blocks) {
    out["blocks"] = Json::array();
    for (size_t i = 0; i < blocks.size(); ++i)
      out["blocks"].push_back(
          {starts[i].first_constraint, starts[i].aux_before, starts[i].inputs_before, to_hex(blocks[i])});
  }
  print_json(out);
  return kDone;
}

Result<ExitStatus> write(const Options& options, const Context& context) {
  CUZK_ASSIGN(const CircuitId id, parse_circuit_name(options.name));
  Progress progress;
  progress.stage("writing " + id.name());
  CUZK_TRY(AtomicFile::create(options.out));  // before the work, so that a bad name costs no time
  ThreadPool executor(context.threads);
  CUZK_ASSIGN(const std::shared_ptr<const StoredMatrices> matrices, make_matrices(id, executor));
  CUZK_TRY(write_r1cs(options.out, as_r1cs_file(expand(*matrices))));
  if (context.json)
    print_json(
        Json{{"circuit", id.name()}, {"constraints", matrices->num_constraints()}, {"r1cs", options.out}});
  else
    std::cout << "wrote " << matrices->num_constraints() << " constraints to " << options.out << "\n";
  return kDone;
}

}  // namespace

Command add_circuit(CLI::App& program) {
  CLI::App* app = program.add_subcommand("circuit", "counts and digests of Filecoin's circuits");
  app->require_subcommand(1);
  auto options = std::make_shared<Options>();
  CLI::App* show = app->add_subcommand("info", "counts, domain, key size, memory, name of its key");
  CLI::App* hash = app->add_subcommand("digest", "digest of the constraint system");
  CLI::App* save = app->add_subcommand("write", "the constraint system in circom's form, for other provers");
  save->add_option("--out", options->out, "the file, .r1cs")->required();
  for (CLI::App* sub : {show, hash, save}) {
    sub->fallthrough();
    sub->add_option("NAME", options->name, "porep-2k, winning-32g, window-64g, snap-512m, …")->required();
  }
  show->add_flag("--count", options->count, "run the circuit and count, instead of printing what is known");
  hash->add_flag("--blocks", options->blocks,
                 "also for each 65,536 constraints: first constraint, auxiliaries and inputs before, digest");
  return [options, show, save](const Context& context) {
    return show->parsed()   ? info(*options, context)
           : save->parsed() ? write(*options, context)
                            : digest(*options, context);
  };
}

}  // namespace cuzk::cli
