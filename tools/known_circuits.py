#!/usr/bin/env python3
"""Writes src/filecoin/known_circuits.inc: runs every Filecoin circuit and counts (half an hour, a few gigabytes).

Only needed when a circuit or the form of stored matrices changes. Digests must stay those of the network's circuits: the
tests compare them with the reference vectors.
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
CUZK = ROOT / "build" / "release" / "bin" / "cuzk"
SIZES = ("2k", "4k", "16k", "32k", "8m", "512m", "32g", "64g")


def row(name: str) -> str:
    output = subprocess.run([CUZK, "circuit", "info", name, "--count", "--json"], check=True, capture_output=True, text=True)
    c = json.loads(output.stdout)
    n = c["nonzeros"]
    numbers = (c["inputs"], c["aux"], c["constraints"], f"{{{n['a']}, {n['b']}, {n['c']}}}", c["a_variables"], c["b_variables"],
               c["stored_matrices_bytes"], c["witness_bytes"])
    return f'{{"{name}",\n {{{", ".join(map(str, numbers))}}},\n "{c["digest"]}"}},\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=1, help="circuits at a time")
    arguments = parser.parse_args()
    names = [f"{kind}-{size}" for size in SIZES for kind in ("porep", "winning", "window", "snap")]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        rows = list(pool.map(row, names))
    text = "// Written by tools/known_circuits.py: CircuitSize and digest of every circuit.\n// clang-format off\n" + "".join(rows)
    (ROOT / "src" / "filecoin" / "known_circuits.inc").write_text(text)


if __name__ == "__main__":
    main()
