#!/usr/bin/env bash
# Compiles every header under src/ by itself: each must include what it uses.
set -euo pipefail
cd "$(dirname "$0")/../src"
check() {
  printf '#include "%s"\n' "$1" |
    g++ -std=c++20 -march=x86-64-v2 -Wall -Wextra -Wshadow -Werror -fsyntax-only -I . -x c++ - ||
    { echo "src/$1 does not compile by itself" >&2; return 1; }
}
export -f check
git ls-files -z -- '*.hpp' | xargs -0 -r -n 1 -P "$(nproc)" bash -c 'check "$1"' _
