#!/usr/bin/env bash
# Whole proofs on a card, through the command: winning-2k, byte for byte bellperson's proof and that of the CPU, and jobs through
# the engine. On a machine with a GPU; needs the command, built with CUDA, and the files winning-2k.{json,r1cs,wtns} (unpacked).
#
#   bench/gpu/proofs.sh CUZK VECTORS OUT    JSON goes to OUT; exit status 1 if a proof is not the expected one
set -uo pipefail
cuzk=$1 vectors=$2 out=$3
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$out"
: >"$out/proofs.json"
status=0

"$cuzk" devices
"$cuzk" devices --json >"$out/devices.json"
if [ -f "$vectors/winning-2k.r1cs" ]; then
  "$cuzk" setup --r1cs "$vectors/winning-2k.r1cs" --out "$scratch/key.params" --secrets "$vectors/winning-2k.json" 2>/dev/null || status=1
  python3 -c "import json, sys
for p in json.load(open(sys.argv[1]))['proofs']: print(p['r'], p['s'], p['proof'])" "$vectors/winning-2k.json" >"$scratch/expected"
  while read -r r s proof; do
    for device in cpu cuda; do
      "$cuzk" prove --device "$device" --params "$scratch/key.params" --r1cs "$vectors/winning-2k.r1cs" --witness "$vectors/winning-2k.wtns" \
        --check none --blinding "$r,$s" --out "$scratch/$device.json" --proof-bin "$scratch/$device.bin" --json \
        >"$out/winning-2k-$device.json" 2>"$scratch/err" || { cat "$scratch/err"; status=1; }
      if [ "$(od -An -v -tx1 "$scratch/$device.bin" | tr -d ' \n')" = "$proof" ]; then
        verdict="bellperson's proof, to the byte"
      else
        verdict="WRONG"
        status=1
      fi
      python3 "$here/tables.py" --prove "winning-2k on $device" "$out/winning-2k-$device.json" "$verdict" | tee -a "$out/proofs.json"
    done
  done <"$scratch/expected"
fi
for circuit in ${CIRCUITS:-synthetic:20:bits=0.99 synthetic:22}; do
  for device in ${DEVICES:-cuda}; do
    "$cuzk" bench run --device "$device" --circuit "$circuit" -c "${PROOFS:-8}" -j 3 --json \
      --timeline "$scratch/timeline.csv" >"$out/engine-$device-${circuit//[:=]/-}.json" ||
      { echo "bench run $circuit on $device: failed"; status=1; }
    python3 "$here/tables.py" --engine "$circuit on $device" "$out/engine-$device-${circuit//[:=]/-}.json" \
      "$scratch/timeline.csv" | tee -a "$out/proofs.json"
  done
done
exit $status
