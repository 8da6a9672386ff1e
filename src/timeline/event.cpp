#include "timeline/event.hpp"

#include <algorithm>

namespace cuzk::timeline {

std::optional<EventKind> event_from_name(std::string_view name) {
  auto it = std::find(std::begin(kEventNames), std::end(kEventNames), name);
  if (it == std::end(kEventNames)) return std::nullopt;
  return static_cast<EventKind>(it - std::begin(kEventNames));
}

std::optional<std::string_view> detail_value(std::string_view detail, std::string_view key) {
  while (!detail.empty()) {
    size_t end = std::min(detail.find(';'), detail.size());
    std::string_view pair = detail.substr(0, end);
    if (pair.size() > key.size() && pair.starts_with(key) && pair[key.size()] == '=')
      return pair.substr(key.size() + 1);
    detail.remove_prefix(std::min(end + 1, detail.size()));
  }
  return std::nullopt;
}

}  // namespace cuzk::timeline
