"""What the five articles published, beside what was measured here.

published.csv is the only place of their figures: article, experiment, table, key (the row of the
table), quantity (as in the CSV of allocbench), unit, the two that the article compares, the machine
if it is not the article's, where in the article, and words. CMake makes published.h of it.
Graph, machine and time are others, so what can be compared is the ratio of the two.
"""
import csv
import pathlib
import re

import units
from stats import Figure

BLOCK_HEAP = "block:small=no"  # as published

# The two that a table compares: their names in the article, and here.
COMPARED = {
    "run": ("before", "after", "malloc", "pool"), "search": ("before", "after", "malloc", "pool"),
    "sizes": ("C library", "block heap", "malloc", BLOCK_HEAP),
    "exhaustion": ("C library", "block heap", "malloc", BLOCK_HEAP),
    "worst-case": ("C library", "block heap", "malloc", BLOCK_HEAP),
    "recording": ("plain", "recorded", "plain", "recorded"),
    "range": ("least", "most", "malloc, least", "malloc, most"),
    "factor": ("least", "most", "least", "most"),
}
RANGES = ("range", "factor")  # from the least to the most: their ratio says nothing
# What allocbench measures unless told otherwise. Any other allocator is the user's own, and has a
# column beside these two.
USUAL = {"malloc", "pool", "pool:order=fifo", "slab", "block", BLOCK_HEAP, "first-fit", "first-fit32",
         "first-fit:heap=1G", "lib:jemalloc", "lib:mimalloc", "lib:tcmalloc"}
RESULTS = {"run": "pointer-wars", "search": "pointer-wars-searches"}  # tables of allocbench
IDENTIFY = ("allocator", "action", "count", "size_bytes", "repetitions", "search")
# Tables of words: the heads of their two columns.
TOLD = {"curve": ("published", "growth with the size"), "bars": ("published", "allocation takes")}


def read():
    here = pathlib.Path(__file__).resolve()
    path = here.with_name("published.csv")  # installed
    if not path.exists():
        path = here.parents[2] / "data" / "published" / "published.csv"
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


EVERY = read()
SOURCES = {row["article"]: row for row in EVERY if row["table"] == "source"}
ROWS = [row for row in EVERY if row["table"] != "source"]


def number(text):
    """A cell: a number as exact as it was published; "<1" stays a text; or None."""
    if text == "":
        return None
    if text.startswith("<"):
        return text
    return float(text) if "." in text else int(text)


def figures(table, key="", quantity=None):
    """{quantity: (first, second)} of a table's rows with that key."""
    found = {row["quantity"]: (number(row["first"]), number(row["second"])) for row in ROWS
             if (row["table"], row["key"]) == (table, key)}
    return found if quantity is None else found[quantity]


def are_the_searches(visited, missing=(0, 1)):
    """True if searches, {number: nodes visited}, are the article's: of the same pairs on the same
    graph. missing: by how many visits less each may be."""
    wanted = {int(row["key"]): number(row["first"]) for row in ROWS
              if (row["table"], row["quantity"]) == ("search", "visited")}
    both = [wanted[search] - count for search, count in visited.items() if search in wanted]
    return both != [] and all(count in missing for count in both)


# Beside ours ------------------------------------------------------------------------------------

def took_part(result, table):
    """The allocators that have a figure in a table of allocbench, in their order."""
    rows = result.rows(table) if table in result.tables else []
    return list(dict.fromkeys(row["allocator"] for row in rows if any(
        value is not None for name, value in row.items() if name not in IDENTIFY)))


def here_names(result, table):
    """The allocators of the columns of ours: the article's two, and the user's own ones beside the
    second, or in its place."""
    if table == "recording":
        return list(COMPARED[table][2:])
    there = took_part(result, RESULTS.get(table, result.name))
    own = [name for name in there if name not in USUAL]
    if table == "factor":
        return [name for name in there if "dlmalloc" in name][:1] or own
    if table == "range":
        return ["malloc", *own]
    first, usual = COMPARED[table][2:]
    others = [name for name in there if name != first]
    second = [name for name in [usual] if name in others] + own
    return [first, *(second or others[:1] or [usual])]


