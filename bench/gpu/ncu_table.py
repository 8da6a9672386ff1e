#!/usr/bin/env python3
"""Sums ncu's CSV by kernel: launches, total time, registers, shares of peak and stalls per issue (weighted by time)."""
import csv
import re
import sys

SHARES = {
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": "sm%",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": "dram%",
    "sm__warps_active.avg.pct_of_peak_sustained_active": "warps%",
    "sm__inst_executed_pipe_fmaheavy.avg.pct_of_peak_sustained_active": "imad%",
    "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active": "alu%",
    "sm__inst_issued.avg.pct_of_peak_sustained_active": "issue%",
}
STALL = re.compile(r"smsp__average_warps_issue_stalled_(\w+)_per_issue_active.ratio")


def read(path):
    launches = {}
    with open(path) as file:
        lines = [line for line in file if line.startswith('"')]
    for row in csv.DictReader(lines):
        name = re.sub(r"^void |\(.*$|cuzk::gpu::|cuzk::", "", row["Kernel Name"])
        try:
            value = float(row["Metric Value"].replace(",", ""))
        except ValueError:
            continue
        scale = {"us": 1e3, "usecond": 1e3, "ms": 1e6, "msecond": 1e6}.get(row["Metric Unit"], 1)
        launches.setdefault((row["ID"], name), {})[row["Metric Name"]] = value * scale
    return launches


def main():
    kernels = {}
    for (_, name), m in read(sys.argv[1]).items():
        t = m.pop("gpu__time_duration.sum", 0) / 1e6
        k = kernels.setdefault(name[:64], {"n": 0, "ms": 0.0, "regs": 0, "sums": {}})
        k["n"] += 1
        k["ms"] += t
        k["regs"] = int(m.pop("launch__registers_per_thread", 0))
        for metric, value in m.items():
            k["sums"][metric] = k["sums"].get(metric, 0) + t * value
    print(f"{sys.argv[1]}: launches, ms, registers, shares of peak, warps stalled per issue")
    for name, k in sorted(kernels.items(), key=lambda kv: -kv[1]["ms"])[:12]:
        total = k["ms"] or 1
        shares = " ".join(f"{label} {k['sums'][m] / total:.0f}" for m, label in SHARES.items() if m in k["sums"])
        stalls = {STALL.match(m).group(1): v / total for m, v in k["sums"].items() if STALL.match(m)}
        worst = " ".join(f"{r} {v:.1f}" for r, v in sorted(stalls.items(), key=lambda kv: -kv[1])[:5])
        print(f"  {name:64} {k['n']:4} {k['ms']:8.3f} {k['regs']:4} {shares} | {worst}")


main()
