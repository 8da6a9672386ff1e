#include "formats/inspect.hpp"

#include <iostream>

#include "cli/key_options.hpp"

namespace cuzk::cli {

namespace {

struct InspectOptions {
  std::string file;
  bool check = false;
};

Json to_json(const std::string& path, const FileReport& report, bool checked) {
  Json json;
  json["file"] = path;
  json["kind"] = file_kind_text(report.kind);
  json["size_bytes"] = report.size_bytes;
  json["curve"] = report.curve;
  for (const auto& [name, count] : report.counts) json["counts"][name] = count;
  if (!report.trailer.empty()) json["trailer"] = report.trailer;
  json["warnings"] = report.warnings;
  if (checked) json["points_tested"] = report.points_tested;
  return json;
}

void print(const std::string& path, const FileReport& report, bool checked) {
  std::cout << path << ": " << file_kind_text(report.kind) << ", " << report.size_bytes << " bytes, curve "
            << report.curve << "\n";
  for (const auto& [name, count] : report.counts) std::cout << "  " << name << ": " << count << "\n";
  if (!report.trailer.empty()) std::cout << "  trailer: " << report.trailer << "\n";
  if (checked && report.points_tested > 0)
    std::cout << "  tested in full (canonical, on the curve, in the subgroup): " << report.points_tested
              << " points, all good\n";
}

Result<ExitStatus> inspect_file(const InspectOptions& options, const Context& context) {
  Progress progress;
  progress.stage("inspect");
  ThreadPool executor(context.threads);
  CUZK_ASSIGN(auto file, InputFile::open(options.file));
  CUZK_ASSIGN(FileReport report, inspect(file, options.check, executor, [&](uint64_t done, uint64_t total) {
                progress.stage("tested " + std::to_string(done) + " of " + std::to_string(total) + " points");
              }));
  CUZK_TRY(file->check_unchanged());
  for (const std::string& warning : report.warnings) report_warning(warning);
  if (context.json) {
    print_json(to_json(options.file, report, options.check));
  } else {
    print(options.file, report, options.check);
  }
  return kDone;
}

}  // namespace

Command add_inspect(CLI::App& program) {
  CLI::App* app = program.add_subcommand("inspect", "say what a file is and what is in it");
  auto options = std::make_shared<InspectOptions>();
  app->add_option("FILE", options->file, "any file that cuzk reads or writes")->required();
  app->add_flag("--check", options->check,
                "test every point in full: canonical, on the curve, in the subgroup");
  return [options](const Context& context) { return inspect_file(*options, context); };
}

}  // namespace cuzk::cli
