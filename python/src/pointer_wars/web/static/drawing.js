// The drawing of all shortest paths, in SVG: a column per distance, or a row if columns do not fit.
//
// 1. model(): nodes with their links, in an order in which few links cross (order.js).
// 2. across(), downwards(): where each box is.
// 3. Drawing: what it shows. It answers to hover, focus, tap and keys: all paths through a node are
//    lit. One node is in the order of Tab; arrows lead to the others.
import { drawn, hops, nouns, number, plain, several } from "./dom.js";
import { ordered } from "./order.js";

const FONT = 15, PAD = 10;                  // pixels: of letters; between a box and its text
const BOX = 34, ROW = 44, HEAD = 30;        // heights of a box, a row, and a column's heading
const GAP = 40, GAP_MOST = 240;             // between columns
const TEXT_LEAST = 80;                      // width of a title
const TOUCH = 44, NARROW = 640;             // height of a box on a narrow screen, and its width
const DOWN_MOST = 8;                        // nodes of a row
const canvas = document.createElement("canvas").getContext("2d");

/** How far along a distance is, from blue (the source) to orange (the target): a hue. */
export const hue = (distance, last) => Math.round(215 - 190 * distance / Math.max(1, last));

const textWidth = (text) => canvas.measureText(text).width;

/** As much of a text as a width has room for. */
function fitted(text, width) {
  if (textWidth(text) <= width) return text;
  const letters = [...text];
  let low = 1, high = letters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(letters.slice(0, middle).join("") + "…") <= width) low = middle; else high = middle - 1;
  }
  return letters.slice(0, low).join("").trimEnd() + "…";
}

/** The columns, each with its distance and boxes: nodes, and one for those that are not shown. */
function model(answer, most, opened) {
  const graph = answer.graph, last = answer.hops;
  const distance = (c) => (graph.skipped && c >= graph.skipped_after ? c + graph.skipped : c);
  const columns = graph.columns.map((column, c) => column.nodes.map((node, i) => ({
    c, i, distance: distance(c), title: node.title, text: plain(node.title), pageId: node.page_id, up: [], down: [], links: [] })));
  for (const [c, i, k] of graph.links) {
    columns[c - 1][i].down.push(columns[c][k]);
    columns[c][k].up.push(columns[c - 1][i]);
  }
  const isWhole = (c) => opened > 0 && distance(c) === opened;
  const degree = (node) => node.up.length + node.down.length;
  const kept = columns.map((nodes, c) => (isWhole(c) ? nodes
    : [...nodes].sort((one, two) => degree(two) - degree(one)).slice(0, most).sort((one, two) => one.i - two.i)));
  const places = new Map(kept.flatMap((nodes) => nodes.map((node, i) => [node, i])));
  for (const node of places.keys()) {
    node.up = node.up.filter((other) => places.has(other));
    node.down = node.down.filter((other) => places.has(other));
  }
  const links = [...places.keys()].flatMap((node) => node.up.map((other) => [node.c, places.get(other), places.get(node)]));
  const order = ordered(kept.map((nodes) => nodes.length), links);
  return kept.map((nodes, c) => {
    const boxes = [...nodes].sort((one, two) => order[c][places.get(one)] - order[c][places.get(two)]);
    const rest = graph.columns[c].size - nodes.length;
    const isOpen = isWhole(c);
    if (rest || isOpen) boxes.push({ c, distance: distance(c), rest, isOpen, text: isOpen ? "show fewer" : `and ${number(rest)} more`, up: [], down: [], links: [] });
    return { distance: distance(c), isEnd: distance(c) === 0 || distance(c) === last, size: graph.columns[c].size, boxes,
      head: distance(c) === 0 ? "from" : distance(c) === last ? `to, ${hops(last)}` : `${hops(distance(c))} · ${number(graph.columns[c].size)}`,
      isSkipped: graph.skipped > 0 && c + 1 === graph.skipped_after };
  });
}

/** Places of boxes in columns from left to right; null if there is no room for them. */
function across(columns, room) {
  const wanted = columns.map(({ head, boxes }) => Math.max(textWidth(head) - 2 * PAD, 40, ...boxes.map((box) => textWidth(box.text) + 2)));
  const spare = room - 2 - 2 * PAD * columns.length - GAP * (columns.length - 1);
  let most = Math.max(...wanted);
  const sum = (cap) => wanted.reduce((total, width) => total + Math.min(width, cap), 0);
  while (most > TEXT_LEAST && sum(most) > spare) most -= 2;
  if (sum(most) > spare) return null;
  const widths = wanted.map((width) => Math.min(width, most) + 2 * PAD);
  const left = room - 2 - widths.reduce((total, width) => total + width, 0);
  const gap = Math.min(GAP_MOST, Math.max(GAP, left / Math.max(1, columns.length - 1)));
  const height = HEAD + Math.max(...columns.map(({ boxes }) => boxes.length)) * ROW;
  let x = 1;
  columns.forEach((column, c) => {
    const top = HEAD + (height - HEAD - column.boxes.length * ROW) / 2;
    column.boxes.forEach((box, row) => Object.assign(box, { x, y: top + row * ROW + (ROW - BOX) / 2, width: widths[c], height: BOX, row }));
    column.label = { x: x + widths[c] / 2, y: 14, "text-anchor": "middle" };
    x += widths[c] + gap;
  });
  return { width: Math.ceil(x - gap + 0.99), height }; // the sum of the gaps is rounded
}

