// What each malloc costs: bars of time, calls and bytes, and the queue's length over the search.
import { $, ask, busily, capital, drawn, duration, made, note, number, problem, several, state } from "./dom.js";
import { bar } from "./bars.js";

const MESSY = 2;    // times its median: an interval that ends beyond it says nothing
const SHORT = 1e-3; // seconds of a search in which the first touch of memory counts
const FIRST_TOUCH = "The search is so short that most of the difference is the first touch of a page of memory.";

const say = (...parts) => $("costs").replaceChildren(...parts);

/** True if the times of a row lie so close that their interval says where the median is. */
const isClear = (row) => row.seconds_max <= MESSY * row.seconds_median && row.seconds_min * MESSY >= row.seconds_median;

const differs = (row) => row.speed_low > 1 || row.speed_high < 1;

function speeds(rows) {
  const [first, ...others] = rows;
  return others.map((row) => {
    const interval = isClear(row) && isClear(first);
    if (!differs(row)) return `${row.allocator} shows no difference from ${first.allocator}`;
    if (row.speed < 1) {
      return `${row.allocator} takes ${(1 / row.speed).toPrecision(2)} times as long as ${first.allocator}${interval ? ` (${
        (1 / row.speed_high).toPrecision(2)} to ${(1 / row.speed_low).toPrecision(2)})` : ""}`;
    }
    return `${row.allocator} is ${row.speed.toPrecision(3)} times as fast as ${first.allocator}${interval ? ` (${
      row.speed_low.toPrecision(3)} to ${row.speed_high.toPrecision(3)})` : ""}`;
  }).join("; ");
}

function costTable(title, rows, value, text, interval = () => null) {
  const most = Math.max(...rows.flatMap((row) => [value(row), ...(interval(row) || [])]));
  return made("table", { class: "bars" }, made("caption", {}, title),
    made("tbody", {}, ...rows.map((row) => bar(row.allocator, value(row), most, text(row), interval(row)))));
}

/** The queue's length over the search. */
function curve(queue, visited) {
  const width = 600, height = 120, count = queue.lengths.length;
  const points = queue.lengths.map((length, i) => `${(width * (count > 1 ? i / (count - 1) : 0)).toFixed(1)} ${
    (height - (height - 4) * length / (queue.peak || 1)).toFixed(1)}`);
  const text = `The queue over the search: ${number(queue.pushed)} pushes, ${number(visited)} nodes taken, at most ${
    number(queue.peak)} in it`;
  return made("figure", { class: "curve" }, made("figcaption", {}, text),
    drawn("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": text },
      drawn("path", { class: "area", d: `M0 ${height}L${points.join("L")}L${width} ${height}Z` })));
}

/** The table of times; intervals only if each says something. */
function times(answer) {
  const rows = answer.rows, isShown = rows.every(isClear);
  return costTable(`Time of a search: the median of ${answer.rounds} runs${isShown ? `; the line is the interval that holds it with ${
    Math.round(100 * answer.confidence)} % confidence` : ""}`, rows, (row) => row.seconds_median,
  (row) => duration(row.seconds_median), (row) => (isShown ? [row.seconds_min, row.seconds_max] : null));
}

function show(answer) {
  const rows = answer.rows, late = rows.filter((row) => row.unfinished);
  const parts = [...(state.shown.without.length ? [note("This search does not avoid any nodes.")] : []),
    ...late.map((row) => made("p", { class: "problem" }, `With ${row.allocator} ${several(row.unfinished, "run", "runs")} took too long and had to be ended.`))];
  if (rows.every((row) => row.seconds_median !== null && row.speed !== null)) {
    parts.push(made("p", { class: "sentence" }, capital(speeds(rows)),
      rows.slice(1).some((row) => differs(row) && row.seconds_median < SHORT) ? ` ${FIRST_TOUCH}` : ""), times(answer));
    if (!rows.every(isClear)) parts.push(note("The runs differ too much for an interval: the search is short, or the machine is busy."));
  }
  parts.push(costTable("Calls of malloc", rows, (row) => row.malloc_calls || 0, (row) => number(row.malloc_calls || 0)),
    costTable("Bytes per list node", rows, (row) => row.node_bytes || 0, (row) => number(row.node_bytes || 0)));
  if (answer.queue) parts.push(curve(answer.queue, answer.visited));
  say(...parts);
}

/** Run the chosen allocators on the question that is shown. */
export function measure() {
  const alloc = [...$("allocators").querySelectorAll("input:checked")].map((box) => box.value);
  if (alloc.length < 2 || alloc.length > state.meta.compared) return say(problem("choose two or three allocators"));
  return busily($("costs-form").querySelector("button"), async (isWanted) => {
    say(note("Running; this takes some seconds, on a large graph a minute …"));
    const answer = await ask("api/costs", { from: state.shown.from, to: state.shown.to, alloc, engine: $("engine").value });
    if (isWanted()) show(answer);
  }, (error) => say(problem(error.message)));
}

/** Offer the allocators, and run them when they are asked for. */
export function offerCosts() {
  const { allocators, compared } = state.meta;
  $("allocators").append(...allocators.map((name, i) => made("label", {},
    made("input", { type: "checkbox", value: name, ...(i < compared ? { checked: "" } : {}) }), name)));
  $("costs-form").addEventListener("submit", (event) => {
    event.preventDefault();
    measure();
  });
}
