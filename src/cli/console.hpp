// What the user sees: results (text or JSON on standard output), errors and progress (standard error), exit
// status.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "base/result.hpp"

namespace cuzk::cli {

using Json = nlohmann::ordered_json;

// Documented in the README.
enum ExitStatus : int {
  kDone = 0,        // done, or valid
  kAnswerIsNo = 1,  // the question was understood and the answer is no: an invalid proof
  kBadRequest = 2,  // the request or a file is bad; also a key whose proofs do not verify
  kNoResources = 3  // memory, disk, a device or another resource is not to be had
};

ExitStatus exit_status(const Error& error);

// Shows what is going on once a command has run for two seconds, on a terminal only: a line on standard
// error, redrawn in place and erased at the end. stage() names the work at hand.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void stage(std::string name);

 private:
  void draw(std::stop_token stop);

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::string stage_;
  std::jthread thread_;
};

// Seconds of each stage of a command, in order.
class Stopwatch {
 public:
  explicit Stopwatch(Progress& progress) : progress_(progress) {}
  // Ends the stage that runs, if any, and starts this one.
  void start(const std::string& name);
  void stop();
  // {"name": seconds, …, "total": seconds}
  Json to_json() const;
  // "read key 0.12 s, prove 0.80 s, total 0.92 s"
  std::string to_text() const;

 private:
  using Clock = std::chrono::steady_clock;
  double total() const;

  Progress& progress_;
  std::vector<std::pair<std::string, double>> stages_;
  bool running_ = false;
  Clock::time_point started_;
};

// Prints a result to standard output. Text that is not UTF-8 (the name of a file can be any bytes) is
// replaced.
void print_json(const Json& json);

// Without control characters, which names of files and their contents may bring: they would be sent to the
// terminal, or begin a line of their own.
std::string printable(std::string text);
// The same of text that is of several lines.
std::string printable_lines(std::string text);

// Prints to standard error: "cuzk: error: …" or, with json, {"error": {"code", "message"}} on standard output
// too. Control characters, which a file may have brought into the message, are not sent to the terminal.
void report_error(const Error& error, bool json);
void report_warning(const std::string& message);

}  // namespace cuzk::cli
