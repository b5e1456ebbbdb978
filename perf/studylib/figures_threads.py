"""perf/study figures --threads: queues and nodes in several threads, beside other mallocs.

`allocbench threads` measures; a figure is the time per push and its pop, in nanoseconds, of all
threads together. The table goes into perf/allocbench/README.md, one per machine.
"""
import os
import shutil

from cases import capture, program
from figures_rows import read_rows
from own_name import complain

RUNS = 5
OPTIONS = []  # more of them, for allocbench
COUNTS = (1, 2, 4, 16)  # of threads; 16 where there are as many processors
# (name in the figures, name on the page, name for allocbench)
ALLOCATORS = (("malloc", "glibc", "malloc"), ("mimalloc", "mimalloc", "lib:mimalloc"),
              ("jemalloc", "jemalloc", "lib:jemalloc"), ("tcmalloc", "tcmalloc", "lib:tcmalloc"),
              ("pool", "`pool`", "pool"), ("slab", "`slab`", "slab"))
# (name in the figures, name in allocbench's table)
PATTERNS = (("own-deep", "own, deep"), ("own-shallow", "own, 1000 deep"),
            ("consumer", "producer-consumer"), ("ring", "ring"), ("larson", "larson"),
            ("search", "search"))


def counts():
    return [count for count in COUNTS if count <= 4 or count <= len(os.sched_getaffinity(0))]


def run(options):
    """Leave allocbench's table in the folder."""
    folder = options.output / "threads"
    shutil.rmtree(folder, ignore_errors=True)
    shown = capture([str(program(options, "allocbench")), "threads", "--quiet", "--output", str(folder),
                     "--alloc", ",".join(name for *_, name in ALLOCATORS), "--threads",
                     ",".join(map(str, counts())), "--runs", str(options.runs), *OPTIONS])
    for note in shown.split("note: ")[1:]:
        if " is left out" in note:
            complain("study", " ".join(note.split()))
    return 0


def collect(options):
    """[(figure, what it is of, ns, low, high)] of the table in the folder; the interval is the median
    less and plus its spread."""
    path = options.output / "threads" / "threads.csv"
    if not path.exists():
        return []
    names = {row: name for name, row in PATTERNS}
    allocators = {row: name for name, _, row in ALLOCATORS}
    found = []
    for row in read_rows(path):
        if row["ns"]:
            ns = float(row["ns"])
            spread = ns * float(row["spread_percent"] or 0) / 100
            found.append((f"traffic.{names[row['pattern']]}.{allocators[row['allocator']]}."
                          f"{row['threads']}", f"{options.runs} runs", ns, ns - spread, ns + spread))
    return found


def table(rows):
    """The lines of the page: what the tables are, and one for each machine."""
    own = [row for row in rows if row["figure"].startswith("traffic.")]
    lines = []
    for machine in dict.fromkeys(row["machine"] for row in own):
        found = {row["figure"]: float(row["value"]) for row in own if row["machine"] == machine}
        runs = next(row["graph"] for row in own if row["machine"] == machine)
        lines += ["", f"Medians of {runs}; {machine}:", "",
                  "| pattern | threads | " + " | ".join(shown for _, shown, _ in ALLOCATORS) + " |",
                  "|---|---:|" + "---:|" * len(ALLOCATORS)]
        for name, words in PATTERNS:
            for count in COUNTS:
                cells = [found.get(f"traffic.{name}.{allocator}.{count}")
                         for allocator, *_ in ALLOCATORS]
                if any(cells):
                    lines.append(f"| {words if count == COUNTS[0] else ''} | {count} | " + " | ".join(
                        "-" if value is None else f"{value:.1f}" for value in cells) + " |")
    return lines[1:]
