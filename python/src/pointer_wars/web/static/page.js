// The page: what is asked, and what is done with the answer. The other modules draw its parts.
import { $, LISTED_MOST, PAGE, ask, busily, button, capital, day, duration, elsewhere, graphName, hops, large, made, note, noun, nouns, number,
  pageOf, parameters, plain, problem, several, state, upper } from "./dom.js";
import { combobox, fill, titleIn } from "./combobox.js";
import { Drawing } from "./drawing.js";
import { append, goOn, heading } from "./list.js";
import { distances } from "./bars.js";
import { measure, offerCosts } from "./costs.js";
import { examples, introduce } from "./start.js";

const CYCLE = "the source is the target: these are the shortest cycles through it";
let drawing = null;           // of the answer
let opened = 0;               // the distance whose column is whole

// The question ----------------------------------------------------------------------------------

function showAvoided() {
  $("avoided").replaceChildren(...state.avoided.map((title, i) => made("li", {}, plain(title), button("×", () => {
    state.avoided.splice(i, 1);
    showAvoided();
    $("without").focus();
    askAgain();
  }, { "aria-label": `Stop avoiding ${plain(title)}` }))));
}

function avoid(title) {
  if (!title) return;
  if (!state.avoided.includes(title)) state.avoided.push(title);
  $("without").value = "";
  showAvoided();
  askAgain();
}
const avoidTyped = () => avoid(titleIn($("without")));

const typed = () => ({ from: titleIn($("from")), to: titleIn($("to")), without: [...state.avoided] });

function askAgain() {
  const question = typed();
  if (question.from && question.to) show(question, { isNew: true });
}

/** Ask for a pair of titles. */
function take(pair) {
  fill($("from"), pair.from.title);
  fill($("to"), pair.to.title);
  askAgain();
}

const EMPTY = { from: "Choose where to start.", to: "Choose where to end." };
const isEmpty = (name) => !$(name).value.trim();

/** Say beside an end that it is empty, or no more. */
function mark(name, is) {
  $(name + "-empty").textContent = is ? EMPTY[name] : "";
  $(name).setAttribute("aria-invalid", String(is));
}

/** Ask what is typed, or say which boxes are empty. */
function submit() {
  const empty = Object.keys(EMPTY).filter(isEmpty);
  for (const name of Object.keys(EMPTY)) mark(name, isEmpty(name));
  if (empty.length) $(empty[0]).focus(); else askAgain();
}

/** Say something, in the place that screen readers follow. */
const say = (...lines) => $("status").replaceChildren(...lines);

const isUnknown = (message, name) => message.includes(`"${name}"`);

/** What went wrong, for each title with buttons for those that may be meant. */
function complain(error, question) {
  const mend = (wrong, title) => {
    if (wrong.parameter === "without") {
      state.avoided = state.avoided.map((name) => (isUnknown(wrong.message, name) ? title : name));
      showAvoided();
    } else if (wrong.parameter in question) fill($(wrong.parameter), title);
    askAgain();
  };
  say(...[error, ...(error.others || [])].flatMap((wrong) => {
    const titles = wrong.suggestions || [];
    const line = problem(wrong.message.replace(/^without: /, "Not through: ").replace(/^no node is called /, `no ${noun()} is called `));
    return titles.length ? [line, made("p", { class: "buttons" }, ...titles.map((title) => button(plain(title), () => mend(wrong, title))))] : [line];
  }));
  $("asked").hidden = true;
  if (state.avoided.length) $("avoiding").hidden = false;
  unfold(true);
  const box = $(error.parameter);
  if (box && !(error.suggestions || []).length) box.focus();
}

/** On a narrow screen the question is one line after the answer; a press shows it whole. */
function unfold(is) {
  $("asked").setAttribute("aria-expanded", String(is));
  document.body.classList.toggle("folded", !is);
}

function fold(answer) {
  const hadFocus = $("question").contains(document.activeElement);
  const without = answer.without.map((node) => plain(node.title)).join(", ");
  $("asked").replaceChildren(made("span", { class: "question" }, made("strong", {}, `${plain(answer.from.title)} → ${plain(answer.to.title)}`),
    without ? `, not through ${without}` : ""), made("span", { class: "change" }, " Change"));
  $("asked").hidden = false;
  unfold(false);
  if (hadFocus && !$("question").offsetParent) $(chosenTab() + "-tab").focus(); // where Enter changes nothing
}

// The answer ------------------------------------------------------------------------------------

function sentence(answer) {
  const ends = [answer.from, answer.to].map((node) => node.title);
  const barred = answer.without.find((node) => ends.includes(node.title));
  if (answer.hops === null && barred) return `There is no path: ${plain(barred.title)} is among the ${nouns()} not to pass.`;
  if (answer.hops === null) return "There is no path.";
  return capital(`${several(answer.count, "shortest path", "shortest paths")} of ${hops(answer.hops)}`);
}

