#!/usr/bin/env python3
"""Whether `cuzk simulate` predicts bench runs on this machine that it was not fitted on. Records one setting, measures three
others, in turns, and compares. Usage: predictions.py CUZK [--rounds N]"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("cuzk")
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--circuit", default="synthetic:11:bits=0.5")
parser.add_argument("-c", default="40")
options = parser.parse_args()
folder = tempfile.mkdtemp()
BASE = ["--circuit", options.circuit, "--partitions", "2", "--set", "cpu.device_threads=1", "--set", "synthesis.workers=1", "--set",
        "timeline.samples=false"]


def measure(name, concurrency, settings):
    path = os.path.join(folder, name + ".csv")
    sets = [word for s in settings for word in ("--set", s)]
    # The second run: the first one loads the key and warms up.
    done = subprocess.run([options.cuzk, "bench", "sweep", *BASE, *sets, "-c", "4," + options.c, "-j", str(concurrency), "--timeline",
                           path, "--json"], capture_output=True, text=True, check=True)
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


recorded, _ = measure("recorded", 4, [])
budget = budget_for_one(recorded)
cases = {"one proof in flight": (1, []), "one worker a device": (4, ["gpus.gpu_workers_per_device=1"]),
         "memory for one partition": (4, [f"memory.budget={budget}"])}
times = {name: [] for name in cases}
base = []
for _ in range(options.rounds):
    base.append(measure("again", 4, [])[1])
    for name, (concurrency, settings) in cases.items():
        times[name].append(measure("case", concurrency, settings)[1])
print(f"{'setting':<28} {'measured':>9} {'predicted':>9} {'error':>7}")


def predict(concurrency, settings):
    sets = [word for s in settings for word in ("--set", s)]
    done = subprocess.run([options.cuzk, "simulate", "--from", recorded, "-j", str(concurrency), *sets, "--json"], capture_output=True,
                          text=True, check=True)
    return json.loads(done.stdout)["predictions"][0]["s_per_proof"]


worst = 0
for name, (concurrency, settings) in {"recorded": (4, []), **cases}.items():
    measured = statistics.median(base if name == "recorded" else times[name])
    predicted = predict(concurrency, settings)
    error = predicted / measured - 1
    worst = max(worst, abs(error) if name != "recorded" else 0)
    print(f"{name:<28} {measured:9.4f} {predicted:9.4f} {100 * error:+6.1f} %")
print(f"worst of the three that it was not fitted on: {100 * worst:.1f} %")
raise SystemExit(0 if worst <= 0.10 else 1)
