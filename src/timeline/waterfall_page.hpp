// The page around the data: drawing, zooming and panning. Plain SVG, no outside parts.
#pragma once

namespace cuzk::timeline {

inline constexpr const char kWaterfallPage[] = R"page(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>cuzk waterfall</title>
<style>
:root { color-scheme: light dark; --ink: #1c2430; --soft: #64707f; --line: #dde2e8; --ground: #f6f7f9; --card: #fff; --band: #f3f5f8; --curve: #3f78c4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e8ee; --soft: #93a0af; --line: #2d3540; --ground: #12161b; --card: #181d23; --band: #1e242b; --curve: #74a7ea; } }
* { box-sizing: border-box; }
body { font: 14px/1.45 system-ui, sans-serif; margin: 0 auto; padding: 24px 28px 60px; max-width: 1800px; color: var(--ink); background: var(--ground); }
h1 { font-size: 20px; margin: 0; letter-spacing: -.01em; } h2 { font-size: 16px; margin: 0; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 18px; margin-bottom: 14px; }
.hint, .note { color: var(--soft); margin: 0; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px 18px 12px; margin-bottom: 20px; }
.chips { display: flex; flex-wrap: wrap; gap: 6px; margin: 6px 0 12px; }
.chips span { background: var(--band); border: 1px solid var(--line); border-radius: 12px; padding: 0 9px; font-size: 12px; color: var(--soft); }
.chips b { color: var(--ink); font-weight: 600; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(132px, 1fr)); gap: 8px; margin-bottom: 12px; }
.tiles div { background: var(--band); border-radius: 8px; padding: 7px 11px; }
.tiles b { display: block; font-size: 18px; font-variant-numeric: tabular-nums; }
.tiles span { color: var(--soft); font-size: 12px; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 16px; margin: 0 0 8px; color: var(--soft); font-size: 13px; }
.bar i { display: inline-block; width: 11px; height: 11px; border-radius: 2px; margin-right: 5px; vertical-align: -1px; }
.bar .tools { margin-left: auto; display: flex; gap: 5px; }
button { font: inherit; font-size: 13px; color: var(--ink); background: var(--band); border: 1px solid var(--line); border-radius: 6px; padding: 2px 10px; cursor: pointer; }
button:hover { border-color: var(--soft); }
svg { display: block; width: 100%; cursor: grab; touch-action: pan-y; user-select: none; }
svg:active { cursor: grabbing; }
svg text { font: 11px system-ui, sans-serif; fill: var(--ink); }
svg .soft { fill: var(--soft); } svg .head { fill: var(--soft); font-weight: 600; letter-spacing: .04em; font-size: 10px; }
#tip { position: fixed; pointer-events: none; background: var(--ink); color: var(--card); padding: 5px 9px; border-radius: 6px; font-size: 12px; display: none; white-space: pre; z-index: 2; }
</style></head><body>
<header><h1>Waterfall</h1><p class="hint">Wheel or + and −: zoom. Drag or arrow keys: move. Double click: the whole run.</p></header>
<div id="runs"></div><div id="tip"></div>
<script>
"use strict";
const data = /*DATA*/null;
const colours = {synthesis: "#4f83cc", prepare: "#93a1b1", "lock wait": "#e3b341", device: "#8ccfa4", busy: "#2b9a58", tail: "#9461c4",
                 check: "#c3a1e0", "key load": "#c9763b", "memory wait": "#d65a5a", throttle: "#e58aa0"};
const meaning = {busy: "device busy", device: "holds the device", "lock wait": "waits for the device"};
const NAME = 150, SHARE = 62, ROW = 20, THIN = 5, CURVE = 44, AXIS = 24, HEAD = 20, CROWD = 16;
const tip = document.getElementById("tip");
const svgElement = (name, attributes, parent) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  if (parent) parent.appendChild(e);
  return e;
};
const element = (name, text, parent, style) => {
  const e = document.createElement(name);
  if (text) e.textContent = text;
  if (style) e.className = style;
  if (parent) parent.append(e);
  return e;
};
const duration = ms => ms >= 1000 ? +(ms / 1000).toPrecision(4) + " s" : +ms.toPrecision(4) + " ms";
const short = v => Math.abs(v) >= 1e9 ? (v / 1e9).toFixed(2) + " G" : Math.abs(v) >= 1e6 ? (v / 1e6).toFixed(1) + " M"
  : Math.abs(v) >= 1e3 ? (v / 1e3).toFixed(1) + " k" : +v.toFixed(2) + "";
