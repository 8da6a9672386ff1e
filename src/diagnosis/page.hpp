// The page around the data of a diagnosis: plain SVG, no outside parts.
#pragma once

namespace cuzk::diagnosis {

inline constexpr const char kDiagnosisPage[] = R"page(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>cuzk diagnosis</title>
<style>
:root { color-scheme: light dark; --ink: #1c2430; --soft: #66717f; --line: #d9dee5; --ground: #f6f8fa; --card: #ffffff;
  --good: #2f9e5b; --warn: #b7791f; --bad: #c4453c; --none: #8a94a1; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e8ee; --soft: #93a0af; --line: #313a45; --ground: #12161b;
  --card: #191f26; --warn: #e2b93b; --bad: #e0685f; } }
* { box-sizing: border-box; }
body { font: 14px/1.5 system-ui, sans-serif; margin: 0; color: var(--ink); background: var(--ground); }
main { max-width: 1240px; margin: 0 auto; padding: 24px; }
h1 { font-size: 21px; margin: 0; } h2 { font-size: 16px; margin: 32px 0 8px; } h3 { font-size: 13px; margin: 18px 0 4px; color: var(--soft); font-weight: 600; }
p { margin: 4px 0; } .soft { color: var(--soft); }
.note { border-left: 3px solid var(--warn); padding: 4px 10px; margin: 6px 0; background: var(--card); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(330px, 1fr)); gap: 12px; align-items: start; }
.card { background: var(--card); border: 1px solid var(--line); border-top: 3px solid var(--none); border-radius: 6px; padding: 10px 14px; overflow-wrap: anywhere; }
.card.supported { border-top-color: var(--bad); } .card.possible { border-top-color: var(--warn); } .card.rejected { border-top-color: var(--good); }
.card header { display: flex; justify-content: space-between; gap: 8px; font-weight: 600; }
.card header .effect { white-space: nowrap; }
.card .verdict { font-size: 12px; color: var(--soft); }
.card ul { margin: 6px 0 0; padding: 0; list-style: none; font-size: 12.5px; }
.card li { padding-left: 18px; text-indent: -18px; margin-top: 3px; }
.card li::before { display: inline-block; width: 18px; text-indent: 0; font-weight: 700; }
.for::before { content: "+"; color: var(--bad); } .against::before { content: "–"; color: var(--good); }
.missing::before { content: "?"; color: var(--warn); } .change::before { content: "→"; }
.panel { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 12px 14px; margin: 8px 0; }
.figures { display: flex; flex-wrap: wrap; gap: 6px 26px; } .figures b { display: block; font-size: 18px; font-weight: 600; }
svg { display: block; width: 100%; } svg text { font: 11px system-ui, sans-serif; fill: var(--ink); } svg .soft { fill: var(--soft); }
.legend { display: flex; flex-wrap: wrap; gap: 2px 16px; font-size: 12px; color: var(--soft); margin-top: 4px; }
.legend i { display: inline-block; width: 11px; height: 11px; border-radius: 2px; margin-right: 5px; vertical-align: -1px; }
table { border-collapse: collapse; font-size: 12.5px; } td, th { padding: 2px 12px 2px 0; text-align: right; } td:first-child, th:first-child { text-align: left; }
details { margin-top: 8px; } summary { cursor: pointer; color: var(--soft); }
</style></head><body><main id="page"></main>
<script>
const data = /*DATA*/null;
const page = document.getElementById("page");
const element = (name, parent, text, kind) => {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  if (kind) e.className = kind;
  if (parent) parent.append(e);
  return e;
};
const draw = (name, attributes, parent, text) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  if (text !== undefined) e.textContent = text;
  parent.append(e);
  return e;
};
const W = 1180;
const chart = (parent, height, label) => draw("svg", {viewBox: `0 0 ${W} ${height}`, role: "img", "aria-label": label}, parent);
const seconds = ms => ms >= 1e4 ? (ms / 1e3).toFixed(1) + " s" : ms >= 1e3 ? (ms / 1e3).toFixed(2) + " s" : ms.toFixed(1) + " ms";
const percent = v => v === null ? "not measured" : (100 * v).toFixed(1) + " %";
const legend = (parent, items) => {
  const box = element("div", parent, undefined, "legend");
  for (const [colour, text] of items) {
    const item = element("span", box);
    element("i", item).style.background = colour;
    item.append(text);
  }
};
const steps = (from, to, about) => {
  const raw = Math.max((to - from) / about, 1e-9), power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= raw), out = [];
  for (let t = Math.ceil(from / step) * step; t <= to + step * 1e-6; t += step) out.push(t);
  return out;
};
const kinds = {colours: ["#4f83cc", "#9aa7b5", "#e2b93b", "#86c59a", "#2f9e5b", "#a06cc9", "#c9a0e0", "#c9763b", "#d65a5a", "#e08a8a"],
  names: ["synthesis", "prepare", "lock wait", "device held", "device busy", "tail", "check", "key load", "memory wait", "throttle"]};
