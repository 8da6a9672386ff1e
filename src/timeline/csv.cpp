#include "timeline/csv.hpp"

#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>

namespace cuzk::timeline {

namespace {

constexpr size_t kColumns = 8;

// Milliseconds with three places.
void append_ms(std::string& out, int64_t ns) {
  char text[40];
  int64_t us = (ns + (ns < 0 ? -500 : 500)) / 1000;
  const char* sign = us < 0 ? "-" : "";
  uint64_t magnitude = static_cast<uint64_t>(us < 0 ? -us : us);
  int n = std::snprintf(text, sizeof text, "%s%llu.%03llu", sign,
                        static_cast<unsigned long long>(magnitude / 1000),
                        static_cast<unsigned long long>(magnitude % 1000));
  out.append(text, static_cast<size_t>(n));
}

void append_field(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos && !text.starts_with('#')) {
    out += text;
    return;
  }
  out += '"';
  for (char c : text) {
    if (c == '"') out += '"';
    out += c == '\n' || c == '\r' ? ' ' : c;  // one event, one line
  }
  out += '"';
}

std::optional<int64_t> parse_ms(std::string_view text) {
  double ms;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ms);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  constexpr double kMostMs = 1e12;  // 31 years: sums and differences fit nanoseconds in 64 bits
  if (!(std::abs(ms) < kMostMs)) return std::nullopt;
  return static_cast<int64_t>(std::llround(ms * 1e6));
}

bool parse_number(std::string_view text, int32_t& out) {
  if (text.empty()) return true;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && out >= 0;
}

using Columns = std::array<std::string_view, kColumns>;

// Splits a line into exactly kColumns fields, undoing the quoting into `unquoted`.
bool split(std::string_view line, Columns& fields, std::string& unquoted) {
  unquoted.clear();
  unquoted.reserve(line.size());  // views into it stay good
  size_t at = 0;
  for (size_t i = 0; i < kColumns; ++i) {
    if (at < line.size() && line[at] == '"') {
      const size_t begin = unquoted.size();
      for (++at;; ++at) {
        if (at >= line.size()) return false;
        if (line[at] == '"') {
          if (at + 1 >= line.size() || line[at + 1] != '"') break;
          ++at;
        }
        unquoted += line[at];
      }
      ++at;
      fields[i] = std::string_view(unquoted).substr(begin);
    } else {
      size_t end = std::min(line.find(',', at), line.size());
      fields[i] = line.substr(at, end - at);
      at = end;
    }
    bool last = i + 1 == kColumns;
    if (last) return at == line.size();
    if (at >= line.size() || line[at] != ',') return false;
    ++at;
  }
  return false;
}

std::string rfc3339_now() {
  auto now = std::chrono::system_clock::now();
  auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
  std::time_t seconds = static_cast<std::time_t>(ms / 1000);
  std::tm utc;
  gmtime_r(&seconds, &utc);
  char text[32], out[40];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
  std::snprintf(out, sizeof out, "%s.%03dZ", text, static_cast<int>(ms % 1000));
  return out;
}

class CsvSink final : public Sink {
 public:
  explicit CsvSink(int fd) : fd_(fd) {}
  ~CsvSink() override {
    flush();
    ::close(fd_);
  }
  void write(const Event& event) override {
    buffer_ += format_event(event);
    if (buffer_.size() > 1 << 20) flush();
  }
  void flush() override {
    size_t done = 0;
    while (done < buffer_.size()) {
      ssize_t n = ::write(fd_, buffer_.data() + done, buffer_.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;  // a full disk must not stop the engine; the lines are lost
      done += static_cast<size_t>(n);
    }
    buffer_.clear();
  }

 private:
  int fd_;
  std::string buffer_;
};

}  // namespace

Header make_header(std::string build, std::string config) {
  utsname name{};
  uname(&name);
  return {rfc3339_now(), std::string(name.nodename) + " " + name.machine, std::move(build),
          std::move(config)};
}

std::string format_header(const Header& header) {
  std::string out(kCsvVersion);
  auto line = [&](const char* key, std::string value) {
    for (char& c : value)
      if (c == '\n' || c == '\r') c = ' ';
    out += std::string("\n# ") + key + ": " + value;
  };
  line("anchor", header.anchor);
  line("host", header.host);
  line("build", header.build);
  line("config", header.config);
  out += '\n';
  out += kCsvColumns;
  return out + "\n";
}

std::string format_event(const Event& event) {
  std::string out;
  append_ms(out, event.time_ns);
  out += ',';
  out += event_name(event.kind);
  out += ',';
  append_field(out, event.job);
  out += ',';
  append_field(out, event.worker);
  out += ',';
  if (event.partition >= 0) out += std::to_string(event.partition);
  out += ',';
  if (event.device >= 0) out += std::to_string(event.device);
  out += ',';
  if (event.duration_ns >= 0) append_ms(out, event.duration_ns);
  out += ',';
  append_field(out, event.detail);
  return out + "\n";
}

bool parse_event(std::string_view line, EventView& event, std::string& unquoted) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  Columns fields;
  if (!split(line, fields, unquoted)) return false;
  auto time = parse_ms(fields[0]);
  auto kind = event_from_name(fields[1]);
  if (!time || !kind) return false;
  event = {};
  event.time_ns = *time;
  event.kind = *kind;
  event.job = fields[2];
  event.worker = fields[3];
  if (!parse_number(fields[4], event.partition) || !parse_number(fields[5], event.device)) return false;
  if (!fields[6].empty()) {
    auto duration = parse_ms(fields[6]);
    if (!duration || *duration < 0) return false;
    event.duration_ns = *duration;
  }
  event.detail = fields[7];
  return true;
}

std::optional<Event> parse_event(std::string_view line) {
  EventView view;
  std::string unquoted;
  if (!parse_event(line, view, unquoted)) return std::nullopt;
  Event event;
  event.time_ns = view.time_ns;
  event.duration_ns = view.duration_ns;
  event.kind = view.kind;
  event.job = view.job;
  event.worker = view.worker;
  event.partition = view.partition;
  event.device = view.device;
  event.detail = view.detail;
  return event;
}

Result<std::unique_ptr<Sink>> open_csv(const std::string& path, const Header& header) {
  int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return fail(ErrorCode::kIo, path + ": cannot create the timeline: " + std::strerror(errno));
  std::string text = format_header(header);
  if (::write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    int e = errno;
    ::close(fd);
    return fail(e == ENOSPC ? ErrorCode::kResourceExhausted : ErrorCode::kIo,
                path + ": cannot write the timeline: " + std::strerror(e));
  }
  return std::unique_ptr<Sink>(new CsvSink(fd));
}

}  // namespace cuzk::timeline
