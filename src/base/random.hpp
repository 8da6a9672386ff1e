// Sources of random bytes. Secrets (setup, blinding) come from an injected source; the system's is the
// default.
#pragma once

#include <cstdint>

#include "base/bytes.hpp"

namespace cuzk {

class RandomSource {
 public:
  virtual ~RandomSource() = default;
  virtual void fill(MutableBytes out) = 0;
};

// The operating system's generator (getrandom). Ends the process if it fails: there is no safe way on.
class SystemRandom final : public RandomSource {
 public:
  void fill(MutableBytes out) override;
};

// SplitMix64, for tests and benchmarks only: repeatable, not secret.
class TestRandom final : public RandomSource {
 public:
  explicit TestRandom(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  void fill(MutableBytes out) override;

 private:
  uint64_t state_;
};

}  // namespace cuzk
