#include "timeline/waterfall.hpp"

#include <iostream>

#include "base/atomic_file.hpp"
#include "cli/bench.hpp"
#include "cli/outputs.hpp"

namespace cuzk::cli {

namespace {

struct WaterfallOptions {
  std::string file, run = "last", job, html, trace;
  size_t width = 100;
  double gap_s = 1.0;
  bool no_table = false;
};

Result<ExitStatus> waterfall(const WaterfallOptions& options, const Context& context) {
  if (options.width < 10 || options.width > 1000) return invalid("--width: from 10 to 1000 columns");
  CUZK_TRY(check_outputs({options.html, options.trace}, {options.file}));
  CUZK_ASSIGN(auto timeline, timeline::read_timeline(options.file));
  auto runs = timeline::select_runs(timeline, options.run);
  if (!runs) return tl::unexpected<Error>(runs.error().at(options.file));
  const auto& quality = timeline.quality;
  if (quality.malformed > 0)
    report_warning(options.file + ": " + std::to_string(quality.malformed) + " of " +
                   std::to_string(quality.lines) + " lines could not be read");
  std::vector<timeline::Waterfall> waterfalls;
  for (const auto& run : *runs) waterfalls.push_back(timeline::build_waterfall(timeline, run, options.job));
  if (!options.html.empty()) CUZK_TRY(write_file(options.html, timeline::render_html(timeline, waterfalls)));
  if (!options.trace.empty())
    CUZK_TRY(write_file(options.trace, timeline::render_trace(timeline, waterfalls)));
  if (context.json) {
    Json json;
    json["file"] = options.file;
    json["malformed_lines"] = quality.malformed;
    for (const auto& run : *runs) json["runs"].push_back(to_json(timeline::summarise(timeline, run)));
    print_json(json);
    return kDone;
  }
  if (!options.html.empty() || !options.trace.empty()) return kDone;
  timeline::TextOptions text{options.width, static_cast<int64_t>(options.gap_s * 1e9), !options.no_table};
  for (const auto& w : waterfalls)
    std::cout << printable_lines(timeline::render_text(timeline, w, options.job, text)) << "\n";
  return kDone;
}

}  // namespace

Command add_waterfall(CLI::App& program) {
  CLI::App* app = program.add_subcommand("waterfall", "draw a timeline: what every worker did, and the gaps");
  auto options = std::make_shared<WaterfallOptions>();
  app->add_option("FILE", options->file,
                  "timeline: cuzk's CSV or the reference engine's log; - for standard input")
      ->required();
  app->add_option("--run", options->run, "last, all or a number from 1");
  app->add_option("--job", options->job, "only this job");
  app->add_option("--width", options->width, "columns of the bars");
  app->add_option("--gap", options->gap_s, "seconds over which a gap is marked <<<");
  app->add_flag("--no-table", options->no_table, "leave out the table of events");
  app->add_option("--html", options->html, "write a page instead");
  app->add_option("--trace", options->trace, "write a trace for ui.perfetto.dev instead");
  return [options](const Context& context) { return waterfall(*options, context); };
}

}  // namespace cuzk::cli
