// The first screen: what a path is, three pairs to try, and boxes that say what may be typed.
import { $, article, articles, ask, button, hops, made, plain, state } from "./dom.js";

const TURN = 4000; // ms for which a box suggests the same title
let pairs = [], turn = 0;

/** The next pair of titles, in the boxes that are empty. */
function suggest() {
  if (!pairs.length) return;
  const pair = pairs[turn++ % pairs.length];
  $("from").placeholder = plain(pair.from.title);
  $("to").placeholder = plain(pair.to.title);
}

/** Fetch the pairs. take(pair): ask for it. */
export async function start(take) {
  $("idea").textContent = `A path leads from one ${article()} to another by links alone, and this page finds all of the shortest ones.`;
  for (const place of document.querySelectorAll(".articles")) place.textContent = articles();
  try {
    pairs = (await ask("api/examples")).pairs;
  } catch (why) { // the page works without them
    return;
  }
  $("examples").replaceChildren(...pairs.map((pair) => button(`${plain(pair.from.title)} → ${plain(pair.to.title)}`,
    () => take(pair), { "aria-label": `${plain(pair.from.title)} → ${plain(pair.to.title)}, ${hops(pair.hops)} apart` })));
  pairs.forEach((pair, i) => $("examples").children[i].append(made("span", { class: "apart", "aria-hidden": "true" }, hops(pair.hops))));
  suggest();
  const isStill = matchMedia("(prefers-reduced-motion: reduce)");
  setInterval(() => { if (!isStill.matches && !state.shown) suggest(); }, TURN);
}