/** Places of boxes in rows from top to bottom; a row has as many lines as it needs. */
function downwards(columns, room) {
  let y = 0;
  const between = 8;
  for (const column of columns) {
    column.label = { x: 0, y: y + 13, "text-anchor": "start" };
    y += 18;
    let line = [];
    const close = () => {
      let x = (room - line.reduce((sum, box) => sum + box.width, 0) - between * (line.length - 1)) / 2;
      for (const box of line) {
        Object.assign(box, { x, y });
        x += box.width + between;
      }
      y += TOUCH + between;
      line = [];
    };
    column.boxes.forEach((box, row) => {
      const width = Math.min(room - 2, Math.max(TOUCH, textWidth(box.text) + 2 * PAD + 2));
      if (line.length && line.reduce((sum, other) => sum + other.width + between, 0) + width > room - 2) close();
      line.push(Object.assign(box, { width, height: TOUCH, row }));
    });
    close();
    y += 6;
    if (column.isSkipped) {
      column.skipAt = { x: room / 2, y: y + 13 };
      y += 24;
    }
  }
  return { width: Math.floor(room), height: y - 6 };
}

function curve(one, two, isDown) {
  if (isDown) {
    const [x1, y1, x2, y2] = [one.x + one.width / 2, one.y + one.height, two.x + two.width / 2, two.y];
    return `M${x1} ${y1}C${x1} ${(y1 + y2) / 2} ${x2} ${(y1 + y2) / 2} ${x2} ${y2}`;
  }
  const [x1, y1, x2, y2] = [one.x + one.width, one.y + one.height / 2, two.x, two.y + two.height / 2];
  return `M${x1} ${y1}C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2} ${y2}`;
}

/** The picture of an answer in a place of the page. tell.chosen(node or null), tell.opened(distance
    or 0): what a person did. */
export class Drawing {
  constructor(place, answer, opened, tell) {
    Object.assign(this, { place, answer, opened, tell, chosen: null });
    this.draw();
  }

