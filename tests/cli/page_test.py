#!/usr/bin/env python3
"""The pages that cuzk writes, opened in a real browser and used as a person would. Usage: page_test.py CUZK CHROMIUM"""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CUZK, CHROMIUM = sys.argv[1], sys.argv[2]

# Runs in the page: uses it, and writes down what it saw.
USE = """
<script>
const seen = {errors: window.pageErrors};
try {
  const svg = document.querySelector("svg"), count = name => svg.querySelectorAll(name).length;
  const texts = () => [...svg.querySelectorAll("text")].map(t => t.textContent);
  const labels = () => [...svg.querySelectorAll("text.soft")].map(t => t.textContent).join(" ");
  const box = svg.getBoundingClientRect();
  const fire = (target, type, more) => target.dispatchEvent(new (type === "wheel" ? WheelEvent : type === "keydown" ? KeyboardEvent : PointerEvent)(
    type, {bubbles: true, cancelable: true, clientX: box.left + box.width / 2, clientY: box.top + 60, pointerId: 1, ...more}));
  seen.tiles = [...document.querySelectorAll(".tiles div")].map(d => d.textContent);
  seen.legend = [...document.querySelectorAll(".bar > span")].map(d => d.textContent);
  seen.rects = count("rect");
  seen.curves = count("polyline.curve");
  seen.texts = texts();
  const outside = [...svg.querySelectorAll("rect")].filter(r => r.span).filter(r => +r.getAttribute("x") < 150 - 0.01 ||
    +r.getAttribute("x") + +r.getAttribute("width") > box.width + 0.01).length;
  seen.outside = outside;
  const whole = labels();
  fire(svg, "wheel", {deltaY: -800});
  seen.zoomed = labels() !== whole;
  const before = labels();
  fire(svg, "keydown", {key: "ArrowRight"});
  seen.moved = labels() !== before;
  fire(svg, "pointerdown", {});
  fire(svg, "pointermove", {clientX: box.left + box.width / 2 - 150});
  fire(svg, "pointerup", {});
  seen.dragged = labels() !== before;
  svg.dispatchEvent(new MouseEvent("dblclick", {bubbles: true}));
  seen.restored = labels() === whole;
  const bar = [...svg.querySelectorAll("rect")].find(r => r.span);
  fire(bar, "pointermove", {});
  seen.tip = document.getElementById("tip").textContent;
  seen.tipShown = document.getElementById("tip").style.display;
  const more = [...document.querySelectorAll("button")].find(b => /curves/.test(b.textContent));
  if (more) { more.click(); seen.allCurves = count("polyline.curve"); more.click(); }
} catch (e) { seen.errors.push(String(e)); }
const out = document.createElement("pre");
out.id = "seen";
out.textContent = JSON.stringify(seen);
document.body.append(out);
</script></body>"""
CATCH = """<head><script>window.pageErrors = []; addEventListener("error", e => window.pageErrors.push(e.message));</script>"""


def chromium(*arguments):
    with tempfile.TemporaryDirectory(prefix="cuzk-chromium-") as profile:
        return subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                               "--disable-extensions", "--user-data-dir=" + profile, "--window-size=1400,1000", *arguments],
                              capture_output=True, text=True, timeout=120)


def use(page):
    """What the script above saw on the page."""
    with open(page) as file:
        text = file.read()
    assert text.count("</body>") == 1 and text.count("<head>") == 1
    with open(page + ".used.html", "w") as file:
        file.write(text.replace("<head>", CATCH).replace("</body>", USE))
    dom = chromium("--dump-dom", "--virtual-time-budget=3000", "file://" + page + ".used.html")
    found = re.search(r'<pre id="seen">(.*?)</pre>', dom.stdout, re.S)
    assert found, (dom.returncode, dom.stderr[-2000:], dom.stdout[-500:])
    return json.loads(html.unescape(found.group(1)))


class PageTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="cuzk-page-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def cuzk(self, *arguments):
        done = subprocess.run([CUZK, *arguments], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)

    def check(self, seen):
        self.assertEqual(seen["errors"], [])
        self.assertEqual(seen["outside"], 0)
        for what in ("zoomed", "moved", "dragged", "restored"):
            self.assertTrue(seen[what], what)
        self.assertEqual(seen["tipShown"], "block")
        self.assertRegex(seen["tip"], r"from .* for ")

    def test_real_run_with_samples(self):
        self.cuzk("bench", "run", "--circuit", "synthetic:10", "--partitions", "3", "-c", "6", "-j", "3", "--timeline", self.path("t.csv"),
                  "--set", "timeline.sample_period_ms=50", "--set", "timeline.memory_probe=false")
        self.cuzk("waterfall", self.path("t.csv"), "--html", self.path("w.html"))
        seen = use(self.path("w.html"))
        self.check(seen)
        self.assertIn("device 0", seen["texts"])
        self.assertIn("finish0", seen["texts"])
        self.assertIn("memory reserved", seen["texts"])
        self.assertIn("rss_bytes", seen["texts"])
        self.assertIn("device busy", seen["legend"])
        self.assertTrue(any("proofs done" in tile and tile.startswith("6") for tile in seen["tiles"]), seen["tiles"])
        self.assertGreater(seen["rects"], 60)
        self.assertGreater(seen["allCurves"], seen["curves"])

    def test_hundred_workers_are_drawn_thin(self):
        with open(self.path("sim.json"), "w") as file:
            json.dump({"synthesis": {"median_ms": 54000, "spread": 0.1}, "prepare": 2700, "key_load": 15000, "tail": 500, "check": 20,
                       "device": [{"op": "ntt", "median_ms": 900}, {"op": "msm", "median_ms": 5100}]}, file)
        self.cuzk("bench", "run", "--device", "sim:" + self.path("sim.json"), "--partitions", "10", "-c", "20", "-j", "15", "--set",
                  "synthesis.workers=96", "--timeline", self.path("t.csv"))
        self.cuzk("waterfall", self.path("t.csv"), "--html", self.path("w.html"))
        seen = use(self.path("w.html"))
        self.check(seen)
        self.assertTrue(any(re.fullmatch(r"SYNTHESIS \(9\d\)", text) for text in seen["texts"]), seen["texts"])
        self.assertNotIn("synth50", seen["texts"])

    def test_foreign_log_says_what_it_cannot_know(self):
        with open(self.path("log"), "w") as file:
            for partition in range(6):
                at = 1000 * partition
                file.write(f"Nov 29 10:00:00 host cuzk[7]: TIMELINE,{at},SYNTH_START,j,partition={partition}\n"
                           f"Nov 29 10:00:00 host cuzk[7]: TIMELINE,{at + 900},SYNTH_END,j,partition={partition},synth_ms=900\n"
                           f"Nov 29 10:00:00 host cuzk[7]: TIMELINE,{at + 2900},GPU_END,j,worker={partition % 2},partition={partition},gpu_ms=1900\n")
        self.cuzk("waterfall", self.path("log"), "--html", self.path("w.html"))
        seen = use(self.path("w.html"))
        self.check(seen)
        with open(self.path("w.html")) as file:
            self.assertIn('"upperBound":true', file.read())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
