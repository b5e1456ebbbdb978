"""perf/study ladder: every engine on one generated graph, beside what came before them.

1. What came before: the challenge's own layout and slow allocators among the cases; the first few
   pairs, because with more of them a heap ages and its searches take minutes.
2. The engines: all pairs, one thread.
3. Switches: threads, huge pages, pinning, the order of the nodes.
All cases of a part must give the same answers.
"""
import pathlib
import tempfile

import plots
import units
from cases import (Case, capture, check_same, figure_text, finish_options, make_parser, parse_parts,
                   program, ranked, ratio_text, read_report, read_rows, rounds_text,
                   run_study)

EPILOGUE = """\
examples:
  perf/study ladder
  perf/study ladder --full --rounds 5 --output ladder-full
  perf/study ladder --only 2 --nodes 100k --edges 1M
Prints the tables and writes FOLDER/study.html, study.md, results.csv, results.json and the plots.
Exit status: 0 done, 1 a run or a plot failed, 2 wrong usage, 130 interrupted (what is done is
written)."""

# label, engine, allocator, what it is compared with (None: the one above)
BEFORE = [
    ("challenge's layout, malloc", "challenge", "malloc", None),
    ("plain, malloc", "plain", "malloc", None),
    ("classic, malloc", "classic", "malloc", "challenge's layout, malloc"),
    ("classic, mimalloc", "classic", "lib:mimalloc", "classic, malloc"),
    ("classic, slab", "classic", "slab", "classic, malloc"),
    ("mark-on-push, malloc", "mark-on-push", "malloc", "classic, malloc"),
    ("mark-on-push, slab", "mark-on-push", "slab", "classic, slab"),
    ("array", "array", "slab", None),
    ("bitmap", "bitmap", "slab", None),
    ("direction-optimizing", "direction-optimizing", "slab", None),
    ("multi-source", "multi-source", "slab", None),
    ("bidirectional", "bidirectional", "slab", None),
]
ENGINES = [
    ("plain, slab", "plain", "slab", None),
    ("classic, slab", "classic", "slab", None),
    ("mark-on-push, slab", "mark-on-push", "slab", "classic, slab"),
    ("array", "array", "slab", None),
    ("bitmap", "bitmap", "slab", "array"),
    ("direction-optimizing", "direction-optimizing", "slab", None),
    ("multi-source", "multi-source", "slab", None),
    ("bidirectional", "bidirectional", "slab", None),
]
# label, engine, more options of bfs, what it is compared with
SWITCHES = [
    ("classic", "classic", [], None),
    ("array", "array", [], None),
    ("bitmap", "bitmap", [], None),
    ("direction-optimizing", "direction-optimizing", [], None),
    ("multi-source", "multi-source", [], None),
    ("bidirectional", "bidirectional", [], None),
    ("classic, 2 threads, pairs", "classic", ["--threads=2"], "classic"),
    ("array, 2 threads, pairs", "array", ["--threads=2"], "array"),
    ("array, 2 threads, one search", "array", ["--threads=2", "--parallel=search"], "array"),
    ("bitmap, 2 threads, one search", "bitmap", ["--threads=2", "--parallel=search"], "bitmap"),
    ("direction-opt., 2 threads, one search", "direction-optimizing",
     ["--threads=2", "--parallel=search"], "direction-optimizing"),
    ("multi-source, 2 threads", "multi-source", ["--threads=2"], "multi-source"),
    ("bidirectional, 2 threads, pairs", "bidirectional", ["--threads=2"], "bidirectional"),
    ("classic, graph in small pages", "classic", ["--huge-pages=none"], "classic"),
    ("array, graph in small pages", "array", ["--huge-pages=none"], "array"),
    ("bitmap, graph in small pages", "bitmap", ["--huge-pages=none"], "bitmap"),
    ("classic, nodes in huge pages", "classic", ["--alloc=slab:pages=huge"], "classic"),
    ("array, queue too in huge pages", "array", ["--huge-pages=all"], "array"),
    ("classic, pinned", "classic", ["--pin"], "classic"),
    ("array, pinned", "array", ["--pin"], "array"),
    ("array, 2 threads, pairs, pinned", "array", ["--threads=2", "--pin"],
     "array, 2 threads, pairs"),
]
# The graph comes from a snapshot here, whatever the order, so the ratio shows the order alone.
ORDERS = [("classic", "none"), ("classic", "bfs"), ("array", "none"), ("array", "bfs"),
          ("array", "degree"), ("bitmap", "none"), ("bitmap", "bfs"),
          ("direction-optimizing", "none"), ("direction-optimizing", "bfs"),
          ("bidirectional", "none"), ("bidirectional", "bfs")]


def parse(arguments):
    parser = make_parser("ladder", "Every engine on one generated graph, and what switches are "
                         "worth.", EPILOGUE, rounds=3)
    parser.add_argument("--pairs", type=int, default=100, metavar="N",
                        help="searches of parts 2 and 3 (default: %(default)s)")
    parser.add_argument("--first", type=int, default=15, metavar="N",
                        help="searches of part 1, whose first cases are slow (default: "
                        "%(default)s)")
    parser.add_argument("--only", default="1,2,3", metavar="LIST", help="parts: 1 what came "
                        "before, 2 the engines, 3 threads and switches (default: %(default)s)")
    options = finish_options(parser, arguments)
    options.only = parse_parts(parser, options.only, 3)
    if options.pairs < 1 or options.first < 1:
        parser.error("--pairs and --first take 1 or more")
    return options


