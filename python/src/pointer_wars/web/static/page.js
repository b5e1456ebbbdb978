// The page: two boxes, an answer, a drawing. Every text of the graph is set as text, never as HTML.
"use strict";

const $ = (id) => document.getElementById(id);
const PAGE = 50;              // paths that are listed at a time
const LONG = 30;              // of a longer path the list has this many at both ends
const LISTED_MOST = 10000;    // paths; the API lists no more
const CYCLE = "the source is the target: these are the shortest cycles through it";
const SVG = "http://www.w3.org/2000/svg";
let meta = { nodes: 0, edges: 0, wiki: null, date: null, address: null, name: "" };
let avoided = [];             // titles
let shown = null;             // the question that is answered: {from, to, without}
let asked = 0;                // counts questions, so that a late answer is not shown

// Small helpers ---------------------------------------------------------------------------------

/** An element with attributes and children, which are elements or texts. */
function made(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** An element of SVG, made as by the function above. */
function drawn(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const number = (value) => Number(value).toLocaleString("en");

/** A number of any length: with commas, or as a power of ten. */
function large(digits) {
  if (digits.length <= 15) return number(digits);
  return `about ${digits[0]}.${digits[1]} × 10^${digits.length - 1}`;
}

const several = (count, one, many) => `${typeof count === "string" ? large(count) : number(count)} ${
  String(count) === "1" ? one : many}`;

function duration(seconds) {
  if (seconds < 1e-3) return `${(seconds * 1e6).toFixed(0)} µs`;
  if (seconds < 1) return `${(seconds * 1e3).toPrecision(3)} ms`;
  return `${seconds.toPrecision(3)} s`;
}

function day(text) {
  const date = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(text || "");
  if (!date) return text;
  return new Date(Date.UTC(date[1], date[2] - 1, date[3])).toLocaleDateString(
    "en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
}

function parameters(question, more = {}) {
  const found = new URLSearchParams();
  for (const [key, value] of Object.entries({ ...question, ...more })) {
    for (const item of Array.isArray(value) ? value : [value]) found.append(key, item);
  }
  return found;
}

/** The JSON of an answer; an Error with .error, the API's, for a refusal. */
async function ask(place, values = {}, signal = undefined) {
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

const articles = () => (meta.wiki ? "articles" : "nodes");

/** A title, as a link to its page where the wiki is known. */
function titled(title, page) {
  return meta.address && page
    ? made("a", { href: meta.address + page, target: "_blank", rel: "noopener noreferrer" }, title)
    : made("span", {}, title);
}

// The combobox: W3C's pattern "editable combobox with list autocomplete" -------------------------

/** chosen(): called when a title was taken from the list. */
function combobox(input, chosen) {
  const list = $(input.id + "-list");
  let titles = [], active = -1, asking = null, timer = 0;

  function close() {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    if (asking) asking.abort();
    clearTimeout(timer);
  }
  function choose(index) {
    input.value = titles[index];
    close();
    chosen();
  }
  function activate(index) {
    active = index;
    [...list.children].forEach((option, i) => option.setAttribute("aria-selected", String(i === index)));
    if (index < 0) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", list.children[index].id);
    list.children[index].scrollIntoView({ block: "nearest" });
  }
  function open(found) {
    titles = found;
    list.replaceChildren(...titles.map((title, i) => {
      const option = made("li", { role: "option", id: `${list.id}-${i}`, "aria-selected": "false" }, title);
      option.addEventListener("mousedown", (event) => { event.preventDefault(); choose(i); });
      return option;
    }));
    list.hidden = titles.length === 0;
    input.setAttribute("aria-expanded", String(titles.length > 0));
    activate(-1);
  }
  async function suggest() {
    if (asking) asking.abort();
    if (!input.value.trim()) return close();
    asking = new AbortController();
    const typed = input.value;
    try {
      const found = (await ask("api/complete", { q: typed }, asking.signal)).titles;
      if (input.value === typed && document.activeElement === input) open(found);
    } catch (why) { // without suggestions the box still works
    }
  }
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(suggest, 60); });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", async (event) => {
    const count = titles.length, isOpen = !list.hidden;
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (!isOpen) await suggest();
      if (list.hidden || (event.altKey && !isOpen)) return; // with Alt it only opens
      const last = titles.length - 1;
      if (event.key === "ArrowDown") activate(active < last ? active + 1 : 0);
      else activate(active > 0 ? active - 1 : last);
    } else if (event.key === "Enter" && isOpen && active >= 0 && active < count) {
      event.preventDefault();
      choose(active);
    } else if (event.key === "Escape") {
      if (isOpen) close(); else input.value = "";
      event.preventDefault();
    } else if (event.key === "Tab" && isOpen && active >= 0) {
      choose(active);
    } else if (event.key === "Enter") {
      close();
    } else if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) {
      activate(-1);
    }
  });
  return close;
}

