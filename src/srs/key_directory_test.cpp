#include "srs/key_directory.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/atomic_file.hpp"

namespace cuzk {
namespace {

// BLAKE2b-512 of nothing begins with these bytes (RFC 7693's definition; also seen in reports of empty key
// files).
constexpr const char* kDigestOfNothing = "786a02f742015903c6c6fd852552d272";

class KeyDirectoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("cuzk-keys-" + std::to_string(getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(write_file(path(name), text));
  }
  FileDigest digest(const std::string& name) const { return *digest_file(**InputFile::open(path(name))); }
  // What find says of the key "k": "network", "development" or the error.
  std::string find(const Manifest& manifest, bool network_only = false) const {
    auto folder = KeyDirectory::open(folder_.string());
    EXPECT_TRUE(folder);
    const auto key = folder->find("k", manifest, network_only);
    if (!key) return key.error().message;
    return key->network ? "network" : "development";
  }
  Manifest manifest_of_files() const {
    const auto entry = [&](const std::string& name) {
      return "\"" + name + "\": {\"digest\": \"" + to_hex(Bytes(digest(name)).first(16)) + "\"}";
    };
    return *Manifest::parse("{" + entry("k.params") + "," + entry("k.vk") + "}", "manifest.json");
  }
  void write_origin() const {
    const KeyOrigin origin{"porep-2k", std::string(64, '0'), digest("k.params"), digest("k.vk")};
    write("k.origin.json", key_origin_to_json(origin));
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  std::filesystem::path folder_;
};

TEST_F(KeyDirectoryTest, DigestOfNothing) {
  write("empty", "");
  EXPECT_EQ(to_hex(digest("empty")).substr(0, 32), kDigestOfNothing);
}

TEST_F(KeyDirectoryTest, NetworkKey) {
  write("k.params", "a key");
  write("k.vk", "its verifying part");
  EXPECT_EQ(find(manifest_of_files(), true), "network");
  const std::string other = find(Manifest::network());
  EXPECT_TRUE(has(other, "k.vk") && has(other, "has no such file") && has(other, "no k.origin.json"))
      << other;
}

TEST_F(KeyDirectoryTest, DevelopmentKey) {
  write("k.params", "a key");
  write("k.vk", "its verifying part");
  write_origin();
  EXPECT_EQ(find(Manifest::network()), "development");
  EXPECT_TRUE(has(find(Manifest::network(), true), "--network-keys"));
}

TEST_F(KeyDirectoryTest, ChangedFilesAreRefusedThoughRemembered) {
  write("k.params", "a key");
  write("k.vk", "its verifying part");
  write_origin();
  EXPECT_EQ(find(Manifest::network()), "development");
  EXPECT_TRUE(std::filesystem::exists(path(KeyDirectory::kRecordName)));
  write("k.params", "a kez");
  const std::string message = find(Manifest::network());
  EXPECT_TRUE(has(message, "k.params") && has(message, "expected") && has(message, "k.origin.json"))
      << message;
}

TEST_F(KeyDirectoryTest, MissingAndEmptyFilesAreNamed) {
  const Manifest none = *Manifest::parse("{}", "m");
  EXPECT_TRUE(has(find(none), "k.params: cannot open"));
  write("k.params", "");
  EXPECT_TRUE(has(find(none), "k.params: empty file"));
  write("k.params", "a key");
  EXPECT_TRUE(has(find(none), "k.vk: cannot open"));
  write("k.vk", "");
  EXPECT_TRUE(has(find(none), "k.vk: empty file"));
  EXPECT_FALSE(KeyDirectory::open(path("nowhere")));
}

TEST_F(KeyDirectoryTest, DisagreeingManifestIsNamed) {
  write("k.params", "a key");
  write("k.vk", "its verifying part");
  const Manifest manifest = manifest_of_files();
  write("k.vk", "another verifying part");
  const std::string message = find(manifest);
  EXPECT_TRUE(has(message, "k.vk") && has(message, to_hex(Bytes(digest("k.vk")).first(16))) &&
              has(message, to_hex(*manifest.find("k.vk"))) && has(message, "manifest.json"))
      << message;
}

// Memory or a disk that gives other bytes the second time: here the file is changed behind its back.
TEST_F(KeyDirectoryTest, AnUnstableReadIsNotABadFile) {
  write("k.vk", "its verifying part");
  write("k.params", "a key");
  write_origin();
  write("k.params", "a kez");
  const std::filesystem::path file = path("k.params");
  const auto time = std::filesystem::last_write_time(file);
  auto folder = KeyDirectory::open(folder_.string());
  ASSERT_TRUE(folder);
  const auto key = folder->find("k", Manifest::network(), false, [&](uint64_t, uint64_t) {
    std::fstream(file, std::ios::in | std::ios::out) << "a key";
    std::filesystem::last_write_time(file, time);
  });
  ASSERT_FALSE(key);
  EXPECT_EQ(key.error().code, ErrorCode::kUnavailable);
  EXPECT_TRUE(has(key.error().message, "k.params: unstable read")) << key.error().message;
  const auto vk = InputFile::open(path("k.vk"));
  ASSERT_TRUE(vk);
  EXPECT_TRUE(confirm_digest(**vk, digest("k.vk")));
  const Status other = confirm_digest(**vk, digest("k.params"));
  ASSERT_FALSE(other);
  EXPECT_TRUE(has(other.error().message, "k.vk: unstable read")) << other.error().message;
}

TEST_F(KeyDirectoryTest, RecordBelongsToTheFile) {
  write("k.params", "a key");
  auto folder = KeyDirectory::open(folder_.string());
  auto file = InputFile::open(path("k.params"));
  CheckedFile checked = *folder->check("k.params", **file);
  EXPECT_FALSE(checked.points);
  checked.points = true;
  folder->remember("k.params", checked);
  auto again = KeyDirectory::open(folder_.string());
  EXPECT_TRUE(again->check("k.params", **InputFile::open(path("k.params")))->points);
  write("k.params", "a key");  // the same bytes, another file
  EXPECT_FALSE(again->check("k.params", **InputFile::open(path("k.params")))->points);
}

TEST(Manifest, Network) {
  const Manifest manifest = Manifest::network();
  EXPECT_EQ(manifest.entries().size(), 44u);
  EXPECT_FALSE(Manifest::parse("[]", "m"));
  EXPECT_FALSE(Manifest::parse(R"({"a": {"digest": "00"}})", "m"));
  EXPECT_FALSE(Manifest::parse(R"({"a": 1})", "m"));
  const std::string entry = R"("a": {"digest": "000102030405060708090a0b0c0d0e0f"})";
  EXPECT_TRUE(Manifest::parse("{" + entry + "}", "m"));
  const auto twice = Manifest::parse("{" + entry + ", " + entry + "}", "m"),
             cut = Manifest::parse("{" + entry, "m");
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().message, "m: field a comes twice");
  ASSERT_FALSE(cut);
  EXPECT_TRUE(cut.error().message.starts_with("m: byte " + std::to_string(entry.size() + 2)))
      << cut.error().message;
  EXPECT_FALSE(parse_key_origin(R"({"origin": "development", "origin": "development"})", "o"));
}

}  // namespace
}  // namespace cuzk
