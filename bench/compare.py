#!/usr/bin/env python3
"""Measures cuzk and its yardsticks side by side and prints their ratios; docs/benchmarks.md says how to use it.

Each figure is the median over several rounds; in a round the yardstick and cuzk run one after the other. What is not
built or not at hand is named and left out. Exit status: 0 all targets met, 1 some missed, 2 something could not run.
"""
import argparse
import dataclasses
import datetime
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import time
from typing import Callable, Optional

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / "build" / "release" / "bin"
YARDSTICKS = ROOT / "build" / "yardsticks"
RUST = YARDSTICKS / "rust" / "release" / "yardstick"
GO = YARDSTICKS / "go" / "yardstick"
WORK = ROOT / "build" / "bench"
VECTORS = ROOT.parent / "shared" / "vectors" / "groth16"
MIB = 1 << 20
WINNING_DOMAIN = 1 << 17
SHA256_DOMAIN = 1 << 16


class Missing(Exception):
    """Something that a measurement needs is not there."""


@dataclasses.dataclass
class Run:
    seconds: float
    peak_bytes: int
    output: str


def run(command, cpus=None) -> Run:
    """Runs a program to its end: wall-clock seconds from start to exit, peak resident memory, standard output."""
    command = [str(word) for word in command]
    if not shutil.which(command[0]):
        raise Missing(f"{command[0]} is not built or not installed")
    limit = (lambda: os.sched_setaffinity(0, cpus)) if cpus else None
    errors = WORK / "stderr.txt"
    with open(WORK / "stdout.txt", "w+") as out, open(errors, "w") as err:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=ROOT, preexec_fn=limit)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        output = out.read()
    if process.returncode != 0:
        raise Missing(f"`{' '.join(command)}` failed ({process.returncode}): {errors.read_text().strip()[-300:]}")
    return Run(seconds, usage.ru_maxrss * 1024, output)


def yardstick(*command) -> dict:
    """{name: seconds} of a yardstick's JSON lines."""
    figures = {}
    for line in run(command).output.splitlines():
        record = json.loads(line)
        figures[record["name"]] = record["ns"] * 1e-9 if "ns" in record else record["seconds"]
    return figures


UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def google_benchmark(binary: str, pattern: str, min_time: float) -> dict:
    """{name: seconds an item, or an iteration where it counts no items} of the benchmarks whose name matches."""
    command = [BIN / binary, f"--benchmark_filter=^({pattern})(/real_time)?$", "--benchmark_format=json",
               f"--benchmark_min_time={min_time}"]
    output = run(command).output
    if not output.strip():
        raise Missing(f"{binary} has no benchmark {pattern}")
    figures = {}
    for entry in json.loads(output)["benchmarks"]:
        if entry.get("error_occurred"):
            raise Missing(f"{entry['name']}: {entry['error_message']}")
        name = entry["name"].removesuffix("/real_time")
        seconds = entry["real_time"] * UNITS[entry["time_unit"]]
        per_item = binary == "field_bench" and "items_per_second" in entry
        figures[name] = 1 / entry["items_per_second"] if per_item else seconds
    if not figures:
        raise Missing(f"{binary} has no benchmark {pattern}")
    return figures


@dataclasses.dataclass
class Row:
    work: str
    yardstick: str
    theirs: str  # key into what the group's `theirs` returns
    ours: str
    target: Optional[float] = None  # at most this share of the yardstick's time
    target_ifma: Optional[float] = None


@dataclasses.dataclass
class Group:
    name: str
    rows: list
    theirs: Callable[[], dict]
    ours: Callable[[], dict]
    slow: bool = False


def one(key: str, action: Callable[[], float]) -> Callable[[], dict]:
    return lambda: {key: action()}


