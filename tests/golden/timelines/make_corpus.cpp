// Writes cases to files, and prints what the analysis makes of many: make_corpus score FROM TO [KIND] |
// make_corpus write FOLDER SEED | make_corpus large FILE EVENTS.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "score.hpp"

using namespace cuzk;

int main(int argc, char** argv) {
  if (argc >= 4 && std::strcmp(argv[1], "score") == 0) {
    golden::Tally all;
    for (const std::string& kind : golden::kinds()) {
      if (argc > 4 && kind != argv[4]) continue;
      golden::Tally tally;
      for (uint64_t seed = std::strtoull(argv[2], nullptr, 10); seed <= std::strtoull(argv[3], nullptr, 10);
           ++seed)
        tally += golden::score(golden::make_case(kind, seed), argc > 4);
      std::printf("%-42s %4zu cases, %4zu right first, %4zu false claims, %4zu other faults\n", kind.c_str(),
                  tally.cases, tally.right, tally.false_claims, tally.faults);
      std::fflush(stdout);
      all += tally;
    }
    std::printf("%-42s %4zu cases, %4zu right first, %4zu false claims, %4zu other faults\n", "all",
                all.cases, all.right, all.false_claims, all.faults);
    return 0;
  }
  if (argc == 4 && std::strcmp(argv[1], "write") == 0) {
    const uint64_t seed = std::strtoull(argv[3], nullptr, 10);
    for (const std::string& kind : golden::kinds())
      std::ofstream(std::string(argv[2]) + "/" + kind + ".csv") << golden::make_case(kind, seed).text;
    std::ofstream(std::string(argv[2]) + "/reference.log") << golden::make_reference_log(seed).text;
    return 0;
  }
  if (argc == 4 && std::strcmp(argv[1], "large") == 0) {
    golden::write_large(argv[2], std::strtoull(argv[3], nullptr, 10), 1);
    return 0;
  }
  std::fprintf(stderr, "usage: make_corpus score FROM TO [KIND] | write FOLDER SEED | large FILE EVENTS\n");
  return 2;
}
