#!/usr/bin/env python3
"""Lets the published Filecoin crates judge what cuzk writes: inputs of `cuzk gen`, keys of `cuzk setup`, proofs of `cuzk prove`.

For each kind and sector size the crates read the made-up input, write it again to the same bytes and check it as their own
provers do. At 2 KiB they also verify our proofs under our keys, refuse changed ones, and prove under our keys what we verify.
Building the crates takes minutes (cargo, no GPU). Exit status: 0 all agreed, 1 not.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
CUZK = ROOT / "build" / "release" / "bin" / "cuzk"
TARGET = ROOT / "build" / "judges" / "filecoin"
JUDGE = TARGET / "release" / "filecoin_judge"
WORK = ROOT / "build" / "judges" / "work"
KEYS = WORK / "keys"
KINDS = ("porep", "winning", "window", "snap")
failures = 0


def call(*words, quiet: bool = False) -> bool:
    environment = dict(os.environ, FIL_PROOFS_PARAMETER_CACHE=str(KEYS))
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0 and not quiet:
        print(f"    {pathlib.Path(words[0]).name}: {done.stderr.strip()[-300:]}", flush=True)
    return done.returncode == 0


def note(what: str, good: bool):
    global failures
    failures += not good
    print(f"{'agreed' if good else 'FAILED'}: {what}", flush=True)


def expect(what: str, *words, fails: bool = False):
    start = time.perf_counter()
    good = call(*words, quiet=fails) != fails
    note(f"{what} ({time.perf_counter() - start:.1f} s)", good)


def options(kind: str, size: str, file: pathlib.Path) -> list:
    s = json.loads(pathlib.Path(f"{file}.public.json").read_text())
    if kind == "porep":
        return ["--c1", file, "--miner", s["miner_id"], "--sector", s["sector_id"]]
    if kind == "snap":
        return ["--vanilla", file, "--sector-size", size, "--comm-r-old", s["comm_r_old"], "--comm-r-new", s["comm_r_new"],
                "--comm-d-new", s["comm_d_new"]]
    return ["--vanilla", file, "--sector-size", size, "--miner", 1000, "--randomness", s["randomness"]]


def refused_changes(kind: str, file: pathlib.Path, public: str) -> int:
    """How many of eight changes of one bit the crates refuse: they do not look at everything that an input repeats. Of a
    WinningPoSt's 66 challenges their check looks at the first alone."""
    data = file.read_bytes()
    end = len(data) // 66 if kind == "winning" else len(data)
    out = pathlib.Path(f"{file}.changed")
    refused = 0
    for place in range(end // 16, end, end // 8):
        out.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1:])
        refused += not call(JUDGE, "read", kind, out, public, quiet=True)
    return refused


def judge_input(kind: str, size: str) -> pathlib.Path:
    file = WORK / f"{kind}-{size}"
    subprocess.run([CUZK, "gen", kind, "--sector-size", size, "--seed", "7", "--out", file], check=True)
    public = f"{file}.public.json"
    expect(f"{kind} {size}: read, written again to the same bytes, checked", JUDGE, "read", kind, file, public)
    refused = refused_changes(kind, file, public)
    note(f"{kind} {size}: {refused} of 8 changed inputs refused", refused >= 4)
    return file


def judge_proofs(kind: str, file: pathlib.Path):
    public, ours, theirs = f"{file}.public.json", f"{file}.ours", f"{file}.theirs"
    subprocess.run([CUZK, "setup", "--circuit", f"{kind}-2k", "--out", KEYS], check=True)
    expect(f"{kind}: our proof made", CUZK, "prove", kind, *options(kind, "2KiB", file), "--params", KEYS, "--out", ours)
    expect(f"{kind}: our proof verified by the crates", JUDGE, "verify", kind, public, ours)
    other = json.loads(pathlib.Path(public).read_text())
    field = next(f for f in ("ticket", "randomness", "comm_d_new") if f in other)
    other[field] = f"{int(other[field][:2], 16) ^ 1:02x}" + other[field][2:]
    pathlib.Path(f"{public}.changed").write_text(json.dumps(other))
    expect(f"{kind}: our proof for another statement refused", JUDGE, "verify", kind, f"{public}.changed", ours, fails=True)
    expect(f"{kind}: proof made by the crates under our key", JUDGE, "prove", kind, file, public, theirs)
    expect(f"{kind}: their proof verified by us", CUZK, "verify", kind, "--public", public, "--proof", theirs, "--params", KEYS)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", action="store_true", help="build the judge with cargo first")
    parser.add_argument("--sizes", nargs="+", default=["2KiB", "8MiB", "32GiB", "64GiB"])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--no-proofs", action="store_true", help="inputs only")
    arguments = parser.parse_args()
    if arguments.build:
        subprocess.run(["cargo", "build", "--release", "--locked", "--target-dir", TARGET], cwd=HERE, check=True)
    KEYS.mkdir(parents=True, exist_ok=True)
    for size in arguments.sizes:
        for kind in arguments.kinds:
            file = judge_input(kind, size)
            if size == "2KiB" and not arguments.no_proofs:
                judge_proofs(kind, file)
    print(f"{failures} failed" if failures else "all agreed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
