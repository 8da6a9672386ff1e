#!/usr/bin/env python3
"""Measures witnesses, inputs and stored matrices of Filecoin's circuits against what they may take on two cores.

Each row runs its benchmarks in a process of their own and prints medians; --only ROW... runs some. Exit status: 0 all within
their limits, 1 some not, 2 something could not run.
"""
import argparse
import json
import statistics
import sys
from typing import Callable

import compare
from compare import BIN, MIB, UNITS, WORK, Missing

GIB = 1 << 30


class Benchmarks:
    """What filecoin_bench reported in one process, and that process's peak memory, which takes in making the whole input.

    Repetitions of several benchmarks come in random order, so that a moment when the host gives less does not meet one alone."""

    def __init__(self, pattern: str, repetitions: int, min_time: float):
        run = compare.run([BIN / "filecoin_bench", f"--benchmark_filter=^({pattern})(/real_time)?(/threads:2)?$", "--benchmark_format=json",
                           f"--benchmark_repetitions={repetitions}", f"--benchmark_min_time={min_time}",
                           "--benchmark_enable_random_interleaving=true", WORK])
        if not run.output.strip():
            raise Missing(f"filecoin_bench has no benchmark {pattern}")
        self.peak = run.peak_bytes
        self.entries = {}
        for entry in json.loads(run.output)["benchmarks"]:
            if entry.get("error_occurred"):
                raise Missing(f"{entry['name']}: {entry['error_message']}")
            if entry["run_type"] == "iteration":
                name = entry["run_name"].replace("/real_time", "").replace("/iterations:1", "")
                self.entries.setdefault(name, []).append(entry)

    def seconds(self, name: str) -> float:
        return statistics.median(e["real_time"] * UNITS[e["time_unit"]] for e in self.entries[name])

    def counter(self, name: str, counter: str) -> float:
        return self.entries[name][0][counter]


def at_most(work: str, found: float, limit: float, show: Callable[[float], str]) -> tuple:
    return work, show(found), "at most " + show(limit), found <= limit


def at_least(work: str, found: float, limit: float) -> tuple:
    return work, f"{found:.2f}", f"at least {limit:g}", found >= limit


def show_size(size: float) -> str:
    return f"{size / GIB:.2f} GiB" if size >= GIB / 10 else f"{size / MIB:.1f} MiB"


def seconds(value: float) -> str:
    return compare.show_time(value)


FULL = 32 << 30


def witness() -> list:
    plain = Benchmarks("BM_NaivePorep/2048|BM_CompactPorep/2048/1", 5, 0.3)
    compact = Benchmarks("BM_CompactPorep/2048/.|BM_CompactPorepEach/2048", 100, 0.1)
    one, two = compact.seconds("BM_CompactPorep/2048/1"), compact.seconds("BM_CompactPorep/2048/2")
    each = compact.seconds("BM_CompactPorepEach/2048/threads:2")
    return [at_least("porep-2k: plain pass against compact witness",
                     plain.seconds("BM_NaivePorep/2048") / plain.seconds("BM_CompactPorep/2048/1"), 50),
            at_least(f"porep-2k: witness by one thread ({seconds(one)}) against two ({seconds(two)})", one / two, 1.8),
            # The host may give two busy processors less than twice one: threads with a witness each show what it gives.
            at_least(f"porep-2k: the same, of the two processors that two threads with a witness each ({seconds(each)}) have",
                     2 * each / two, 1.8)]


def full_witness() -> list:
    b = Benchmarks(f"BM_CompactPorep/{FULL}/.", 15, 0.2)
    one, two = b.seconds(f"BM_CompactPorep/{FULL}/1"), b.seconds(f"BM_CompactPorep/{FULL}/2")
    return [at_most("porep-32g: witness of a partition, one thread", one, 0.3, seconds),
            at_most("porep-32g: peak memory of the process with it and the input of all partitions", b.peak, GIB, show_size),
            at_least(f"porep-32g: witness by one thread against two ({seconds(two)})", one / two, 1.8)]


def inputs() -> list:
    b = Benchmarks("BM_ParseC1|BM_AllPartitions/2", 3, 0.5)
    size = b.counter("BM_ParseC1", "MB")
    took = b.seconds("BM_ParseC1")
    return [at_most(f"50 MB of C1, at the rate of a 32 GiB C1 of {size:.0f} MB ({seconds(took)}): parsed", took * 50 / size, 0.5, seconds),
            at_most("32 GiB C1: parsed, checked, all ten witnesses, two threads", b.seconds("BM_AllPartitions/2"), 6, seconds)]


def matrices(name: str, limit: float) -> list:
    made = Benchmarks(f'BM_MakeMatrices/"{name}"/iterations:1', 1, 0)
    key = f'BM_MakeMatrices/"{name}"'
    opened = Benchmarks(f'BM_OpenMatrices/"{name}"', 9, 0.2)
    return [at_most(f"{name}: matrices made, digested and saved, two threads", made.seconds(key), 120, seconds),
            at_most(f"{name}: stored matrices", made.counter(key, "MiB") * MIB, limit, show_size),
            at_most(f"{name}: opened", opened.seconds(f'BM_OpenMatrices/"{name}"'), 0.05, seconds)]


def evaluate() -> list:
    b = Benchmarks('BM_Evaluate/"porep-32g"', 3, 0)
    return [at_most("porep-32g: A·w and B·w of a partition, two threads", b.seconds('BM_Evaluate/"porep-32g"'), 12, seconds),
            at_most("porep-32g: peak memory of the process with it and the input of all partitions", b.peak, 12 * GIB, show_size)]


def setup() -> list:
    took = compare.run([BIN / "cuzk", "setup", "--circuit", "porep-2k", "--out", WORK / "keys"]).seconds
    return [at_most("porep-2k: key made, two threads", took, 120, seconds)]


ROWS = {"witness": witness, "full-witness": full_witness, "inputs": inputs,
        "matrices-porep": lambda: matrices("porep-32g", GIB / 2), "matrices-window": lambda: matrices("window-32g", GIB / 10),
        "evaluate": evaluate,  # of the matrices that matrices-porep left
        "setup": setup}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=ROWS, default=list(ROWS))
    arguments = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    status = 0
    print("| work | measured | limit | |\n|---|---|---|---|")
    for name in arguments.only:
        try:
            for work, found, limit, good in ROWS[name]():
                print(f"| {work} | {found} | {limit} | {'pass' if good else 'MISSED'} |", flush=True)
                status = status or (0 if good else 1)
        except Missing as reason:
            print(f"missing: {name}: {reason}", file=sys.stderr)
            status = 2
    return status


if __name__ == "__main__":
    sys.exit(main())
