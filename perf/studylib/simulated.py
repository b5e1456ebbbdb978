"""perf/study simulated: what each engine and allocator executes, on a simulated processor.

1. bfs --sim=pi4 (the article's processor) makes the same searches with each; its counts repeat, so one
   run is enough, and a busy machine does no harm.
2. With --write they go into simulated.csv, with the compiler and C library that they are true for,
   and from there into counters/README.md (allocators) and bfs/engines/engine_notes.md (engines).
3. A test makes some of them again: a table that is stale against the code fails.
"""
import argparse
import csv
import json
import pathlib
import platform
import tempfile

from cases import ROOT, capture, program, programs
from figures_pages import between, filled
from own_name import as_called, complain, own_name
from page import aligned
from runner import Failed
from speaker import Speaker

FILE = pathlib.Path(__file__).with_name("simulated.csv")
GRAPH, PAIRS, CACHES = "generate:nodes=10k", "random:10", "pi4"
ALLOCATORS = [("classic", name) for name in ("malloc", "pool", "slab")]
ENGINES = [("plain", "slab"), ("classic", "slab"), ("mark-on-push", "malloc"), ("mark-on-push", "slab"),
           ("array", "slab"), ("bitmap", "slab"), ("direction-optimizing", "slab"),
           ("bidirectional", "slab")]
EVERY = list(dict.fromkeys(ALLOCATORS + ENGINES))
COUNTS = ["loads", "branches", "instructions"]
RATES = ["l1d_hit_rate", "l2_local_hit_rate", "branches_predicted_rate"]
HEADS = ["engine", "allocator", "visited", *COUNTS, *RATES, "compiler", "c_library"]
TITLES = {"loads": "loads", "branches": "branches", "instructions": "instructions",
          "l1d_hit_rate": "L1D hit rate", "l2_local_hit_rate": "L2 local hit rate",
          "branches_predicted_rate": "branches predicted"}

EPILOGUE = """\
examples:
  perf/study simulated              some seconds per engine and allocator; needs Valgrind
  perf/study simulated --write      into simulated.csv and the pages
Exit status: 0 done, 1 a run failed, 2 wrong usage, 130 interrupted."""


def simulate(options, engine, allocator):
    """The row of one engine on one allocator."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "report.json"
        capture([str(program(options, "bfs")), GRAPH, PAIRS, f"--engine={engine}",
                 f"--alloc={allocator}", f"--sim={CACHES}", "--sim-limit=1000", "--format=json",
                 f"--output={path}", "--progress=never", "--quiet"])
        report = json.loads(path.read_text(encoding="utf-8"))
    row = {"engine": engine, "allocator": allocator, "visited": report["summary"]["visited"],
           "compiler": report["context"]["compiler"], "c_library": " ".join(platform.libc_ver())}
    for name in COUNTS + RATES:
        row[name] = report["counters"][name]
    return {name: str(row[name]) for name in HEADS}


def read(path=FILE):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(rows, path=FILE):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, HEADS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def rate_text(row, name):
    return f"{float(row[name]) * 100:.1f} %"


def allocator_table(rows):
    """(heads, rows): a column per allocator, as in the article."""
    found = [next(row for row in rows if (row["engine"], row["allocator"]) == pair)
             for pair in ALLOCATORS]
    lines = []
    for name in COUNTS + RATES:
        cells = [f"{int(row[name]):,}" if name in COUNTS else rate_text(row, name) for row in found]
        if name in COUNTS:
            cells[1:] = [f"{cell} ({int(row[name]) / int(found[0][name]) * 100:.0f} %)"
                         for cell, row in zip(cells[1:], found[1:])]
        lines.append([TITLES[name]] + cells)
    return ["classic, simulated"] + [row["allocator"] for row in found], lines


def engine_table(rows):
    """(heads, rows): a row per engine; counts in thousands for all searches."""
    lines = []
    for pair in ENGINES:
        row = next(one for one in rows if (one["engine"], one["allocator"]) == pair)
        lines.append([", ".join(pair)] + [f"{int(row[name]) / 1000:,.0f}" for name in COUNTS] + [
            rate_text(row, name) for name in RATES])
    return ["engine, allocator"] + [TITLES[name] for name in COUNTS + RATES], lines


def markdown(table):
    heads, rows = table
    return "\n".join(["| " + " | ".join(heads) + " |", "|---|" + "---:|" * (len(heads) - 1)]
                     + ["| " + " | ".join(row) + " |" for row in rows])


def about(rows):
    return filled(f"`perf/study simulated --write` makes this table: `bfs {GRAPH} {PAIRS} "
                  f"--sim={CACHES}`, {rows[0]['compiler']}, {rows[0]['c_library']}.")


def pages(rows):
    """{path: text} of the pages with a table."""
    found = {}
    for path, table in ((ROOT / "counters" / "README.md", allocator_table),
                        (ROOT / "bfs" / "engines" / "engine_notes.md", engine_table)):
        found[path] = between(path.read_text(encoding="utf-8"), "simulated",
                              about(rows) + "\n\n" + markdown(table(rows)))
    return found


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog=own_name("study") + " simulated", description="What each engine and allocator executes, on a simulated "
        "processor.", epilog=as_called(EPILOGUE), formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="into simulated.csv and the pages")
    parser.add_argument("--bin", type=pathlib.Path, default=programs(), metavar="DIR",
                        help="the folder of bfs (default: of this source tree, or installed "
                        "beside)")
    options = parser.parse_args(arguments)
    say, rows = Speaker(), []
    try:
        for engine, allocator in EVERY:
            say(f"simulating {engine} on {allocator}")
            rows.append(simulate(options, engine, allocator))
        say.clear()
        for table in (allocator_table, engine_table):
            print("\n".join(aligned(*table(rows))) + "\n")
        if options.write:
            write(rows)
            for path, text in pages(rows).items():
                path.write_text(text, encoding="utf-8")
    except KeyboardInterrupt:
        return 130
    except (Failed, OSError) as problem:
        say.clear()
        complain("study", problem)
        return 1
    return 0