// The avoid list --------------------------------------------------------------------------------

function showAvoided() {
  $("avoided").replaceChildren(...avoided.map((title, i) => {
    const remove = made("button", { type: "button", "aria-label": `Stop avoiding ${title}` }, "×");
    remove.addEventListener("click", () => {
      avoided.splice(i, 1);
      showAvoided();
      $("without").focus();
      askAgain();
    });
    return made("li", {}, title, remove);
  }));
}

function avoid() {
  const title = $("without").value.trim();
  if (!title) return;
  if (!avoided.includes(title)) avoided.push(title);
  $("without").value = "";
  showAvoided();
  askAgain();
}

// The answer ------------------------------------------------------------------------------------

const typed = () => ({ from: $("from").value.trim(), to: $("to").value.trim(), without: [...avoided] });

function askAgain() {
  const question = typed();
  if (question.from && question.to) show(question, true);
}

/** Ask what is typed, or say which box is empty. */
function submit() {
  const empty = ["from", "to"].find((name) => !$(name).value.trim());
  if (!empty) return askAgain();
  complain({ message: `type a title into the box ${empty === "from" ? "From" : "To"}`, parameter: empty }, {});
}

/** Say something, in the place that screen readers follow. */
function say(...lines) {
  $("status").replaceChildren(...lines);
}

/** What went wrong, with buttons for the titles that may be meant. */
function complain(error, question) {
  const line = made("p", { class: "problem" }, capital(error.message.replace(/^without: /, "Not through: ")));
  const titles = error.suggestions || [];
  const buttons = made("p", { class: "buttons" }, ...titles.map((title) => {
    const button = made("button", { type: "button" }, title);
    button.addEventListener("click", () => {
      if (error.parameter === "without") {
        avoided = avoided.map((name) => (unknown(error.message, name) ? title : name));
        showAvoided();
      } else if (error.parameter in question) $(error.parameter).value = title;
      askAgain();
    });
    return button;
  }));
  say(line, ...(titles.length ? [buttons] : []));
  const box = $(error.parameter);
  if (box && !titles.length) box.focus();
}

const unknown = (message, name) => message.includes(`"${name}"`);
const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** A line as a sentence. */
const capital = (text) => upper(text) + (/[.?!]$/.test(text) ? "" : ".");

/** True from when a button was pressed until its work is done; the focus stays on it. */
const isBusy = (button) => button.getAttribute("aria-disabled") === "true";
const busy = (button, is) => button.setAttribute("aria-disabled", String(is));

function sentence(answer) {
  const looked = answer.looked_at;
  const where = [meta.wiki, meta.date && `of ${day(meta.date)}`].filter(Boolean).join(" ");
  const end = `${several(looked.nodes, meta.wiki ? "article" : "node", articles())} looked at in ${
    duration(looked.seconds)}${where ? "; " + where : ""}`;
  const ends = [answer.from, answer.to].map((node) => node.title);
  const barred = answer.without.find((node) => ends.includes(node.title));
  if (answer.hops === null && barred) return `There is no path: ${barred.title} is among the ${articles()} not to pass.`;
  if (answer.hops === null) return `There is no path; ${end}.`;
  return `${several(answer.hops, "hop", "hops")}; ${several(answer.count, "shortest path", "shortest paths")}; ${end}.`;
}

