"""perf/study allocators: what a node allocator is worth to the classic search.

1. The same search again and again in one process: an allocator that scatters nodes gets slower.
2. The first pairs on each allocator, beside the challenge's own layout.
3. A push and a pop of a FIFO queue, deep and shallow, from allocbench.
4. The challenge's own program (perf/judge/published_search.c) on our queue and on others.
"""
import pathlib
import re
import tempfile

import plots
import units
from cases import (Case, capture, check_same, figure_text, finish_options, make_parser, parse_parts,
                   program, ranked, ratio_text, read_rows, rounds_text, run_study, size,
                   sum_searches)
from stats import Difference, figure_of

AGAIN = ["malloc", "pool", "pool:order=fifo", "pool:order=address", "slab", "slab:pages=huge"]
PAIRS = [("challenge's layout", "challenge", "malloc"), ("malloc", "classic", "malloc"),
         ("pool", "classic", "pool"), ("slab", "classic", "slab")]
QUEUES = ["malloc", "lib:mimalloc", "pool", "slab"]
SHALLOW = 1000
# The queues of part 4: the program, and the allocator of ours.
OWN = {"malloc": ("own-queue", "malloc"), "pool": ("own-queue", "pool"), "slab": ("own-queue", "slab"),
       "plain list": ("own-queue_plain", ""), "LIFO list": ("own-queue_lifo", ""),
       "LIFO list by malloc": ("own-queue_lifo_malloc", ""), "array": ("own-queue_array", "")}
OWN_PAIRS = (6, 15, 100)  # after which the time is looked at; the program searches for no more
OWN_MATRIX = pathlib.Path("wikipedia-20070206", "wikipedia-20070206.mtx")
BARS = "▁▂▃▄▅▆▇█"

EPILOGUE = """\
examples:
  perf/study allocators
  perf/study allocators --full --rounds 5 --output allocators-full
  perf/study allocators --full --only 4 --own 100 --rounds 1 --queues=slab,array
  cmake --build --preset release --target bench
Prints the tables and writes FOLDER/study.html, study.md, results.csv, results.json and the plots.
Exit status: 0 done, 1 a run or a plot failed, 2 wrong usage, 130 interrupted (what is done is
written)."""


def parse(arguments):
    parser = make_parser("allocators", "What a node allocator is worth to the classic search.",
                         EPILOGUE, rounds=3)
    add = parser.add_argument
    add("--pairs", type=size, default=15, metavar="N", help="searches of part 2; with many the "
        "heap of the challenge's layout ages for minutes (default: %(default)s)")
    add("--times", type=size, default=12, metavar="N", help="times of the same search in part 1 "
        "(default: %(default)s)")
    add("--depth", type=size, default=20000000, metavar="N", help="of the deep queue in part 3 "
        "(default: 20M)")
    add("--length", type=size, default=10000000, metavar="N", help="pushes and pops at the steady "
        "depth (default: 10M)")
    add("--own", type=size, default=15, metavar="N", help="pairs of part 4, at most 100 "
        "(default: %(default)s)")
    add("--queues", default=",".join(OWN), metavar="LIST", help="of part 4 (default: %(default)s)")
    add("--only", default="1,2,3,4", metavar="LIST", help="parts: 1 one search again and again, "
        "2 pairs, 3 queue, 4 the challenge's own program (default: %(default)s)")
    options = finish_options(parser, arguments)
    options.only = parse_parts(parser, options.only, 4)
    if options.own > OWN_PAIRS[-1]:
        parser.error(f"--own is at most {OWN_PAIRS[-1]}")
    options.queues = options.queues.split(",")
    unknown = set(options.queues) - set(OWN)
    if unknown:
        parser.error(f"--queues: there is no {sorted(unknown)[0]}")
    return options


def bfs_words(options, allocator, *more):
    return [program(options, "bfs"), options.graph, *more, f"--alloc={allocator}", "--format=csv",
            "--progress=never", "--counters=none", "--threads=1"]


