// What a file is, what is in it, and whether its points are good.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/executor.hpp"
#include "formats/input_file.hpp"

namespace cuzk {

enum class FileKind : uint8_t {
  kR1cs,
  kWtns,
  kZkey,
  kParams,
  kVk,
  kProofBytes,
  kProofJson,
  kPublicJson,
  kVerificationKeyJson,
};

// "bellman proving key (.params)" and so on.
const char* file_kind_text(FileKind kind);

// By content: magic number, structure, keys of a JSON object; the ending of the name decides only between .vk
// and .params when the file is too damaged to tell. Errors: kInvalidInput for all else, saying what it is if
// that is recognised; kIo.
Result<FileKind> detect(const InputFilePtr& file);

struct FileReport {
  FileKind kind{};
  uint64_t size_bytes = 0;
  std::string curve = "bls12381";
  std::vector<std::pair<std::string, uint64_t>> counts;  // by name, in the order of the file
  std::string trailer;                                   // what follows the key, if anything does
  std::vector<std::string> warnings;
  uint64_t points_tested = 0;  // in full: canonical, on the curve, in the subgroup
};

// done and total points; called from one thread at a time.
using InspectProgress = std::function<void(uint64_t done, uint64_t total)>;

// Reads the file whole but for the lists of proving keys, which only full_check reads: it tests every point
// in full, on the executor's threads. Errors: those of the readers.
Result<FileReport> inspect(const InputFilePtr& file, bool full_check, Executor& executor,
                           const InspectProgress& progress = {});

}  // namespace cuzk
