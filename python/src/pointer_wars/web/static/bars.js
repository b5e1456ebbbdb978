// Tables with a bar per row: distances, and what allocators cost.
import { $, articles, ask, button, drawn, made, note, number, plain, problem, state, upper } from "./dom.js";

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

/** Buttons that count the nodes at each distance; returns what the first one does. */
export function offerDistances(answer) {
  const choices = [["from", `from ${plain(answer.from.title)}`], ["to", `to ${plain(answer.to.title)}`]];
  const counts = choices.map(([direction, text]) => () => distances(direction, answer[direction].title, text));
  $("far").replaceChildren();
  $("far-choice").replaceChildren(...choices.map(([, text], i) => button(`Count them ${text}`, counts[i])));
  return counts[0];
}

async function distances(direction, title, text) {
  const turn = state.asked;
  $("far").replaceChildren(note("Counting …"));
  try {
    const answer = await ask("api/histogram", { of: title, direction, without: state.shown.without });
    if (turn !== state.asked) return;
    const most = Math.max(...answer.counts);
    const rows = answer.counts.slice(0, 100).map((count, hops) => bar(number(hops), count, most, number(count)));
    const left = answer.more || answer.counts.length > rows.length ? "; larger distances are not shown" : "";
    $("far").replaceChildren(
      made("table", { class: "bars" }, made("caption", { class: "note" }, `${upper(articles())} at each distance ${text}`),
        made("tbody", {}, ...rows)),
      note(`${number(answer.unreached)} cannot be reached${
        answer.mean === null ? "" : `; the others are ${answer.mean.toFixed(2)} hops away on average`}${left}.`));
  } catch (why) {
    if (turn === state.asked && why.error) $("far").replaceChildren(problem(why.error.message));
  }
}