const causes = {lead_in: "#9aa7b5", starvation: "#4f83cc", memory_budget: "#a06cc9", handover: "#e2b93b", job_change: "#c9763b",
  key_load: "#2f9e5b", drain: "#c5ccd4", unknown: "#d65a5a"};
const LEFT = 110, RIGHT = 30;

element("h1", page, "What limits throughput");
element("p", page, data.file + (data.config ? " — " + data.config : ""), "soft");
for (const note of data.notes) element("div", page, note, "note");
if (!data.hypotheses.some(h => h.verdict === "supported")) element("div", page, "Not enough evidence for any cause.", "note");

element("h2", page, "Hypotheses, likeliest first");
const cards = element("div", page, undefined, "cards");
for (const h of data.hypotheses) {
  const card = element("article", cards, undefined, "card " + h.verdict), head = element("header", card);
  element("span", head, h.cause.replaceAll("_", " "));
  if (h.effect_s_per_proof !== null && h.verdict !== "rejected") element("span", head, h.effect_s_per_proof.toFixed(3) + " s/proof", "effect");
  element("div", card, h.verdict, "verdict");
  const list = element("ul", card);
  for (const text of h.evidence) element("li", list, text, "for");
  for (const text of h.against) element("li", list, text, "against");
  for (const text of h.missing) element("li", list, text, "missing");
  for (const c of h.change)
    element("li", list, (c.key ? c.key + " from " + c.from + " to " + c.to + ": " : "") + c.text +
      (c.predicted_s_per_proof !== null ? ": replay " + c.replayed_s_per_proof.toFixed(3) + " s/proof, with the change " + c.predicted_s_per_proof.toFixed(3) : ""), "change");
}

