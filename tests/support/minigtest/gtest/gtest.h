// What the tests of base to groth16 and of the devices use of GoogleTest, for machines that have a compiler
// and nothing else (a GPU machine): TEST, EXPECT_* and ASSERT_* with messages, SCOPED_TRACE, GTEST_SKIP,
// ADD_FAILURE, a main. Options of the program: --gtest_filter=PART runs the tests whose name contains PART
// (leading and trailing * ignored).
#pragma once

#include <chrono>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace testing {

struct TestCase {
  const char *suite, *name;
  void (*run)();
};
inline std::vector<TestCase>& all_tests() {
  static std::vector<TestCase> tests;
  return tests;
}
struct Registrar {
  Registrar(const char* suite, const char* name, void (*run)()) { all_tests().push_back({suite, name, run}); }
};

struct State {
  bool failed = false, skipped = false;
  std::vector<std::string> traces;
};
inline State& state() {
  static State s;
  return s;
}

template <class T>
concept Printable = requires(std::ostream& out, const T& value) { out << value; };

template <class T>
void print(std::ostream& out, const T& value) {
  if constexpr (Printable<T>) {
    out << value;
  } else {
    out << "(" << sizeof(T) << "-byte object)";
  }
}

// Collects what is streamed after an assertion and reports when it goes.
class Message {
 public:
  template <class T>
  Message& operator<<(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      text_ << (value ? "true" : "false");
    } else {
      print(text_, value);
    }
    return *this;
  }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
};

inline std::ostream& operator<<(std::ostream& out, const Message& message) {
  return out << message.text();
}

struct Report {
  const char* file;
  int line;
  std::string what;
  bool skip = false;
  void operator=(const Message& message) const {
    std::cout << file << ":" << line << ": " << (skip ? "skipped" : "failure") << "\n";
    if (!what.empty()) std::cout << "  " << what << "\n";
    if (!message.text().empty()) std::cout << "  " << message.text() << "\n";
    for (const auto& trace : state().traces) std::cout << "  at " << trace << "\n";
    (skip ? state().skipped : state().failed) = true;
  }
};

struct Trace {
  template <class T>
  Trace(const char* file, int line, const T& value) {
    std::ostringstream text;
    text << file << ":" << line << ": ";
    print(text, value);
    state().traces.push_back(text.str());
  }
  ~Trace() { state().traces.pop_back(); }
};

template <class A, class B>
std::string comparison(const char* text, const A& a, const B& b) {
  std::ostringstream out;
  out << text << ", with ";
  print(out, a);
  out << " and ";
  print(out, b);
  return out.str();
}

inline int run_all(int argc, char** argv) {
  std::string_view filter;
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    constexpr std::string_view kFilter = "--gtest_filter=";
    if (argument.starts_with(kFilter)) filter = argument.substr(kFilter.size());
  }
  while (filter.starts_with('*')) filter.remove_prefix(1);
  while (filter.ends_with('*')) filter.remove_suffix(1);
  size_t passed = 0, skipped = 0, failed = 0;
  for (const auto& test : all_tests()) {
    std::string name = std::string(test.suite) + "." + test.name;
    if (name.find(filter) == std::string::npos) continue;
    state() = {};
    auto begin = std::chrono::steady_clock::now();
    test.run();
    auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin)
                  .count();
    const char* verdict = state().failed ? "FAILED" : state().skipped ? "SKIPPED" : "OK";
    std::printf("[%s] %s (%lld ms)\n", verdict, name.c_str(), static_cast<long long>(ms));
    std::fflush(stdout);
    ++(state().failed ? failed : state().skipped ? skipped : passed);
  }
  std::printf("%zu passed, %zu skipped, %zu failed\n", passed, skipped, failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace testing

#define TEST(suite, name)                                                                             \
  static void suite##_##name##_body();                                                                \
  static const ::testing::Registrar suite##_##name##_registrar(#suite, #name, suite##_##name##_body); \
  static void suite##_##name##_body()

#define MINIGTEST_REPORT(what) ::testing::Report{__FILE__, __LINE__, what} = ::testing::Message()
#define MINIGTEST_EXPECT_(condition, what) \
  if (condition) {                         \
  } else                                   \
    MINIGTEST_REPORT(what)
#define MINIGTEST_ASSERT_(condition, what) \
  if (condition) {                         \
  } else                                   \
    return MINIGTEST_REPORT(what)
#define MINIGTEST_COMPARE_(macro, a, op, b)                                                                  \
  if (const auto minigtest =                                                                                 \
          [](const auto& mini_a, const auto& mini_b) {                                                       \
            return std::pair(bool(mini_a op mini_b),                                                         \
                             (mini_a op mini_b) ? std::string()                                              \
                                                : ::testing::comparison(#a " " #op " " #b, mini_a, mini_b)); \
          }(a, b);                                                                                           \
      minigtest.first) {                                                                                     \
  } else                                                                                                     \
    macro

#define EXPECT_TRUE(condition) MINIGTEST_EXPECT_(condition, #condition " is false")
#define EXPECT_FALSE(condition) MINIGTEST_EXPECT_(!(condition), #condition " is true")
#define ASSERT_TRUE(condition) MINIGTEST_ASSERT_(condition, #condition " is false")
#define ASSERT_FALSE(condition) MINIGTEST_ASSERT_(!(condition), #condition " is true")

#define EXPECT_EQ(a, b) MINIGTEST_COMPARE_(MINIGTEST_REPORT(minigtest.second), a, ==, b)
#define EXPECT_NE(a, b) MINIGTEST_COMPARE_(MINIGTEST_REPORT(minigtest.second), a, !=, b)
#define EXPECT_LT(a, b) MINIGTEST_COMPARE_(MINIGTEST_REPORT(minigtest.second), a, <, b)
#define EXPECT_LE(a, b) MINIGTEST_COMPARE_(MINIGTEST_REPORT(minigtest.second), a, <=, b)
#define EXPECT_GT(a, b) MINIGTEST_COMPARE_(MINIGTEST_REPORT(minigtest.second), a, >, b)
#define EXPECT_GE(a, b) MINIGTEST_COMPARE_(MINIGTEST_REPORT(minigtest.second), a, >=, b)
#define ASSERT_EQ(a, b) MINIGTEST_COMPARE_(return MINIGTEST_REPORT(minigtest.second), a, ==, b)
#define ASSERT_NE(a, b) MINIGTEST_COMPARE_(return MINIGTEST_REPORT(minigtest.second), a, !=, b)
#define ASSERT_LT(a, b) MINIGTEST_COMPARE_(return MINIGTEST_REPORT(minigtest.second), a, <, b)
#define ASSERT_GT(a, b) MINIGTEST_COMPARE_(return MINIGTEST_REPORT(minigtest.second), a, >, b)

#define ADD_FAILURE() MINIGTEST_REPORT("")
#define SCOPED_TRACE(value) \
  const ::testing::Trace MINIGTEST_NAME_(minigtest_trace_, __LINE__)(__FILE__, __LINE__, value)
#define MINIGTEST_NAME_(a, b) MINIGTEST_NAME2_(a, b)
#define MINIGTEST_NAME2_(a, b) a##b
#define GTEST_SKIP() return ::testing::Report{__FILE__, __LINE__, "", true} = ::testing::Message()