def bfs_words(options, graph, pairs, engine, *more):
    """One thread unless more says otherwise: glibc's malloc is slower to the end of a process that
    ever had two. Engines whose nodes come from the list are measured from the first search on;
    the others, which take a fraction of the time, after all searches were made once."""
    warm = engine not in ("plain", "challenge", "classic", "mark-on-push")
    words = [program(options, "bfs"), graph, pairs, f"--engine={engine}", "--format=json",
             "--progress=never", "--counters=none", f"--warmup={int(warm)}"]
    words += [] if any(word.startswith("--threads") for word in more) else ["--threads=1"]
    return words + list(more)


def engine_case(options, count, label, engine, allocator, against):
    pairs = f"random:{count},seed=1"
    words = bfs_words(options, options.graph, pairs, engine, f"--alloc={allocator}")
    return Case(label, words, read_report, against, optional=allocator.startswith("lib:"))


def engine_cases(options, table, count):
    cases = [engine_case(options, count, *row) for row in table]
    for case, above in zip(cases[1:], cases):
        case.against = case.against or above.label
    return cases


def switch_cases(options):
    pairs = f"random:{options.pairs},seed=1"
    cases = []
    for label, engine, more, against in SWITCHES:
        more = more if any(word.startswith("--alloc") for word in more) else \
            more + ["--alloc=slab"]
        cases.append(Case(label, bfs_words(options, options.graph, pairs, engine, *more),
                          read_report, against))
    return cases


def order_cases(options, folder):
    """Snapshots in each order; the pairs are the generated graph's."""
    folder = pathlib.Path(folder)
    rows = read_rows(capture([
        str(program(options, "bfs")), options.graph, f"random:{options.pairs},seed=1",
        "--engine=bidirectional", "--format=csv", "--progress=never"]))
    pairs = folder / "pairs.txt"
    pairs.write_text("".join(f"{row['source']} {row['target']}\n" for row in rows),
                     encoding="utf-8")
    text = folder / "graph.mtx"
    capture([str(program(options, "graph-convert")), "--quiet",
             f"generate:nodes={options.nodes},edges={options.edges}", str(text)])
    for order in ("none", "bfs", "degree"):
        capture([str(program(options, "graph-convert")), f"--order={order}", "--quiet", str(text),
                 str(folder / f"{order}.pwg")])
    text.unlink()
    return [Case(f"{engine}, snapshot, order {order}",
                 bfs_words(options, folder / f"{order}.pwg", pairs, engine, "--alloc=slab"),
                 read_report, None if order == "none" else f"{engine}, snapshot, order none")
            for engine, order in ORDERS]


def table(study, cases, compared):
    """A row per case. compared: what the first ratio is to."""
    by_label = {case.label: case for case in cases if case.rounds}
    first = next((case for case in cases if case.rounds), None)
    header = ["", "time", f"x {compared}", "x first", "cpu", "Mnodes", "per pair", "full"]
    rows = []
    for case in cases:
        if case.missing:
            rows.append([case.label, f"missing: {case.missing}"] + [""] * 6)
        if not case.rounds:
            continue
        base = by_label.get(case.against)
        rows.append([case.label, figure_text(case.values("seconds"), units.seconds),
                     ratio_text(case, base), "1" if case is first else
                     "as before" if base is first else ratio_text(case, first),
                     units.seconds(case.median("cpu_seconds")),
                     units.text(case.median("expanded") / 1e6),
                     units.text(case.median("median_search_us"), "us"),
                     units.seconds(case.median("full_search_seconds"))])
    study.page.table(header, rows)


def check_answers(cases):
    check_same(cases, "found")
    check_same(cases, "hops")


def part(study, number, title, cases, compared):
    count = study.options.first if number == 1 else study.options.pairs
    study.page.heading(f"{number}. {title}: {count} pairs")
    try:
        study.measure(title, cases)
        check_answers(cases)
    finally:
        table(study, cases, compared)
        study.page.plot("The time of all pairs: the median of the rounds, and its interval as a "
                        "line; the scale is logarithmic.",
                        plots.dots, f"ladder-{number}", f"{title}: {count} pairs", "time",
                        ranked(cases), unit="s")
        study.show()


def make(study):
    options = study.options
    study.page.paragraph(
        f"{options.nodes:,} nodes, {options.edges:,} edges, labels in random order, seed 1. " +
        rounds_text(options.rounds))
    study.page.paragraph(
        "time: all searches together, by the clock; with two threads the time of the whole run. "
        "x compared, x without: how many times as fast as the case above, or as the plain one of "
        "its kind (\"against\" in results.json). cpu: processor time, where one thread made the "
        "searches. Mnodes: millions of nodes expanded. per pair: the median search. full: the mean "
        "of the searches that found nothing and saw all there is to see.", "note")
    if 1 in options.only:
        part(study, 1, "What came before", engine_cases(options, BEFORE, options.first), "compared")
    if 2 in options.only:
        part(study, 2, "Engines", engine_cases(options, ENGINES, options.pairs), "compared")
    if 3 in options.only:
        part(study, 3, "Switches", switch_cases(options), "without")
        with tempfile.TemporaryDirectory() as folder:
            study.say("converting the graph")
            part(study, 4, "Order of the nodes", order_cases(options, folder), "without")


def main(arguments=None):
    options = parse(arguments)
    return run_study("ladder", "The engines, one after the other", options, make)
