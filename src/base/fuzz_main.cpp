// Standalone driver for the *_fuzz.cpp files, so that any compiler can run them (LLVMFuzzerTestOneInput is
// libFuzzer's interface, and clang's driver takes them as they are). Replays every file it is given, then
// runs seeded random mutations of them. The same seed runs the same inputs; the input that a run died on is
// written to crash-<target>.bin.
//
//   x_fuzz [--runs N] [--seconds S] [--seed X] [FILE or FOLDER]...
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace {

using Bytes = std::vector<uint8_t>;
constexpr size_t kMaxInput = size_t{1} << 20;

// What the handlers below can reach when a run dies.
const Bytes* current_input = nullptr;
std::string crash_path;  // NOLINT: set once in main

void save_current() {
  if (current_input == nullptr) return;
  if (std::FILE* file = std::fopen(crash_path.c_str(), "wb")) {
    std::fwrite(current_input->data(), 1, current_input->size(), file);
    std::fclose(file);
    std::fprintf(stderr, "input of %zu bytes saved as %s\n", current_input->size(), crash_path.c_str());
  }
}

void on_signal(int number) {
  save_current();
  std::signal(number, SIG_DFL);
  std::raise(number);
}

void run_one(const Bytes& input) {
  current_input = &input;
  // An allocation of exactly this size, so that AddressSanitizer sees a read past the end.
  const Bytes exact(input.begin(), input.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
  current_input = nullptr;
}

size_t below(std::mt19937_64& rng, size_t bound) {
  return bound == 0 ? 0 : rng() % bound;
}

void overwrite_integer(Bytes& bytes, std::mt19937_64& rng) {
  static constexpr uint64_t kInteresting[] = {
      0,       1,          2,          0x7f,       0x80,        0xff,       0x7fff,        0xffff,
      0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, UINT64_MAX, UINT64_MAX / 2};
  const size_t width = size_t{1} << below(rng, 4);
  if (bytes.size() < width) return;
  uint64_t value = kInteresting[below(rng, std::size(kInteresting))] + below(rng, 3) - 1;
  uint8_t* at = bytes.data() + below(rng, bytes.size() - width + 1);
  const bool big_endian = (rng() & 1) != 0;
  for (size_t i = 0; i < width; ++i, value >>= 8)
    at[big_endian ? width - 1 - i : i] = static_cast<uint8_t>(value);
}

void mutate(Bytes& bytes, const std::vector<Bytes>& corpus, std::mt19937_64& rng) {
  const size_t at = below(rng, bytes.size() + 1);
  const size_t length = std::min(below(rng, 65), bytes.size() - at);
  const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
  switch (below(rng, 8)) {
    case 0:
      if (at < bytes.size()) bytes[at] = static_cast<uint8_t>(bytes[at] ^ (1u << below(rng, 8)));
      break;
    case 1:
      if (at < bytes.size()) bytes[at] = static_cast<uint8_t>(rng());
      break;
    case 2:
    case 3:
      overwrite_integer(bytes, rng);
      break;
    case 4:
      bytes.resize(at);
      break;
    case 5:
      bytes.erase(begin, begin + static_cast<std::ptrdiff_t>(length));
      break;
    case 6: {
      Bytes extra(1 + below(rng, 64));
      std::generate(extra.begin(), extra.end(), [&] { return static_cast<uint8_t>(rng()); });
      bytes.insert(begin, extra.begin(), extra.end());
      break;
    }
    default: {  // a piece of another input over this one
      const Bytes& other = corpus[below(rng, corpus.size())];
      const size_t from = below(rng, other.size() + 1);
      const size_t count = std::min({other.size() - from, bytes.size() - at, size_t{256}});
      std::copy_n(other.begin() + static_cast<std::ptrdiff_t>(from), count, begin);
    }
  }
  if (bytes.size() > kMaxInput) bytes.resize(kMaxInput);
}

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

struct Options {
  uint64_t runs = 1000;
  double seconds = 10;
  uint64_t seed = 1;
  std::vector<std::filesystem::path> files;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--runs") {
      options.runs = std::strtoull(value, nullptr, 10), ++i;
    } else if (word == "--seconds") {
      options.seconds = std::strtod(value, nullptr), ++i;
    } else if (word == "--seed") {
      options.seed = std::strtoull(value, nullptr, 10), ++i;
    } else if (std::filesystem::is_directory(word)) {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(word)) {
        if (entry.is_regular_file()) options.files.push_back(entry.path());
      }
    } else if (std::filesystem::exists(word)) {
      options.files.push_back(word);
    } else {
      std::fprintf(stderr, "no such file: %s\n", word.c_str());
      std::exit(2);
    }
  }
  std::sort(options.files.begin(), options.files.end());
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  crash_path = "crash-" + std::filesystem::path(argv[0]).filename().string() + ".bin";
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(save_current);
    std::signal(SIGABRT, on_signal);  // a failed check aborts without the callback
  } else {
    for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(number, on_signal);
  }

  std::vector<Bytes> corpus = {Bytes{}};
  run_one(corpus.front());
  for (const auto& path : options.files) {
    corpus.push_back(read_file(path));
    run_one(corpus.back());
  }

  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(options.seconds);
  uint64_t run = 0;
  for (; run < options.runs && std::chrono::steady_clock::now() < end; ++run) {
    std::mt19937_64 rng(options.seed * 0x9e3779b97f4a7c15 + run);
    Bytes input = corpus[below(rng, corpus.size())];
    for (size_t count = 1 + below(rng, 6); count > 0; --count) mutate(input, corpus, rng);
    run_one(input);
  }
  std::printf("%zu files replayed, %llu mutations, seed %llu: nothing found\n", options.files.size(),
              static_cast<unsigned long long>(run), static_cast<unsigned long long>(options.seed));
  return 0;
}