def measured(result, row):
    """What was measured here for the allocators that a row compares: Figures or None."""
    table, key, quantity = row["table"], row["key"], row["quantity"]
    if table == "recording":
        return (result.find("replay", workload=key, allocator="malloc").get("seconds"),
                recorded(result, key).get("seconds"))
    if table in RANGES:
        ends = []
        for name in here_names(result, table):
            own = costs(result, name) if table == "range" else leads(result, name)
            own = sorted((figure for figure in own.values() if figure.is_clear),
                         key=lambda f: f.value)
            ends += [own[0], own[-1]] if own else [None, None]
        return tuple(ends) or (None, None)
    found_all = []
    for allocator in here_names(result, table):
        if table == "run":
            found = run_figure(result.find("pointer-wars", allocator=allocator), quantity)
        elif table == "search":
            found = search_figure(result, float(key), allocator, quantity)
        elif table == "sizes":
            count, size = map(float, key.split())
            own = result.find("sizes", allocator=allocator, action=quantity, count=count,
                              size_bytes=size)
            found = Figure(*(own[name].value / 1e6 for name in ("median_ns", "low_ns", "high_ns"))) \
                if own and own["median_ns"] else None
        else:
            found = result.find(table, allocator=allocator, repetitions=float(key)).get(quantity)
        found_all.append(found)
    return tuple(found_all)


def recorded(result, workload):
    """The row of a workload's recording on first-fit, in this project's form or the article's."""
    return next((row for row in result.rows("replay-recordings")
                 if row["workload"] == workload and row["heap"].startswith("first-fit")), {}) \
        if "replay-recordings" in result.tables else {}


def run_figure(own, quantity):
    """A figure of the whole run. The estimate is the article's: calls times the nanoseconds of one,
    which is nothing for an allocator that seldom calls."""
    if quantity != "estimated_seconds":
        return own.get(quantity)
    if own.get("allocator") != "malloc":
        return None
    parts = [own.get(name) for name in ("malloc_calls", "ns_per_malloc", "free_calls", "ns_per_free")]
    if None in parts:
        return None
    mallocs, take, frees, give = parts
    return mallocs.times(take).plus(frees.times(give)).scaled(1e-9)


def search_figure(result, search, allocator, quantity):
    """A figure of one search; None where it is not known."""
    return result.find("pointer-wars-searches", search=search, allocator=allocator).get(quantity)


def costs(result, allocator):
    """{distribution: Figure} of an allocator, in microseconds."""
    return {name[:-3]: figure for name, figure in
            result.find("distributions", allocator=allocator).items()
            if name.endswith("_us") and figure is not None}


def leads(result, name):
    """{distribution: how many times as fast as malloc} of an allocator, for the skewed ones."""
    plain, own = costs(result, "malloc"), costs(result, name)
    return {which: quotient(plain[which], own[which]) for which in ("exponential", "log-normal")
            if which in plain and which in own and own[which].value}


def quotient(first, second):
    """One figure by another; the widest interval that their own allow."""
    if not first.is_known or not second.is_known or second.low <= 0:
        return Figure(first.value / second.value)
    return Figure(first.value / second.value, first.low / second.high, first.high / second.low)


# Told in the article's text ---------------------------------------------------------------------

def percent(figure):
    return f"{'' if figure.is_clear else '~'}{figure.value:.0f} %"


def searches_of(result, allocator):
    """{search: its row} of the chosen searches on an allocator."""
    return {row["search"].value: row for row in result.rows("pointer-wars-searches")
            if row["allocator"] == allocator} if "pointer-wars-searches" in result.tables else {}


def visits(result):
    """{search: nodes visited} of the chosen searches."""
    return {int(search): row["visited"].value for search, row in searches_of(result, "malloc").items()
            if row.get("visited")}


