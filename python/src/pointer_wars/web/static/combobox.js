// A box that suggests titles: W3C's pattern "editable combobox with list autocomplete".
import { $, ask, made, plain } from "./dom.js";

const DELAY = 60; // ms after the last key

/** Put a title into a box. It is shown with blanks for underscores, and asked for as it is. */
export function fill(input, title) {
  input.value = plain(title);
  input.dataset.title = title;
}

/** The title in a box: the one that was put there, or what was typed. */
export function titleIn(input) {
  const text = input.value.trim(), title = input.dataset.title || "";
  return plain(title) === text ? title : text;
}

/** chosen(): called when a title was taken from the list. Returns what closes the list. */
export function combobox(input, chosen) {
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
    fill(input, titles[index]);
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
      const option = made("li", { role: "option", id: `${list.id}-${i}`, "aria-selected": "false" }, plain(title));
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
      const found = (await ask("api/complete", { q: titleIn(input) }, asking.signal)).titles;
      if (input.value === typed && document.activeElement === input) open(found);
    } catch (why) { // without suggestions the box still works
    }
  }
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(suggest, DELAY); });
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
