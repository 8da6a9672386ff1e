#include <iostream>

#include "base/atomic_file.hpp"
#include "cli/commands.hpp"
#include "diagnosis/compare.hpp"

namespace cuzk::cli {

namespace {

struct DiagnoseOptions {
  std::vector<std::string> files;
  std::string run = "all", html;
  double split_gap_s = -1, gap_s = 1.0;
  bool no_replay = false;
};

Result<diagnosis::Analysis> read_and_analyse(const std::string& file, const DiagnoseOptions& options) {
  CUZK_ASSIGN(auto timeline, timeline::read_timeline(file));
  diagnosis::AnalysisOptions how;
  how.run = options.run;
  if (options.split_gap_s >= 0) how.split_gap_ns = static_cast<int64_t>(options.split_gap_s * 1e9);
  how.mark_gap_ns = static_cast<int64_t>(options.gap_s * 1e9);
  how.replay = !options.no_replay;
  return diagnosis::analyse(std::move(timeline), file, how);
}

Result<ExitStatus> diagnose(const DiagnoseOptions& options, const Context& context) {
  constexpr double kMostSeconds = 1e6;
  if (options.files.size() > 2) return invalid("diagnose: one file, or two to compare");
  if (options.split_gap_s > kMostSeconds || !(options.gap_s >= 0 && options.gap_s <= kMostSeconds))
    return invalid("--split-gap and --gap: seconds, from 0 to 1000000");
  CUZK_ASSIGN(auto a, read_and_analyse(options.files[0], options));
  if (options.files.size() == 2) {
    if (!options.html.empty()) return invalid("--html: a page shows one file");
    CUZK_ASSIGN(auto b, read_and_analyse(options.files[1], options));
    const auto comparison = diagnosis::compare(a, b);
    std::cout << (context.json ? to_json(comparison, a, b) + "\n"
                               : printable_lines(to_text(comparison, a, b)));
    return kDone;
  }
  if (!options.html.empty()) CUZK_TRY(write_file(options.html, diagnosis::to_html(a)));
  if (context.json) {
    std::cout << diagnosis::to_json(a) << "\n";
  } else if (options.html.empty()) {
    std::cout << printable_lines(diagnosis::to_text(a));
  }
  return kDone;
}

}  // namespace

Command add_diagnose(CLI::App& program) {
  CLI::App* app = program.add_subcommand(
      "diagnose", "say what limits throughput, from a timeline; of two timelines, what changed between them");
  auto options = std::make_shared<DiagnoseOptions>();
  app->add_option(
         "FILE", options->files,
         "timeline: cuzk's CSV or the reference engine's log; - for standard input; a second one to compare")
      ->required()
      ->expected(1, 2);
  app->add_option("--run", options->run, "all, last, or numbers from 1 joined by commas");
  app->add_option("--split-gap", options->split_gap_s,
                  "seconds with nothing in flight that end a run, in logs without markers");
  app->add_option("--gap", options->gap_s, "seconds over which idle time is marked <<<");
  app->add_option("--html", options->html, "write a page; instead of the text");
  app->add_flag("--no-replay", options->no_replay, "no predictions of what a change would give");
  return [options](const Context& context) { return diagnose(*options, context); };
}

}  // namespace cuzk::cli
