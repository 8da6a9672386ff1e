#!/usr/bin/env python3
"""`cuzk bench` and `cuzk waterfall` as a user runs them. Usage: bench_test.py CUZK DATA"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

CUZK, DATA = sys.argv[1], sys.argv[2]


def run(*arguments, **options):
    return subprocess.run([CUZK, *arguments], capture_output=True, text=True, timeout=300, **options)


class BenchTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="cuzk-bench-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def simulated(self, **changes):
        device = {"synthesis": {"median_ms": 54000, "spread": 0.1}, "prepare": 2700, "key_load": 15000, "tail": 500,
                  "check": 20, "device": [{"op": "ntt", "median_ms": 900}, {"op": "msm", "median_ms": 5100}],
                  "key_bytes": 47 << 30, "witness_bytes": 70 << 20, **changes}
        path = self.path(f"sim{len(os.listdir(self.folder))}.json")  # each call its own: a test may ask for several
        with open(path, "w") as file:
            json.dump(device, file)
        return "sim:" + path

    def test_synthetic_run_and_its_waterfall(self):
        done = run("bench", "run", "--circuit", "synthetic:8:bits=0.9", "--partitions", "3", "-c", "4", "-j", "2",
                   "--timeline", self.path("t.csv"), "--json", "--set", "timeline.sample_period_ms=10")
        self.assertEqual(done.returncode, 0, done.stderr)
        point = json.loads(done.stdout)[0]
        self.assertEqual((point["proofs_done"], point["stages"]["device held"]["count"]), (4, 12))
        for key in ("device_busy", "interlock_held", "worker_occupied"):
            self.assertGreater(point["utilisation"][key], 0)
        text = run("waterfall", self.path("t.csv"))
        self.assertEqual(text.returncode, 0, text.stderr)
        self.assertIn("device 0", text.stdout)
        self.assertIn("LOCK_RELEASED", text.stdout)
        figures = json.loads(run("waterfall", self.path("t.csv"), "--json").stdout)
        self.assertEqual(figures["runs"][0]["proofs_done"], 4)
        self.assertEqual(run("waterfall", self.path("t.csv"), "--html", self.path("w.html"), "--trace",
                             self.path("w.json")).returncode, 0)
        with open(self.path("w.json")) as file:
            self.check_trace(json.load(file))
        with open(self.path("t.csv")) as file:  # names in a log are no commands to the terminal
            log = file.read().replace(",job-1,", ",job\x1b[31m-1,")
        for command in ("waterfall", "diagnose"):
            done = run(command, "-", input=log)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("\x1b", done.stdout)
        self.assertIn("job?[31m-1", run("waterfall", "-", input=log).stdout)
        with open(self.path("t.csv")) as file:  # a pipe, with other output in between
            piped = run("waterfall", "-", "--no-table", input="noise\n".join(["", *file]))
        self.assertEqual(piped.returncode, 0, piped.stderr)
        self.assertIn("device 0", piped.stdout)
        self.assertIn("could not be read", piped.stderr)

    def check_trace(self, trace):
        """Trace Event Format: complete events and metadata, with their fields; slices of a thread nest;
        counters of samples and of reserved memory."""
        self.assertEqual(set(trace), {"displayTimeUnit", "traceEvents"})
        self.assertGreater(len(trace["traceEvents"]), 20)
        slices, named, counters = {}, set(), {}
        for event in trace["traceEvents"]:
            self.assertIn(event["ph"], ("M", "X", "C"))
            self.assertIsInstance(event["pid"], int)
            self.assertIsInstance(event["tid"], int)
            self.assertIsInstance(event["name"], str)
            if event["ph"] == "M":
                self.assertIn(event["name"], ("process_name", "thread_name", "thread_sort_index"))
                named.add((event["pid"], event["tid"]))
                continue
            self.assertGreaterEqual(event["ts"], 0)
            if event["ph"] == "C":
                self.assertEqual(list(event["args"]), ["value"])
                counters.setdefault(event["name"], []).append(event["args"]["value"])
                continue
            self.assertGreaterEqual(event["dur"], 0)
            slices.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["ts"] + event["dur"]))
        self.assertLessEqual(set(slices), named)
        self.assertGreater(min(counters["host rss_bytes"]), 1 << 20)
        self.assertGreater(max(counters["memory reserved"]), 1 << 10)
        for of_thread in slices.values():
            ends = []
            for begin, end in sorted(of_thread, key=lambda slice: (slice[0], -slice[1])):
                while ends and ends[-1] <= begin + 1e-6:
                    ends.pop()
                self.assertTrue(not ends or end <= ends[-1] + 1e-6)
                ends.append(end)

    def test_files_as_circuit(self):
        files = {name: os.path.join(DATA, "groth16", "tiny." + name) for name in ("r1cs", "params", "wtns")}
        arguments = ["bench", "run", "--circuit", "r1cs:" + files["r1cs"], "--params", files["params"], "-c", "3", "-j", "3",
                     "--partitions", "2"]
        done = run(*arguments, "--witness", files["wtns"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(run(*arguments).returncode, 2)

    def test_simulated_sweep(self):
        done = run("bench", "sweep", "--device", self.simulated(), "--partitions", "10", "-c", "5,20", "-j", "3,15", "--set",
                   "synthesis.workers=96", "--set", "memory.budget=400 GiB", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        points = json.loads(done.stdout)
        self.assertEqual([(p["c"], p["j"]) for p in points], [(5, 3), (5, 15), (20, 3), (20, 15)])
        saturated = points[3]
        self.assertAlmostEqual(saturated["steady_s_per_proof"], 60, delta=3)  # ten partitions of 6 s
        self.assertGreater(saturated["utilisation"]["device_busy"], 0.99)

    def test_bad_requests(self):
        for arguments in (["--circuit", "nope"], ["--circuit", "synthetic:99"], [], ["--circuit", "synthetic:8", "-c", "0"],
                          ["--circuit", "synthetic:8", "--set", "x=1"], ["--circuit", "synthetic:8", "--config", "/none"],
                          ["--circuit", "synthetic:8", "--priority", "urgent"], ["--device", "cuda:x", "--circuit", "synthetic:8"],
                          ["--device", self.simulated(device=[])], ["--device", self.simulated(prepare="x")],
                          ["--device", self.simulated(key_bytes="many")], ["--device", "sim:/none"],
                          ["--device", self.simulated(device=[{"op": 7, "median_ms": 1}])],
                          ["--device", self.simulated(prepare={"median_ms": 1, "spread": "x"})],
                          ["--device", self.simulated(tail=1e300)], ["--device", self.simulated(handover_ms=-1)],
                          ["--device", self.simulated(finishers=1 << 60)],
                          ["--circuit", "synthetic:8", "--partitions", "4294967295"],
                          ["--circuit", "synthetic:8", "--timeline", "/no/such/folder/t.csv"]):
            done = run("bench", "run", *arguments)
            self.assertEqual(done.returncode, 2, (arguments, done.stdout, done.stderr))
            self.assertNotEqual(done.stderr, "")
        done = run("bench", "run", "--device", "cuda:77", "--circuit", "synthetic:8")  # never another device in its place
        self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
        self.assertIn("--device cuda:77: ", done.stderr)
        done = run("bench", "run", "--circuit", "synthetic:10", "--set", "memory.budget=1 MiB")
        self.assertEqual(done.returncode, 1)
        self.assertIn("budget", done.stderr)
        for arguments in (["/none"], [sys.argv[0]], ["-", "--run", "3"]):
            self.assertEqual(run("waterfall", *arguments, input="").returncode, 2)

    def test_interference_controls(self):
        for settings in (["memory.deferred_release=false"], ["synthesis.throttle=true", "cpu.tail_threads=1"],
                         ["cpu.tail_threads=2", "cpu.finishers=2"], ["memory.huge_pages=true", "memory.buffer_pool=64 MiB"],
                         ["timeline.samples=false"], ["timeline.memory_probe=false"]):
            done = run("bench", "run", "--circuit", "synthetic:9", "--partitions", "3", "-c", "3", "-j", "3", "--json", "--timeline",
                       self.path("t.csv"), *[part for s in settings for part in ("--set", s)])
            self.assertEqual(done.returncode, 0, (settings, done.stderr))
            self.assertEqual(json.loads(done.stdout)[0]["proofs_done"], 3)
            with open(self.path("t.csv")) as file:
                text = file.read()
            self.assertIn(settings[0].split("=")[0], text.splitlines()[4])  # the header says what was changed
            self.assertEqual("SAMPLE_HOST" in text, settings != ["timeline.samples=false"])
            self.assertEqual(text.count("RELEASE_END"), 9)
        off = ["--circuit", "synthetic:9", "-c", "3", "-j", "2", "--set", "timeline.record=false"]
        done = run("bench", "run", *off, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        point = json.loads(done.stdout)[0]
        self.assertEqual((point["proofs_done"], point["stages"], point["retries"]), (3, {}, None))
        self.assertGreater(point["s_per_proof"], 0)
        self.assertIn("3 proofs done", run("bench", "run", *off).stdout)
        for arguments in (["run", *off, "--timeline", self.path("off.csv")], ["ablate", *off]):
            self.assertEqual(run("bench", *arguments).returncode, 2)
        done = run("bench", "run", "--circuit", "synthetic:9", "--set", "memory.buffer_pool=1 TiB")
        self.assertEqual(done.returncode, 2)
        self.assertIn("buffer_pool", done.stderr)

    # synthetic:19: its circuit is being made, before a proof is accepted; then its key, which cannot be interrupted.
    def test_terminate_at_any_moment(self):
        for delay, circuit in ((0.05, "synthetic:12"), (0.4, "synthetic:12"), (0.4, "synthetic:19"), (2.5, "synthetic:19"), (1.5, "synthetic:12")):
            process = subprocess.Popen([CUZK, "bench", "run", "--circuit", circuit, "--partitions", "50", "-c", "100",
                                        "-j", "4", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(delay)
            begin = time.monotonic()
            process.send_signal(signal.SIGTERM)
            output, errors = process.communicate(timeout=20)
            self.assertLess(time.monotonic() - begin, 10)
            if process.returncode == -signal.SIGTERM:  # before the program began to listen: nothing was accepted
                self.assertLess(delay, 1)
                continue
            if errors == "interrupted before a proof was accepted\n":
                self.assertLess(time.monotonic() - begin, 2)
                self.assertEqual((process.returncode, output), (1, ""))
                continue
            point = json.loads(output)[0]
            self.assertTrue(point["interrupted"])
            self.assertEqual(process.returncode, 1)
            states = [job["state"] for job in point["jobs"]]
            self.assertEqual(len(states), point["proofs_done"] + point["proofs_failed"] + point["proofs_cancelled"])
            self.assertTrue(states or delay < 1)
            self.assertLessEqual(set(states), {"done", "cancelled"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
