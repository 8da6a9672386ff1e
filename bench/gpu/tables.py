#!/usr/bin/env python3
"""Prints gpu_bench's JSON lines as short tables. Usage: tables.py bench.json [--markdown]"""
import json
import sys


def main():
    rows = [json.loads(line) for line in open(sys.argv[1]) if line.startswith("{")]
    for r in rows:
        kind = r["bench"]
        if kind == "card":
            print(f"card: {r['name']}, compute {r['compute']}, {r['multiprocessors']} multiprocessors")
        elif kind == "field":
            print(f"field  {r['what']:20} {r['threads_per_sm']:5} threads/SM {r['gops']:8.2f} G/s")
        elif kind == "ntt":
            print(f"ntt 2^{r['log']:<3} {r['what']:14} {r['ms']:9.3f} ms  ({r['min_ms']:.3f} to {r['max_ms']:.3f})  {r['check']}")
        elif kind == "quotient":
            print(f"quotient 2^{r['log']:<3} {r['ms']:9.3f} ms  ({r['min_ms']:.3f} to {r['max_ms']:.3f})  {r['check']}")
        elif kind == "msm":
            print(f"msm {r['group']} 2^{r['log']:<3} bits {r['bits_percent']:3}%  windows {r['windows']:2} rounds {r['rounds']}"
                  f" group 2^{r['group_log']:<4} split {r['split']}  {r['ms']:9.3f} ms  ({r['min_ms']:.3f} to {r['max_ms']:.3f})"
                  f"  device {r['device_ms']:.3f}  {r['workspace_mib']} MiB  {r['check']}")
        else:
            print(r)


main()
