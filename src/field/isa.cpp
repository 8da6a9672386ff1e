#include "field/isa.hpp"

namespace cuzk {

Isa Isa::detect() {
  Isa isa;
#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
  __builtin_cpu_init();
  isa.adx = __builtin_cpu_supports("adx") && __builtin_cpu_supports("bmi2");
  // __builtin_cpu_supports also asks the operating system (XGETBV) whether it saves these registers.
  isa.avx2_fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  isa.ifma = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512ifma");
#endif
  return isa;
}

std::string Isa::describe() const {
  std::string names;
  if (adx) names += "adx ";
  if (avx2_fma) names += "avx2 ";
  if (ifma) names += "avx512-ifma ";
  if (names.empty()) return "portable";
  names.pop_back();
  return names;
}

Isa active_isa = Isa::detect();

ScopedIsa::ScopedIsa(Isa wanted) : saved_(active_isa) {
  active_isa.adx = wanted.adx && saved_.adx;
  active_isa.avx2_fma = wanted.avx2_fma && saved_.avx2_fma;
  active_isa.ifma = wanted.ifma && saved_.ifma;
}

}  // namespace cuzk
