#!/usr/bin/env python3
"""`cuzk diagnose`, `cuzk simulate` and `cuzk bench ablate` as a user runs them. Usage: diagnose_test.py CUZK"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CUZK = sys.argv[1]
CAUSES = {"memory_bandwidth", "tlb_shootdown", "cpu_oversubscription", "thermal", "power", "pcie_link", "vram", "handover",
          "synthesis_starvation", "memory_budget", "uneven_partitions", "slow_job"}


def run(*arguments, **options):
    return subprocess.run([CUZK, *arguments], capture_output=True, text=True, timeout=300, **options)


def foreign_log(lost=True):
    """Two runs of two jobs with three partitions each, three seconds apart; one partition is missing."""
    lines, now = [], 0
    for batch in range(2):
        for job in range(2):
            for p in range(3):
                name, at = f"porep-1000-{batch}{job}", now + job * 400 + p * 900
                lines += [(at, "SYNTH_START", name, f"partition={p}"), (at + 800, "SYNTH_END", name, f"partition={p},synth_ms=800")]
                if lost and (batch, job, p) == (1, 0, 2):
                    continue
                lines += [(at + 810, "GPU_START", name, f"worker={job},partition={p}"),
                          (at + 1500, "GPU_END", name, f"worker={job},partition={p},gpu_ms=690")]
        now += 400 + 1800 + 1500 + 3000
    lines.sort(key=lambda line: line[0])
    return "".join(f"Nov 29 16:00:00 host cuzk-daemon[1]: TIMELINE,{t},{event},{job},{detail}\n" for t, event, job, detail in lines)


class DiagnoseTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="cuzk-diagnose-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name, text=None):
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w") as file:
                file.write(text)
        return path

    def bench(self, name, *arguments):
        done = run("bench", "run", "--circuit", "synthetic:8:bits=0.9", "--partitions", "3", "-c", "6", "-j", "2", "--set",
                   "timeline.memory_probe=false", "--timeline", self.path(name), *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.path(name)

    def simulated(self, **changes):
        device = {"synthesis": {"median_ms": 9000, "spread": 0.05}, "prepare": 300, "tail": 100, "check": 20,
                  "device": [{"op": "transfer_to", "median_ms": 300}, {"op": "msm", "median_ms": 700}], **changes}
        return "sim:" + self.path("sim.json", json.dumps(device))

    def test_own_recording(self):
        file = self.bench("t.csv")
        done = run("diagnose", file, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report["runs"][0]["split"], "marker")
        self.assertEqual(report["runs"][0]["proofs_complete"], 6)
        self.assertEqual({h["cause"] for h in report["hypotheses"]}, CAUSES)
        for h in report["hypotheses"]:
            self.assertIn(h["verdict"], ("supported", "possible", "rejected", "unmeasured"))
            if h["verdict"] == "unmeasured":
                self.assertTrue(h["missing"], h)
        use = report["runs"][0]["utilisation"]
        self.assertLessEqual(use["device_busy"], use["interlock_held"] + 1e-9)
        self.assertFalse(use["upper_bound"])
        text = run("diagnose", file, "--gap", "0.001")
        self.assertEqual(text.returncode, 0, text.stderr)
        self.assertIn("what limits throughput", text.stdout)
        self.assertIn("interlock held", text.stdout)

    def test_foreign_log(self):
        done = run("diagnose", "-", "--json", input=foreign_log())
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual([r["split"] for r in report["runs"]], ["quiet", "quiet"])
        self.assertEqual(report["runs"][1]["proofs_complete"], 1)
        jobs = {job["job"]: job for job in report["runs"][1]["jobs"]}
        self.assertEqual((jobs["porep-1000-10"]["partitions_seen"], jobs["porep-1000-10"]["missing"]), (2, [2]))
        use = report["runs"][0]["utilisation"]
        self.assertTrue(use["upper_bound"])
        self.assertIsNone(use["device_busy"])
        self.assertIsNone(use["interlock_held"])
        self.assertEqual(report["runs"][0]["gap_causes"][0]["cause"], "lead_in")
        one = json.loads(run("diagnose", "-", "--json", "--run", "2", input=foreign_log()).stdout)
        self.assertEqual([r["number"] for r in one["runs"]], [2])
        joined = json.loads(run("diagnose", "-", "--json", "--split-gap", "10", input=foreign_log()).stdout)
        self.assertEqual(len(joined["runs"]), 1)

    def test_starved_device_and_what_more_workers_would_give(self):
        device = self.simulated()
        arguments = ["bench", "run", "--device", device, "--partitions", "5", "-c", "30", "-j", "6", "--set",
                     "synthesis.workers=6", "--set", "memory.budget=400 GiB"]
        self.assertEqual(run(*arguments, "--timeline", self.path("s.csv")).returncode, 0)
        report = json.loads(run("diagnose", self.path("s.csv"), "--json").stdout)
        first = report["hypotheses"][0]
        self.assertEqual((first["cause"], first["verdict"]), ("synthesis_starvation", "supported"))
        change = [c for c in first["change"] if c["key"] == "synthesis.workers"][0]
        self.assertLess(change["predicted_s_per_proof"], change["replayed_s_per_proof"])
        done = run("simulate", "--from", self.path("s.csv"), "--sweep", "synthesis.workers=2..10", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        swept = json.loads(done.stdout)
        self.assertAlmostEqual(swept["replayed"]["s_per_proof"] / swept["recorded_s_per_proof"], 1, delta=0.03)
        times = [p["s_per_proof"] for p in swept["predictions"]]
        self.assertEqual(len(times), 9)
        self.assertGreater(times[0], 1.5 * times[4])
        # What it predicts for ten workers is what ten workers take.
        self.assertEqual(run(*arguments, "--set", "synthesis.workers=10", "--timeline", self.path("m.csv")).returncode, 0)
        measured = json.loads(run("diagnose", self.path("m.csv"), "--json").stdout)["runs"][0]["s_per_proof"]
        self.assertAlmostEqual(times[-1] / measured, 1, delta=0.05)
        compared = run("diagnose", self.path("s.csv"), self.path("m.csv"))
        self.assertEqual(compared.returncode, 0, compared.stderr)
        self.assertIn("synthesis.workers: 6 → 10", compared.stdout)
        self.assertRegex(compared.stdout, r"between_proofs.*<<< larger than noise")

    def test_ablate(self):
        done = run("bench", "ablate", "--circuit", "synthetic:6:bits=0.9", "--partitions", "2", "-c", "2", "-j", "2",
                   "--repeats", "2", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        table = json.loads(done.stdout)
        self.assertEqual([len(v["s_per_proof"]) for v in table], [2] * 17)  # itself, 6 alone, 10 pairs
        self.assertEqual(table[0]["variant"], "baseline")
        settings = {v["variant"]: v["settings"] for v in table}
        self.assertEqual(len(settings), 17)
        if len(os.sched_getaffinity(0)) > 1:  # a pool of one thread can be smaller than the machine
            self.assertEqual(len(set(settings.values())), 17)
        for control, key in (("small tail pool", "cpu.tail_threads=1"), ("throttle", "synthesis.throttle=true"),
                             ("huge pages", "memory.huge_pages=true"), ("buffer pool", "memory.buffer_pool=")):
            self.assertIn(key, settings["+ " + control])
            self.assertNotIn(key, settings["baseline"])
        for control, key in (("deferred release", "memory.deferred_release="), ("tail on the device", "cpu.tail_threads=")):
            self.assertNotIn(key, settings["+ " + control])  # the default
            self.assertIn(key, settings["baseline"])

    def test_ablate_alone_with_the_values_given(self):
        done = run("bench", "ablate", "--circuit", "synthetic:6:bits=0.9", "-c", "1", "-j", "1", "--repeats", "2", "--alone",
                   "--set", "cpu.tail_threads=3", "--set", "memory.buffer_pool=5 MiB", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        settings = {v["variant"]: v["settings"] for v in json.loads(done.stdout)}
        self.assertEqual(len(settings), 7)
        self.assertIn("cpu.tail_threads=3", settings["+ small tail pool"])
        self.assertIn("5242880", settings["+ buffer pool"])

    def test_bad_requests(self):
        log = self.path("log", foreign_log())
        for arguments in (["diagnose", "/none"], ["diagnose", sys.argv[0]], ["diagnose", log, "--run", "9"],
                          ["diagnose", log, "--run", "x"], ["diagnose", log, log, log], ["diagnose", log, "--gap", "nan"],
                          ["diagnose", log, log, "--html", self.path("x.html")], ["diagnose", log, "--html", "/no/such/x.html"],
                          ["simulate", "--from", log], ["simulate", "--from", log, "--run", "1", "--set", "x=1"],
                          ["simulate", "--from", log, "--run", "1", "--set", "gpus.gpu_workers_per_device=3"],
                          ["simulate", "--from", log, "--run", "1", "--sweep", "synthesis.workers=5..1"],
                          ["simulate", "--from", log, "--run", "1", "--set", "synthesis.throttle=true"],
                          ["bench", "ablate", "--circuit", "synthetic:6", "-c", "1,2"],
                          ["bench", "ablate", "--circuit", "synthetic:6", "--repeats", "1"]):
            if arguments == ["simulate", "--from", log]:
                continue  # the last run: allowed
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, (arguments, done.stdout[:200], done.stderr))
            self.assertNotEqual(done.stderr, "")

    def test_page_in_a_browser(self):
        browser = shutil.which("chromium")
        if browser is None:
            self.skipTest("chromium is not installed")
        page = self.path("report.html")
        self.assertEqual(run("diagnose", self.bench("t.csv"), "--html", page).returncode, 0)
        dom = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                              "--virtual-time-budget=5000", "--user-data-dir=" + self.path("profile"), "--dump-dom",
                              "file://" + page], capture_output=True, text=True, timeout=180)
        self.assertEqual(dom.returncode, 0, dom.stderr[-500:])
        self.assertIn('data-ready="yes"', dom.stdout)  # the script ran to its end
        self.assertEqual(len(re.findall(r'<article class="card', dom.stdout)), len(CAUSES))
        for label in ("waterfall", "utilisation over time", "idle time by cause", "partition time against load"):
            self.assertIn(f'aria-label="{label}"', dom.stdout)
        self.assertGreater(dom.stdout.count("<rect"), 20)
        self.assertIn("data-cause=", dom.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
