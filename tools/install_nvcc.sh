#!/usr/bin/env bash
# Installs nvcc from its PyPI packages, as tools/nvcc.txt pins them, into build/nvcc, where CMake looks for it; does nothing when
# it is already there. About 100 MB to load, 270 MB on disk.
set -euo pipefail
cd "$(dirname "$0")/.."
stamp=build/nvcc/installed.txt
if ! cmp -s tools/nvcc.txt "$stamp"; then
  rm -rf build/nvcc
  python3 -m venv build/nvcc
  build/nvcc/bin/python3 -m pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
    -r tools/nvcc.txt </dev/null
  cp tools/nvcc.txt "$stamp"
fi