// The curves that are shown at first, if they are there; the others on demand.
const shown = /memory reserved|rss|process_cpus|host_cpus|run_queue|shootdowns|context_switches|minor_faults|probe_ns|uncore|resctrl|clock_sm_mhz|power_w|temperature_c|throttle_|pcie_.x|memory_used/;

function share(spans, run) {
  let sum = 0, end = 0;
  for (const [begin, length] of spans) {
    const from = Math.max(begin, end);
    sum += Math.max(begin + length - from, 0);
    end = Math.max(end, begin + length);
  }
  return 100 * sum / Math.max(run.length, 1e-9);
}

function describe(run, section) {
  element("h2", run.title, section);
  const chips = element("div", "", section, "chips");
  for (const pair of run.parameters.split(";").filter(p => p)) {
    const eq = pair.indexOf("="), chip = element("span", eq < 0 ? pair : pair.slice(0, eq) + " ", chips);
    if (eq >= 0) element("b", pair.slice(eq + 1), chip);
  }
  const tiles = element("div", "", section, "tiles");
  for (const [name, value] of run.figures) {
    const tile = element("div", "", tiles);
    element("b", value, tile);
    element("span", name, tile);
  }
  if (run.upperBound)
    element("p", "This log has worker spans only: waiting counts as device time, so shares are upper bounds.", section, "note");
}