function address(question) {
  const tab = $("costs-tab").getAttribute("aria-selected") === "true" ? { tab: "costs" } : {};
  return "?" + parameters(question, tab);
}

async function show(question, push) {
  const turn = ++asked;
  $("answer").hidden = true;
  $("tabs").hidden = !meta.costs;
  shown = question;
  if (push) history.pushState(null, "", address(question));
  $("costs").replaceChildren();
  const slow = setTimeout(() => say(made("p", { class: "note" }, "Searching …")), 300);
  try {
    const values = { ...question, mode: "all", limit: PAGE };
    const answer = await ask("api/path", values);
    clearTimeout(slow);
    if (turn !== asked) return;
    const notes = [answer.from, answer.to, ...answer.without].map((node) => node.note).filter(Boolean);
    document.title = `${answer.from.title} → ${answer.to.title}`;
    say(made("p", { class: "sentence" }, sentence(answer)),
      ...[...notes, ...(answer.hops && answer.from.title === answer.to.title ? [CYCLE] : [])].map(
        (note) => made("p", { class: "note" }, capital(note))));
    $("json").href = "api/path?" + parameters(values);
    for (const id of ["drawing", "save", "listed", "longer"]) $(id).hidden = answer.hops === null;
    $("longer-paths").replaceChildren();
    if (answer.hops !== null) {
      $("picture").replaceChildren(picture(answer));
      $("picture").scrollLeft = 0; // to the source
      $("list").replaceChildren();
      list(answer);
    }
    offerDistances(answer);
    $("answer").hidden = false;
    wayBack(question, turn);
  } catch (why) {
    clearTimeout(slow);
    if (turn !== asked) return;
    if (!why.error) throw why;
    complain(why.error, question);
  }
}

/** Append paths to a list. */
function append(items, answer) {
  const before = items.children.length;
  answer.paths.forEach((path, i) => {
    const titles = made("span");
    path.forEach((title, k) => {
      if (path.length > 2 * LONG && k >= LONG && k < path.length - LONG) {
        if (k === LONG) titles.append(made("span", { class: "arrow" }, ` → … ${number(path.length - 2 * LONG)} more …`));
        return;
      }
      if (k) titles.append(made("span", { class: "arrow" }, " → "));
      titles.append(titled(title, answer.page_ids[i][k]));
    });
    items.append(made("li", {}, made("span", { class: "number" }, number(before + i + 1)), titles));
  });
}

function list(answer) {
  const before = $("list").children.length;
  append($("list"), answer);
  const count = before + answer.paths.length;
  $("listed-title").textContent = answer.paths.length || before
    ? `Paths (${number(count)} of ${large(answer.count)})`
    : `Paths: each has ${number(answer.hops + 1)} ${articles()}, too many to list`;
  $("more").hidden = !answer.more || !answer.paths.length || count >= LISTED_MOST;
}

async function longer() {
  const turn = asked, place = $("longer-paths");
  place.replaceChildren(made("p", { class: "note" }, "Searching …"));
  const items = made("ol", { class: "list" }), title = made("p"), failure = made("p", { class: "problem" });
  const button = made("button", { type: "button", hidden: "" }, `${PAGE} more`);
  async function next() {
    const first = items.children.length;
    const answer = await ask("api/longer", { ...shown, limit: PAGE, offset: first });
    if (turn !== asked) return;
    failure.textContent = "";
    append(items, answer);
    const count = items.children.length;
    title.textContent = answer.hops === null ? "There are none."
      : `${several(answer.count, "path", "paths")} of ${several(answer.hops, "hop", "hops")}${answer.more ? `; the first ${number(count)} are` : ""}:`;
    button.hidden = !answer.more || !answer.paths.length || count >= LISTED_MOST;
    if (first) goOn(items, first, button); else place.replaceChildren(title, items, button, failure);
  }
  async function tried() {
    if (isBusy(button)) return;
    busy(button, true);
    try {
      await next();
    } catch (why) {
      if (!why.error) throw why;
      if (turn === asked) failure.textContent = capital(why.error.message);
      if (turn === asked && !failure.isConnected) place.replaceChildren(failure);
    } finally {
      busy(button, false);
    }
  }
  button.addEventListener("click", tried);
  await tried();
}

