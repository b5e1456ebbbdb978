// What every module uses: elements, numbers in words, questions to the API, and what is shown now.

export const $ = (id) => document.getElementById(id);
export const PAGE = 50;            // paths that are listed at a time
export const LISTED_MOST = 10000;  // paths; the API lists no more
const SVG = "http://www.w3.org/2000/svg";

/** What the page is about. asked counts questions, so that a late answer is not shown. */
export const state = {
  meta: { nodes: 0, edges: 0, noun: ["node", "nodes"], wiki: null, date: null, address: null, name: "", title: "" },
  avoided: [],    // titles
  shown: null,    // the question that is answered: {from, to, without}
  answer: null,   // its answer
  through: null,  // the title of the chosen node
  asked: 0,
};

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** An element with attributes and children, which are elements or texts. Texts are never HTML. */
export const made = (name, attributes = {}, ...children) =>
  filled(document.createElement(name), attributes, children);

/** An element of SVG, made as by the function above. */
export const drawn = (name, attributes = {}, ...children) =>
  filled(document.createElementNS(SVG, name), attributes, children);

/** A button that does something. */
export function button(text, does, attributes = {}) {
  const element = made("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", does);
  return element;
}

export const number = (value) => Number(value).toLocaleString("en");

/** A number of paths: with commas, or as a power of ten; "more than 3.4e38" stays. */
export function large(digits) {
  if (!/^[0-9]+$/.test(digits)) return digits;
  if (digits.length <= 15) return number(digits);
  return `about ${digits[0]}.${digits[1]} × 10^${digits.length - 1}`;
}

export const several = (count, one, many) => `${typeof count === "string" ? large(count) : number(count)} ${
  String(count) === "1" ? one : many}`;
export const hops = (count) => several(count, "hop", "hops");
/** The words for one node, and for several. */
export const noun = () => state.meta.noun[0];
export const nouns = () => state.meta.noun[1];
/** How a title is shown: its underscores are blanks. */
export const plain = (title) => title.replaceAll("_", " ").trim() || title;
export const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** A line as a sentence. */
export const capital = (text) => upper(text) + (/[.?!]$/.test(text) ? "" : ".");
export const problem = (text) => made("p", { class: "problem" }, capital(text));
export const note = (text) => made("p", { class: "note" }, text);

export function duration(seconds) {
  if (seconds < 1e-3) return `${(seconds * 1e6).toFixed(0)} µs`;
  if (seconds < 1) return `${(seconds * 1e3).toPrecision(3)} ms`;
  return `${seconds.toPrecision(3)} s`;
}

export function day(text) {
  const date = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(text || "");
  if (!date) return text;
  return new Date(Date.UTC(date[1], date[2] - 1, date[3])).toLocaleDateString(
    "en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
}

/** What the graph is called: as bfs-web was told, as its wiki, or as its file without its ending. */
export const graphName = () => state.meta.title || state.meta.wiki || plain(
  state.meta.name.replace(/\.(gz|bz2|xz|zst)$/, "").replace(/(?<=.)\.[a-z]+$/i, ""));

/** The address of a title's page in the wiki; null if it is not known. */
export const pageOf = (page) => (state.meta.address && page ? state.meta.address + page : null);
export const elsewhere = (address) => ({ href: address, target: "_blank", rel: "noopener noreferrer" });

export function parameters(question, more = {}) {
  const found = new URLSearchParams();
  for (const [key, value] of Object.entries({ ...question, ...more })) {
    for (const item of Array.isArray(value) ? value : [value]) found.append(key, item);
  }
  return found;
}

/** The JSON of an answer; an Error with .error, the API's, for a refusal. */
export async function ask(place, values = {}, signal = undefined) {
  const query = parameters(values).toString();
  let answer;
  try {
    answer = await fetch(place + (query ? "?" + query : ""), { signal });
  } catch (why) {
    if (why.name === "AbortError") throw why;
    throw Object.assign(new Error(), { error: { code: "gone", message: "the server does not answer; is bfs-web still running?" } });
  }
  const content = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(content.error.message), { error: content.error });
  return content;
}

/** True from when a button was pressed until its work is done; the focus stays on it. */
const isBusy = (pressed) => pressed.getAttribute("aria-disabled") === "true";

/** Do what a button is for, unless it is being done. A refusal goes to failed(error), unless
    another question was asked meanwhile. */
export async function busily(pressed, work, failed) {
  if (isBusy(pressed)) return;
  const turn = state.asked;
  pressed.setAttribute("aria-disabled", "true");
  try {
    await work(() => turn === state.asked);
  } catch (why) {
    if (!why.error) throw why;
    if (turn === state.asked) failed(why.error);
  } finally {
    pressed.setAttribute("aria-disabled", "false");
  }
}
