// The `cuzk` command: wiring only.
#include <exception>
#include <iostream>
#include <new>
#include <vector>

#include "cli/bench.hpp"
#include "cli/commands.hpp"
#include "cli/devices.hpp"
#include "cli/version.hpp"

namespace {

using namespace cuzk;
using namespace cuzk::cli;

struct Entry {
  CLI::App* app;
  Command run;
};

int run_command(const Entry& entry, const Context& context) {
  auto status = entry.run(context);
  if (status) return *status;
  report_error(status.error(), context.json);
  return exit_status(status.error());
}

int run_program(int argc, char** argv) {
  CLI::App program{"Groth16 proofs over BLS12-381: keys, proofs, verification, files."};
  program.require_subcommand(0, 1);
  Context context;
  bool version = false;
  program.add_flag("--version", version, "print version, build and instruction sets in use");

  std::vector<Entry> entries;
  for (auto add :
       {add_setup, add_prove, add_verify, add_inspect, add_convert, add_bench, add_waterfall, add_devices}) {
    size_t known = program.get_subcommands([](CLI::App*) { return true; }).size();
    Command command = add(program);
    CLI::App* app = program.get_subcommands([](CLI::App*) { return true; }).at(known);
    app->add_flag("--json", context.json, "results as JSON on standard output");
    app->add_option("--threads", context.threads, "threads to use; 0: all CPUs the process may use");
    entries.push_back({app, std::move(command)});
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return program.exit(e) == 0 ? kDone : kBadRequest;
  }
  if (version) {
    std::cout << version_text() << "\n";
    return kDone;
  }
  for (const Entry& entry : entries)
    if (entry.app->parsed()) return run_command(entry, context);
  std::cerr << program.help();
  return kBadRequest;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_program(argc, argv);
  } catch (const std::bad_alloc&) {
    std::cerr << "cuzk: error: out of memory\n";
    return kNoResources;
  } catch (const std::exception& e) {  // the standard library's: a thread or a stream that could not be had
    std::cerr << "cuzk: error: " << e.what() << "\n";
    return kNoResources;
  }
}
