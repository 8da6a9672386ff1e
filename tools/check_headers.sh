#!/usr/bin/env bash
# Compiles every header under src/ by itself: each must include what it uses.
set -euo pipefail
cd "$(dirname "$0")/.."
check() {
  g++ -std=c++20 -march=x86-64-v2 -Wall -Wextra -Wshadow -Werror -Wno-pragma-once-outside-header -fsyntax-only \
    -I src -I build/release/generated -x c++ "$1" || { echo "not self-contained: $1" >&2; return 1; }
}
export -f check
git ls-files -z -- 'src/*.hpp' | xargs -0 -r -n 1 -P "$(nproc)" bash -c 'check "$1"' _
