#!/usr/bin/env bash
# Installs what is missing, builds the release preset and runs every test. With --full also the tests labelled `huge`
# (minutes each, up to 16 GiB of memory).
set -euo pipefail
cd "$(dirname "$0")"

full=false
case "${1:-}" in
  "") ;;
  --full) full=true ;;
  *) echo "usage: ./test.sh [--full]" >&2; exit 2 ;;
esac

tools/install_packages.sh --tests
tools/install_judges.sh
cmake --preset release
cmake --build build/release -j "$(nproc)"
ctest --test-dir build/release --output-on-failure -j "$(nproc)" -LE huge
if $full; then
  ctest --test-dir build/release --output-on-failure -L huge
fi
