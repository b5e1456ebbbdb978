"""What a class sees of a batch, and what a reviewer reads.

1. The board: the best N, under names drawn at random; who is who is in names.csv, for the teacher.
2. A page for each hand-in, under its drawn name: its own score and the three ahead of it.
3. A page for the reviewer: the hot function, the difference from the plain list, and questions to ask.
"""
import csv
import difflib
import io
import pathlib
import secrets
from html import escape

import apart
import batch
import card_html
import card_text
import intake
from building import HERE, SOURCES
from levels import without_comments
from printable import cell, clean, printable

AHEAD = 3
WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "jade", "kelp",
         "larch", "maple", "north", "ochre", "pearl", "quartz", "reed", "slate", "tidal")
DIFFERENCE_LINES = 200


def drawn_names(path, names):
    """{name: drawn name}; those drawn earlier stay."""
    drawn = {}
    try:
        for shown, name in list(csv.reader(path.read_text(encoding="utf-8").splitlines()))[1:]:
            drawn[name] = shown
    except (OSError, ValueError):
        pass
    taken = set(drawn.values())
    for name in names:
        key = cell(name)
        while key not in drawn:
            one = f"{secrets.choice(WORDS)}-{secrets.randbelow(10 ** 6):06}"
            if one not in taken:
                drawn[key] = one
                taken.add(one)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [["shown", "submission"], *sorted((shown, name) for name, shown in drawn.items())])
    return {name: drawn[cell(name)] for name in names}, text.getvalue()


def cells_of(card):
    """Level and ratio; nothing for what is not known."""
    ratio = (card["speed"] or {}).get("ratio")
    return card.get("build", {}).get("level") or "", f"{ratio:.2f}" if ratio else ""


def rows_of(ranked, drawn, is_named):
    """(place, shown name, score, ratio) of each, best first."""
    return [(place, printable(name) if is_named else drawn[name], f"{card['score']:g}",
             *cells_of(card))
            for place, (name, card) in enumerate(ranked, 1)]


def table(rows):
    return f"<p>{batch.HIGHER_FIRST}</p>" + card_html.table(
        [("place", True), ("hand-in", False), ("score", True), ("level", True), ("ratio", True)], rows)


def pages(ranked, drawn, count, is_named=False):
    """{file name: page}: the board, and one page for each hand-in."""
    rows = rows_of(ranked, drawn, is_named)
    made = {"board.html": card_html.page("Board", f"<h1>The best {min(count, len(rows))} of {len(rows)}</h1>"
                                         + table(rows[:count]))}
    for place, (name, _) in enumerate(ranked):
        shown = rows[max(place - AHEAD, 0):place + 1]
        made[f"{drawn[name]}.html"] = card_html.page(
            drawn[name], f"<h1>Yours is {escape(rows[place][1])}</h1>" + table(shown))
    return made


# For the reviewer -------------------------------------------------------------------------------

def compared(plain, own):
    """Lines of a difference that the plain list does not have; what it has and they have not says nothing."""
    texts = [[line.rstrip() for line in without_comments(text).splitlines() if line.strip()]
             for text in (plain, own)]
    rows = difflib.unified_diff(*texts, "plain", "hand-in", lineterm="", n=1)
    return [row for row in rows if not row.startswith("-") or row.startswith("---")][:DIFFERENCE_LINES + 1]


def difference(folder):
    """Lines of the sources that the plain list does not have, as a difference; without comments, and so without
    licences."""
    plain = "".join((HERE / name).read_text(encoding="utf-8") for name in ("plain_list.c", "plain_queue.c"))
    try:
        with intake.Tree(folder) as tree:
            own = "".join((tree.read(name, 1 << 20) or b"").decode("utf-8", "backslashreplace") + "\n"
                          for name in tree.names() if name.endswith(SOURCES))
    except (intake.TooMuch, OSError):
        return ["the sources cannot be read"]
    try:
        rows = apart.call(compared, plain, own)
    except apart.TooSlow as problem:
        return [str(problem)]
    return rows[:DIFFERENCE_LINES] + (["..."] if len(rows) > DIFFERENCE_LINES else [])


def questions(card):
    """What to ask whoever wrote it, by what is on the card."""
    out = []
    speed, memory = card["speed"] or {}, card["memory"] or {}
    counted = speed.get("instructions") or {}
    hot = (counted.get("hot") or {}).get("functions") or []
    if hot:
        out.append(f"Most instructions are in {hot[0]['name']}, {hot[0]['per_push']:g} per push. What does "
                   "it do in each, and what would make it cheaper?")
    if memory.get("mallocs_per_push") is not None and memory["mallocs_per_push"] < 0.9:
        out.append(f"Mallocs: {card_text.per_push(memory['mallocs_per_push'])}. Where do the nodes come "
                   "from, when are they given back, and what if malloc fails halfway?")
    ratio = speed.get("ratio")
    if ratio and counted.get("ratio") and ratio > 1.5 * counted["ratio"]:
        out.append(f"It is {ratio:.1f} times as fast with 1/{counted['ratio']:.1f} of the instructions. "
                   "What does the cache have to do with it?")
    if speed.get("pop_share") and speed["pop_share"] < 0.5 * speed["plain_pop_share"]:
        out.append("Pops take a far smaller share of the time than the plain list's. Show how a pop works.")
    for rule in card["rules"]:
        if rule["status"] == "failed" and not rule.get("same_as"):
            out.append(f"The rule {rule['name']} failed: {rule['found']}. Why, and how was it tested?")
    return out or ["What happens, step by step, from queue_create to the first pop?"]


def review(name, card, folder):
    """One page."""
    counted = (card["speed"] or {}).get("instructions") or {}
    hot = counted.get("hot") or {"lines": [], "functions": []}
    rows = [(row["name"], f"{row['per_push']:g}") for row in hot["functions"]]
    lines = [(f"{row['file']}:{row['line']}", row["text"], f"{row['per_push']:g}") for row in hot["lines"]]
    body = [f"<h1>{escape(printable(name))}: {card['score']:g}</h1>", "<h2>Questions to ask</h2><ul>",
            *(f"<li>{escape(one)}</li>" for one in questions(card)), "</ul>"]
    if rows:
        body += ["<h2>Hot functions</h2>", card_html.table([("function", False), ("per push", True)], rows),
                 card_html.table([("line", False), ("text", False), ("per push", True)], lines)]
    body += ["<h2>Difference from the plain list</h2><pre>",
             escape("\n".join(clean(difference(folder)))), "</pre>"]
    return card_html.page(f"Review of {printable(name)}", "\n".join(body))


def write_all(output, folder, ranked, count, is_named, write):
    """Into the folder of the cards: board/ for the class, names.csv and review/ for the teacher."""
    names = [name for name, _ in ranked]
    drawn, text = drawn_names(output / "names.csv", names)
    write(output / "names.csv", text)
    place = output / "board"
    place.mkdir(exist_ok=True)
    for name, page in pages(ranked, drawn, count, is_named).items():
        write(place / name, page)
    reviews = output / "review"
    reviews.mkdir(exist_ok=True)
    for name, card in ranked:
        write(reviews / f"{drawn[name]}.html", review(name, card, pathlib.Path(folder) / name))