/** Why there is no path: how many nodes the one end reaches, and how many reach the other. */
async function explain({ from, to, without }, turn) {
  const avoided = without.map((node) => node.title);
  if ([from.title, to.title].some((title) => avoided.includes(title))) return;
  try {
    const found = await Promise.all([["from", from.title], ["to", to.title]].map(([direction, of]) =>
      ask("api/histogram", { of, direction, without: avoided })));
    if (turn !== state.asked) return;
    const others = state.meta.nodes - 1, [there, back] = found.map((one) => number(others - one.unreached));
    $("status").append(note(`${plain(from.title)} reaches ${there} of ${several(others, `other ${noun()}`, `other ${nouns()}`)}; ${
      plain(to.title)} is reached from ${back}.`));
  } catch (why) {
    if (!why.error) throw why;
  }
}

/** What was forgiven, but not blanks for underscores. */
function notes(answer, question) {
  const told = [[answer.from, question.from], [answer.to, question.to], ...answer.without.map((node, i) => [node, question.without[i]])];
  return [...told.filter(([node, text]) => node.note && plain(text) !== plain(node.title)).map(([node]) => node.note),
    ...(answer.hops && answer.from.title === answer.to.title ? [CYCLE] : [])];
}

const chosenTab = () => TABS.find((name) => $(name + "-tab").getAttribute("aria-selected") === "true");

function address(question) {
  const name = $("malloc").open ? "costs" : chosenTab();
  return "?" + parameters(question, name === "paths" ? {} : { tab: name });
}

const values = () => ({ ...state.shown, mode: "all", limit: PAGE, ...(opened ? { open: opened } : {}),
  ...(state.through ? { through: state.through } : {}) });

/** Show the answer of a question. isNew: it gets an address of its own. isExample: nobody asked it. */
async function show(question, { isNew = false, isExample = false } = {}) {
  const turn = ++state.asked;
  for (const id of ["answer", "back-line"]) $(id).hidden = true;
  $("tabs").hidden = false;
  for (const id of ["idea", "examples"]) $(id).hidden = !isExample;
  Object.keys(EMPTY).forEach((name) => mark(name, false));
  Object.assign(state, { shown: question, through: null });
  opened = 0;
  if (isNew) {
    $("malloc").open = false;
    if (address(question) !== location.search) history.pushState(null, "", address(question));
  }
  for (const id of ["costs", "longer-paths", "far", "choice"]) $(id).replaceChildren();
  const slow = setTimeout(() => say(note("Searching …")), 300);
  try {
    const answer = await ask("api/path", values());
    if (turn !== state.asked) return;
    clearTimeout(slow);
    showAnswer(answer, question);
    if (!isExample) {
      document.title = `${plain(answer.from.title)} → ${plain(answer.to.title)}`;
      $("avoiding").hidden = false;
      fold(answer);
      wayBack(answer, turn);
    }
    if (answer.hops === null) explain(answer, turn);
  } catch (why) {
    clearTimeout(slow);
    if (turn !== state.asked) return;
    if (!why.error) throw why;
    $("tabs").hidden = true;
    complain(why.error, question);
  }
}

function showAnswer(answer, question) {
  const isFound = answer.hops !== null;
  state.answer = answer;
  say(made("p", { class: "sentence" }, sentence(answer)), ...notes(answer, question).map((line) => note(capital(line))));
  $("looked").textContent = `The search looked at ${several(answer.looked_at.nodes, noun(), nouns())} in ${duration(answer.looked_at.seconds)}.`;
  $("json").href = "api/path?" + parameters(values());
  for (const id of ["drawing", "save", "listed", "longer-tab"]) $(id).hidden = !isFound;
  $("answer").hidden = false;
  if ($("malloc").open) measure();
  drawing = null;
  if (!isFound) return chosenTab() === "longer" ? tab("paths", false) : doFirst(chosenTab());
  drawing = new Drawing($("picture"), answer, opened, { chosen: (box) => choose(box && box.title, box && box.distance), opened: openColumn });
  relist(answer);
  doFirst(chosenTab());
}

async function openColumn(distance) {
  const turn = state.asked;
  opened = distance;
  try {
    const answer = await ask("api/path", { ...state.shown, mode: "all", limit: 1, ...(distance ? { open: distance } : {}) });
    if (turn !== state.asked || opened !== distance) return;
    const was = drawing.chosen, at = drawing.boxes.find((box) => box.element === document.activeElement);
    drawing = new Drawing($("picture"), answer, opened, drawing.tell);
    if (was) drawing.choose(was.title, was.distance);
    drawing.focusColumn(distance || (at ? at.distance : 0));
  } catch (why) {
    if (turn === state.asked && why.error) complain(why.error, state.shown);
  }
}

