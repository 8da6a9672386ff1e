#!/usr/bin/env bash
# Fails when a C++ or CUDA file is not as clang-format-19 leaves it; `tools/check_format.sh --fix` rewrites them instead.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(--dry-run -Werror)
[ "${1:-}" != --fix ] || mode=(-i)
git ls-files -z -- '*.cpp' '*.hpp' '*.h' '*.cu' '*.cuh' | xargs -0 -r clang-format-19 "${mode[@]}"
