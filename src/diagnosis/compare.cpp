#include "diagnosis/compare.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "diagnosis/text.hpp"

namespace cuzk::diagnosis {

namespace {

// Differences below this share are not worth a word, however certain.
constexpr double kLeastChange = 0.01;

std::map<std::string, std::string> settings_of(const std::string& config) {
  std::map<std::string, std::string> out;
  for (std::string_view rest = config; !rest.empty();) {
    const size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (const size_t eq = pair.find('='); eq != std::string_view::npos)
      out[std::string(pair.substr(0, eq))] = std::string(pair.substr(eq + 1));
  }
  return out;
}

std::vector<std::string> changed_settings(const std::string& a, const std::string& b) {
  const auto before = settings_of(a), after = settings_of(b);
  std::set<std::string> keys;
  for (const auto& [key, value] : before) keys.insert(key);
  for (const auto& [key, value] : after) keys.insert(key);
  std::vector<std::string> out;
  for (const std::string& key : keys) {
    auto x = before.find(key), y = after.find(key);
    const std::string from = x == before.end() ? "default" : x->second,
                      to = y == after.end() ? "default" : y->second;
    if (from != to) out.push_back(key + ": " + from + " → " + to);
  }
  return out;
}

// Means of blocks of neighbours in time: a value each, nearly independent.
std::vector<double> block_means(std::vector<std::pair<int64_t, double>> values) {
  std::sort(values.begin(), values.end());
  const size_t blocks = std::clamp<size_t>(values.size() / 6, std::min<size_t>(values.size(), 6), 60);
  std::vector<double> sums(blocks, 0.0), counts(blocks, 0.0);
  for (size_t i = 0; i < values.size(); ++i) {
    sums[i * blocks / values.size()] += values[i].second;
    counts[i * blocks / values.size()] += 1;
  }
  for (size_t b = 0; b < blocks; ++b) sums[b] /= counts[b];
  return sums;
}

std::vector<double> stage_blocks(const Facts& facts, const Metric& metric) {
  std::vector<std::pair<int64_t, double>> values;
  for (const RunFacts& run : facts.runs)
    for (const Partition& p : run.model->partitions)
      if (const double value = metric.value(p); value >= 0)
        values.emplace_back(metric.stretch(p).end_ns, value);
  return values.empty() ? std::vector<double>{} : block_means(std::move(values));
}

// Seconds from one proof's end to the next one's.
std::vector<double> completion_blocks(const Facts& facts) {
  std::vector<std::pair<int64_t, double>> values;
  for (const RunFacts& run : facts.runs) {
    std::vector<int64_t> ends;
    for (const JobRecord& job : run.model->jobs)
      if (job.complete()) ends.push_back(job.end_ns);
    std::sort(ends.begin(), ends.end());
    for (size_t i = 1; i < ends.size(); ++i)
      values.emplace_back(ends[i], static_cast<double>(ends[i] - ends[i - 1]) * 1e-9);
  }
  return values.empty() ? std::vector<double>{} : block_means(std::move(values));
}

void add(Comparison& out, const char* metric, const char* unit, const std::vector<double>& a,
         const std::vector<double>& b) {
  if (a.empty() || b.empty()) return;
  Changed c{metric, unit, mean(a), mean(b), welch(a, b), false};
  const Interval& ci = c.difference.ci95;
  c.larger_than_noise = c.difference.known && (ci.lo > 0 || ci.hi < 0) &&
                        std::abs(c.difference.value) > kLeastChange * std::max(std::abs(c.a), 1e-12);
  out.changes.push_back(std::move(c));
}

}  // namespace

Comparison compare(const Analysis& a, const Analysis& b) {
  Comparison out;
  out.settings = changed_settings(a.timeline->header.config, b.timeline->header.config);
  add(out, "between_proofs", "s", completion_blocks(*a.facts), completion_blocks(*b.facts));
  for (const Metric& m : metrics())
    add(out, m.name, "ms", stage_blocks(*a.facts, m), stage_blocks(*b.facts, m));
  for (const char* key : {"probe_ns", "run_queue", "host_cpus", "tlb_shootdowns_per_s", "rss_bytes"}) {
    auto values = [&](const Facts& facts) {
      std::vector<std::pair<int64_t, double>> list;
      const Series* series = facts.samples.host(key);
      if (series == nullptr) return std::vector<double>{};
      for (size_t i = 0; i < series->times.size(); ++i)
        list.emplace_back(series->times[i], series->values[i]);
      return block_means(std::move(list));
    };
    add(out, key, "", values(*a.facts), values(*b.facts));
  }
  return out;
}

std::string to_text(const Comparison& c, const Analysis& a, const Analysis& b) {
  std::string out = "A: " + a.name + format(", %.3f s/proof\n", a.facts->s_per_proof());
  out += "B: " + b.name + format(", %.3f s/proof\n", b.facts->s_per_proof());
  if (c.settings.empty()) out += "the headers name the same settings\n";
  for (const std::string& text : c.settings) out += "  " + text + "\n";
  out += "                                 A            B   B minus A (95 %)\n";
  for (const Changed& x : c.changes) {
    out += format("%-22s %12.3f %12.3f   %+.3f", (x.metric + (x.unit.empty() ? "" : ", " + x.unit)).c_str(),
                  x.a, x.b, x.difference.known ? x.difference.value : x.b - x.a);
    if (x.difference.known) out += format(" (%+.3f to %+.3f)", x.difference.ci95.lo, x.difference.ci95.hi);
    out += x.larger_than_noise ? "  <<< larger than noise\n" : "\n";
  }
  return out +
         "Noise is what varies within each file. Two runs of the same settings may differ by more: record "
         "each "
         "several times.\n";
}

std::string to_json(const Comparison& c, const Analysis& a, const Analysis& b) {
  using Json = nlohmann::ordered_json;
  Json changes = Json::array();
  for (const Changed& x : c.changes)
    changes.push_back({{"metric", x.metric},
                       {"unit", x.unit},
                       {"a", x.a},
                       {"b", x.b},
                       {"difference", x.b - x.a},
                       {"ci95", x.difference.known ? Json{x.difference.ci95.lo, x.difference.ci95.hi}
                                                   : Json{nullptr, nullptr}},
                       {"larger_than_noise", x.larger_than_noise}});
  Json out = {{"a", {{"file", a.name}, {"s_per_proof", a.facts->s_per_proof()}}},
              {"b", {{"file", b.name}, {"s_per_proof", b.facts->s_per_proof()}}},
              {"settings", c.settings},
              {"changes", changes}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cuzk::diagnosis
