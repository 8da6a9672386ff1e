// The commands. Each adds its options to the program and returns what to run when it is the one asked for.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "base/executor.hpp"
#include "cli/console.hpp"

namespace cuzk::cli {

// What every command is given.
struct Context {
  bool json = false;   // results as JSON on standard output
  size_t threads = 0;  // 0: as many as the process may use
};

// Runs the command; an error ends the process with its exit status.
using Command = std::function<Result<ExitStatus>(const Context&)>;

Command add_setup(CLI::App& program);
Command add_prove(CLI::App& program);
Command add_verify(CLI::App& program);
Command add_inspect(CLI::App& program);
Command add_convert(CLI::App& program);
Command add_diagnose(CLI::App& program);
Command add_simulate(CLI::App& program);
// Filecoin
Command add_circuit(CLI::App& program);
Command add_witness(CLI::App& program);
Command add_gen(CLI::App& program);
Command add_params(CLI::App& program);

}  // namespace cuzk::cli
