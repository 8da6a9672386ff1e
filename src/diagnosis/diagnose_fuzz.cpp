// Any bytes as a timeline: read, analysed, reported in all three forms.
#include <cstdint>
#include <sstream>
#include <string>

#include "diagnosis/analysis.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cuzk;
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  auto timeline = timeline::read_timeline(in, "fuzz");
  if (!timeline) return 0;
  diagnosis::AnalysisOptions options;
  options.replay = size < 4096;  // a replay of nonsense may be long
  auto analysis = diagnosis::analyse(std::move(*timeline), "fuzz", options);
  if (!analysis) return 0;
  if (diagnosis::to_text(*analysis).empty() || diagnosis::to_json(*analysis).empty() ||
      diagnosis::to_html(*analysis).empty())
    __builtin_trap();
  return 0;
}
