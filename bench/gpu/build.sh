#!/usr/bin/env bash
# Builds tests and benchmarks of the proving core and the CUDA device on a machine that has nvcc and g++ and nothing else:
# GoogleTest is replaced by tests/support/minigtest; tl/expected.hpp must be on the include path ($TL_INCLUDE, a folder
# that holds tl/).
#
#   bench/gpu/build.sh OUT [cpu|cuda|emulated]   objects and programs go to OUT; cpu leaves the CUDA part out, emulated builds
#                                                its tests with the emulator, under the address and undefined-behaviour sanitizers
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
kind=${2:-cuda}
cd "$root"
arch=${CUDA_ARCH:-90}
cxx="g++ -std=c++20 -O3 -DNDEBUG -march=x86-64-v2 -fno-math-errno -I src -I bench/gpu -I tests/support/minigtest -I ${TL_INCLUDE:-/usr/include}"
nvcc="nvcc -std=c++20 -O3 -DNDEBUG -arch=sm_$arch --expt-relaxed-constexpr -diag-suppress 550 -Xptxas -v -Xcompiler -march=x86-64-v2 -I src -I bench/gpu -I ${TL_INCLUDE:-/usr/include}"

# Instruction-set kernels are translation units with flags of their own, by their names.
flags_of() {
  local order="-fno-tree-reassoc -fno-tree-ter"  # as in cmake/CuzkModule.cmake
  case "$1" in
    *_ifma.cpp) echo "-mavx512f -mavx512vl -mavx512dq -mavx512ifma $order" ;;
    *_avx2.cpp) echo "-mavx2 -mfma -frounding-math $order" ;;
  esac
}

sanitize=()
[ "$kind" != emulated ] || { cxx="$cxx -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all"; sanitize=(-fsanitize=address,undefined); }
libs=(base field field/simd curve poly msm r1cs device device/cpu groth16)
jobs="$out/jobs"; : >"$jobs"
object() { echo "$out/$(echo "${1%.*}" | tr / _)$2.o"; }
objects=()
for module in "${libs[@]}"; do
  for source in src/$module/*.cpp; do
    case "$source" in *_test.cpp | *_bench.cpp | *_fuzz.cpp | */fuzz_main.cpp) continue ;; esac
    objects+=("$(object "$source" "")")
    echo "$cxx $(flags_of "$source") -c $source -o $(object "$source" "")" >>"$jobs"
  done
done
cuda_objects=()
tests=(src/field/simd/batch_test src/curve/point_test src/msm/msm_test src/poly/domain_test src/r1cs/r1cs_test src/device/cpu/cpu_device_test
  src/groth16/groth16_test src/device/cuda/mont_test)
if [ "$kind" = emulated ]; then
  tests=()
  for source in src/device/cuda/*.cpp; do
    case "$source" in
      *_test.cpp) tests+=("${source%.cpp}") ;;
      *unavailable.cpp) ;;
      *)
        cuda_objects+=("$(object "$source" "")")
        echo "$cxx -c $source -o $(object "$source" "")" >>"$jobs"
        ;;
    esac
  done
fi
if [ "$kind" = cuda ]; then
  tests+=(bench/gpu/lost_card_test)
  for source in src/device/cuda/*.cu bench/gpu/*.cu; do
    cuda_objects+=("$(object "$source" _cu)")
    echo "$nvcc -c $source -o $(object "$source" _cu) 2>$out/$(basename "$source").log" >>"$jobs"
  done
  for source in src/device/cuda/*.cpp bench/gpu/gpu_bench.cpp; do
    case "$source" in *_test.cpp | *emulat*.cpp | *unavailable.cpp) continue ;; esac
    [ "$source" = bench/gpu/gpu_bench.cpp ] || cuda_objects+=("$(object "$source" "")")
    echo "$cxx -c $source -o $(object "$source" "")" >>"$jobs"
  done
  for source in src/device/cuda/*_test.cpp; do
    case "$source" in *mont_test*) continue ;; esac; tests+=("${source%.cpp}")
  done
fi
for test in "${tests[@]}"; do
  [ -f "$test.cpp" ] || continue
  on_card=1
  [ "$kind" != emulated ] || on_card=0
  echo "$cxx -DCUZK_ON_CARD=$on_card -DCUZK_SOURCE_DIR='\"$root\"' -c $test.cpp -o $(object "$test.cpp" "")" >>"$jobs"
done
echo "$cxx -c tests/support/minigtest/main.cpp -o $out/main.o" >>"$jobs"
# The CUDA files take longest: first.
sort -r -k1,1 "$jobs" | tr '\n' '\0' | xargs -0 -P "$(nproc)" -I{} sh -c '{} || { echo "failed: {}" >&2; exit 255; }'

link=(g++ "${sanitize[@]}")
libraries=(-lpthread)
if [ "$kind" = cuda ]; then
  cuda_root=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
  libraries+=(-L"$cuda_root/lib64" -L"$cuda_root/lib" -L"$cuda_root/targets/x86_64-linux/lib" -lcudart_static -ldl -lrt)
  "${link[@]}" "$(object bench/gpu/gpu_bench.cpp "")" "${objects[@]}" "${cuda_objects[@]}" "${libraries[@]}" -o "$out/gpu_bench"
fi
for test in "${tests[@]}"; do
  [ -f "$test.cpp" ] || continue
  case "$test" in src/device/cuda/* | bench/gpu/*) extra=("${cuda_objects[@]}") ;; *) extra=() ;; esac
  "${link[@]}" "$(object "$test.cpp" "")" "$out/main.o" "${objects[@]}" "${extra[@]}" "${libraries[@]}" -o "$out/$(basename "$test")"
done