function axis(svg, x, from, to, height) {
  for (const t of steps(from, to, 9)) {
    draw("line", {x1: x(t), x2: x(t), y1: 0, y2: height - 16, stroke: "var(--line)"}, svg);
    draw("text", {x: x(t), y: height - 4, "text-anchor": "middle", class: "soft"}, svg, seconds(t));
  }
}
function waterfall(parent, tracks, length) {
  element("h3", parent, "Waterfall");
  const ROW = tracks.length > 40 ? 9 : 17, height = tracks.length * ROW + 20, svg = chart(parent, height, "waterfall");
  const x = ms => LEFT + ms / Math.max(length, 1e-9) * (W - LEFT - RIGHT);
  axis(svg, x, 0, length, height);
  tracks.forEach((track, row) => {
    draw("text", {x: 0, y: row * ROW + ROW * 0.75, "font-size": ROW < 12 ? 8 : 11}, svg, track.name.slice(0, 18));
    for (const [begin, span, kind, label] of track.spans) {
      const r = draw("rect", {x: x(begin), y: row * ROW + 1, width: Math.max(x(begin + span) - x(begin), 0.5), height: ROW - 3, rx: 1, fill: kinds.colours[kind]}, svg);
      draw("title", {}, r, kinds.names[kind] + " " + label + "\n" + seconds(begin) + " + " + seconds(span));
    }
  });
  const used = [...new Set(tracks.flatMap(t => t.spans.map(s => s[2])))].sort((a, b) => a - b);
  legend(parent, used.map(k => [kinds.colours[k], kinds.names[k]]));
}
function curves(parent, run, length) {
  element("h3", parent, "Utilisation over time");
  const height = 130, svg = chart(parent, height, "utilisation over time");
  const x = ms => LEFT + ms / Math.max(length, 1e-9) * (W - LEFT - RIGHT), y = v => 8 + (1 - Math.min(v, 1)) * (height - 30);
  axis(svg, x, 0, length, height);
  for (const v of [0, 0.5, 1]) {
    draw("line", {x1: LEFT, x2: W - RIGHT, y1: y(v), y2: y(v), stroke: "var(--line)"}, svg);
    draw("text", {x: LEFT - 6, y: y(v) + 4, "text-anchor": "end", class: "soft"}, svg, 100 * v + " %");
  }
  const c = run.utilisation.curve, lines = [["worker_occupied", "#9aa7b5", "worker occupied"], ["interlock_held", "#e2b93b", "interlock held"], ["device_busy", "#2f9e5b", "device busy"]];
  for (const [key, colour] of lines)
    if (c[key].length) draw("polyline", {points: c[key].map((v, i) => x((i + 0.5) * c.step_ms) + "," + y(v)).join(" "), fill: "none", stroke: colour, "stroke-width": 1.8}, svg);
  legend(parent, lines.filter(l => c[l[0]].length).map(l => [l[1], l[2] + ": " + percent(run.utilisation[l[0]])]));
  if (run.utilisation.upper_bound)
    element("p", parent, "Worker spans overstate device use: some worker had a partition " + percent(run.utilisation.any_worker) + " of the time, the most that the device can have worked.", "soft");
}
function gapBar(parent, run) {
  element("h3", parent, run.utilisation.upper_bound ? "Idle time between worker spans, by cause (at least)" : "Devices idle, by cause");
  const total = run.gap_causes.reduce((s, g) => s + g.total_ms, 0);
  if (!(total > 0)) return element("p", parent, "never", "soft");
  const svg = chart(parent, 34, "idle time by cause");
  let at = 0;
  for (const g of run.gap_causes) {
    const width = g.total_ms / total * W, r = draw("rect", {x: at, y: 2, width, height: 28, fill: causes[g.cause], "data-cause": g.cause}, svg);
    draw("title", {}, r, g.cause + ": " + seconds(g.total_ms));
    if (width > 90) draw("text", {x: at + 6, y: 20}, svg, g.cause + " " + (100 * g.total_ms / total).toFixed(0) + " %");
    at += width;
  }
  const table = element("table", parent), head = element("tr", table);
  for (const t of ["cause", "count", "sum", "mean", "longest", "95 %", "s/proof"]) element("th", head, t);
  for (const g of run.gap_causes) {
    const row = element("tr", table), name = element("td", row);
    element("span", name).innerHTML = "<i style='display:inline-block;width:10px;height:10px;border-radius:2px;margin-right:6px;background:" + causes[g.cause] + "'></i>";
    name.append(g.cause);
    for (const t of [g.count, seconds(g.total_ms), seconds(g.mean_ms), seconds(g.max_ms), seconds(g.p95_ms), g.s_per_proof.toFixed(3)]) element("td", row, t);
  }
}
data.runs.forEach((run, i) => {
  const length = run.end_ms - run.begin_ms, view = data.view.runs[i];
  element("h2", page, "Run " + run.number + (run.parameters ? ": " + run.parameters : "") + " — " + seconds(length));
  const panel = element("section", page, undefined, "panel"), figures = element("div", panel, undefined, "figures");
  for (const [name, value] of [["s/proof", run.s_per_proof === null ? "–" : run.s_per_proof.toFixed(3)], ["proofs", run.proofs_complete + " of " + run.jobs.length],
    ["device busy", percent(run.utilisation.device_busy)], ["interlock held", percent(run.utilisation.interlock_held)],
    ["worker occupied", percent(run.utilisation.worker_occupied)], ["found by", run.split + ", " + (100 * run.confidence).toFixed(0) + " % sure"]]) {
    const f = element("div", figures);
    element("b", f, value);
    element("span", f, name, "soft");
  }
  for (const job of run.jobs.filter(j => j.missing.length).slice(0, 20))
    element("div", panel, job.job + ": " + job.partitions_seen + " of " + job.partitions_expected + " partitions; missing " + job.missing.join(", "), "note");
  for (const job of run.contaminated_jobs.slice(0, 20)) element("div", panel, job + " lies partly outside of this run; left out.", "note");
  waterfall(panel, view.tracks, length);
  curves(panel, run, length);
  gapBar(panel, run);
});

