#include "cli/simulated_device.hpp"

#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/strict_json.hpp"

namespace cuzk::cli {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kMostDevices = 1024;

// The field, or what stands for it where it is not there.
Result<double> number(const Json& object, const char* name, double absent, const std::string& place) {
  const auto it = object.find(name);
  if (it == object.end()) return absent;
  if (!it->is_number()) return invalid(place + ": '" + name + "' is no number");
  return it->get<double>();
}

Result<uint64_t> count(const Json& object, const char* name, uint64_t absent, const std::string& place) {
  const auto it = object.find(name);
  if (it == object.end()) return absent;
  if (!it->is_number_unsigned()) return invalid(place + ": '" + name + "' is no whole number from 0 on");
  return it->get<uint64_t>();
}

// Times are drawn within nine standard deviations; the longest must fit the clock, 2^63 ns.
Status check_time(double median_ms, double spread, const std::string& place) {
  if (!(median_ms >= 0) || !(spread >= 0 && spread < 5))
    return invalid(place + ": a time must not be negative, spread is from 0 to 5");
  if (!(median_ms * std::exp(9 * spread) < 9e12))
    return invalid(place + ": may become longer than 285 years");
  return {};
}

Result<engine::StageTime> stage_time(const Json& json, const std::string& place) {
  engine::StageTime time;
  if (json.is_number()) {
    time.median_ms = json.get<double>();
  } else {
    if (!json.is_object() || !json.contains("median_ms"))
      return invalid(place + ": expected a number of milliseconds or {\"median_ms\": …, \"spread\": …}");
    CUZK_ASSIGN(time.median_ms, number(json, "median_ms", 0, place));
    CUZK_ASSIGN(time.spread, number(json, "spread", 0, place));
  }
  CUZK_TRY(check_time(time.median_ms, time.spread, place));
  return time;
}

Status read_operations(const Json& list, const std::string& path, SimulatedDevice& out) {
  for (const Json& op : list) {
    const std::string place = path + ": 'device' " + std::to_string(out.times.device.size());
    CUZK_ASSIGN(auto time, stage_time(op, place));
    std::string name = "work";
    if (op.is_object() && op.contains("op")) {
      if (!op["op"].is_string()) return invalid(place + ": 'op' is no text");
      name = op["op"].get<std::string>();
    }
    out.times.device.emplace_back(std::move(name), time);
  }
  return {};
}

Status read_sizes(const Json& json, const std::string& path, SimulatedDevice& out) {
  out.plan.circuit = "simulated";
  CUZK_ASSIGN(out.plan.key_bytes, count(json, "key_bytes", 0, path));
  CUZK_ASSIGN(out.plan.witness_bytes, count(json, "witness_bytes", 0, path));
  CUZK_ASSIGN(out.plan.device_host_bytes, count(json, "scratch_bytes", 0, path));
  CUZK_ASSIGN(out.devices, count(json, "devices", out.devices, path));
  CUZK_ASSIGN(out.finishers, count(json, "finishers", out.finishers, path));
  CUZK_ASSIGN(out.handover_ms, number(json, "handover_ms", out.handover_ms, path));
  CUZK_ASSIGN(out.seed, count(json, "seed", out.seed, path));
  for (const auto& [name, value] : {std::pair("devices", out.devices), {"finishers", out.finishers}})
    if (value == 0 || value > kMostDevices)
      return invalid(path + ": " + name + " is from 1 to " + std::to_string(kMostDevices));
  return check_time(out.handover_ms, 0, path + ": 'handover_ms'");
}

}  // namespace

Result<SimulatedDevice> parse_simulated_device(std::string_view text, const std::string& path) {
  const auto parsed = parse_json<Json>(text);
  if (!parsed) return tl::unexpected<Error>(parsed.error().at(path));
  const Json& json = *parsed;
  if (!json.is_object()) return invalid(path + ": not a JSON object");
  SimulatedDevice out;
  const std::pair<const char*, engine::StageTime*> stages[] = {
      {"parse", &out.times.parse},     {"key_load", &out.times.key_load}, {"synthesis", &out.times.synthesis},
      {"prepare", &out.times.prepare}, {"tail", &out.times.tail},         {"check", &out.times.check}};
  for (const auto& [name, time] : stages)
    if (json.contains(name)) {
      CUZK_ASSIGN(*time, stage_time(json[name], path + ": '" + name + "'"));
    }
  if (!json.contains("device") || !json["device"].is_array() || json["device"].empty())
    return invalid(path + ": 'device' must be a list of {\"op\": name, \"median_ms\": …}");
  CUZK_TRY(read_operations(json["device"], path, out));
  CUZK_TRY(read_sizes(json, path, out));
  return out;
}

Result<SimulatedDevice> read_simulated_device(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    return fail(ErrorCode::kNotFound, path + ": cannot open the description of the simulated device");
  return parse_simulated_device(std::string((std::istreambuf_iterator<char>(file)), {}), path);
}

}  // namespace cuzk::cli
