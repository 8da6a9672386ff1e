#include "engine/shared_cpus.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cuzk::engine {

std::vector<double> fair_paces(double cpus, const std::vector<CpuDemand>& demands) {
  std::vector<double> paces(demands.size(), 1.0);
  std::vector<size_t> order(demands.size());
  std::iota(order.begin(), order.end(), 0);
  auto by_thread = [&](size_t i) { return demands[i].cpus / demands[i].threads; };
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return by_thread(a) < by_thread(b); });
  double threads = 0;
  for (const CpuDemand& demand : demands) threads += demand.threads;
  // Modest threads have what they want; the rest is shared among the others.
  for (size_t i : order) {
    const double share = std::max(cpus, 0.0) / threads;
    if (by_thread(i) > share) paces[i] = share / by_thread(i);
    cpus -= demands[i].cpus * paces[i];
    threads -= demands[i].threads;
  }
  return paces;
}

SharedCpus::Id SharedCpus::begin(int64_t now, double ns, const CpuDemand& demand) {
  advance(now);
  tasks_[next_id_] = {ns, 1, demand};
  share();
  return next_id_++;
}

std::optional<std::pair<int64_t, SharedCpus::Id>> SharedCpus::next() const {
  std::optional<std::pair<double, Id>> first;
  for (const auto& [id, task] : tasks_) {
    const double in = task.left_ns / task.pace;
    if (!first || in < first->first) first = {in, id};
  }
  if (!first) return std::nullopt;
  return std::pair{now_ + static_cast<int64_t>(std::ceil(std::max(first->first, 0.0))), first->second};
}

void SharedCpus::end(int64_t now, Id id) {
  advance(now);
  tasks_.erase(id);
  share();
}

void SharedCpus::advance(int64_t now) {
  for (auto& [id, task] : tasks_) task.left_ns -= static_cast<double>(now - now_) * task.pace;
  now_ = now;
}

void SharedCpus::share() {
  std::vector<CpuDemand> demands;
  for (const auto& [id, task] : tasks_) demands.push_back(task.demand);
  const std::vector<double> paces = fair_paces(cpus_, demands);
  size_t i = 0;
  for (auto& [id, task] : tasks_) task.pace = paces[i++];
}

}  // namespace cuzk::engine
