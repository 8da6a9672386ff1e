#!/usr/bin/env bash
# On a machine with a GPU and nvcc: builds, runs the tests on the card, compute-sanitizer on the small ones, and all
# benchmarks; writes logs and JSON to OUT and prints the short tables last.
#
#   bench/gpu/run.sh OUT [SPEC]    SPEC: lines for gpu_bench; default bench/gpu/standard.txt
#
# CUZK: the command, built with CUDA, and VECTORS, a folder with winning-2k.{json,r1cs,wtns}: then whole proofs too (proofs.sh).
# STEPS: which of "build emulated test sanitize lost bench proofs profile"; default all but "emulated". The page's tables:
# bench/gpu/tables.py OUT/bench.json OUT/proofs.json --write docs/benchmarks.md
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
spec=${2:-$here/standard.txt}
build=${BUILD:-/tmp/cuzk-gpu-build}
steps=${STEPS:-build test sanitize lost bench proofs profile}
since() { printf '== %s (%d s)\n' "$*" "$SECONDS"; }
has() { case " $steps " in *" $1 "*) true ;; *) false ;; esac; }

nvidia-smi --query-gpu=name,driver_version,clocks.sm,memory.used --format=csv,noheader
if has build; then
  since build
  "$here/build.sh" "$build" >"$out/build.log" 2>&1 || { tail -40 "$out/build.log"; exit 1; }
  cat "$build"/*.log >"$out/ptxas.txt" 2>/dev/null
fi
if has emulated; then
  since "emulated, under sanitizers"
  if "$here/build.sh" "$build-emulated" emulated >"$out/build-emulated.log" 2>&1; then
    for test in mont_test heap_test msm_test ntt_test cuda_device_test cuda_device_slow_test; do
      (timeout 100 "$build-emulated/$test" >"$out/emulated-$test.txt" 2>&1; echo "$test: exit $?" >>"$out/emulated-$test.txt") &
    done
    wait
    tail -q -n 2 "$out"/emulated-*.txt | cut -c1-200
  else
    tail -5 "$out/build-emulated.log" | cut -c1-400
  fi
fi
if has test; then
  for test in ${TESTS:-mont_test ntt_test msm_test msm_slow_test heap_test cuda_device_test cuda_device_slow_test groth16_test batch_test}; do
    [ -x "$build/$test" ] || continue
    since "$test"
    timeout "${TEST_SECONDS:-280}" "$build/$test" >"$out/$test.txt" 2>&1
    tail -12 "$out/$test.txt" | cut -c1-300
  done
fi
if has sanitize; then
  for tool in memcheck racecheck; do
    for test in "ntt_test --gtest_filter=Quotient" "msm_test --gtest_filter=G1Small" "msm_test --gtest_filter=G2Small" \
      "msm_test --gtest_filter=OneVector" "msm_slow_test --gtest_filter=AroundBlock" "cuda_device_test --gtest_filter=ProofsEqual" "cuda_device_test --gtest_filter=StreamedBases"; do
      since "compute-sanitizer $tool $test"
      # shellcheck disable=SC2086
      timeout 90 compute-sanitizer --tool "$tool" "$build/"$test >"$out/$tool.txt" 2>&1
      grep -E "ERROR SUMMARY|RACECHECK SUMMARY|passed" "$out/$tool.txt" || tail -5 "$out/$tool.txt"
    done
  done
fi
if has lost; then
  since "lost_card_test: errors of a card"
  timeout 120 "$build/lost_card_test" >"$out/lost_card_test.txt" 2>&1
  tail -4 "$out/lost_card_test.txt" | cut -c1-300
fi
if has bench; then
  since bench
  timeout "${BENCH_SECONDS:-240}" "$build/gpu_bench" <"$spec" >"$out/bench.json" 2>"$out/bench.err" || echo "gpu_bench: exit $?"
  tail -5 "$out/bench.err"
fi
if has proofs && [ -n "${CUZK:-}" ]; then
  since proofs
  "$here/proofs.sh" "$CUZK" "${VECTORS:-/none}" "$out" 2>"$out/proofs.err" || tail -5 "$out/proofs.err"
fi
if has profile; then
  since profile
  stalls=""
  for reason in barrier dispatch_stall lg_throttle long_scoreboard math_pipe_throttle mio_throttle no_instruction \
    not_selected selected short_scoreboard wait; do
    stalls+=",smsp__average_warps_issue_stalled_${reason}_per_issue_active.ratio"
  done
  for line in ${PROFILE:-msm_g1_24_reps=1 quotient_24 msm_g1_16_reps=1}; do
    echo "$line" | tr _ ' ' | timeout 60 ncu --clock-control none --csv --metrics \
      "gpu__time_duration.sum,launch__registers_per_thread,sm__throughput.avg.pct_of_peak_sustained_elapsed,dram__throughput.avg.pct_of_peak_sustained_elapsed,sm__warps_active.avg.pct_of_peak_sustained_active,sm__inst_executed_pipe_fmaheavy.avg.pct_of_peak_sustained_active,sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active,sm__inst_issued.avg.pct_of_peak_sustained_active$stalls" \
      "$build/gpu_bench" >"$out/ncu_$line.csv" 2>"$out/ncu.err" || tail -2 "$out/ncu.err"
    python3 "$here/ncu_table.py" "$out/ncu_$line.csv"
  done
fi
since tables
[ ! -f "$out/bench.json" ] || python3 "$here/tables.py" "$out/bench.json"
[ ! -f "$out/proofs.json" ] || python3 "$here/tables.py" "$out/proofs.json"
