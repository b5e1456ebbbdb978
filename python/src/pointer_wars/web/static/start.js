// The first screen: the first of the graph's own examples is drawn, the others are offered.
import { $, ask, button, hops, made, noun, plain } from "./dom.js";

let asked = null; // the pairs, once they were asked for

/** The pairs; without them, or an answer, the page works too. */
export const examples = () => asked ||= ask("api/examples").then((answer) => answer.pairs, () => []);

const named = (pair) => [plain(pair.from.title), plain(pair.to.title)];

/** Say what is drawn, and offer the other pairs. take(pair): ask for it. */
export function introduce([drawn, ...others], take) {
  const [from, to] = drawn ? named(drawn) : [];
  $("idea").textContent = drawn ? `These are all shortest paths from ${from} to ${to}, from ${noun()} to ${noun()}.`
    : `This page finds all shortest paths from one ${noun()} to another.`;
  $("examples").replaceChildren(...others.map((pair) => button(named(pair).join(" → "), () => take(pair),
    { "aria-label": `${named(pair).join(" → ")}, ${hops(pair.hops)} apart` })));
  others.forEach((pair, i) => $("examples").children[i].append(made("span", { class: "apart", "aria-hidden": "true" }, hops(pair.hops))));
}
