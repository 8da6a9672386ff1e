#!/usr/bin/env python3
"""How long `cuzk diagnose` takes for a large timeline, and how much memory: the aim is 10 million events in under 20 s and 2 GiB.
Usage: large.py CUZK MAKE_CORPUS [--events N] [--rounds N]"""
import argparse
import os
import subprocess
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("cuzk")
parser.add_argument("make_corpus")
parser.add_argument("--events", default="10000000")
parser.add_argument("--rounds", type=int, default=1)
options = parser.parse_args()
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "large.csv")
    subprocess.run([options.make_corpus, "large", path, options.events], check=True)
    print(f"{options.events} events, {os.path.getsize(path) / 1e6:.0f} MB")
    longest = peak = 0
    for _ in range(options.rounds):
        begin = time.monotonic()
        child = subprocess.Popen([options.cuzk, "diagnose", path], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - begin
        print(f"{wall:.1f} s, {usage.ru_utime + usage.ru_stime:.1f} s of CPU time, {usage.ru_maxrss / 2**20:.2f} GiB")
        if status != 0:
            raise SystemExit(f"cuzk diagnose failed: {status}")
        longest, peak = max(longest, wall), max(peak, usage.ru_maxrss / 2**20)
raise SystemExit(0 if longest < 20 and peak < 2 else 1)