async function wayBack(question, turn) {
  $("back").textContent = "";
  const link = made("a", { href: address({ from: question.to, to: question.from, without: question.without }) },
    `${question.to} → ${question.from}`);
  link.addEventListener("click", (event) => { event.preventDefault(); swap(); });
  try {
    const answer = await ask("api/path", { ...question, from: question.to, to: question.from });
    if (turn !== asked) return;
    $("back").replaceChildren(link, answer.hops === null ? ": there is no path." : `: ${several(answer.hops, "hop", "hops")}.`);
  } catch (why) {
    if (turn === asked && why.error) $("back").replaceChildren(link, ": " + capital(why.error.message));
  }
}

// Bars ------------------------------------------------------------------------------------------

/** A row of a table with a bar. interval: two values, or null. */
function bar(label, value, most, text, interval = null) {
  const scale = (x) => `${Math.max(0.3, 100 * x / (most || 1)).toFixed(2)}%`;
  const image = drawn("svg", { "aria-hidden": "true", height: 16 },
    drawn("rect", { class: "bar", x: 0, y: 2, height: 12, width: scale(value), rx: 2 }));
  if (interval) { // a cut end has no stroke across it
    image.append(drawn("line", { class: "interval", x1: scale(interval[0]), x2: scale(Math.min(interval[1], most)), y1: 8, y2: 8 }));
    for (const x of interval.filter((end) => end <= most)) image.append(drawn("line", { class: "interval", x1: scale(x), x2: scale(x), y1: 3, y2: 13 }));
  }
  return made("tr", {}, made("th", { scope: "row", class: "count" }, label),
    made("td", { class: "count" }, text), made("td", {}, image));
}

function offerDistances(answer) {
  $("far").replaceChildren();
  const choices = [["from", answer.from, `from ${answer.from.title}`], ["to", answer.to, `to ${answer.to.title}`]];
  $("far-choice").replaceChildren(...choices.map(([direction, node, text]) => {
    const button = made("button", { type: "button" }, `Count them ${text}`);
    button.addEventListener("click", () => distances(direction, shown[direction], text));
    return button;
  }));
}

async function distances(direction, title, text) {
  const turn = asked;
  $("far").replaceChildren(made("p", { class: "note" }, "Counting …"));
  try {
    const answer = await ask("api/histogram", { of: title, direction, without: shown.without });
    if (turn !== asked) return;
    const most = Math.max(...answer.counts);
    const rows = answer.counts.slice(0, 100).map((count, hops) => bar(number(hops), count, most, number(count)));
    const left = answer.more || answer.counts.length > rows.length ? "; larger distances are not shown" : "";
    $("far").replaceChildren(
      made("table", { class: "bars" }, made("caption", { class: "note" }, `${upper(articles())} at each distance ${text}`),
        made("tbody", {}, ...rows)),
      made("p", { class: "note" }, `${number(answer.unreached)} cannot be reached${
        answer.mean === null ? "" : `; the others are ${answer.mean.toFixed(2)} hops away on average`}${left}.`));
  } catch (why) {
    if (turn === asked && why.error) $("far").replaceChildren(made("p", { class: "problem" }, capital(why.error.message)));
  }
}

// The drawing -----------------------------------------------------------------------------------

const ROW = 34, BOX = 26, GAP = 64, LETTERS = 30;
const SMALLEST = 0.75; // a drawing is made smaller to fit, but not below this share
const measure = document.createElement("canvas").getContext("2d");
const short = (text) => ([...text].length > LETTERS ? [...text].slice(0, LETTERS - 1).join("") + "…" : text);

