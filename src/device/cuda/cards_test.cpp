#include "device/cuda/cards.hpp"

#include <gtest/gtest.h>

namespace cuzk::gpu {
namespace {

constexpr int kRelease[] = {80, 86, 89, 90, 100, 120};
constexpr size_t kGib = size_t{1} << 30;

std::string against(int major, int minor, std::span<const int> built = kRelease) {
  return reason_against({.major = major, .minor = minor, .memory_bytes = 80 * kGib, .free_bytes = 79 * kGib},
                        built);
}

TEST(Cards, ArchitecturesThatRun) {
  for (auto [major, minor] :
       {std::pair{8, 0}, {8, 6}, {8, 7}, {8, 9}, {9, 0}, {10, 0}, {10, 3}, {12, 0}, {12, 1}, {13, 0}})
    EXPECT_EQ(against(major, minor), "") << major << "." << minor;
  EXPECT_EQ(against(7, 5),
            "its compute capability is 7.5, this program has code for 8.0, 8.6, 8.9, 9.0, 10.0, 12.0 only");
  EXPECT_TRUE(against(11, 0).starts_with("its compute capability is 11.0"));
  constexpr int kOne[] = {90};
  EXPECT_TRUE(against(8, 9, kOne).starts_with("its compute capability is 8.9"));
  EXPECT_EQ(against(10, 0, kOne), "");  // by PTX
}

TEST(Cards, StatesThatDoNot) {
  EXPECT_EQ(
      reason_against({.major = 9, .minor = 0, .prohibited = true, .memory_bytes = kGib, .free_bytes = kGib},
                     kRelease),
      "its compute mode is 'prohibited'");
  EXPECT_EQ(
      reason_against({.major = 9, .minor = 0, .memory_bytes = 80 * kGib, .free_bytes = kGib / 2}, kRelease),
      "only 0.5 of its 80.0 GiB are free: other programs hold the rest; at least 1.0 are needed");
}

TEST(Cards, Drivers) {
  EXPECT_EQ(reason_against_driver(13000, 13000), "");
  EXPECT_EQ(reason_against_driver(13000, 13010), "");  // any driver of the same major version
  EXPECT_EQ(reason_against_driver(0, 13000), "no NVIDIA driver: libcuda.so.1 is not there");
  EXPECT_EQ(reason_against_driver(12040, 13000),
            "the NVIDIA driver is too old: it is for CUDA 12.4, this program needs 13.0 or later");
}

}  // namespace
}  // namespace cuzk::gpu