function loadChart(parent) {
  const fit = data.load, points = data.view.points;
  element("p", parent, fit.slope_per_job === null ? "The load varies too little, or there are too few partitions, to fit a line." :
    fit.metric.replaceAll("_", " ") + ": " + fit.slope_per_job.toFixed(2) + " ms more a proof " + (fit.against === "proofs_in_run" ? "of the run" : "in flight") + " (95 %: " + fit.ci95[0].toFixed(2) + " to " + fit.ci95[1].toFixed(2) + ")", "soft");
  if (!points.length) return;
  const height = 300, svg = chart(parent, height, "partition time against load");
  const xs = points.map(p => p[0]), ys = points.map(p => p[1]).sort((a, b) => a - b);
  const x0 = Math.min(...xs), x1 = Math.max(...xs, x0 + 1e-9), y1 = ys[Math.floor((ys.length - 1) * 0.99)] * 1.1, y0 = Math.max(0, ys[0] * 0.9);
  const x = v => LEFT + (v - x0) / (x1 - x0) * (W - LEFT - RIGHT), y = v => 8 + (y1 - v) / Math.max(y1 - y0, 1e-9) * (height - 46);
  for (const t of steps(y0, y1, 5)) {
    draw("line", {x1: LEFT, x2: W - RIGHT, y1: y(t), y2: y(t), stroke: "var(--line)"}, svg);
    draw("text", {x: LEFT - 6, y: y(t) + 4, "text-anchor": "end", class: "soft"}, svg, seconds(t));
  }
  for (const t of steps(x0, x1, 10)) draw("text", {x: x(t), y: height - 20, "text-anchor": "middle", class: "soft"}, svg, +t.toFixed(2));
  draw("text", {x: W / 2, y: height - 4, "text-anchor": "middle", class: "soft"}, svg, fit.against.replaceAll("_", " "));
  for (const [load, ms] of points) if (ms <= y1) draw("circle", {cx: x(load), cy: y(ms), r: 2.2, fill: "#4f83cc", "fill-opacity": 0.45}, svg);
  for (const b of fit.points) draw("circle", {cx: x(b.load), cy: y(b.mean), r: 4.5, fill: "none", stroke: "var(--ink)", "stroke-width": 1.5}, svg);
  if (fit.slope_per_job !== null) draw("line", {x1: x(x0), y1: y(fit.intercept + fit.slope_per_job * x0), x2: x(x1), y2: y(fit.intercept + fit.slope_per_job * x1), stroke: "var(--bad)", "stroke-width": 2, class: "fit"}, svg);
  legend(parent, [["#4f83cc", "a partition"], ["var(--ink)", "mean of a bin"], ["var(--bad)", "fit"]]);
}
element("h2", page, "Partition time against load");
const load = element("section", page, undefined, "panel");
loadChart(load);
const d = data.data;
element("p", page, `Rests on ${d.events} events of ${d.lines} lines: ${d.ignored} ignored, ${d.malformed} malformed, ${d.reordered} out of order, ${d.duplicated} duplicated, ${d.clock_jumps} clock jumps.`, "soft");
document.body.dataset.ready = "yes";
</script></body></html>
)page";

}  // namespace cuzk::diagnosis