/** The graph of all shortest paths, in columns by distance. */
function picture(answer) {
  measure.font = "13px system-ui, sans-serif";
  const graph = answer.graph, columns = graph.columns;
  const heights = columns.map((column) => column.nodes.length + (column.size > column.nodes.length));
  const height = Math.max(...heights) * ROW + 20, gap = columns.length > 6 ? GAP / 2 : GAP;
  let x = 10;
  const lefts = [], widths = [];
  columns.forEach((column, c) => {
    const width = Math.max(70, ...column.nodes.map((node) => measure.measureText(short(node.title)).width)) + 24;
    widths.push(width);
    lefts.push(x);
    x += width + gap;
    if (graph.skipped && c + 1 === graph.skipped_after) x += 120;
  });
  const width = x - gap + 10;
  const middle = (c, row) => height / 2 + (row - (heights[c] - 1) / 2) * ROW;
  const image = drawn("svg", { xmlns: SVG, width: Math.ceil(width), height, viewBox: `0 0 ${Math.ceil(width)} ${height}`,
    "font-family": "sans-serif", role: "group", "aria-label": `${several(answer.count, "shortest path", "shortest paths")} from ${
      answer.from.title} to ${answer.to.title}` });
  if (width * SMALLEST < document.body.clientWidth) { // a wider one is scrolled
    image.classList.add("fits");
    image.style.maxWidth = `${Math.ceil(width)}px`;
  }
  for (const [c, i, k] of graph.links) {
    const [x1, y1, x2, y2] = [lefts[c - 1] + widths[c - 1], middle(c - 1, i), lefts[c], middle(c, k)];
    const half = (x2 - x1) / 2;
    image.append(drawn("path", { class: "link", d: `M${x1} ${y1}C${x1 + half} ${y1} ${x2 - half} ${y2} ${x2} ${y2}` }));
  }
  columns.forEach((column, c) => {
    const isEnd = c === 0 || c === columns.length - 1;
    column.nodes.forEach((node, row) => {
      const y = middle(c, row);
      const box = drawn("g", { class: isEnd ? "node end" : "node" }, drawn("title", {}, node.title),
        drawn("rect", { x: lefts[c], y: y - BOX / 2, width: widths[c], height: BOX, rx: 6 }),
        drawn("text", { x: lefts[c] + widths[c] / 2, y: y + 4.5, "text-anchor": "middle" }, short(node.title)));
      image.append(meta.address && node.page_id
        ? drawn("a", { href: meta.address + node.page_id, target: "_blank", rel: "noopener noreferrer" }, box) : box);
    });
    const rest = column.size - column.nodes.length;
    if (rest > 0) {
      image.append(drawn("text", { class: "rest", x: lefts[c] + widths[c] / 2, y: middle(c, column.nodes.length) + 4.5,
        "text-anchor": "middle" }, `and ${number(rest)} more`));
    }
    if (graph.skipped && c + 1 === graph.skipped_after) {
      image.append(drawn("text", { class: "rest", x: lefts[c] + widths[c] + 60 + gap / 2, y: height / 2 + 4.5,
        "text-anchor": "middle" }, `… ${number(graph.skipped)} more steps …`));
    }
  });
  return image;
}

