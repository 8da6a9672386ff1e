// `cuzk witness KIND`: digests of a partition's assignment, as the reference vectors have them.
#include <iostream>

#include "base/atomic_file.hpp"
#include "cli/commands.hpp"
#include "cli/filecoin_input.hpp"
#include "cli/outputs.hpp"
#include "filecoin/witness_digest.hpp"
#include "formats/wtns_file.hpp"
#include "r1cs/assignment_system.hpp"

namespace cuzk::cli {
namespace {

Json to_json(const CircuitId& circuit, uint32_t partition, const WitnessDigest& w, bool blocks) {
  Json out;
  out["circuit"] = circuit.name();
  out["partition"] = partition;
  out["inputs"] = w.inputs.size();
  out["aux"] = w.num_aux;
  out["constraints"] = w.num_constraints;
  out["satisfied"] = w.num_unsatisfied == 0;
  out["unsatisfied"] = w.num_unsatisfied;
  if (w.first_unsatisfied)
    out["first_unsatisfied"] = {{"constraint", w.first_unsatisfied->constraint},
                                {"path", w.first_unsatisfied->path}};
  else
    out["first_unsatisfied"] = nullptr;
  out["aux_zero"] = w.aux_zero;
  out["aux_one"] = w.aux_one;
  out["input_digest"] = to_hex(w.input_digest);
  out["aux_digest"] = to_hex(w.aux_digest);
  out["a_digest"] = to_hex(w.a_digest);
  out["b_digest"] = to_hex(w.b_digest);
  out["c_digest"] = to_hex(w.c_digest);
  if (blocks) {
    out["aux_blocks"] = Json::array();
    for (const auto& block : w.aux_blocks) out["aux_blocks"].push_back(to_hex(block));
  }
  return out;
}

void print(const Json& json) {
  for (const auto& [name, value] : json.items()) {
    if (value.is_array()) {
      std::cout << name << ":\n";
      for (const auto& entry : value) std::cout << "  " << entry.get<std::string>() << "\n";
    } else if (value.is_object()) {
      std::cout << name << ": number " << value["constraint"] << ", " << value["path"].get<std::string>()
                << "\n";
    } else if (!value.is_null()) {
      std::cout << name << ": " << (value.is_string() ? value.get<std::string>() : value.dump()) << "\n";
    }
  }
}

struct Options {
  bool blocks = false;
  std::string out;
};

// One value a variable, inputs first.
Status write_values(const std::string& path, const ProofInput& input, uint32_t partition) {
  AssignmentSystem cs;
  CUZK_TRY(input.synthesize(partition, cs));
  std::vector<Fr> values(cs.inputs());
  values.insert(values.end(), cs.aux().begin(), cs.aux().end());
  return write_wtns(path, values);
}

Result<ExitStatus> digest(const FilecoinInputOptions& options, const Options& more, const Context& context) {
  Progress progress;
  progress.stage("witness");
  CUZK_TRY(check_outputs({more.out}, input_files(options)));
  if (!more.out.empty()) CUZK_TRY(AtomicFile::create(more.out));  // a bad name costs no time
  CUZK_ASSIGN(const ProofInput input, read_proof_input(options));
  CUZK_ASSIGN(const std::vector<uint32_t> partitions, chosen_partitions(options, input));
  if (partitions.size() != 1)
    return invalid("--partition is missing: there are " + std::to_string(partitions.size()) +
                   ", numbered from 0");
  ThreadPool executor(context.threads);
  if (!options.no_input_check) CUZK_TRY(check_input(options, input, partitions[0], executor));
  CUZK_ASSIGN(const WitnessDigest w,
              digest_witness([&](ConstraintSystem& cs) { return input.synthesize(partitions[0], cs); }));
  if (!more.out.empty()) CUZK_TRY(write_values(more.out, input, partitions[0]));
  const Json json = to_json(input.circuit(), partitions[0], w, more.blocks);
  if (context.json)
    print_json(json);
  else
    print(json);
  return w.num_unsatisfied == 0 ? kDone : kAnswerIsNo;
}

}  // namespace

Command add_witness(CLI::App& program) {
  CLI::App* app = program.add_subcommand(
      "witness", "digests of a partition's assignment; whether it satisfies the circuit");
  auto commands = add_kind_commands(app, "witness of a");
  app->require_subcommand(1);
  auto more = std::make_shared<Options>();
  for (size_t i = 0; i < commands->apps.size(); ++i) {
    add_input_options(commands->apps[i], commands->inputs[i]);
    commands->apps[i]->add_option("--out", more->out, "also write the values, .wtns");
    commands->apps[i]->add_flag("--blocks", more->blocks, "also digests of each 65,536 auxiliary values");
  }
  return [commands, more](const Context& context) { return digest(*commands->chosen(), *more, context); };
}

}  // namespace cuzk::cli
