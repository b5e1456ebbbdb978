// Tables with a bar per row: distances, and what allocators cost.
import { $, ask, drawn, made, note, nouns, number, plain, problem, state, upper } from "./dom.js";

/** A row of a table with a bar. interval: two values, or null. */
export function bar(label, value, most, text, interval = null) {
  const scale = (x) => `${Math.max(0.3, 100 * x / (most || 1)).toFixed(2)}%`;
  const image = drawn("svg", { "aria-hidden": "true", height: 16 },
    drawn("rect", { class: "bar", x: 0, y: 2, height: 12, width: scale(value), rx: 2 }));
  if (interval) {
    image.append(drawn("line", { class: "interval", x1: scale(interval[0]), x2: scale(interval[1]), y1: 8, y2: 8 }));
    for (const x of interval) image.append(drawn("line", { class: "interval", x1: scale(x), x2: scale(x), y1: 3, y2: 13 }));
  }
  return made("tr", {}, made("th", { scope: "row", class: "count" }, label),
    made("td", { class: "count" }, text), made("td", {}, image));
}

/** Show the nodes at each distance from the one end, and to the other. */
export async function distances(answer) {
  const turn = state.asked, ends = [["from", answer.from.title], ["to", answer.to.title]];
  $("far").replaceChildren(note("Counting …"));
  try {
    const found = await Promise.all(ends.map(([direction, of]) => ask("api/histogram", { of, direction, without: state.shown.without })));
    if (turn === state.asked) $("far").replaceChildren(...found.map((one, i) => table(one, `${upper(ends[i][0])} ${plain(ends[i][1])}`)));
  } catch (why) {
    if (!why.error) throw why;
    if (turn === state.asked) $("far").replaceChildren(problem(why.error.message));
  }
}

/** The nodes at each distance, as a table with a bar per row. */
function table(answer, title) {
  const most = Math.max(...answer.counts);
  const rows = answer.counts.slice(0, 100).map((count, hops) => bar(number(hops), count, most, number(count)));
  const left = answer.more || answer.counts.length > rows.length ? "; larger distances are not shown" : "";
  return made("div", {}, made("table", { class: "bars" }, made("caption", {}, title),
    made("thead", {}, made("tr", {}, ...["Hops", upper(nouns())].map((head) => made("th", { scope: "col", class: "count" }, head)), made("td"))),
    made("tbody", {}, ...rows)),
  note(`${number(answer.unreached)} ${answer.direction === "from" ? "cannot be reached" : "cannot reach it"}${
    answer.mean === null ? "" : `; the others are ${answer.mean.toFixed(2)} hops away on average`}${left}.`));
}
