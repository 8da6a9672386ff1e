#!/usr/bin/env python3
"""Whether `cuzk simulate` predicts bench runs on this machine that it was not fitted on. Measures one setting and others in
turns, predicts the others from recordings of the one (the median of a prediction from each), and compares with the median of the
measurements. On a machine of two CPUs the recorded setting has three
threads that compute (one synthesises, one is the device, one makes tails), so that every change of a setting changes what
stages wait for CPUs. Usage: predictions.py CUZK [--rounds N]"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("cuzk")
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--circuit", default="synthetic:13:bits=0.5:work=500")
parser.add_argument("-c", default="30")
parser.add_argument("--keep", help="folder for the recordings")
options = parser.parse_args()
folder = options.keep or tempfile.mkdtemp()
SETTINGS = {"cpu.device_threads": 1, "cpu.tail_threads": 1, "synthesis.workers": 1, "timeline.samples": "false"}
BASE = {"-j": 3, "--partitions": 2}


def words(flags, settings):
    return [str(w) for pair in flags.items() for w in pair] + [w for k, v in settings.items() for w in ("--set", f"{k}={v}")]


def measure(name, flags, settings):
    path = os.path.join(folder, name + ".csv")
    # The second run: the first one loads the key and warms up.
    done = subprocess.run([options.cuzk, "bench", "sweep", "--circuit", options.circuit, *words({**BASE, **flags}, {**SETTINGS, **settings}),
                           "-c", "3," + options.c, "--timeline", path, "--json"], capture_output=True, text=True, check=True)
    return path, json.loads(done.stdout)[-1]["s_per_proof"]


def budget_for_one(path):
    """Bytes for the key and one partition, from the recording."""
    most = {}
    with open(path) as file:
        for line in file:
            if ",MEMORY_RESERVED," in line:
                pairs = dict(p.split("=", 1) for p in line.rstrip("\n").split(",")[7].split(";"))
                most[pairs["tag"]] = max(most.get(pairs["tag"], 0), int(pairs["bytes"]))
    return sum(most.values())


cases = {
    "two synthesis workers": ({}, {"synthesis.workers": 2}),
    "one proof in flight": ({"-j": 1}, {}),
    "two device threads": ({}, {"cpu.device_threads": 2}),
    "five partitions a proof": ({"--partitions": 5}, {}),
    "memory for one partition": ({}, {"memory.budget": 0}),
}
recordings, base = [], []
times = {name: [] for name in cases}
for turn in range(options.rounds):
    recorded, seconds = measure(f"recorded{turn}", {}, {})
    recordings.append(recorded)
    base.append(seconds)
    cases["memory for one partition"][1]["memory.budget"] = budget_for_one(recorded)
    for number, (name, (flags, settings)) in enumerate(cases.items()):
        times[name].append(measure(f"case{number}", flags, settings)[1])


def predict(recorded, flags, settings):
    done = subprocess.run([options.cuzk, "simulate", "--from", recorded, *words(flags, settings), "--json"], capture_output=True,
                          text=True, check=True)
    return json.loads(done.stdout)["predictions"][0]["s_per_proof"]


def line(name, measured, predicted):
    middle, guess = statistics.median(measured), statistics.median(predicted)
    spread = (max(measured) - min(measured)) / middle
    print(f"{name:<26} {middle:9.4f} {100 * spread:5.1f} % {guess:9.4f} {100 * (guess / middle - 1):+6.1f} %")
    return abs(guess / middle - 1)


print(f"{'setting':<26} {'measured':>9} {'spread':>7} {'predicted':>9} {'error':>7}")
line("as recorded", base, [predict(r, {}, {}) for r in recordings])
worst = max(line(name, times[name], [predict(r, *case) for r in recordings]) for name, case in cases.items())
print(f"worst of those that it was not fitted on: {100 * worst:.1f} %")
raise SystemExit(0 if worst <= 0.10 else 1)