class Files:
    """Circuits, witnesses and keys of the whole-proof measurements, made once under build/bench."""

    def __init__(self):
        self.ready = set()

    def cuzk(self, *arguments) -> Run:
        return run([BIN / "cuzk", *arguments])

    def winning(self) -> dict:
        files = {end: WORK / f"winning-2k.{end}" for end in ("r1cs", "wtns", "params", "vk")}
        if "winning" not in self.ready:
            for end in ("r1cs", "wtns"):
                source = VECTORS / f"winning-2k.{end}.zst"
                if not source.exists():
                    raise Missing(f"{source} is not there")
                run(["zstd", "-qdf", source, "-o", files[end]])
            self.cuzk("setup", "--r1cs", files["r1cs"], "--out", files["params"])
            self.warm(files)
            self.ready.add("winning")
        return files

    def filecoin(self, name: str) -> dict:
        """A Filecoin circuit of 2 KiB sectors and a made-up input; for bellperson also as .r1cs and .wtns. Takes minutes, once."""
        kind = name.split("-")[0]
        keys = WORK / "keys"
        files = {"input": WORK / f"{name}.input", "r1cs": WORK / f"{name}.r1cs", "wtns": WORK / f"{name}.wtns"}
        options = []
        if not all(path.exists() for path in files.values()):
            self.cuzk("gen", kind, "--sector-size", "2KiB", "--seed", "1", "--out", files["input"])
            self.cuzk("setup", "--circuit", name, "--out", keys)
            self.cuzk("params", "check", keys)  # proofs then test no points, as bellperson's do not
            self.cuzk("circuit", "write", name, "--out", files["r1cs"])
        known = json.loads(pathlib.Path(f"{files['input']}.public.json").read_text())
        if kind == "porep":
            options = ["--c1", files["input"], "--miner", known["miner_id"], "--sector", known["sector_id"]]
        else:
            options = ["--vanilla", files["input"], "--sector-size", "2KiB"]
            for field in ("comm_r_old", "comm_r_new", "comm_d_new"):
                options += ["--" + field.replace("_", "-"), known[field]]
        if not files["wtns"].exists():
            self.cuzk("witness", kind, *options, "--partition", "0", "--out", files["wtns"])
        name_of_key = json.loads(self.cuzk("circuit", "info", name, "--json").output)["key"]
        return {**files, "kind": kind, "keys": keys, "params": keys / (name_of_key + ".params"), "options": options}

    def sha256(self) -> dict:
        files = {end: WORK / f"sha256.{end}" for end in ("r1cs", "wtns", "zkey", "vk")}
        files["json"] = WORK / "verification_key.json"
        if "sha256" not in self.ready:
            run([ROOT / "tools" / "install_judges.sh"])
            if not (files["r1cs"].exists() and files["wtns"].exists()):
                run(["node", ROOT / "tests" / "judges" / "compile.mjs", "sha256", WORK])
            self.cuzk("setup", "--r1cs", files["r1cs"], "--out", files["zkey"])
            self.cuzk("convert", files["vk"], files["json"])
            self.warm(files)
            self.ready.add("sha256")
        return files

    @staticmethod
    def warm(files: dict):
        for path in files.values():
            path.read_bytes()


def prove_winning(files: dict, cpus=None) -> Run:
    return run([BIN / "cuzk", "prove", "--params", files["params"], "--r1cs", files["r1cs"], "--witness", files["wtns"],
                "--check", "none", "--out", WORK / "proof.json", "--proof-bin", WORK / "proof.bin"], cpus)


def prove_filecoin(files: dict) -> Run:
    return run([BIN / "cuzk", "prove", files["kind"], *files["options"], "--params", files["keys"], "--out", WORK / "proof.bin"])


def prove_sha256(files: dict, cpus=None) -> Run:
    return run([BIN / "cuzk", "prove", "--zkey", files["zkey"], "--witness", files["wtns"], "--check", "none",
                "--out", WORK / "proof.json"], cpus)