function draw(run) {
  const section = element("section", "", document.getElementById("runs"));
  describe(run, section);
  const bar = element("div", "", section, "bar");
  const present = new Set(run.tracks.flatMap(t => t.spans.map(s => s[2])));
  data.kinds.forEach((kind, i) => {
    if (!present.has(i)) return;
    const e = element("span", "", bar);
    element("i", "", e).style.background = colours[kind];
    e.append(meaning[kind] || kind);
  });
  const tools = element("div", "", bar, "tools");
  const length = Math.max(run.length, 1e-6);
  let from = 0, to = length, width = 900, all = false;
  const move = (a, b) => {
    const size = Math.min(Math.max(b - a, length * 1e-7), length);
    from = Math.min(Math.max(a, 0), length - size);
    to = from + size;
    paint();
  };
  const zoom = (factor, at = (from + to) / 2) => move(at - (at - from) * factor, at + (to - at) * factor);
  const tool = (text, action) => element("button", text, tools).addEventListener("click", action);
  const hidden = run.samples.filter(s => !shown.test(s.name)).length;
  if (hidden > 0) {
    const more = element("button", "all " + run.samples.length + " curves", tools);
    more.addEventListener("click", () => { all = !all; more.textContent = all ? "fewer curves" : "all " + run.samples.length + " curves"; paint(); });
  }
  tool("+", () => zoom(0.5)); tool("−", () => zoom(2)); tool("whole run", () => move(0, length));
  const svg = svgElement("svg", {role: "img", "aria-label": run.title, tabindex: 0});
  section.append(svg);
  const x = ms => NAME + (ms - from) / (to - from) * (width - NAME - SHARE);
  const time = px => from + (px - NAME) / (width - NAME - SHARE) * (to - from);

  // Rows: a heading for each group; large groups are drawn thin.
  const groups = [];
  for (const track of run.tracks) {
    if (!groups.length || groups[groups.length - 1].name !== track.group) groups.push({name: track.group, tracks: []});
    groups[groups.length - 1].tracks.push(track);
  }
  function paint() {
    width = Math.max(svg.clientWidth || 900, 480);
    const curves = run.samples.filter(s => all || shown.test(s.name));
    let height = AXIS + 8;
    for (const g of groups) height += HEAD + g.tracks.length * (g.tracks.length > CROWD ? THIN : ROW) + 4;
    if (curves.length) height += HEAD + curves.length * CURVE;
    svg.setAttribute("height", height);
    svg.setAttribute("viewBox", "0 0 " + width + " " + height);
    svg.replaceChildren();
    const right = width - SHARE;
    const raw = (to - from) / Math.max((right - NAME) / 100, 1), power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= raw * 0.999);
    for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
      svgElement("line", {x1: x(t), x2: x(t), y1: AXIS - 6, y2: height, stroke: "var(--line)"}, svg);
      svgElement("text", {x: x(t), y: 13, "text-anchor": t === 0 ? "start" : "middle", class: "soft"}, svg).textContent = duration(t);
    }
    let y = AXIS;
    const heading = text => {
      svgElement("text", {x: 0, y: y + 14, class: "head"}, svg).textContent = text.toUpperCase();
      y += HEAD;
    };
    for (const group of groups) {
      const thin = group.tracks.length > CROWD, row = thin ? THIN : ROW;
      heading(group.name + (thin ? " (" + group.tracks.length + ")" : ""));
      group.tracks.forEach((track, i) => {
        if (!thin && i % 2 === 0) svgElement("rect", {x: 0, y, width, height: row, fill: "var(--band)", rx: 3}, svg);
        if (!thin) svgElement("text", {x: 6, y: y + 14}, svg).textContent = track.name.slice(0, 22);
        let edge = -1;
        for (const span of track.spans) {
          const a = Math.max(x(span[0]), NAME), b = Math.min(x(span[0] + span[1]), right);
          if (b < NAME || a > right || b <= edge) continue;
          edge = Math.max(b, a + 0.5);
          const rect = svgElement("rect", {x: a, y: y + (thin ? 0.5 : 3), width: Math.max(b - a, 0.8), height: row - (thin ? 1 : 6),
                                           rx: thin ? 0.5 : 2, fill: colours[data.kinds[span[2]]]}, svg);
          rect.span = span;
          rect.track = track.name;
          if (!thin && b - a > 58) {
            const text = svgElement("text", {x: a + 5, y: y + 14, "pointer-events": "none"}, svg);
            text.style.fill = /device|check|lock wait/.test(data.kinds[span[2]]) ? "#15321f" : "#fff";
            text.textContent = span[3].slice(0, Math.floor((b - a - 8) / 6));
          }
        }
        if (!thin) svgElement("text", {x: width - 4, y: y + 14, "text-anchor": "end", class: "soft"}, svg).textContent = share(track.spans, run).toFixed(1) + " %";
        y += row;
      });
      if (thin) {
        const mean = group.tracks.reduce((sum, t) => sum + share(t.spans, run), 0) / group.tracks.length;
        svgElement("text", {x: width - 4, y: y - 2, "text-anchor": "end", class: "soft"}, svg).textContent = mean.toFixed(1) + " %";
      }
      y += 4;
    }
    if (curves.length) heading("memory and samples");
    for (const curve of curves) {
      const most = curve.points.reduce((m, p) => Math.max(m, p[1]), 0), low = y + CURVE - 8, place = p => low - p[1] / (most || 1) * (CURVE - 16);
      svgElement("text", {x: 6, y: y + 18}, svg).textContent = curve.name.replace(/^host /, "").slice(0, 24);
      svgElement("text", {x: width - 4, y: y + 12, "text-anchor": "end", class: "soft"}, svg).textContent = short(most);
      svgElement("line", {x1: NAME, x2: right, y1: low, y2: low, stroke: "var(--line)"}, svg);
      let first = curve.points.findIndex(p => p[0] >= from), last = curve.points.findIndex(p => p[0] > to);
      if (last < 0) last = curve.points.length;
      if (first < 0) first = curve.points.length;
      const part = curve.points.slice(Math.max(first - 1, 0), last + 1), line = [];
      part.forEach((p, i) => {
        if (curve.steps && i > 0) line.push([p[0], part[i - 1][1]]);
        line.push(p);
      });
      if (curve.steps && line.length) line.push([length, line[line.length - 1][1]]);
      const drawn = line.map(p => Math.min(Math.max(x(p[0]), NAME), right).toFixed(1) + "," + place(p).toFixed(1));
      if (!drawn.length) { y += CURVE; continue; }
      const begin = drawn[0].split(",")[0], end = drawn[drawn.length - 1].split(",")[0];
      svgElement("polygon", {points: begin + "," + low + " " + drawn.join(" ") + " " + end + "," + low, fill: "var(--curve)", "fill-opacity": 0.16}, svg);
      svgElement("polyline", {points: drawn.join(" "), fill: "none", stroke: "var(--curve)", "stroke-width": 1.4, class: "curve"}, svg);
      const area = svgElement("rect", {x: NAME, y, width: right - NAME, height: CURVE, fill: "transparent"}, svg);
      area.curve = curve;
      y += CURVE;
    }
  }
  svg.addEventListener("wheel", e => {
    e.preventDefault();
    if (Math.abs(e.deltaX) > Math.abs(e.deltaY)) return move(from + e.deltaX / width * (to - from), to + e.deltaX / width * (to - from));
    zoom(Math.exp(e.deltaY * 0.0015), Math.min(Math.max(time(e.offsetX), from), to));
  }, {passive: false});
  let held = null;
  svg.addEventListener("pointerdown", e => { held = e.clientX; try { svg.setPointerCapture(e.pointerId); } catch { /* a synthetic event */ } });
  svg.addEventListener("pointerup", () => held = null);
  svg.addEventListener("pointermove", e => {
    if (held !== null) {
      const shift = (held - e.clientX) / (width - NAME - SHARE) * (to - from);
      held = e.clientX;
      move(from + shift, to + shift);
    }
    const span = e.target.span, curve = e.target.curve;
    tip.style.display = span || curve ? "block" : "none";
    if (span)
      tip.textContent = e.target.track + ": " + (meaning[data.kinds[span[2]]] || data.kinds[span[2]]) + (span[3] ? "  " + span[3] : "") + "\nfrom " + duration(span[0]) + " for " + duration(span[1]);
    if (curve) {
      const at = time(e.offsetX);
      let point = curve.points[0];
      for (const p of curve.points) if (p[0] <= at || !curve.steps && Math.abs(p[0] - at) < Math.abs(point[0] - at)) point = p;
      tip.textContent = curve.name + " = " + short(point[1]) + "\nat " + duration(point[0]);
    }
    tip.style.left = Math.min(e.clientX + 14, innerWidth - tip.offsetWidth - 8) + "px";
    tip.style.top = Math.min(e.clientY + 16, innerHeight - tip.offsetHeight - 8) + "px";
  });
  svg.addEventListener("pointerleave", () => tip.style.display = "none");
  svg.addEventListener("dblclick", () => move(0, length));
  svg.addEventListener("keydown", e => {
    const step = (to - from) / 5;
    const actions = {"+": () => zoom(0.5), "-": () => zoom(2), ArrowLeft: () => move(from - step, to - step),
                     ArrowRight: () => move(from + step, to + step), "0": () => move(0, length)};
    if (!actions[e.key]) return;
    e.preventDefault();
    actions[e.key]();
  });
  addEventListener("resize", paint);
  paint();
}
data.runs.forEach(draw);
</script></body></html>
)page";

}  // namespace cuzk::timeline