  draw() {
    const { answer, place } = this, room = place.clientWidth || 600;
    canvas.font = `${FONT}px ${getComputedStyle(document.body).fontFamily}`;
    this.room = room;
    this.columns = model(answer, Infinity, this.opened);
    let size = document.documentElement.clientWidth > NARROW && across(this.columns, room);
    this.isDown = !size;
    if (this.isDown) {
      this.columns = model(answer, DOWN_MOST, this.opened);
      size = downwards(this.columns, room);
    }
    const { width, height } = size;
    this.image = drawn("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, role: "group",
      "font-family": "system-ui, sans-serif", "aria-label": `${several(answer.count, "shortest path", "shortest paths")} from ${
        plain(answer.from.title)} to ${plain(answer.to.title)}; arrow keys lead from node to node` });
    this.boxes = this.columns.flatMap((column) => column.boxes);
    const links = this.boxes.flatMap((box) => box.up.map((other) => [other, box]));
    this.image.style.setProperty("--strength", Math.max(0.18, Math.min(0.6, 12 / Math.sqrt(links.length || 1) / 4)).toFixed(2));
    for (const [one, two] of links) {
      const element = drawn("path", { class: "link", d: curve(one, two, this.isDown) });
      two.links.push([one, element]);
      this.image.append(element);
    }
    for (const column of this.columns) this.drawColumn(column);
    this.boxes[0].element.setAttribute("tabindex", "0");
    place.replaceChildren(this.image);
    if (this.chosen) this.choose(this.chosen.title, this.chosen.distance);
  }

  drawColumn({ label, head, boxes, isEnd, skipAt }) {
    this.image.append(drawn("text", { class: "head", ...label }, head));
    boxes.forEach((box) => {
      const isNode = box.title !== undefined;
      box.element = drawn("g", { class: `${isNode ? "node" : "rest"}${isEnd ? " end" : ""}`, role: "button", tabindex: "-1",
        "aria-label": isNode ? `${box.text}, ${hops(box.distance)} from ${plain(this.answer.from.title)}`
          : box.isOpen ? "Show fewer" : `${number(box.rest)} more ${nouns()} at ${hops(box.distance)}`, ...(isNode ? { "aria-pressed": "false" } : {}) },
      drawn("title", {}, box.text), drawn("rect", { x: box.x, y: box.y, width: box.width, height: box.height, rx: 7 }),
      drawn("text", { x: box.x + box.width / 2, y: box.y + box.height / 2 + 4.5, "text-anchor": "middle" }, fitted(box.text, box.width - 2 * PAD + 2)));
      box.element.style.setProperty("--hue", hue(box.distance, this.answer.hops));
      box.element.addEventListener("pointerenter", () => this.light(box));
      box.element.addEventListener("pointerleave", () => this.light(this.chosen));
      box.element.addEventListener("focus", () => { this.rove(box); this.light(box); });
      box.element.addEventListener("blur", () => this.light(this.chosen));
      box.element.addEventListener("click", () => this.press(box));
      box.element.addEventListener("keydown", (event) => this.key(event, box));
      this.image.append(box.element);
    });
    if (skipAt) {
      this.image.append(drawn("text", { class: "head", x: skipAt.x, y: skipAt.y, "text-anchor": "middle" },
        `… ${number(this.answer.graph.skipped)} more steps …`));
    }
  }

  /** Light all paths through a node, and dim the rest; null: nothing is dimmed. */
  light(box) {
    this.image.classList.toggle("lit", Boolean(box && box.title !== undefined));
    for (const element of this.image.querySelectorAll(".on")) element.classList.remove("on");
    if (!box || box.title === undefined) return;
    for (const way of ["up", "down"]) {
      const seen = new Set([box]);
      for (const node of seen) {
        node.element.classList.add("on");
        for (const other of node[way]) {
          seen.add(other);
          const [upper, lower] = way === "up" ? [other, node] : [node, other];
          lower.links.find(([from]) => from === upper)[1].classList.add("on");
        }
      }
    }
  }

  press(box) {
    if (box.title === undefined) return this.tell.opened(box.isOpen ? 0 : box.distance);
    return this.tell.chosen(this.chosen === box ? null : box);
  }

  /** Mark the node with this title and distance as chosen, if it is drawn. */
  choose(title, distance) {
    this.chosen = this.boxes.find((box) => box.title === title && (distance === undefined || box.distance === distance)) || null;
    for (const box of this.boxes) if (box.title !== undefined) box.element.setAttribute("aria-pressed", String(box === this.chosen));
    this.light(this.chosen);
  }

  /** This one is where Tab leads to. */
  rove(box) {
    for (const other of this.boxes) other.element.setAttribute("tabindex", other === box ? "0" : "-1");
  }

  focusColumn(distance) {
    const boxes = this.boxes.filter((box) => box.distance === distance);
    if (boxes.length) boxes[boxes.length - 1].element.focus();
  }

  key(event, box) {
    const along = { ArrowRight: 1, ArrowLeft: -1 }[event.key], down = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const [column, row] = this.isDown ? [down, along] : [along, down];
    let next = null;
    if (event.key === "Enter" || event.key === " ") this.press(box);
    else if (event.key === "Escape" && this.chosen) this.tell.chosen(null);
    else if (event.key === "Home") next = this.boxes[0];
    else if (event.key === "End") next = this.boxes[this.boxes.length - 1];
    else if (column) {
      const linked = column > 0 ? box.down : box.up, there = this.columns[box.c + column];
      next = linked[0] || (there && there.boxes[Math.min(box.row, there.boxes.length - 1)]);
    } else if (row) next = this.columns[box.c].boxes[box.row + row];
    else return;
    event.preventDefault();
    if (next) next.element.focus();
  }

  /** Draw again for the room that there is now. */
  resized() {
    if (this.place.clientWidth && this.place.clientWidth !== this.room) this.draw();
  }

  /** A file of its own, with its colours as attributes, because it has no style sheet. */
  saved() {
    const copy = this.image.cloneNode(true), to = copy.querySelectorAll("*");
    this.image.querySelectorAll("*").forEach((element, i) => {
      if (!["path", "rect", "text"].includes(element.tagName)) return;
      const style = getComputedStyle(element);
      for (const name of ["fill", "stroke", "stroke-opacity", "font-size"]) to[i].setAttribute(name, style.getPropertyValue(name));
    });
    for (const element of [copy, ...to]) element.removeAttribute("style");
    copy.insertBefore(drawn("rect", { width: "100%", height: "100%", fill: getComputedStyle(document.body).backgroundColor }), copy.firstChild);
    return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
  }
}
