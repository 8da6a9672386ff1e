// JSON as it must be: one value for a field, and the place of an error.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace cuzk {

// Json: nlohmann::json or ordered_json (base itself includes neither). A field that comes twice in one object
// is refused: which one counts differs from reader to reader. Errors: kInvalidInput with the byte; the caller
// adds the file and what it expects.
template <class Json>
Result<Json> parse_json(std::string_view text) {
  std::vector<std::set<std::string>> names;
  std::string twice;
  const auto note = [&](int, typename Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) names.emplace_back();
    if (event == Json::parse_event_t::object_end) names.pop_back();
    if (event == Json::parse_event_t::key && !names.back().insert(parsed.template get<std::string>()).second)
      twice = parsed.template get<std::string>();
    return true;
  };
  try {
    Json json = Json::parse(text, note);
    if (!twice.empty()) return invalid("field " + twice.substr(0, 80) + " comes twice");
    return json;
  } catch (const typename Json::parse_error& error) {
    return invalid("byte " + std::to_string(error.byte) +
                   ": not valid JSON: " + std::string(error.what()).substr(0, 200));
  } catch (const typename Json::exception& error) {  // a number out of range
    return invalid("not valid JSON: " + std::string(error.what()).substr(0, 200));
  }
}

}  // namespace cuzk
