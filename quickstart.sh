#!/usr/bin/env bash
# From a bare Debian 12 to a verified proof: installs what packages.apt lists, builds the release preset, compiles circomlib's
# SHA-256 over 512 bits for bls12381, makes keys, proves, and verifies the proof with cuzk and with snarkjs. Then Filecoin: a
# 2 KiB sector's PoRep from a C1 file, and WinningPoSts through the engine, with keys made on the spot.
set -euo pipefail
cd "$(dirname "$0")"

stages=()
stage() {  # stage "what" command...
  local what=$1 start=$EPOCHREALTIME
  shift
  printf '\n== %s\n' "$what"
  "$@"
  stages+=("$(LC_ALL=C awk -v a="$start" -v b="$EPOCHREALTIME" -v what="$what" 'BEGIN { printf "%8.2f s  %s", b - a, what }')")
}

build() {
  cmake --preset release && cmake --build build/release -j "$(nproc)" --target cuzk
}

out=build/quickstart
cuzk=build/release/bin/cuzk
mkdir -p "$out"

stage "install packages" tools/install_packages.sh
stage "install snarkjs, circom2 and circomlib" tools/install_judges.sh
stage "build cuzk (release)" build
"$cuzk" --version
stage "compile the circuit, compute the witness (circom2)" node tests/judges/compile.mjs sha256 "$out"
stage "make keys" "$cuzk" setup --r1cs "$out/sha256.r1cs" --out "$out/sha256.zkey"
stage "prove" "$cuzk" prove --zkey "$out/sha256.zkey" --r1cs "$out/sha256.r1cs" --witness "$out/sha256.wtns" \
  --out "$out/proof.json" --public "$out/public.json"
stage "verify with cuzk" "$cuzk" verify --vk "$out/sha256.vk" --proof "$out/proof.json" --public "$out/public.json"
"$cuzk" convert "$out/sha256.vk" "$out/verification_key.json"
stage "verify with snarkjs" node tests/judges/verify.mjs "$out/verification_key.json" "$out/public.json" "$out/proof.json"

# A 2 KiB sector sealed for tests, number 81310 of miner 2345; or C1=FILE MINER=M SECTOR=N ./quickstart.sh for one of your own.
c1=${C1:-src/filecoin/corpus/porep_json/porep-2k.c1.json}
stage "make a key for the 2 KiB PoRep" "$cuzk" setup --circuit porep-2k --out "$out/keys"
stage "prove the PoRep" "$cuzk" prove porep --c1 "$c1" --miner "${MINER:-2345}" --sector "${SECTOR:-81310}" --params "$out/keys" \
  --out "$out/porep.proof" --public "$out/porep.public.json"
stage "verify it from commitments" "$cuzk" verify porep --public "$out/porep.public.json" --proof "$out/porep.proof" --params "$out/keys"
stage "make a key for the 2 KiB WinningPoSt" "$cuzk" setup --circuit winning-2k --out "$out/keys"
stage "WinningPoSts through the engine" "$cuzk" bench run --circuit winning-2k --params "$out/keys" -c 6 -j 3 --timeline "$out/timeline.csv"
stage "their waterfall" "$cuzk" waterfall "$out/timeline.csv" --no-table --width 80

printf '\nA proof that 512 secret bits have the SHA-256 digest in %s is in %s.\n' "$out/public.json" "$out/proof.json"
printf 'A proof that a 2 KiB sector was sealed, 192 bytes as the network has them, is in %s.\n' "$out/porep.proof"
printf '%s\n' "${stages[@]}"
