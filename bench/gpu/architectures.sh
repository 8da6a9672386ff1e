#!/usr/bin/env bash
# Compiles every CUDA file for every architecture of the build, each pair by itself on all cores, and the last one's PTX; needs nvcc
# and g++, no GPU. Prints a table: seconds, and the worst kernel's registers and spilled bytes; exit status 1 if one fails.
#
#   bench/gpu/architectures.sh OUT     logs go to OUT/FILE.ARCH.log; $TL_INCLUDE as for build.sh; ARCHITECTURES, default cmake's list
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$root"
listed=$(sed -n 's/^set(CUZK_CUDA_ARCHITECTURES "\([0-9;]*\)".*/\1/p' cmake/CuzkCuda.cmake)
read -ra architectures <<<"${ARCHITECTURES:-${listed//;/ }}"
last=${architectures[-1]}

compile() {  # FILE ARCH: machine code, or PTX for an ARCH that begins with "ptx"
  local name log begin=$SECONDS code
  name=$(basename "$1" .cu)
  log="$out/$name.$2.log"
  code=-gencode=arch=compute_${2#ptx},code=sm_$2
  [ "$2" = "${2#ptx}" ] || code=-gencode=arch=compute_${2#ptx},code=compute_${2#ptx}
  if nvcc -std=c++20 -O3 -DNDEBUG "$code" --expt-relaxed-constexpr -diag-suppress 550 -Xptxas -v -Xcompiler -march=x86-64-v2 -I src \
    -I "${TL_INCLUDE:-/usr/include}" -c "$1" -o "$out/$name.$2.o" >"$log" 2>&1; then
    echo "done in $((SECONDS - begin)) s" >>"$log"
  else
    echo "FAILED" >>"$log"
  fi
  rm -f "$out/$name.$2.o"
}

pairs=$(for arch in "${architectures[@]}" "ptx$last"; do for file in src/device/cuda/msm_g2.cu src/device/cuda/*.cu; do
  echo "$file $arch"; done; done | awk '!seen[$0]++')
export -f compile
export out TL_INCLUDE
xargs -P "${JOBS:-$(nproc)}" -L1 bash -c 'compile "$0" "$1"' <<<"$pairs"

nvcc --version | grep release
status=0
printf '%-14s' file; printf '%22s' "${architectures[@]/#/sm_}" "PTX $last"; echo
for file in src/device/cuda/*.cu; do
  name=$(basename "$file" .cu)
  printf '%-14s' "$name"
  for arch in "${architectures[@]}" "ptx$last"; do
    log="$out/$name.$arch.log"
    if ! grep -q '^done in' "$log"; then printf '%22s' FAILED; status=1; continue; fi
    registers=$(grep -o 'Used [0-9]* registers' "$log" | awk '$2 > m { m = $2 } END { print m + 0 }')
    spilled=$(grep -o '[0-9]* bytes spill stores' "$log" | awk '$1 > m { m = $1 } END { print m + 0 }')
    printf '%22s' "$(sed -n 's/^done in \([0-9]*\) s/\1/p' "$log") s, $registers r, $spilled B"
  done
  echo
done
exit $status
