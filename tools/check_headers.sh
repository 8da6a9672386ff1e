#!/usr/bin/env bash
# Compiles every header under src/ by itself: each must include what it uses.
set -euo pipefail
cd "$(dirname "$0")/../src"
check() {
  local isa=
  case "$1" in  # headers of kernels are for files with these options
    *avx2.hpp) isa="-mavx2 -mfma" ;;
    *ifma.hpp) isa="-mavx512f -mavx512vl -mavx512dq -mavx512ifma" ;;
  esac
  printf '#include "%s"\n' "$1" |
    g++ -std=c++20 -march=x86-64-v2 $isa -Wall -Wextra -Wshadow -Werror -fsyntax-only -DCUZK_SOURCE_DIR='""' \
      -DCUZK_BINARY_DIR='""' -I . -x c++ - ||
    { echo "src/$1 does not compile by itself" >&2; return 1; }
}
export -f check
git ls-files -z -- '*.hpp' | xargs -0 -r -n 1 -P "$(nproc)" bash -c 'check "$1"' _