def read_trials(text):
    """Seconds of each trial of one search, the nodes that it visited, and its pushes."""
    rows = read_rows(text)
    values = {f"seconds_{row['trial']}": row["seconds"] for row in rows}
    values["visited"], values["pushed"] = rows[0]["visited"], rows[0]["pushed"]
    return values


def read_pairs(text):
    return sum_searches(read_rows(text))


def read_queue(text):
    row = read_rows(text)[0]
    return {"cold_ns": float(row["cold_ns"]), "warm_ns": float(row["warm_ns"])}


def largest_search(options):
    """The one of the first twenty that visits the most: its number, and how many it visits."""
    rows = read_rows(capture([str(word) for word in bfs_words(
        options, "slab", "random:20,seed=1", "--engine=classic")]))
    row = max(rows, key=lambda found: found["visited"])
    return row["search"], row["visited"]


def nanoseconds(value):
    return units.text(value, "ns")


def bars(values, most):
    return "".join(BARS[min(7, int(value / most * 8))] for value in values)


def times_as_long(case, key, other):
    """A ratio of two times of the same runs; marked where its interval includes no difference."""
    found = Difference(case.values(key), case.values(other))
    return f"{'' if found.is_single or found.is_real() else '~'}{found.ratio:.2f}"


def again(study):
    options = study.options
    number, visited = largest_search(options)
    title = "1. The same search again and again in one process"
    study.page.heading(title)
    study.page.paragraph(f"The time of a classic search that visits {visited:,} nodes, "
                         f"{options.times} times in one process.")
    cases = [Case(allocator, bfs_words(options, allocator, "random:20,seed=1", f"--only={number}",
                                       f"--trials={options.times}"), read_trials, "malloc")
             for allocator in AGAIN]
    study.measure(title, cases)
    check_same(cases, "visited")
    shown = sorted({1, 2, 4, 8, options.times} & set(range(1, options.times + 1)))
    last, second = f"seconds_{options.times}", f"seconds_{min(2, options.times)}"
    medians = {case: [case.median(f"seconds_{i + 1}") for i in range(options.times)]
               for case in cases}
    most = max(max(values) for values in medians.values())
    rows = []
    for case in cases:
        rows.append([case.label] + [figure_text(case.values(f"seconds_{i}"), units.seconds)
                                    for i in shown] +
                    [times_as_long(case, last, second),
                     ratio_text(case, cases[0], "seconds_1"), ratio_text(case, cases[0], last),
                     bars(medians[case], most)])
    study.page.table(["allocator"] + [f"{i}." for i in shown] + [
        "last / 2nd", "x malloc, 1st", "x malloc, last", ""], rows)
    study.page.plot("A line that rises is ageing: each search leaves its nodes more scattered.",
                    plots.scatter, "again", "The same search again and again",
                    "number of the search", "time",
                    [(case.label, [(i, figure_of(case.values(f"seconds_{i}")))
                                   for i in range(1, options.times + 1)]) for case in cases],
                    log_x=False, log_y=False, lines=True, unit="s")


def pairs(study):
    options = study.options
    title = f"2. {options.pairs} pairs"
    study.page.heading(title)
    cases = [Case(label, bfs_words(options, allocator, f"random:{options.pairs},seed=1",
                                   f"--engine={engine}"), read_pairs, PAIRS[0][0])
             for label, engine, allocator in PAIRS]
    study.measure(title, cases)
    check_same(cases, "visited")
    study.page.table(["", "time", "x challenge's layout", "nodes visited"],
                     [[case.label, figure_text(case.values("seconds"), units.seconds), ratio_text(case, cases[0]),
                       f"{case.median('visited'):,.0f}"] for case in cases])
    study.page.plot("The time of all pairs, the interval as a line; the scale is logarithmic.",
                    plots.dots, "pairs",
                    f"{options.pairs} classic searches", "time",
                    ranked(cases), unit="s")