def groups(files: Files) -> list:
    def field_rows(name: str) -> list:
        return [
            Row(f"{name} multiplication, latency", "blst", f"{name.lower()}_mul_latency", f"BM_{name.lower()}_mul_latency", 1.0, 1.0),
            Row(f"{name} multiplication, throughput", "blst", f"{name.lower()}_mul_throughput", f"BM_{name.lower()}_mul_throughput", 1.0, 1.0),
            Row(f"{name} multiplication, batched", "blst", f"{name.lower()}_mul_throughput", f"BM_{name.lower()}_mul_batched", None, 0.35),
        ]

    found = [Group("field", field_rows("Fp") + field_rows("Fr"), lambda: yardstick(RUST, "field"),
                   lambda: google_benchmark("field_bench", "BM_f[pr]_mul_.*", 0.1))]
    for log2 in (18, 20):
        found.append(Group(f"msm-g1-{log2}", [Row(f"G1 MSM 2^{log2}, one thread", "blst", "msm_g1", f"BM_msm_g1/{log2}/1", 0.6, 0.3)],
                           lambda log2=log2: yardstick(RUST, "msm", log2),
                           lambda log2=log2: google_benchmark("msm_bench", f"BM_msm_g1/{log2}/1", 0.01), slow=log2 == 20))
    found.append(Group("msm-g2-16", [Row("G2 MSM 2^16, one thread", "gnark-crypto", "msm_g2", "BM_msm_g2/16/1", 0.8, 0.4)],
                       lambda: yardstick(GO, "msm_g2", 16), lambda: google_benchmark("msm_bench", "BM_msm_g2/16/1", 0.01)))
    for log2 in (20, 22):
        found.append(Group(f"ntt-{log2}", [Row(f"NTT 2^{log2}, one thread", "gnark-crypto", "ntt", f"BM_ntt/{log2}/1", 0.8, 0.4)],
                           lambda log2=log2: yardstick(GO, "ntt", log2),
                           lambda log2=log2: google_benchmark("poly_bench", f"BM_ntt/{log2}/1", 0.5)))

    def bellperson_on(w: dict) -> float:
        return run([RUST, "prove", w["params"], w["r1cs"], w["wtns"], WORK / "theirs.bin"]).seconds

    def bellperson_proof():
        return bellperson_on(files.winning())

    def bellperson_filecoin(name: str) -> float:
        """Without reading the circuit's half a gigabyte: in the field bellperson's circuits are code."""
        w = files.filecoin(name)
        figures = yardstick(RUST, "prove", w["params"], w["r1cs"], w["wtns"], WORK / "theirs.bin")
        return figures["prove/whole"] - figures["prove/circuit"]

    def snarkjs_proof():
        s = files.sha256()
        script = ROOT / "bench" / "yardsticks" / "js" / "prove.mjs"
        return run(["node", script, s["zkey"], s["json"], s["wtns"], WORK / "theirs.json"]).seconds

    def setup(command):
        w = files.winning()
        return run([*command(w)]).seconds

    found += [
        Group("proof-winning", [Row("whole proof, winning-2k, all threads", "bellperson", "whole", "whole", 0.35, 0.18)],
              one("whole", bellperson_proof), one("whole", lambda: prove_winning(files.winning()).seconds)),
        *(Group(f"proof-{name}", [Row(f"whole proof, {name}, all threads", "bellperson", "whole", "whole", 0.3, 0.15)],
                one("whole", lambda name=name: bellperson_filecoin(name)),
                one("whole", lambda name=name: prove_filecoin(files.filecoin(name)).seconds), slow=True)
          for name in ("porep-2k", "snap-2k")),
        Group("proof-sha256", [Row("whole proof, SHA-256 circuit, all threads", "snarkjs", "whole", "whole", 0.06, 0.03)],
              one("whole", snarkjs_proof), one("whole", lambda: prove_sha256(files.sha256()).seconds)),
        Group("setup-winning", [Row("setup of winning-2k, all threads", "bellperson", "whole", "whole", 0.1, 0.1)],
              one("whole", lambda: setup(lambda w: (RUST, "setup", w["r1cs"], WORK / "theirs.params"))),
              one("whole", lambda: setup(lambda w: (BIN / "cuzk", "setup", "--r1cs", w["r1cs"], "--out", WORK / "ours.params"))),
              slow=True),
        # Two threads against one: the "yardstick" is cuzk on one core, and the target is 1 / 1.85.
        Group("threads-proof", [Row("whole proof, winning-2k, two threads", "cuzk, one", "whole", "whole", 1 / 1.85, 1 / 1.85)],
              one("whole", lambda: prove_winning(files.winning(), {0}).seconds),
              one("whole", lambda: prove_winning(files.winning(), {0, 1}).seconds)),
        Group("threads-sha256", [Row("whole proof, SHA-256 circuit, two threads", "cuzk, one", "whole", "whole")],
              one("whole", lambda: prove_sha256(files.sha256(), {0}).seconds),
              one("whole", lambda: prove_sha256(files.sha256(), {0, 1}).seconds)),
        Group("threads-msm", [Row("G1 MSM 2^18, two threads", "cuzk, one", "BM_msm_g1/18/1", "BM_msm_g1/18/2", 1 / 1.85, 1 / 1.85)],
              lambda: google_benchmark("msm_bench", "BM_msm_g1/18/1", 0.01), lambda: google_benchmark("msm_bench", "BM_msm_g1/18/2", 0.01)),
        Group("threads-ntt", [Row("NTT 2^22, two threads", "cuzk, one", "BM_ntt/22/1", "BM_ntt/22/2", 1 / 1.85, 1 / 1.85)],
              lambda: google_benchmark("poly_bench", "BM_ntt/22/1", 0.5), lambda: google_benchmark("poly_bench", "BM_ntt/22/2", 0.5)),
    ]
    return found


