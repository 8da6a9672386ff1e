// What changed between two recordings, and which differences are larger than the noise within them.
#pragma once

#include <string>
#include <vector>

#include "diagnosis/analysis.hpp"

namespace cuzk::diagnosis {

struct Changed {
  std::string metric, unit;
  double a = 0, b = 0;    // means
  Difference difference;  // b minus a; blocks in time count as one value
  bool larger_than_noise = false;
};

struct Comparison {
  std::vector<std::string> settings;  // "key: A → B", from the headers
  std::vector<Changed> changes;
};

Comparison compare(const Analysis& a, const Analysis& b);
std::string to_text(const Comparison& comparison, const Analysis& a, const Analysis& b);
std::string to_json(const Comparison& comparison, const Analysis& a, const Analysis& b);

}  // namespace cuzk::diagnosis
