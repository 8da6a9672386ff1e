#!/usr/bin/env bash
# Fields, transforms and multi-scalar multiplication on a machine that has g++ and nothing else, such as a GPU machine whose
# processor has AVX-512 IFMA: builds, runs the tests of the vector kernels (by tests/support/minigtest instead of GoogleTest)
# and prints the times of every instruction set that the CPU has, side by side. About two minutes on 16 cores.
#
#   TL_INCLUDE=DIR bench/gpu/cpu_ifma.sh OUT [LOG2]   DIR holds tl/expected.hpp; objects, programs and logs go to OUT;
#                                                     LOG2: of the longest transform, default 22
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$root"
# As in cmake/CuzkModule.cmake.
tune="-mtune-ctrl=^sse_unaligned_load_optimal,^sse_unaligned_store_optimal"
cxx="${CXX_LAUNCHER:-} g++ -std=c++20 -O3 -DNDEBUG -march=x86-64-v2 -fno-math-errno $tune -I src -I ${TL_INCLUDE:-/usr/include}"
order="-fno-tree-reassoc -fno-tree-ter"
flags_of() {
  case "$1" in
    *_ifma.cpp) echo "-mavx512f -mavx512vl -mavx512dq -mavx512ifma $order" ;;
    *_avx2.cpp) echo "-mavx2 -mfma -frounding-math $order" ;;
    *_emulated.cpp) echo "-O1" ;;
  esac
}
object() { echo "$out/$(echo "${1%.*}" | tr / _).o"; }

jobs="$out/jobs"
objects=()
: >"$jobs"
for module in base field field/simd curve poly msm; do
  for source in src/$module/*.cpp; do
    case "$source" in *_test.cpp | *_bench.cpp | *_fuzz.cpp | */fuzz_main.cpp) continue ;; esac
    objects+=("$(object "$source")")
    echo "$cxx $(flags_of "$source") -c $source -o $(object "$source")" >>"$jobs"
  done
done
echo "$cxx -c bench/gpu/cpu_bench.cpp -o $(object bench/gpu/cpu_bench.cpp)" >>"$jobs"
tests=()
minigtest=${MINIGTEST:-tests/support/minigtest}
if [ -d "$minigtest" ]; then
  tests=(src/field/simd/batch_test src/field/simd/vec_field_test src/poly/domain_test src/msm/kernel_test src/msm/msm_test)
  for test in "${tests[@]}"; do
    echo "$cxx -I $minigtest -DCUZK_SOURCE_DIR='\"$root\"' -c $test.cpp -o $(object $test.cpp)" >>"$jobs"
  done
  echo "$cxx -I $minigtest -c $minigtest/main.cpp -o $out/main.o" >>"$jobs"
fi
tr '\n' '\0' <"$jobs" | xargs -0 -P "$(nproc)" -I{} sh -c '{} || { echo "failed: {}" >&2; exit 255; }'

status=0
for test in "${tests[@]}"; do
  g++ "$(object $test.cpp)" "$out/main.o" "${objects[@]}" -lpthread -o "$out/$(basename $test)"
  echo "== $(basename $test)"
  "$out/$(basename $test)" >"$out/$(basename $test).log" 2>&1 || status=1
  tail -n 6 "$out/$(basename $test).log"
done
g++ "$(object bench/gpu/cpu_bench.cpp)" "${objects[@]}" -lpthread -o "$out/cpu_bench"
"$out/cpu_bench" "${@:2}" | tee "$out/cpu_bench.txt"
exit $status