def verdict(ratio: float, target: Optional[float]) -> str:
    return "" if target is None else "pass" if ratio <= target else "MISSED"


def measure(group: Group, rounds: int, ifma: bool) -> list:
    theirs, ours = {}, {}
    for number in range(rounds):
        sides = [(group.theirs, theirs), (group.ours, ours)]
        for action, figures in sides if number % 2 == 0 else reversed(sides):
            for key, value in action().items():
                figures.setdefault(key, []).append(value)
    results = []
    for row in group.rows:
        if row.theirs not in theirs or row.ours not in ours:
            print(f"missing: {row.work}: {row.theirs if row.theirs not in theirs else row.ours} was not reported", file=sys.stderr)
            continue
        a, b = statistics.median(theirs[row.theirs]), statistics.median(ours[row.ours])
        target = row.target_ifma if ifma else row.target
        results.append({"work": row.work, "yardstick": row.yardstick, "theirs_s": a, "ours_s": b, "ratio": b / a,
                        "ratio_of_best": min(ours[row.ours]) / min(theirs[row.theirs]), "target": target,
                        "verdict": verdict(b / a, target), "rounds": rounds, "theirs_all_s": theirs[row.theirs], "ours_all_s": ours[row.ours]})
    return results


def measure_memory(files: Files) -> list:
    results = []
    for work, get, prove, domain, mapped in (
            ("peak memory, proof of winning-2k", files.winning, prove_winning, WINNING_DOMAIN, ("params", "r1cs", "wtns")),
            ("peak memory, proof of the SHA-256 circuit", files.sha256, prove_sha256, SHA256_DOMAIN, ("zkey", "wtns"))):
        try:
            paths = get()
            peak = prove(paths).peak_bytes
            bound = sum(paths[end].stat().st_size for end in mapped) + 6 * 32 * domain + 128 * MIB
            results.append({"work": work, "peak_bytes": peak, "bound_bytes": bound, "verdict": "pass" if peak <= bound else "MISSED"})
        except Missing as reason:
            print(f"missing: {work}: {reason}", file=sys.stderr)
    return results