// The chosen node -------------------------------------------------------------------------------

/** Keep the paths through a title alone; null: all of them. */
async function choose(title, distance) {
  const turn = state.asked;
  state.through = title;
  drawing.choose(title, distance);
  try {
    const answer = await ask("api/path", values());
    if (turn !== state.asked || state.through !== title) return;
    relist(answer);
    $("json").href = "api/path?" + parameters(values());
    $("choice").replaceChildren(...(title ? choice(answer) : []));
  } catch (why) {
    if (turn === state.asked && why.error) complain(why.error, state.shown);
  }
}

/** What can be done with the chosen node. */
function choice(answer) {
  const { title, page_id: page } = answer.through, text = plain(title);
  const isEnd = title === answer.from.title || title === answer.to.title;
  return [made("p", {}, made("strong", {}, text), isEnd ? "" : `: ${large(answer.count)} of ${
    several(state.answer.count, "shortest path leads", "shortest paths lead")} through it, ${hops(answer.through_hops)} from ${plain(answer.from.title)}.`),
  made("p", { class: "buttons" },
    ...(pageOf(page) ? [made("a", { ...elsewhere(pageOf(page)), class: "button" }, `Open the ${noun()}`)] : []),
    ...(isEnd ? [] : [button("Not through it", () => avoid(title)), button("Ask from here", () => take({ from: { title }, to: answer.to }))]),
    button("Show all paths", () => { choose(null); $("paths-tab").focus(); }))];
}

// The list, longer paths, the way back ----------------------------------------------------------

function list(answer) {
  append($("list"), answer, choose);
  const count = $("list").children.length;
  $("listed-title").textContent = heading(answer, count, state.through);
  $("more").hidden = !answer.more || !answer.paths.length || count >= LISTED_MOST;
}

function relist(answer) {
  $("list").replaceChildren();
  list(answer);
}

const more = () => busily($("more"), async (isWanted) => {
  const first = $("list").children.length, through = state.through;
  const answer = await ask("api/path", { ...values(), offset: first });
  if (!isWanted() || through !== state.through) return;
  list(answer);
  goOn($("list"), first, $("more"));
}, (error) => complain(error, state.shown));

async function longer() {
  const place = $("longer-paths"), items = made("ol", { class: "list" }), title = made("p"), failure = made("p", { class: "problem" });
  place.replaceChildren(note("Searching …"));
  const next = button(`${PAGE} more`, () => busily(next, fetchNext, failed), { hidden: "" });
  async function fetchNext(isWanted) {
    const first = items.children.length;
    const answer = await ask("api/longer", { ...state.shown, limit: PAGE, offset: first });
    if (!isWanted()) return;
    failure.textContent = "";
    append(items, answer);
    const count = items.children.length;
    title.textContent = answer.hops === null ? "There are no such paths."
      : `${several(answer.count, "path", "paths")} of ${hops(answer.hops)}${answer.more ? `; the first ${number(count)} are` : ""}:`;
    next.hidden = !answer.more || !answer.paths.length || count >= LISTED_MOST;
    if (first) goOn(items, first, next); else place.replaceChildren(title, items, next, failure);
  }
  function failed(error) {
    failure.textContent = capital(error.message);
    if (!failure.isConnected) place.replaceChildren(failure);
  }
  await busily(next, fetchNext, failed);
}

async function wayBack(answer, turn) {
  const { from, to } = answer, question = { from: to.title, to: from.title, without: answer.without.map((node) => node.title) };
  const link = made("a", { href: address(question) }, `${plain(to.title)} → ${plain(from.title)}`);
  link.addEventListener("click", (event) => { event.preventDefault(); swap(); });
  try {
    const back = await ask("api/path", question);
    if (turn !== state.asked) return;
    $("back").replaceChildren(link, back.hops === null ? ": there is no path." : `: ${hops(back.hops)}.`);
  } catch (why) {
    if (turn !== state.asked || !why.error) return;
    $("back").replaceChildren(link, ": " + capital(why.error.message));
  }
  $("back-line").hidden = false;
}

// Tabs ------------------------------------------------------------------------------------------

const TABS = ["paths", "longer", "far"];
/** What a tab shows, if it is not there yet. */
const FIRST = { longer: () => { if (!$("longer-paths").querySelector("ol")) longer(); },
  far: () => { if (!$("far").querySelector("table")) distances(state.answer); } };
const doFirst = (name) => FIRST[name] && FIRST[name]();

function tab(wanted, focus) {
  const name = TABS.includes(wanted) ? wanted : "paths";
  for (const other of TABS) {
    const element = $(other + "-tab"), isIt = other === name;
    element.setAttribute("aria-selected", String(isIt));
    element.tabIndex = isIt ? 0 : -1;
    $(other + "-panel").hidden = !isIt;
    if (isIt && focus) element.focus();
  }
  if (drawing) drawing.resized();
  if (state.shown) history.replaceState(null, "", address(state.shown));
}