def edges_of(result):
    """The edges of the graph of the main job, or None."""
    found = re.search(r" nodes, (\d+) edges", result.about["measured"])
    return int(found[1]) if found else None


def wars_text(result, quantity):
    """What is here for a sentence of the challenge's article; "" where it was not measured."""
    malloc, pool = (result.find("pointer-wars", allocator=name) for name in ("malloc", "pool"))
    before, after = (searches_of(result, name) for name in ("malloc", "pool"))
    edges = edges_of(result)
    walls = malloc.get("wall_seconds"), pool.get("wall_seconds")
    if quantity == "seconds_gone" and all(walls):
        share = quotient(walls[1], walls[0])
        gone = Figure(100 - 100 * share.value, *([100 - 100 * share.high, 100 - 100 * share.low]
                                                 if share.is_known else []))
        return percent(gone)
    if quantity == "ns_variation":
        own = [malloc.get(name) for name in ("ns_per_malloc", "ns_per_free")]
        return " and ".join(f"{figure.half / figure.value * 100:.0f} %" for figure in own
                            if figure and figure.is_known and figure.value)
    if quantity in ("graph_edges", "graph_links") and edges:
        return f"{edges:,}"
    if quantity == "edges_searched" and edges and 1 in before and before[1].get("visited"):
        return f"{before[1]['visited'].value / edges * 100:.0f} %"
    if quantity == "half_of_edges" and edges and pool.get("malloc_calls"):
        return f"{pool['malloc_calls'].value / edges * 100:.0f} %"
    if quantity == "second_search" and all(own.get(2, {}).get("seconds") for own in (before, after)):
        return (f"{figure_text(before[2]['seconds'], 's')} with malloc, "
                f"{figure_text(after[2]['seconds'], 's')} with pool")
    if quantity == "rate_rises":
        return ", ".join(f"{name} {figure_text(own[1]['nodes_per_second'], '1/s')} to "
                         f"{figure_text(own[3]['nodes_per_second'], '1/s')}"
                         for name, own in (("malloc", before), ("pool", after))
                         if all(own.get(n, {}).get("nodes_per_second") for n in (1, 3)))
    return ""


def here(result, row):
    """What is here for a sentence of an article, as text; "" where nothing is."""
    quantity = row["quantity"]
    if result.name == "pointer-wars":
        return wars_text(result, quantity)
    if quantity == "total_size":
        own = result.find("purge-summary", allocator="malloc")
        if own.get("cumulative_mib") and own.get("live_peak_kib"):
            kib = own["live_peak_kib"].value
            live = f"{kib:.0f} KiB" if kib < 1024 else f"{kib / 1024:.1f} MiB"
            return f"{own['cumulative_mib'].value:,.0f} MiB in all, at most {live} alive"
    if quantity == "fixed_front":
        own = {row["heap"].split(":")[0]: row["seconds"] for row in result.rows("replay-recordings")
               if row["workload"] == "bfs"} if "replay-recordings" in result.tables else {}
        if own.get("first-fit") and own.get("block") and own["block"].value:
            return (f"the searches are recorded {times(own['first-fit'].value / own['block'].value)} "
                    "times as fast on the block heap, which serves small blocks so, as on first-fit; "
                    "one run each")
    if quantity == "free_again":
        found = result.find("exhaustion", allocator="malloc", repetitions=10000.0).get("free_ms")
        return figure_text(found, "ms") if found else ""
    return ""


