// Which instruction sets the kernels use: chosen once from CPUID at start, narrowed only by tests and
// benchmarks.
#pragma once

#include <string>

namespace cuzk {

struct Isa {
  bool adx = false;       // mulx, adcx, adox
  bool avx2_fma = false;  // AVX2 with FMA3: four lanes of doubles
  bool ifma = false;      // AVX-512 F, VL, DQ and IFMA: eight lanes of 52-bit limbs

  // What this CPU and operating system support; nothing in a portable build.
  static Isa detect();
  // "adx avx2" and so on, or "portable".
  std::string describe() const;
};

// Read by kernels. Constant after start-up except under ScopedIsa.
extern Isa active_isa;

// Narrows active_isa for the life of the object: tests and benchmarks only, no other thread may be computing.
class ScopedIsa {
 public:
  explicit ScopedIsa(Isa wanted);
  ~ScopedIsa() { active_isa = saved_; }
  ScopedIsa(const ScopedIsa&) = delete;
  ScopedIsa& operator=(const ScopedIsa&) = delete;

 private:
  Isa saved_;
};

}  // namespace cuzk