function moveTab(event, name) {
  const there = TABS.filter((other) => !$(other + "-tab").hidden);
  const step = { ArrowRight: 1, ArrowLeft: there.length - 1 }[event.key];
  const place = event.key === "Home" ? 0 : event.key === "End" ? there.length - 1
    : step && (there.indexOf(name) + step) % there.length;
  if (place === undefined) return;
  event.preventDefault();
  tab(there[place], true);
}

// Events ----------------------------------------------------------------------------------------

function swap() {
  const { from, to } = typed();
  fill($("from"), to);
  fill($("to"), from);
  askAgain();
}

/** What the address says. */
async function restore() {
  const found = new URLSearchParams(location.search);
  fill($("from"), found.get("from") || "");
  fill($("to"), found.get("to") || "");
  state.avoided = found.getAll("without");
  showAvoided();
  state.shown = null;
  tab(found.get("tab"), false);
  $("malloc").open = found.get("tab") === "costs" && state.meta.costs;
  $("no-costs").hidden = found.get("tab") !== "costs" || state.meta.costs;
  $("no-costs").textContent = state.meta.no_costs ? capital(`costs cannot be measured: ${state.meta.no_costs}`) : "";
  if (!isEmpty("from") && !isEmpty("to")) return show(typed());
  for (const id of ["answer", "tabs", "asked", "back-line"]) $(id).hidden = true;
  $("avoiding").hidden = !state.avoided.length;
  unfold(true);
  say();
  document.title = document.querySelector("h1").textContent;
  const turn = ++state.asked, pairs = await examples();
  if (turn !== state.asked) return;
  introduce(pairs, take);
  $("idea").hidden = false;
  if (!pairs.length || state.avoided.length || !isEmpty("from") || !isEmpty("to")) return;
  fill($("from"), pairs[0].from.title);
  fill($("to"), pairs[0].to.title);
  if (document.activeElement === $("from")) $("from").select();
  show(typed(), { isExample: true });
}

async function copy() {
  const text = $("copy").textContent;
  try {
    await navigator.clipboard.writeText(new URL(address(state.shown), location.href).href);
    $("copy").textContent = "Copied";
  } catch (why) {
    history.replaceState(null, "", address(state.shown));
    $("copy").textContent = "It is in the address bar";
  }
  setTimeout(() => { $("copy").textContent = text; }, 3000);
}

function save() {
  const place = URL.createObjectURL(drawing.saved());
  made("a", { href: place, download: "paths.svg" }).click();
  setTimeout(() => URL.revokeObjectURL(place), 10000);
}

const closers = [combobox($("from"), () => { $("to").focus(); $("to").select(); }), combobox($("to"), submit), combobox($("without"), avoidTyped)];
$("question").addEventListener("submit", (event) => {
  event.preventDefault();
  closers.forEach((close) => close());
  if (document.activeElement === $("without") && $("without").value.trim()) avoidTyped(); else submit();
});
const pressed = { swap, avoid: avoidTyped, save, copy, more,
  asked: () => unfold($("asked").getAttribute("aria-expanded") === "false"),
  random: () => busily($("random"), async () => take(await ask("api/random")), (error) => complain(error, {})) };
for (const [id, does] of Object.entries(pressed)) $(id).addEventListener("click", () => does());
for (const name of TABS) {
  $(name + "-tab").addEventListener("click", () => { tab(name, true); doFirst(name); });
  $(name + "-tab").addEventListener("keydown", (event) => moveTab(event, name));
}
for (const name of Object.keys(EMPTY)) $(name).addEventListener("input", () => mark(name, false));
$("malloc").addEventListener("toggle", () => {
  if (state.shown) history.replaceState(null, "", address(state.shown));
  if ($("malloc").open && !$("answer").hidden && !$("costs").hasChildNodes()) measure();
});
window.addEventListener("popstate", restore);
new ResizeObserver(() => { if (drawing) drawing.resized(); }).observe($("picture"));

async function begin() {
  try {
    const meta = Object.assign(state.meta, await ask("api/meta"));
    offerCosts();
    $("graph").textContent = `${graphName()}${meta.date ? `, made on ${day(meta.date)}` : ""}: ${several(meta.nodes, noun(), nouns())}, ${
      several(meta.edges, "link", "links")}${meta.without_templates ? "; links of templates were left out" : ""}`;
    document.querySelector("h1").textContent = `How are two ${nouns()} connected?`;
    $("far-title").textContent = `${upper(nouns())} at each distance`;
    $("malloc").hidden = !meta.costs;
  } catch (why) {
    if (why.error) complain(why.error, {});
  }
  restore();
  if (!state.shown) $("from").focus();
}
begin();
