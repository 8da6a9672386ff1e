#include "cli/console.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace cuzk::cli {

namespace {
constexpr auto kQuietTime = std::chrono::seconds(2);
constexpr auto kRedrawTime = std::chrono::milliseconds(500);

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, seconds < 10 ? "%.2f s" : "%.1f s", seconds);
  return text;
}
}  // namespace

std::string printable_lines(std::string text) {
  for (char& c : text)
    if ((static_cast<unsigned char>(c) < ' ' && c != '\n') || c == 0x7f) c = '?';
  return text;
}

std::string printable(std::string text) {
  std::replace(text.begin(), text.end(), '\n', '?');
  return printable_lines(std::move(text));
}

ExitStatus exit_status(const Error& error) {
  const bool resource = error.code == ErrorCode::kResourceExhausted || error.code == ErrorCode::kUnavailable;
  return resource ? kNoResources : kBadRequest;
}

Progress::Progress() {
  if (isatty(STDERR_FILENO)) thread_ = std::jthread([this](std::stop_token stop) { draw(stop); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  wake_.notify_all();
  thread_.join();
}

void Progress::stage(std::string name) {
  std::lock_guard lock(mutex_);
  stage_ = printable(std::move(name));
}

void Progress::draw(std::stop_token stop) {
  const auto begin = std::chrono::steady_clock::now();
  bool drawn = false;
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, stop, kQuietTime, [] { return false; });
  while (!stop.stop_requested()) {
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::fprintf(stderr, "\r\033[K%s … %.0f s", stage_.c_str(), seconds);
    std::fflush(stderr);
    drawn = true;
    wake_.wait_for(lock, stop, kRedrawTime, [] { return false; });
  }
  if (drawn) std::fprintf(stderr, "\r\033[K");
}

void Stopwatch::start(const std::string& name) {
  stop();
  progress_.stage(name);
  stages_.emplace_back(name, 0.0);
  started_ = Clock::now();
  running_ = true;
}

void Stopwatch::stop() {
  if (running_) stages_.back().second = std::chrono::duration<double>(Clock::now() - started_).count();
  running_ = false;
}

double Stopwatch::total() const {
  double sum = 0;
  for (const auto& [name, seconds] : stages_) sum += seconds;
  return sum;
}

Json Stopwatch::to_json() const {
  Json out = Json::object();
  for (const auto& [name, seconds] : stages_) out[name] = seconds;
  out["total"] = total();
  return out;
}

std::string Stopwatch::to_text() const {
  std::string out;
  for (const auto& [name, seconds] : stages_) out += name + " " + seconds_text(seconds) + ", ";
  return out + "total " + seconds_text(total());
}

void print_json(const Json& json) {
  std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

void report_error(const Error& error, bool json) {
  std::cerr << "cuzk: error: " << printable(error.message) << "\n";
  if (json) {
    Json out;
    out["error"] = {{"code", error_code_name(error.code)}, {"message", error.message}};
    print_json(out);
  }
}

void report_warning(const std::string& message) {
  std::cerr << "cuzk: warning: " << printable(message) << "\n";
}

}  // namespace cuzk::cli
