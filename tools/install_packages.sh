#!/usr/bin/env bash
# Installs what packages.apt lists (what stands below `# tests` only with --tests) and, when npm is not on the PATH,
# Debian's nodejs and npm (the outside judges of tests/judges run under node). Does nothing where everything is there.
# Needs root or sudo only when something is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=$(cat packages.apt)
[ "${1:-}" = --tests ] || wanted=$(sed '/^# tests/,$d' packages.apt)
missing=()
while read -r package; do
  dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done < <(sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' <<<"$wanted")
command -v npm >/dev/null && command -v node >/dev/null || missing+=(nodejs npm)
[ ${#missing[@]} -gt 0 ] || exit 0

sudo=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "these packages are missing, and this is neither root nor is there a sudo: ${missing[*]}" >&2; exit 2; }
  sudo=(sudo)
fi
echo "installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${sudo[@]}" apt-get update -q </dev/null
"${sudo[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}" </dev/null
