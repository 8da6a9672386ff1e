// `cuzk prove KIND` and `cuzk verify KIND`.
#pragma once

#include <optional>

#include "cli/commands.hpp"

namespace cuzk::cli {

// Each adds its subcommands to `cuzk prove` or `cuzk verify`. What is returned runs the one that was asked
// for, or gives nothing when none was.
using KindCommand = std::function<std::optional<Result<ExitStatus>>(const Context&)>;
KindCommand add_prove_kinds(CLI::App* prove);
KindCommand add_verify_kinds(CLI::App* verify);

}  // namespace cuzk::cli