def queues(study):
    options = study.options
    title = "3. A push and a pop of a FIFO queue"
    study.page.heading(title)
    study.page.paragraph("Time per push and its pop, filling and draining included, by allocbench; "
                         "cold: the first time in a process; warm: from the second time on.")
    cases = [Case(f"{allocator}, {depth:,} deep",
                  [program(options, "allocbench"), "queue", f"--alloc={allocator}", "--runs=1",
                   f"--depth={depth}", f"--length={options.length}", "--format=csv", "--quiet"],
                  read_queue, optional=allocator.startswith("lib:"))
             for depth in (options.depth, SHALLOW) for allocator in QUEUES]
    study.measure(title, cases)
    rows = []
    for case in cases:
        if case.rounds:
            base = next(c for c in cases if c.label == case.label.replace(
                case.label.split(",")[0], QUEUES[0], 1))
            rows.append([case.label, figure_text(case.values("cold_ns"), nanoseconds),
                         figure_text(case.values("warm_ns"), nanoseconds),
                         ratio_text(case, base, "warm_ns")])
        else:
            rows.append([case.label, f"missing: {case.missing}"] + [""] * 2)
    study.page.table(["", "cold", "warm", "x malloc, warm"], rows)


def own_files(options, folder):
    """The files that the challenge's own program reads."""
    matrix = folder / OWN_MATRIX
    matrix.parent.mkdir()
    convert = [program(options, "graph-convert"), "--quiet"]
    capture([*convert, options.graph, matrix])
    pairs = folder / "nodes"
    capture([*convert, f"--pairs={options.own}", options.graph, pairs])
    lines = pairs.read_text(encoding="ascii").splitlines(keepends=True)
    pairs.write_text("".join(line for line in lines if not line.startswith("#")), encoding="ascii")


def own_counts(options):
    return [count for count in OWN_PAIRS if count < options.own] + [options.own]


def read_own(text, counts):
    """The processor seconds after each number of searches, and the nodes that all of them visited."""
    seconds = re.findall(r"^Seconds: ([\d.]+)$", text, re.M)
    values = {f"seconds_{count}": float(seconds[count - 1]) for count in counts}
    return {**values, "visited": sum(map(int, re.findall(r"^Nodes visited: (\d+)$", text, re.M)))}


def own(study):
    options, title = study.options, "4. The challenge's own program"
    study.page.heading(title)
    programs = {name: options.bin.resolve().parent / "perf" / made for name, (made, _) in OWN.items()
                if name in options.queues}
    missing = [path for path in programs.values() if not path.exists()]
    if missing:
        study.page.paragraph(f"Left out: {missing[0]} is not there. It is built in the source tree, "
                             "and not installed.")
        return
    study.page.paragraph("Processor time of the searches, after some of the pairs. The plain list "
                         "takes each node from malloc; the LIFO list has chunks of 4 MiB in one "
                         "library with the queue, or by malloc, one per new node, as the pool; the array "
                         "is the bound.")
    counts = own_counts(options)
    base = "LIFO list" if "LIFO list" in programs else list(programs)[-1]
    with tempfile.TemporaryDirectory(dir=options.output) as folder:
        own_files(options, pathlib.Path(folder))
        enter = 'cd "$1" && LINKED_LIST_ALLOC=$2 exec "$3"'
        cases = [Case(name, ["/bin/sh", "-c", enter, "sh", folder, OWN[name][1], path],
                      lambda text: read_own(text, counts), base)
                 for name, path in programs.items()]
        study.measure(title, cases)
    check_same(cases, "visited")
    first = next(case for case in cases if case.label == base)
    study.page.table(["", *(word for count in counts for word in (f"{count} pairs", f"x {base}"))],
                     [[case.label, *(word for count in counts for word in (
                         figure_text(case.values(f"seconds_{count}"), units.seconds),
                         ratio_text(case, first, f"seconds_{count}")))] for case in cases])


def make(study):
    options = study.options
    study.page.paragraph(f"{options.nodes:,} nodes, {options.edges:,} edges, seed 1. " +
                         rounds_text(options.rounds))
    for number, part in enumerate((again, pairs, queues, own), 1):
        if number in options.only:
            part(study)
            study.show()


def main(arguments=None):
    return run_study("allocators", "Node allocators and the classic search", parse(arguments), make)
