"""What the five articles published, beside what was measured here.

published.csv has every figure of their tables and texts: article, experiment, table, key (the row of
the table), quantity (as in the CSV of allocbench), unit, and the two that the article compares.
Graph, machine and time are others, so what can be compared is the ratio of the two.
"""
import csv
import pathlib

from stats import Figure

ARTICLES = {
    "pointer-wars": "the challenge's article on custom allocators; Raspberry Pi 4B, 1.8 GHz",
    "laska": "Laska, \"Ready, Set, Allocate! Part 6\"; Pentium 4, 3.0 GHz, Windows XP",
    "pathengine": "PathEngine, \"Measure Memory Allocation Cost, by Eliminating It\"; no machine named",
    "embedded": "the article on the cost of allocation in embedded systems; Core i5-4690K and "
                "Raspberry Pi 3",
    "purge-2006": "the allocator benchmark of 2006; a Pentium",
}
BLOCK_HEAP = "block:small=no,lock=no"  # as published
GRAPH_NODES = 3566907  # of the challenge's real graph
GRAPH_EDGES = 45030389

# The two that a table compares: their names in the article, and here.
COMPARED = {
    "run": ("before", "after", "malloc", "pool"), "search": ("before", "after", "malloc", "pool"),
    "sizes": ("C library", "block heap", "malloc", BLOCK_HEAP),
    "exhaustion": ("C library", "block heap", "malloc", BLOCK_HEAP),
    "worst-case": ("C library", "block heap", "malloc", BLOCK_HEAP),
    "recording": ("plain", "recorded", "plain", "recorded"),
    "range": ("least", "most", "least", "most"),
}


def read():
    with open(pathlib.Path(__file__).with_name("published.csv"), encoding="utf-8",
              newline="") as file:
        return list(csv.DictReader(file))


ROWS = read()


def number(text):
    """A cell: a number as exact as it was published, or None."""
    if text == "":
        return None
    return float(text) if "." in text else int(text)


def figures(table, key="", quantity=None):
    """{quantity: (first, second)} of a table's rows with that key."""
    found = {row["quantity"]: (number(row["first"]), number(row["second"])) for row in ROWS
             if (row["table"], row["key"]) == (table, key)}
    return found if quantity is None else found[quantity]


def ratio(table, key, quantity):
    first, second = figures(table, key, quantity)
    return first / second


RUN = {name: {quantity: both[i] for quantity, both in figures("run").items()}
       for i, name in enumerate(("malloc", "pool"))}
SEARCHES = {n: {quantity: both[0] for quantity, both in figures("search", str(n)).items()}
            for n in (1, 3, 9)}
SPEED_UP = round(ratio("run", "", "wall_seconds"), 2)  # of the free list over malloc, whole run

FINDINGS = ("The article found that a free list needs fewer loads and fewer branches than malloc, "
            "predicts about as many of the branches, and hits the first-level cache less often, and "
            f"that the whole run became {SPEED_UP} times as fast.")


def is_the_real_graph(report):
    graph = report["context"]["graph"]
    return graph.get("nodes") == GRAPH_NODES and graph.get("edges") == GRAPH_EDGES


# Beside ours ------------------------------------------------------------------------------------

def measured(result, row):
    """What was measured here for the two things that a row compares: Figures or None."""
    table, key, quantity = row["table"], row["key"], row["quantity"]
    if table == "recording":
        return (result.find("replay", workload=key, allocator="malloc").get("seconds"),
                result.find("replay-recordings", workload=key,
                            heap="first-fit:heap=64M").get("seconds"))
    if table == "range":
        own = [figure for name, figure in result.find("distributions", allocator="malloc").items()
               if name.endswith("_us") and figure is not None and figure.is_clear]
        own.sort(key=lambda figure: figure.value)
        return (own[0], own[-1]) if own else (None, None)
    pair = []
    for allocator in COMPARED[table][2:]:
        if table == "run":
            found = result.find("pointer-wars", allocator=allocator).get(quantity)
        elif table == "search":
            found = result.find("pointer-wars-searches", search=float(key),
                                allocator=allocator).get(quantity)
        elif table == "sizes":
            count, size = map(float, key.split())
            own = result.find("sizes", allocator=allocator, action=quantity, count=count,
                              size_bytes=size)
            found = Figure(*(own[name].value / 1e6 for name in ("median_ns", "low_ns", "high_ns"))) \
                if own and own["median_ns"] else None
        else:
            found = result.find(table, allocator=allocator, repetitions=float(key)).get(quantity)
        pair.append(found)
    return tuple(pair)


def written(value, unit):
    """A value with its unit, or "-"."""
    if value is None:
        return "-"
    if unit == "rate":
        return f"{value * 100:.1f} %"
    if unit in ("", "1/s", "count"):
        return f"{value:,.0f}"
    return f"{value:,.0f} {unit}" if value >= 1000 else f"{value:.4g} {unit}"


def figure_text(figure, unit):
    if figure is None:
        return "-"
    return ("" if figure.is_clear else "~") + written(figure.value, unit)


def times(value):
    """How many times, with three digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def ratio_text(first, second):
    """first / second, of numbers; of figures it is marked where their intervals do not lie apart."""
    values = [cell.value if isinstance(cell, Figure) else cell for cell in (first, second)]
    if None in values or not values[1]:
        return "-"
    unclear = isinstance(first, Figure) and first.is_known and second.is_known and \
        first.half + second.half > 0 and not first.differs(second)
    return ("~" if unclear else "") + times(values[0] / values[1])


def beside(result):
    """Tables of an experiment with the article's rows: [(title, heads, rows), ...]; and sentences
    for what has no figures."""
    tables, sentences = {}, []
    for row in ROWS:
        if row["experiment"] != result.name:
            continue
        if row["table"] not in COMPARED:
            said = f"{row['key']}: " if row["key"] else ""
            both = " to ".join(cell for cell in (row["first"], row["second"]) if cell)
            sentences.append(f"{said}{row['words']}" + (f": {both} {row['unit']}" if both else ""))
            continue
        title = f"Search {row['key']}" if row["table"] == "search" else ""
        first, second = measured(result, row)
        names = COMPARED[row["table"]]
        heads = ["", f"{names[0]}, published", f"{names[1]}, published", "ratio, published",
                 f"{names[2]}, here", f"{names[3]}, here", "ratio, here"]
        paper = number(row["first"]), number(row["second"])
        tables.setdefault(title, (heads, []))[1].append(
            [row["words"]] + [written(value, row["unit"]) for value in paper] + [ratio_text(*paper)]
            + [figure_text(figure, row["unit"]) for figure in (first, second)]
            + [ratio_text(first, second) if first and second else "-"])
    return [(title, *table) for title, table in tables.items()], sentences


def source(result):
    for row in ROWS:
        if row["experiment"] == result.name:
            return ARTICLES[row["article"]]
    return ""