def written(value, unit):
    """A value with its unit, or "-"."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return f"{value} {unit}"
    if unit == "rate":
        return f"{value * 100:.1f} %"
    if unit in ("", "1/s", "count"):
        return f"{value:,.0f}"
    return units.text(value, unit)


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
    if not all(isinstance(value, (int, float)) for value in values) or not values[1]:
        return "-"
    unclear = isinstance(first, Figure) and first.is_known and second.is_known and \
        first.half + second.half > 0 and not first.differs(second)
    return ("~" if unclear else "") + times(values[0] / values[1])


def compared_row(row, first, *others):
    """A row of a table: what the article has and the ratio of it; what is here, and the ratio of the
    first to each other one."""
    paper = number(row["first"]), number(row["second"])
    published = [written(value, row["unit"]) for value in paper]
    here = [figure_text(figure, row["unit"]) for figure in (first, *others)]
    if row["table"] in RANGES:
        return [row["words"], *published, *here]
    return [row["words"], *published, ratio_text(*paper), here[0],
            *with_ratios(first, others, here[1:])]


def with_ratios(first, others, texts):
    """The cells of what is compared with the first: each with its ratio after it."""
    return [cell for other, text in zip(others, texts)
            for cell in (text, ratio_text(first, other) if first and other else "-")]


def compared_heads(table, names=None):
    """names: of here_names; the usual ones without."""
    one, two, *usual = COMPARED[table]
    names = usual if names is None else names
    heads = ["", f"{one}, published", f"{two}, published"]
    if table in RANGES:
        prefixes = [f"{name}, " for name in names] or [""]
        return heads + [f"{name}{end}, here" for name in prefixes for end in ("least", "most")]
    more = [head for i, name in enumerate(names[1:])
            for head in (f"{name}, here", "ratio, here" if i == 0 else f"ratio of {name}")]
    return heads + ["ratio, published", f"{names[0]}, here", *more]


def beside(result):
    """Tables of an experiment with the article's rows: [(title, heads, rows), ...]; and sentences
    for what has no table. A row that neither the article nor this run has a figure for is left out.
    """
    tables, sentences = {}, []
    for row in ROWS:
        table = row["table"]
        if row["experiment"] != result.name:
            continue
        if table == "search" and not are_the_searches(visits(result)):
            continue
        if table in TOLD:
            tables.setdefault((table, ""), (list(TOLD[table]), []))[1].append(
                [row["key"], row["words"]])
        elif table in COMPARED:
            found = measured(result, row)
            if row["first"] or row["second"] or any(found):
                title = f"Search {row['key']}" if table == "search" else ""
                heads = compared_heads(table, here_names(result, table))
                tables.setdefault((table, title), (heads, []))[1].append(compared_row(row, *found))
                if table == "search" and row["quantity"] == "seconds":
                    tables[(table, title)][1].append(rate_row(result, row))
        else:
            sentences.append(sentence(row, here(result, row)))
    if result.name == "pointer-wars" and visits(result) and not are_the_searches(visits(result)):
        sentences.append("the article's searches are not beside ours, because ours visit other "
                         "numbers of nodes: the graph or the pairs are others")
    return [(title, *table) for (_, title), table in tables.items()], sentences


def rate_row(result, row):
    """Nodes per second of a search. The article has their two parts, nodes and seconds."""
    search = row["key"]
    paper = [nodes / seconds for nodes, seconds in zip(figures("search", search, "visited"),
                                                       figures("search", search, "seconds"))]
    first, *others = [search_figure(result, float(search), name, "nodes_per_second")
                      for name in here_names(result, "search")]
    texts = [figure_text(figure, "1/s") for figure in others]
    return ["nodes/s, computed", *(written(value, "1/s") for value in paper), ratio_text(*paper),
            figure_text(first, "1/s"), *with_ratios(first, others, texts)]


def sentence(row, ours=""):
    both = " to ".join(written(number(cell), row["unit"]) for cell in (row["first"], row["second"])
                       if cell)
    return row["words"] + (f": {both}" if both else "") + (f" (here {ours})" if ours else "")


def source(result):
    """The article of an experiment, and its machine; "" where it is this project's own."""
    for row in ROWS:
        if row["experiment"] == result.name:
            article = SOURCES[row["article"]]
            return f"{article['words']}; {article['machine']}"
    return ""
