// The `cuzk` command: wiring only.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <system_error>
#include <vector>

#include "cli/bench.hpp"
#include "cli/commands.hpp"
#include "cli/devices.hpp"
#include "cli/version.hpp"

namespace {

using namespace cuzk;
using namespace cuzk::cli;

constexpr std::string_view kJson = "--json";
// More than any machine has CPUs for; far fewer than make a machine stall.
constexpr size_t kMostThreads = 4096;

// CLI11 reads numbers with strtoull: it takes "-1" and what is out of range for 2^64 - 1, and "010" for 8.
std::string whole_number_error(const std::string& text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  const char *begin = text.data() + (hex ? 2 : 0), *end = text.data() + text.size();
  uint64_t value = 0;
  const auto [at, error] = std::from_chars(begin, end, value, hex ? 16 : 10);
  if (error == std::errc() && at == end && (hex || text.size() == 1 || text[0] != '0')) return "";
  return "found \"" + text.substr(0, 80) +
         "\", expected a whole number from 0 to 2^64 - 1, decimal without leading zeros or hexadecimal after "
         "0x";
}

// "--porep-id $ID" without the variable must not turn into the default.
std::string empty_value_error(const std::string& text) {
  return text.empty() ? "found an empty value: give one, or leave the option out" : "";
}

void check_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options([](CLI::Option*) { return true; })) {
    if (option->get_type_name().starts_with("UINT"))
      option->check(CLI::Validator([](std::string& text) { return whole_number_error(text); }, ""));
    else if (option->get_type_name().starts_with("TEXT") && option->get_expected_max() == 1)
      option->check(CLI::Validator([](std::string& text) { return empty_value_error(text); }, ""));
  }
  for (CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; })) check_values(*sub);
}

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

// For errors that end the parsing of the command line, or come from outside of it.
bool wants_json(int argc, char** argv) {
  return std::any_of(argv, argv + argc, [](const char* word) { return word == kJson; });
}

// What was typed is wrong, or help was asked for.
int report_usage(const CLI::App& program, const CLI::ParseError& e, bool json) {
  if (e.get_exit_code() == 0) return program.exit(e);
  report_error(
      {ErrorCode::kInvalidInput, std::string(e.what()) + "; `cuzk COMMAND --help` lists the options"}, json);
  return kBadRequest;
}

int run_program(int argc, char** argv) {
  CLI::App program{"Groth16 proofs over BLS12-381: keys, proofs, verification, files."};
  program.require_subcommand(0, 1);
  Context context;
  bool version = false;
  program.add_flag("--version", version, "print version, build and instruction sets in use");
  program.add_flag(std::string(kJson), context.json, "with --version: as JSON");

  std::vector<Entry> entries;
  for (auto add : {add_setup, add_prove, add_verify, add_inspect, add_convert, add_circuit, add_witness,
                   add_gen, add_params, add_bench, add_waterfall, add_diagnose, add_simulate, add_devices}) {
    size_t known = program.get_subcommands([](CLI::App*) { return true; }).size();
    Command command = add(program);
    CLI::App* app = program.get_subcommands([](CLI::App*) { return true; }).at(known);
    app->add_flag(std::string(kJson), context.json, "results as JSON on standard output");
    app->add_option("--threads", context.threads, "threads to use; 0: all CPUs the process may use")
        ->check(CLI::Range(size_t{0}, kMostThreads));
    for (CLI::App* sub : app->get_subcommands([](CLI::App*) { return true; }))
      sub->footer("--json and --threads, which `cuzk " + app->get_name() + " --help` lists, apply as well.");
    entries.push_back({app, std::move(command)});
  }
  check_values(program);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return report_usage(program, e, wants_json(argc, argv));
  }
  if (version) {
    if (context.json) {
      print_json(version_json());
    } else {
      std::cout << version_text() << "\n";
    }
    return kDone;
  }
  for (const Entry& entry : entries)
    if (entry.app->parsed()) return run_command(entry, context);
  std::cerr << program.help();
  if (context.json) report_error({ErrorCode::kInvalidInput, "no command was given"}, true);
  return kBadRequest;
}

// What the process was started with must not turn into wrong results.
void prepare_process() {
  // A closed standard stream: its number would go to the next file that is opened, and messages into that
  // file.
  int fd = 0;
  do fd = ::open("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0) ::close(fd);
  // A limit on the size of files is an error of write(), not the end of the process.
  std::signal(SIGXFSZ, SIG_IGN);
}

int no_resources(const std::string& message, bool json) {
  report_error({ErrorCode::kResourceExhausted, message}, json);
  return kNoResources;
}

// A result that nobody could read is not done.
int check_printed(int status) {
  std::cout.flush();
  if (std::cout && std::fflush(stdout) == 0) return status;
  return no_resources("standard output: cannot write the result", false);
}

}  // namespace

int main(int argc, char** argv) {
  prepare_process();
  try {
    return check_printed(run_program(argc, argv));
  } catch (const std::bad_alloc&) {
    return no_resources("out of memory", wants_json(argc, argv));
  } catch (const std::system_error& e) {  // a thread that could not be had
    return no_resources(
        std::string("the system refused a thread: ") + e.what() + ": fewer --threads need less",
        wants_json(argc, argv));
  } catch (const std::exception& e) {
    return no_resources(e.what(), wants_json(argc, argv));
  }
}
