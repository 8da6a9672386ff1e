#!/usr/bin/env bash
# Installs the npm packages of tests/judges as its lock file pins them; does nothing when they are already there.
set -euo pipefail
cd "$(dirname "$0")/../tests/judges"
stamp=node_modules/.cuzk-lock
if ! cmp -s package-lock.json "$stamp"; then
  npm ci --no-audit --no-fund --ignore-scripts </dev/null
  cp package-lock.json "$stamp"
fi
