"""The counts on the emulated Cortex-A72: emulated.csv, and the table of counters/README.md.

The searches are the same as in the simulated figures (perf/studylib/figures.csv), so that the two can
be beside each other, and beside what the article published of its own searches on that processor.
"""
import csv
import json
import pathlib
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FILE = HERE / "emulated.csv"
PAGE = ROOT / "counters" / "README.md"
ALLOCATORS = ("malloc", "pool", "slab")
HEADS = ["allocator", "pushed", "instructions", "compiler"]
PUBLISHED_SEARCHES = ("1", "3", "9")
BEGIN, END = "<!-- emulated:begin -->\n", "<!-- emulated:end -->"


def rows(parts):
    """The rows of emulated.csv from the output of the machine."""
    found = []
    for alloc in ALLOCATORS:
        report = json.loads(parts[f"page-{alloc}"][1].split("\n@perf\n")[0])
        found.append({"allocator": alloc, "pushed": str(report["summary"]["pushed"]),
                      "instructions": str(report["counters"]["instructions"]),
                      "compiler": report["context"]["compiler"]})
    return found


def read(path=FILE):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def per_push(count, pushes):
    value = count / pushes
    return f"{value:.0f}" if value >= 99.5 else f"{value:.1f}"


def published(quantity):
    """What the article published, per push: its first half of a row, malloc, and its second, the
    free list, for some searches. Its mallocs without the free list are its pushes."""
    data = read(ROOT / "data" / "published" / "published.csv")
    found = {(row["key"], row["quantity"]): (row["first"], row["second"]) for row in data
             if (row["article"], row["table"]) == ("pointer-wars", "search")}
    return [", ".join(per_push(int(found[key, quantity][which]), int(found[key, "malloc_calls"][0]))
                      for key in PUBLISHED_SEARCHES) for which in (0, 1)]


def page(own):
    """The text of the page with the table of these rows."""
    simulated = {row["figure"]: row["value"] for row in read(ROOT / "perf/studylib/figures.csv")}
    pushes = int(own[0]["pushed"])
    lines = [["per push", *ALLOCATORS],
             ["instructions, counted on the Cortex-A72"]
             + [per_push(int(row["instructions"]), pushes) for row in own]]
    for name in ("instructions", "loads", "branches"):
        lines.append([f"{name}, simulated, x86-64"] + [
            per_push(int(simulated[f"simulated.classic.{alloc}.{name}"]), pushes) for alloc in ALLOCATORS])
    for name in ("loads", "branches"):
        lines.append([f"{name}, published, searches {', '.join(PUBLISHED_SEARCHES)}",
                      *published(name), "-"])
    text = textwrap.fill(
        "`tests/pmu/run --write` makes this table, counted on an emulated Cortex-A72, the processor of "
        f"the article: `bfs generate:nodes=10k random:10`, {own[0]['compiler']}. Instructions are exact. An "
        "emulator knows no cycles, no caches, and no event for loads or branches. "
        "The article published no instructions; its second column is its own free list, on "
        "the real graph.", 100)
    table = "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
    first, rest = table.split("\n", 1)
    new = f"{BEGIN}{text}\n\n{first}\n|---|---:|---:|---:|\n{rest}\n{END}"
    old = PAGE.read_text(encoding="utf-8")
    return old[:old.index(BEGIN)] + new + old[old.index(END) + len(END):]


def write(own):
    with open(FILE, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, HEADS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(own)
    PAGE.write_text(page(own), encoding="utf-8")
