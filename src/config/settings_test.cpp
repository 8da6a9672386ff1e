#include "config/settings.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace cuzk {
namespace {

TEST(Settings, FileThenFlags) {
  Settings s;
  ASSERT_TRUE(apply_toml(
      s,
      "[gpus]\ngpu_workers_per_device = 3\n[memory]\nbudget = \"16 GiB\"\ndeferred_release = false\n"
      "[retry]\npause_ms = 7\n",
      "f.toml"));
  EXPECT_EQ(s.gpu_workers_per_device, 3u);
  EXPECT_EQ(s.memory_budget, 16ull << 30);
  EXPECT_FALSE(s.deferred_release);
  EXPECT_EQ(s.retry_pause_ms, 7u);
  ASSERT_TRUE(apply_assignment(s, "gpus.gpu_workers_per_device=4"));
  ASSERT_TRUE(apply_assignment(s, "memory.budget=auto"));
  ASSERT_TRUE(apply_assignment(s, "synthesis.throttle=true"));
  EXPECT_EQ(s.gpu_workers_per_device, 4u);
  EXPECT_EQ(s.memory_budget, 0u);
  EXPECT_EQ(
      describe_changes(s),
      "synthesis.throttle=true;gpus.gpu_workers_per_device=4;memory.deferred_release=false;retry.pause_ms=7");
}

TEST(Settings, ErrorsNameTheLineAndChangeNothing) {
  Settings s;
  struct Case {
    const char *text, *part;
  };
  for (const Case& c :
       {Case{"[gpus]\nworkers = 1\n", "line 2: unknown setting 'gpus.workers'"},
        Case{"[gpus]\ngpu_workers_per_device = 0\n", "line 2"},
        Case{"[gpus]\ngpu_workers_per_device = \"two\"\n", "expected a number from 1 to 64"},
        Case{"[gpus]\n\n\nreserved_lane = 1\n", "line 4"}, Case{"x = 1\n", "unknown setting 'x'"},
        Case{"[memory]\nbudget = \"16 GB\"\n", "16 GB"}, Case{"[memory]\nbudget = -1\n", "found -1"},
        Case{"[memory\n", "line 1"}, Case{"[.\n", "not valid TOML"},
        Case{"[memory]\nbudget = 1.5\n", "bytes"},
        Case{"[retry]\nmax_attempts = 2\nmax_attempts = 3\n", "line 3"}}) {
    auto status = apply_toml(s, c.text, "f.toml");
    ASSERT_FALSE(status.has_value()) << c.text;
    EXPECT_NE(status.error().message.find(c.part), std::string::npos) << status.error().message;
    EXPECT_NE(status.error().message.find("f.toml"), std::string::npos);
  }
  EXPECT_EQ(s.max_attempts, 3u);
  for (const char* bad :
       {"gpus.gpu_workers_per_device", "nope=1", "gpus.gpu_workers_per_device=x",
        "gpus.gpu_workers_per_device=65", "synthesis.throttle=1", "memory.budget=99999999999 TiB"})
    EXPECT_FALSE(apply_assignment(s, bad).has_value()) << bad;
}

TEST(Settings, KeysWithoutEndAreRefused) {
  Settings s;
  std::string dots;
  for (int i = 0; i < 100'000; ++i) dots += "a.";
  for (const std::string& text : {dots + "a = 1\n", "\n[" + dots + "a]\n", "[retry]\nx = {" + dots + "a = 1}",
                                  "\"#\"." + dots + "a = 1"}) {
    const auto status = apply_toml(s, text, "f.toml");
    ASSERT_FALSE(status.has_value());
    EXPECT_NE(status.error().message.find("more than 32 dots"), std::string::npos) << status.error().message;
  }
  EXPECT_TRUE(apply_toml(s, "# " + dots + "\n[retry] # " + dots, "f.toml"));
}

TEST(Settings, LettersBeyondAsciiStandInComments) {
  Settings s;
  EXPECT_TRUE(apply_toml(s, "\xef\xbb\xbf# größer\n[memory] # \xe9\xa2\x84\nbudget = \"16 GiB\" # größer\n",
                         "f.toml"));
  for (const char* text :
       {"[retry]\ngröße = 1\n", "[retry]\n# \nx = \"#\" é", "[retry]\nx = \"\\\"#é\"", "[retry]\n'#é' = 1"}) {
    const auto status = apply_toml(s, text, "f.toml");
    ASSERT_FALSE(status.has_value()) << text;
    EXPECT_NE(status.error().message.find("beyond ASCII"), std::string::npos) << status.error().message;
    EXPECT_NE(status.error().message.find("line "), std::string::npos);
  }
  EXPECT_FALSE(apply_toml(s, "[retry]\nx = \"\"\"\n# \"\"\" é", "f.toml"));
}

TEST(Settings, DocumentationIsTheTable) {
  std::ifstream file(CUZK_SOURCE_DIR "/docs/configuration.md");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), settings_page()) << "write docs/configuration.md anew from settings_page()";
}

}  // namespace
}  // namespace cuzk