/** Save the drawing, with its colours as attributes, because a file of its own has no style sheet. */
function save() {
  const image = $("picture").querySelector("svg"), copy = image.cloneNode(true);
  const from = image.querySelectorAll("*"), to = copy.querySelectorAll("*");
  from.forEach((element, i) => {
    if (!["path", "rect", "text"].includes(element.tagName)) return;
    const style = getComputedStyle(element);
    for (const name of ["fill", "stroke", "stroke-opacity", "font-size"]) to[i].setAttribute(name, style.getPropertyValue(name));
  });
  copy.removeAttribute("style");
  copy.insertBefore(drawn("rect", { width: "100%", height: "100%", fill: getComputedStyle(document.body).backgroundColor }), copy.firstChild);
  const place = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
  const link = made("a", { href: place, download: "paths.svg" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(place), 10000);
}

// What each malloc costs ------------------------------------------------------------------------

function speeds(rows) {
  const [first, ...others] = rows;
  return others.map((row) => {
    const interval = `${row.speed_low.toPrecision(3)} to ${row.speed_high.toPrecision(3)}`;
    if (row.speed_low <= 1 && row.speed_high >= 1) {
      return `${row.allocator} shows no difference from ${first.allocator} (${interval} times as fast)`;
    }
    if (row.speed < 1) {
      return `${row.allocator} takes ${(1 / row.speed).toPrecision(2)} times as long as ${first.allocator} (${
        (1 / row.speed_high).toPrecision(2)} to ${(1 / row.speed_low).toPrecision(2)})`;
    }
    return `${row.allocator} is ${row.speed.toPrecision(3)} times as fast as ${first.allocator} (${interval})`;
  }).join("; ");
}

function costTable(title, rows, value, text, interval = () => null) {
  const longest = Math.max(...rows.map(value)); // an interval that is far longer is cut off
  const most = Math.min(1.5 * longest, Math.max(longest, ...rows.flatMap((row) => interval(row) || [])));
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

function showCosts(answer) {
  const rows = answer.rows, late = rows.filter((row) => row.unfinished);
  const parts = [made("p", { class: "sentence" }, capital(`${answer.engine} took ${number(answer.visited)} nodes from its queue`)),
    ...(shown.without.length ? [made("p", { class: "note" }, "This search does not avoid any nodes.")] : []),
    ...late.map((row) => made("p", { class: "problem" }, `With ${row.allocator} ${several(row.unfinished, "run", "runs")} took too long and had to be ended.`))];
  if (rows.every((row) => row.seconds_median !== null && row.speed !== null)) {
    parts.push(made("p", {}, capital(speeds(rows))),
      costTable(`Time of a search: the median of ${answer.rounds} runs; the line is the interval that holds it with ${
        Math.round(100 * answer.confidence)} % confidence`, rows, (row) => row.seconds_median,
      (row) => duration(row.seconds_median), (row) => [row.seconds_min, row.seconds_max]));
  }
  parts.push(costTable("Calls of malloc", rows, (row) => row.malloc_calls || 0, (row) => number(row.malloc_calls || 0)),
    costTable("Bytes per list node", rows, (row) => row.node_bytes || 0, (row) => number(row.node_bytes || 0)));
  if (answer.queue) parts.push(curve(answer.queue, answer.visited));
  $("costs").replaceChildren(...parts);
}

$("costs-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!shown) return $("costs").replaceChildren(made("p", { class: "problem" }, "Ask a question first."));
  const turn = asked, button = $("costs-form").querySelector("button");
  const alloc = [...$("allocators").querySelectorAll("input:checked")].map((box) => box.value);
  if (alloc.length < 2 || alloc.length > meta.compared) {
    return $("costs").replaceChildren(made("p", { class: "problem" }, "Choose two or three allocators."));
  }
  if (isBusy(button)) return undefined;
  busy(button, true);
  $("costs").replaceChildren(made("p", { class: "note" }, "Running; this takes some seconds, on a large graph a minute …"));
  try {
    const answer = await ask("api/costs", { from: shown.from, to: shown.to, alloc, engine: $("engine").value });
    if (turn === asked) showCosts(answer);
  } catch (why) {
    if (turn === asked && why.error) $("costs").replaceChildren(made("p", { class: "problem" }, capital(why.error.message)));
  } finally {
    busy(button, false);
  }
});

// Tabs ------------------------------------------------------------------------------------------

const TABS = ["paths", "costs"];
function tab(wanted, focus) {
  const name = wanted === "costs" && !meta.costs ? "paths" : wanted;
  for (const other of TABS) {
    const button = $(other + "-tab"), isIt = other === name;
    button.setAttribute("aria-selected", String(isIt));
    button.tabIndex = isIt ? 0 : -1;
    $(other + "-panel").hidden = !isIt;
    if (isIt && focus) button.focus();
  }
  if (shown) history.replaceState(null, "", address(shown));
}

// Events ----------------------------------------------------------------------------------------

function swap() {
  [$("from").value, $("to").value] = [$("to").value, $("from").value];
  askAgain();
}

/** What the address says. */
function restore() {
  const found = new URLSearchParams(location.search);
  $("from").value = found.get("from") || "";
  $("to").value = found.get("to") || "";
  avoided = found.getAll("without");
  showAvoided();
  shown = null;
  tab(found.get("tab") === "costs" ? "costs" : "paths", false);
  $("no-costs").hidden = found.get("tab") !== "costs" || meta.costs;
  $("no-costs").textContent = meta.no_costs ? capital(`costs cannot be measured: ${meta.no_costs}`) : "";
  if ($("from").value && $("to").value) return show(typed(), false);
  ++asked;
  $("answer").hidden = true;
  say();
}

const closers = [combobox($("from"), () => $("to").focus()), combobox($("to"), () => askAgain()), combobox($("without"), avoid)];
$("question").addEventListener("submit", (event) => {
  event.preventDefault();
  closers.forEach((close) => close());
  if (document.activeElement === $("without") && $("without").value.trim()) avoid(); else submit();
});
$("swap").addEventListener("click", swap);
$("avoid").addEventListener("click", avoid);
$("save").addEventListener("click", save);
$("skip").addEventListener("click", () => $("copy").focus());
$("find-longer").addEventListener("click", longer);
$("random").addEventListener("click", async () => {
  try {
    const pair = await ask("api/random");
    $("from").value = pair.from.title;
    $("to").value = pair.to.title;
    askAgain();
  } catch (why) {
    if (why.error) complain(why.error, {});
  }
});
/** After more paths were listed: the focus goes to the first new one, or stays at the button. */
function goOn(items, first, button) {
  const item = items.children[first], link = item && item.querySelector("a");
  if (link) return link.focus();
  if (!button.hidden) return button.focus();
  if (item) {
    item.tabIndex = -1;
    item.focus();
  }
}
$("more").addEventListener("click", async () => {
  const turn = asked, first = $("list").children.length;
  if (isBusy($("more"))) return;
  busy($("more"), true);
  try {
    const answer = await ask("api/path", { ...shown, mode: "all", limit: PAGE, offset: first });
    if (turn !== asked) return;
    list(answer);
    goOn($("list"), first, $("more"));
  } catch (why) {
    if (why.error) complain(why.error, shown);
  } finally {
    busy($("more"), false);
  }
});
$("copy").addEventListener("click", async () => {
  const text = $("copy").textContent;
  try {
    await navigator.clipboard.writeText(location.href);
    $("copy").textContent = "Copied";
  } catch (why) {
    $("copy").textContent = "It is in the address bar";
  }
  setTimeout(() => { $("copy").textContent = text; }, 3000);
});
for (const name of TABS) {
  $(name + "-tab").addEventListener("click", () => tab(name, true));
  $(name + "-tab").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: TABS.length - 1 }[event.key];
    const place = event.key === "Home" ? 0 : event.key === "End" ? TABS.length - 1
      : step && (TABS.indexOf(name) + step) % TABS.length;
    if (place === undefined) return;
    event.preventDefault();
    tab(TABS[place], true);
  });
}
window.addEventListener("popstate", restore);

(async () => {
  try {
    meta = await ask("api/meta");
    $("allocators").append(...meta.allocators.map((name, i) => made("label", {},
      made("input", { type: "checkbox", value: name, ...(i < meta.compared ? { checked: "" } : {}) }), name)));
    $("graph").textContent = [meta.wiki || meta.name, meta.date && `of ${day(meta.date)}`].filter(Boolean).join(" ") +
      `: ${number(meta.nodes)} ${articles()}, ${number(meta.edges)} links${meta.without_templates ? "; links of templates were left out" : ""}`;
    if (!meta.wiki) {
      document.title = document.querySelector("h1").textContent = "How are two nodes connected?";
    }
    $("far-title").textContent = `${upper(articles())} at each distance`;
  } catch (why) {
    if (why.error) complain(why.error, {});
  }
  restore();
  if (!shown) $("from").focus();
})();
