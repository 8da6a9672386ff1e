#!/usr/bin/env python3
"""Tables of gpu_bench's and proofs.sh's JSON lines.

    tables.py FILE…                               prints them, short
    tables.py FILE… --write docs/benchmarks.md    replaces the page's part on GPUs; of lines for the same work the last counts
    tables.py --engine NAME FILE TIMELINE         one JSON line from `cuzk bench run --json --timeline TIMELINE`
    tables.py --prove NAME FILE VERDICT           one JSON line from the result of `cuzk prove --json`
"""
import json
import sys

BEGIN, END = "<!-- written by bench/gpu/tables.py -->\n", "<!-- end of what tables.py writes -->\n"
# The best public code on the same kind of card, ms; what this project set out to need at most.
TARGETS = [("G1 MSM 2^12", 4.3, 1.5), ("G1 MSM 2^16", 7.6, 3), ("G1 MSM 2^20", 20.6, 11), ("G1 MSM 2^24", 155, 100),
           ("G1 MSM 2^26", 588, 390), ("G1 MSM 2^27", 1160, 750), ("G1 MSM 2^27, 99 % of scalars 0 or 1", 226, 70),
           ("G2 MSM 2^20", 46.7, 30), ("G2 MSM 2^22", 138, 95), ("G2 MSM 2^24", 480, 330),
           ("NTT 2^24, natural to bit-reversed", 4.4, 3.8), ("NTT 2^27, natural to bit-reversed", 42.3, 35),
           ("quotient H at 2^27, from a, b to coefficients", 324, 230)]


def title(r):
    kind = r["bench"]
    if kind == "msm":
        bits = f", {r['bits_percent']} % of scalars 0 or 1" if r["bits_percent"] else ""
        return f"{r['group'].upper()} MSM 2^{r['log']}{bits}"
    if kind == "ntt" and r["what"] == "fwd NR":
        return f"NTT 2^{r['log']}, natural to bit-reversed"
    if kind == "quotient":
        return f"quotient H at 2^{r['log']}, from a, b to coefficients"
    return None


def text(r):
    kind = r["bench"]
    if kind == "card":
        return f"card: {r['name']}, compute {r['compute']}, {r['multiprocessors']} multiprocessors"
    if kind == "field":
        return f"field  {r['what']:20} {r['threads_per_sm']:5} threads/SM {r['gops']:8.2f} G/s"
    if kind == "ntt":
        return f"ntt 2^{r['log']:<3} {r['what']:14} {r['ms']:9.3f} ms  ({r['min_ms']:.3f} to {r['max_ms']:.3f})  {r['check']}"
    if kind == "quotient":
        return f"quotient 2^{r['log']:<3} {r['ms']:9.3f} ms  ({r['min_ms']:.3f} to {r['max_ms']:.3f})  {r['check']}"
    if kind == "shared":
        return (f"four sets, one vector, 2^{r['log']:<3} bits {r['bits_percent']:3}%  {r['ms']:9.3f} ms in one call, "
                f"{r['four_calls_ms']:.3f} in four  {r['workspace_mib']} MiB  {r['check']}")
    if kind == "msm":
        return (f"msm {r['group']} 2^{r['log']:<3} bits {r['bits_percent']:3}%  windows {r['windows']:2} rounds {r['rounds']}"
                f" group 2^{r['group_log']:<4} split {r['split']}  {r['ms']:9.3f} ms  ({r['min_ms']:.3f} to {r['max_ms']:.3f})"
                f"  device {r['device_ms']:.3f}  {r['workspace_mib']} MiB  {r['check']}")
    if kind == "prove":
        return f"prove {r['name']}: {r['seconds']['prove']:.3f} s  {r['check']}"
    if kind == "engine":
        stages = ", ".join(f"{name} {ms:.1f}" for name, ms in r["device_ms"].items())
        return f"engine {r['name']}: {r['done']} proofs, one in {r['steady_s_per_proof']:.4f} s once under way; mean ms on the device: {stages}"
    return str(r)


def number(value):
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def markdown(rows):
    card = next(r for r in rows if r["bench"] == "card")
    times = {title(r): r["ms"] for r in rows if title(r) and r["check"] == "ok"}
    out = [f"Card: {card['name']}, {card['multiprocessors']} multiprocessors.", "",
           "| work | public best, ms | at most, ms | ours, ms | |", "|---|---|---|---|---|"]
    for name, public, most in TARGETS:
        if name in times:
            verdict = "pass" if times[name] <= most else "MISSED"
            out.append(f"| {name} | {public} | {most} | {number(times[name])} | {verdict} |")
    shared = [r for r in rows if r["bench"] == "shared"]
    if shared:
        out += ["", "| four sets over one vector of scalars (G1 twice in full, G1 and G2 for every second one) | four calls, ms | one call, ms |",
                "|---|---|---|"]
        for r in shared:
            bits = f", {r['bits_percent']} % of scalars 0 or 1" if r["bits_percent"] else ""
            out.append(f"| 2^{r['log']}{bits} | {number(r['four_calls_ms'])} | {number(r['ms'])} |")
    proofs = [r for r in rows if r["bench"] in ("prove", "engine")]
    if proofs:
        out += ["", "| whole proofs, by the command | seconds a proof, once under way | |", "|---|---|---|"]
        for r in proofs:
            if r["bench"] == "prove":
                out.append(f"| `cuzk prove`, {r['name']}, key loaded from its file for this proof | {r['seconds']['prove']:.2f} | {r['check']} |")
            else:
                parts = ", ".join(f"{name} {number(ms)}" for name, ms in r["device_ms"].items())
                out.append(f"| `cuzk bench run`, {r['name']}, {r['done']} proofs | {r['steady_s_per_proof']:.3f} | mean ms on the device: {parts} |")
    return "\n".join(out) + "\n"


def engine_line(name, path, timeline):
    point = json.load(open(path))[0]
    operations = {}
    for line in open(timeline):
        fields = line.rstrip("\n").split(",")
        if len(fields) == 8 and fields[1] == "DEVICE_BUSY":
            operations.setdefault(fields[7].removeprefix("op="), []).append(float(fields[6]))
    stages = {operation: sum(times) / len(times) for operation, times in operations.items()}
    stages["whole"] = point["stages"]["device held"]["mean_ms"]
    return {"bench": "engine", "name": name, "done": point["proofs_done"], "failed": point["proofs_failed"],
            "s_per_proof": point["s_per_proof"], "steady_s_per_proof": point["steady_s_per_proof"], "device_ms": stages}


def prove_line(name, path, verdict):
    result = json.load(open(path))
    return {"bench": "prove", "name": name, "device": result["device"], "seconds": result["seconds"], "check": verdict}


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--engine"]:
        print(json.dumps(engine_line(*arguments[1:])))
        return
    if arguments[:1] == ["--prove"]:
        print(json.dumps(prove_line(*arguments[1:])))
        return
    page = None
    if "--write" in arguments:
        page = arguments.pop(arguments.index("--write") + 1)
        arguments.remove("--write")
    rows = [json.loads(line) for path in arguments for line in open(path) if line.startswith("{")]
    for r in rows:
        print(text(r))
    if page:
        whole = open(page).read()
        before, rest = whole.split(BEGIN)
        after = rest.split(END)[1]
        with open(page, "w") as file:
            file.write(before + BEGIN + markdown(rows) + END + after)


main()
