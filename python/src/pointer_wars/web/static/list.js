// Paths as rows of chips, in the colours of the drawing. What a row shares with the one above is quiet.
import { button, elsewhere, large, made, nouns, number, pageOf, plain } from "./dom.js";
import { hue } from "./drawing.js";

const LONG = 30;     // of a longer path the list has this many at both ends
const ALIGNED = 6;   // hops of the longest path whose chips are in columns

/** One node of a path. choose(title, distance): what a press does; without it, it is a link. */
function chip(title, page, distance, last, isQuiet, choose) {
  const text = plain(title), isEnd = distance === 0 || distance === last;
  let element;
  if (choose && !isQuiet && !isEnd) {
    element = button(text, () => choose(title, distance));
  } else if (!choose && pageOf(page)) element = made("a", elsewhere(pageOf(page)), text);
  else element = made("span", {}, text);
  element.classList.add("chip", ...(isQuiet ? ["same"] : []));
  element.style.setProperty("--hue", hue(distance, last));
  return element;
}

/** Append the paths of an answer to a list. */
export function append(items, answer, choose = null) {
  const before = items.children.length;
  let above = [];
  answer.paths.forEach((path, i) => {
    const last = path.length - 1, row = made("span", { class: "path" });
    let isSame = true;
    path.forEach((title, k) => {
      if (path.length > 2 * LONG && k >= LONG && k < path.length - LONG) {
        if (k === LONG) row.append(made("span", { class: "arrow" }, ` → … ${number(path.length - 2 * LONG)} more …`));
        return;
      }
      isSame = isSame && above[k] === title;
      row.append(made("span", { class: "step" }, ...(k ? [made("span", { class: "arrow" }, " → ")] : []),
        chip(title, answer.page_ids[i][k], k, last, isSame || (above[k] === title && k === last), choose)));
    });
    if (last <= ALIGNED) row.classList.add("aligned");
    row.style.setProperty("--steps", last + 1);
    items.append(made("li", {}, made("span", { class: "number" }, number(before + i + 1)), row));
    above = path;
  });
}

/** What the list is called. */
export function heading(answer, count, through) {
  const where = through ? ` through ${plain(through)}` : "";
  return count || answer.count === "0" ? `Paths${where} (${number(count)} of ${large(answer.count)})`
    : `Paths${where}: each has ${number(answer.hops + 1)} ${nouns()}, too many to list`;
}

/** After more paths were listed: the focus goes to the first new one, or stays at the button. */
export function goOn(items, first, more) {
  const item = items.children[first], link = item && item.querySelector("a, button");
  if (link) return link.focus();
  if (!more.hidden) return more.focus();
  if (item) {
    item.tabIndex = -1;
    item.focus();
  }
}
