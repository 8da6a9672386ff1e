#!/usr/bin/env python3
"""Records what tests/golden/timelines/recorded holds: two runs in one timeline on core 0, the second one with or without a
load from outside that streams through memory on core 1. Usage: record.py CUZK OUT.csv [--load] [--circuit C] [-c N]"""
import argparse
import os
import subprocess
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("cuzk")
parser.add_argument("out")
parser.add_argument("--load", action="store_true")
parser.add_argument("--circuit", default="synthetic:14:bits=0.5")
parser.add_argument("-c", default="30")
options = parser.parse_args()

folder = tempfile.mkdtemp()
program = os.path.join(folder, "memory_load")
source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "memory_load.cpp")
subprocess.run(["g++", "-O2", "-o", program, source], check=True)
bench = subprocess.Popen(["taskset", "-c", "0", options.cuzk, "bench", "sweep", "--circuit", options.circuit, "--partitions", "2",
                          "-c", options.c + "," + options.c, "-j", "2", "--set", "cpu.device_threads=1", "--set",
                          "synthesis.workers=1", "--set", "timeline.sample_period_ms=200", "--timeline", options.out])
load = None
while bench.poll() is None:
    time.sleep(0.05)
    if load is None and options.load and os.path.exists(options.out):
        with open(options.out) as file:
            if sum(",BENCH_BEGIN," in line for line in file) == 2:
                load = subprocess.Popen(["taskset", "-c", "1", program])
if load is not None:
    load.kill()
    load.wait()
raise SystemExit(bench.returncode)
