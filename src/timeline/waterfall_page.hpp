// The page around the data: drawing, zooming and panning. Plain SVG, no outside parts.
#pragma once

namespace cuzk::timeline {

inline constexpr const char kWaterfallPage[] = R"page(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>cuzk waterfall</title>
<style>
:root { color-scheme: light dark; --ink: #1c2430; --soft: #6b7685; --line: #d9dee5; --ground: #fbfcfd; --band: #f1f4f7; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e8ee; --soft: #93a0af; --line: #313a45; --ground: #14181d; --band: #1b2027; } }
body { font: 14px/1.45 system-ui, sans-serif; margin: 24px; color: var(--ink); background: var(--ground); }
h1 { font-size: 19px; margin: 0 0 4px; } h2 { font-size: 15px; margin: 28px 0 6px; }
p { margin: 0 0 10px; color: var(--soft); }
svg { display: block; width: 100%; border: 1px solid var(--line); border-radius: 6px; cursor: grab; touch-action: none; }
svg text { font: 11px system-ui, sans-serif; fill: var(--ink); }
.axis text, .share { fill: var(--soft); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 8px 0; color: var(--soft); }
.legend i { display: inline-block; width: 12px; height: 12px; border-radius: 2px; margin-right: 5px; vertical-align: -2px; }
#tip { position: fixed; pointer-events: none; background: var(--ink); color: var(--ground); padding: 4px 8px; border-radius: 4px; font-size: 12px; display: none; white-space: pre; z-index: 2; }
button { font: inherit; color: inherit; background: var(--band); border: 1px solid var(--line); border-radius: 4px; padding: 1px 10px; }
</style></head><body>
<h1>Waterfall</h1>
<p>Wheel: zoom at the pointer. Drag: move. Double click: the whole run. Hover: what it is.</p>
<div class="legend" id="legend"></div><div id="runs"></div><div id="tip"></div>
<script>
const data = /*DATA*/null;
const colours = ["#4f83cc", "#9aa7b5", "#e2b93b", "#86c59a", "#2f9e5b", "#a06cc9", "#c9a0e0", "#c9763b", "#d65a5a", "#e08a8a"];
const NAME = 130, SHARE = 54, ROW = 20, CURVE = 46, AXIS = 22, tip = document.getElementById("tip");
const make = (name, attributes, parent) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  if (parent) parent.appendChild(e);
  return e;
};
const duration = ms => ms >= 1000 ? (ms / 1000).toFixed(ms < 10000 ? 3 : 1) + " s" : ms.toFixed(ms < 10 ? 3 : 1) + " ms";
const short = v => Math.abs(v) >= 1e9 ? (v / 1e9).toFixed(1) + " G" : Math.abs(v) >= 1e6 ? (v / 1e6).toFixed(1) + " M"
  : Math.abs(v) >= 1e3 ? (v / 1e3).toFixed(1) + " k" : +v.toFixed(2) + "";
data.kinds.forEach((k, i) => {
  const e = document.createElement("span");
  e.innerHTML = "<i style='background:" + colours[i] + "'></i>";
  e.append(k);
  document.getElementById("legend").append(e);
});
function share(track, run) {
  let sum = 0, end = 0;
  for (const [begin, length] of track.spans) {
    const from = Math.max(begin, end);
    sum += Math.max(begin + length - from, 0);
    end = Math.max(end, begin + length);
  }
  return 100 * sum / Math.max(run.length, 1e-9);
}
function draw(run) {
  const section = document.createElement("section"), title = document.createElement("h2");
  title.textContent = run.title + " — " + duration(run.length);
  section.append(title);
  if (run.upperBound) {
    const note = document.createElement("p");
    note.textContent = "This log has worker spans only: waiting counts as device time, so shares are upper bounds.";
    section.append(note);
  }
  document.getElementById("runs").append(section);
  const svg = make("svg", {role: "img", "aria-label": run.title});
  section.append(svg);
  let from = 0, to = Math.max(run.length, 1e-6), width = 900;
  const height = AXIS + run.tracks.length * ROW + run.samples.length * CURVE + 6;
  const x = ms => NAME + (ms - from) / (to - from) * (width - NAME - SHARE);
  function paint() {
    width = Math.max(svg.clientWidth || 900, 400);
    svg.setAttribute("height", height);
    svg.setAttribute("viewBox", "0 0 " + width + " " + height);
    svg.replaceChildren();
    const axis = make("g", {class: "axis"}, svg);
    const raw = (to - from) / Math.max((width - NAME - SHARE) / 90, 1), power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= raw);
    for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
      make("line", {x1: x(t), x2: x(t), y1: AXIS - 4, y2: height, stroke: "var(--line)"}, axis);
      make("text", {x: x(t) + 3, y: 14}, axis).textContent = duration(t);
    }
    run.tracks.forEach((track, row) => {
      const y = AXIS + row * ROW;
      if (row % 2) make("rect", {x: 0, y, width, height: ROW, fill: "var(--band)", "fill-opacity": 0.5}, svg);
      make("text", {x: 8, y: y + 14}, svg).textContent = track.name;
      let edge = -1;
      for (const span of track.spans) {
        const a = Math.max(x(span[0]), NAME), b = Math.min(x(span[0] + span[1]), width - SHARE);
        if (b < NAME || a > width - SHARE || b <= edge) continue;
        edge = Math.max(b, a + 0.4);
        const rect = make("rect", {x: a, y: y + 3, width: Math.max(b - a, 0.6), height: ROW - 6, rx: 1.5, fill: colours[span[2]]}, svg);
        rect.span = span;
        if (b - a > 60) {
          const text = make("text", {x: a + 4, y: y + 14, fill: "#fff", "pointer-events": "none"}, svg);
          text.style.fill = "#fff";
          text.textContent = span[3].slice(0, Math.floor((b - a) / 6.5));
        }
      }
      make("text", {x: width - 8, y: y + 14, "text-anchor": "end", class: "share"}, svg).textContent = share(track, run).toFixed(1) + " %";
    });
    run.samples.forEach((curve, i) => {
      const y = AXIS + run.tracks.length * ROW + i * CURVE, most = Math.max(...curve.points.map(p => p[1]), 1e-12);
      make("text", {x: 8, y: y + 14}, svg).textContent = curve.name;
      make("text", {x: width - 8, y: y + 14, "text-anchor": "end", class: "share"}, svg).textContent = short(most);
      const inside = curve.points.filter(p => p[0] >= from && p[0] <= to);
      make("polyline", {points: inside.map(p => x(p[0]) + "," + (y + CURVE - 6 - p[1] / most * (CURVE - 12))).join(" "),
                        fill: "none", stroke: "#4f83cc", "stroke-width": 1.5}, svg);
    });
  }
  svg.addEventListener("wheel", e => {
    e.preventDefault();
    const at = from + Math.min(Math.max((e.offsetX - NAME) / (width - NAME - SHARE), 0), 1) * (to - from);
    const factor = Math.exp(e.deltaY * 0.0015);
    from = Math.max(0, at - (at - from) * factor);
    to = Math.min(Math.max(run.length, 1e-6), at + (to - at) * factor);
    paint();
  }, {passive: false});
  let held = null;
  svg.addEventListener("pointerdown", e => { held = e.clientX; svg.setPointerCapture(e.pointerId); });
  svg.addEventListener("pointerup", () => held = null);
  svg.addEventListener("pointermove", e => {
    if (held !== null) {
      let shift = (held - e.clientX) / (width - NAME - SHARE) * (to - from);
      shift = Math.min(Math.max(shift, -from), Math.max(run.length, 1e-6) - to);
      from += shift; to += shift; held = e.clientX;
      paint();
    }
    const span = e.target.span;
    tip.style.display = span ? "block" : "none";
    if (span) {
      tip.textContent = data.kinds[span[2]] + (span[3] ? "  " + span[3] : "") + "\n" + duration(span[0]) + " + " + duration(span[1]);
      tip.style.left = Math.min(e.clientX + 14, innerWidth - 260) + "px";
      tip.style.top = e.clientY + 14 + "px";
    }
  });
  svg.addEventListener("pointerleave", () => tip.style.display = "none");
  svg.addEventListener("dblclick", () => { from = 0; to = Math.max(run.length, 1e-6); paint(); });
  addEventListener("resize", paint);
  paint();
}
data.runs.forEach(draw);
</script></body></html>
)page";

}  // namespace cuzk::timeline