def show_time(seconds: float) -> str:
    return f"{seconds * 1e9:.1f} ns" if seconds < 1e-6 else f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def print_tables(report: dict):
    print(f"\n{report['cpu']}, {report['cores']} cores, AVX-512 IFMA: {'yes' if report['ifma'] else 'no'}, {report['date']}\n")
    print("| work | yardstick | its time | ours | ratio | of best | at most | |\n|---|---|---|---|---|---|---|---|")
    for r in report["results"]:
        target = "" if r["target"] is None else f"{r['target']:.2f}"
        print(f"| {r['work']} | {r['yardstick']} | {show_time(r['theirs_s'])} | {show_time(r['ours_s'])} | {r['ratio']:.3f} | {r['ratio_of_best']:.3f} | {target} | {r['verdict']} |")
    if report["memory"]:
        print("\n| work | peak | at most | |\n|---|---|---|---|")
        for r in report["memory"]:
            print(f"| {r['work']} | {r['peak_bytes'] / MIB:.0f} MiB | {r['bound_bytes'] / MIB:.0f} MiB | {r['verdict']} |")


def build_yardsticks():
    (YARDSTICKS / "go").mkdir(parents=True, exist_ok=True)
    source = ROOT / "bench" / "yardsticks"
    for tool, command, where, extra in (
            ("cargo", ["cargo", "build", "--release", "--locked"], source / "rust", {"CARGO_TARGET_DIR": str(YARDSTICKS / "rust")}),
            ("go", ["go", "build", "-o", str(GO), "."], source / "go", {})):
        if shutil.which(tool):
            subprocess.run(command, cwd=where, env={**os.environ, **extra}, check=True)
        else:
            print(f"missing: {tool} is not installed, its yardsticks are left out", file=sys.stderr)


def commit() -> str:
    try:
        return run(["git", "rev-parse", "--short", "HEAD"]).output.strip()
    except Missing:
        return "unknown"  # a copy without its history


def cpu_info() -> tuple:
    lines = [line.partition(":") for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()]
    field = {key.strip(): value.strip() for key, _, value in lines}
    name = f"{field.get('model name', platform.processor())} (family {field.get('cpu family')}, model {field.get('model')})"
    return name, "avx512ifma" in field.get("flags", "").split()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", action="store_true", help="build the yardsticks first (cargo, go)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each measurement (default 5)")
    parser.add_argument("--slow-rounds", type=int, default=3, help="rounds of those that take minutes (default 3)")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these groups; a name that ends in - takes all that begin so")
    parser.add_argument("--list", action="store_true", help="list the groups")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="also write every figure as JSON")
    arguments = parser.parse_args()

    WORK.mkdir(parents=True, exist_ok=True)
    files = Files()
    all_groups = groups(files)
    if arguments.list:
        print("\n".join([group.name for group in all_groups] + ["memory"]))
        return 0
    if arguments.build:
        build_yardsticks()

    def wanted(name: str) -> bool:
        return not arguments.only or any(name == o or (o.endswith("-") and name.startswith(o)) for o in arguments.only)

    cpu, ifma = cpu_info()
    report = {"cpu": cpu, "cores": os.cpu_count(), "ifma": ifma, "date": datetime.date.today().isoformat(),
              "commit": commit(), "results": [], "memory": []}
    incomplete = False
    for group in filter(lambda g: wanted(g.name), all_groups):
        print(f"measuring {group.name}", file=sys.stderr)
        try:
            report["results"] += measure(group, arguments.slow_rounds if group.slow else arguments.rounds, ifma)
        except Missing as reason:
            incomplete = True
            print(f"missing: {group.name}: {reason}", file=sys.stderr)
    if wanted("memory"):
        report["memory"] = measure_memory(files)
    report["load_average"] = os.getloadavg()[0]
    print_tables(report)
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps(report, indent=1) + "\n")
    missed = any(r["verdict"] == "MISSED" for r in report["results"] + report["memory"])
    return 2 if incomplete else 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
