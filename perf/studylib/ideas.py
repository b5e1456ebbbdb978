"""perf/study ideas: what each idea of the challenge's level 3 can bring at most, and what it brought here.

1. One row per idea: its bound, found before anything is built, and the result of this tree's own
   implementation, both as "times as fast".
2. All cases take turns in fresh processes, on one snapshot of a generated graph, with one thread.
3. A bound is a measurement of something simpler (allocation that is answered from a script, a graph that fits
   in the caches), a count (pushes that a perfect mark would save), simulated misses times what one costs, or
   not known here, in words.
ideas.md says what each idea is, and why a result may be above its bound.
"""
import json
import pathlib
import tempfile

import plots
from cases import (Case, capture, check_same, finish_options, make_parser, program, ratio, read_report,
                   rounds_text, run_study, times)
from stats import figure_of

EPILOGUE = """\
examples:
  perf/study ideas
  perf/study ideas --full --pairs 3 --rounds 3 --output ideas-full
Prints the table and writes FOLDER/study.html, study.md, results.csv, results.json and the picture.
Builds beside the programs' own are used if they are there: build/static, build/lto (CONTRIBUTING.md
says how). Misses are simulated if Valgrind is there.
Exit status: 0 done, 1 a run or a plot failed, 2 wrong usage, 130 interrupted (what is done is
written)."""
BLOCK_BYTES = 48  # of the region that is recorded, per edge: more than first-fit needs of a node
NODE_BYTES, NUMBER_BYTES = 16, 4  # what a push writes: a list node of slab, an entry of an array
SMALL, SMALL_PAIRS = "generate:nodes=2k,edges=25k,seed=1", "random:400,seed=1"
# Callgrind simulates no TLB, but a cache with lines of 4 KiB misses where a TLB of 1,536 entries would.
CACHES = "32K,8,64:48K,12,64:6M,12,4096"
SIMULATED_SECONDS = 60
# What a miss costs at 3 GHz: 15 cycles of a pipeline that starts again, 30 of a walk through page tables.
BRANCH_SECONDS, TLB_SECONDS = 5e-9, 10e-9


class Idea:
    """name, base (label of a case), bound (function of the cases: a ratio, or words), result (label)."""

    def __init__(self, name, base, bound, result, file):
        self.name, self.base, self.bound, self.result, self.file = name, base, bound, result, file


def against(base, limit):
    """The bound is another case's time."""
    def bound(by_label):
        if base not in by_label or limit not in by_label:
            return f"no build of that kind: {limit}"
        return ratio(by_label[limit], by_label[base]).ratio
    return bound


def perfect_marks(by_label):
    """Every node pushed once and no more."""
    case = by_label["classic, slab"]
    return case.median("pushed") / case.median("expanded")


def cached(by_label):
    """The same search where all of it fits in the caches: ns per push."""
    large, small = (by_label[name].median("seconds") / by_label[name].median("pushed")
                    for name in ("classic, slab", "small graph"))
    return large / small


def undisturbed(by_label):
    """Processor time alone."""
    case = by_label["classic, slab"]
    return (case.median("seconds") / case.median("cpu_seconds") if case.median("cpu_seconds")
            else "no processor time")


def read_misses(text):
    """Per push, from Callgrind's counts."""
    report = json.loads(text)
    counts, pushed = report["counters"], report["summary"]["pushed"]
    return {"branches": counts["branches"] * (1 - counts["branches_predicted_rate"]) / pushed,
            "pages": counts["loads"] * (1 - counts["l1d_hit_rate"]) * (1 - counts["l2_local_hit_rate"]) / pushed}


def without(misses, seconds, base):
    """The same search without the time of these misses."""
    def bound(by_label):
        if "simulated misses" not in by_label:
            return "needs Valgrind"
        push = by_label[base].median("seconds") / by_label[base].median("pushed")
        saved = by_label["simulated misses"].median(misses) * seconds
        return push / (push - saved) if saved < push else "all of it"
    return bound


IDEAS = [
    Idea("allocation", "classic, malloc", against("classic, malloc", "classic, replay"), "classic, slab",
         "alloc/nodes/slab.c"),
    Idea("visited mark", "classic, slab", perfect_marks, "mark-on-push, slab", "bfs/engines/mark_on_push.c"),
    Idea("copies", "mark-on-push, slab", lambda _: NODE_BYTES / NUMBER_BYTES, "array", "bfs/engines/array.c"),
    Idea("cache", "classic, slab", cached, "nodes in search order", "data/make/graph_order.c"),
    Idea("page size", "small pages", without("pages", TLB_SECONDS, "small pages"), "huge pages",
         "alloc/nodes/slab_pages.c"),
    Idea("shared or static", "classic, slab", against("classic, slab", "lto build"), "static build",
         "CONTRIBUTING.md"),
    Idea("branches", "classic, slab", without("branches", BRANCH_SECONDS, "classic, slab"), "classic, slab",
         "liblist/list.c"),
    Idea("kernel policy", "classic, slab", undisturbed, "pinned", "bfs/run"),
]


def parse(arguments):
    parser = make_parser("ideas", "What each idea of level 3 can bring at most, and what it brought.", EPILOGUE,
                         rounds=5)
    parser.set_defaults(nodes=200_000, edges=2_524_000)
    parser.add_argument("--pairs", type=int, default=10, metavar="N", help="searches (default: %(default)s)")
    options = finish_options(parser, arguments)
    if options.pairs < 1:
        parser.error("--pairs takes 1 or more")
    return options


def read(text):
    values = read_report(text)
    values["pushed"] = sum(row["pushed"] for row in json.loads(text)["searches"])
    return values


def make_cases(options, folder):
    folder = pathlib.Path(folder)
    for order in ("none", "bfs"):
        capture([program(options, "graph-convert"), "--quiet", f"--order={order}", options.graph,
                 folder / f"{order}.pwg"])
    pairs = folder / "pairs.txt"
    capture([program(options, "graph-convert"), "--quiet", f"--pairs={options.pairs}", "--seed=1",
             folder / "none.pwg", pairs])
    more = ["--format=json", "--progress=never", "--threads=1"]
    script = folder / "run.script"
    heap = f"{max(options.edges * BLOCK_BYTES >> 20, 64)}M"
    capture([program(options, "bfs"), folder / "none.pwg", pairs, "--engine=classic", *more,
             f"--alloc=record(first-fit,heap={heap},file={script})"])

    def case(label, engine, allocator, *words, graph=folder / "none.pwg", asked=pairs, bin_folder=None):
        bfs = (bin_folder / "bfs") if bin_folder else program(options, "bfs")
        return Case(label, [bfs, graph, asked, f"--engine={engine}", f"--alloc={allocator}", *more, *words],
                    read, optional=bin_folder is not None)
    builds = options.bin.parent.parent
    return [case("classic, malloc", "classic", "malloc"),
            case("classic, replay", "classic", f"replay:unchecked,file={script}"),
            case("classic, slab", "classic", "slab"),
            case("mark-on-push, slab", "mark-on-push", "slab"),
            case("array", "array", "slab"),
            case("nodes in search order", "classic", "slab", graph=folder / "bfs.pwg"),
            case("small pages", "classic", "slab:pages=normal", "--huge-pages=none"),
            case("huge pages", "classic", "slab:pages=huge", "--huge-pages=all"),
            case("pinned", "classic", "slab", "--pin"),
            case("small graph", "classic", "slab", graph=SMALL, asked=SMALL_PAIRS),
            Case("simulated misses",
                 [program(options, "bfs"), folder / "none.pwg", pairs, "--engine=classic",
                  "--alloc=slab:pages=normal", "--huge-pages=none", f"--sim={CACHES}",
                  f"--sim-limit={SIMULATED_SECONDS}", *more], read_misses, optional=True,
                 every=options.rounds),
            case("static build", "classic", "slab", bin_folder=builds / "static" / "bin"),
            case("lto build", "classic", "slab", bin_folder=builds / "lto" / "bin")]


def rows_of(cases):
    """(idea, bound or words, Difference of the result or None) of each idea."""
    by_label = {case.label: case for case in cases if case.rounds}
    found = []
    for idea in IDEAS:
        has_result = idea.result in by_label and idea.base in by_label and idea.result != idea.base
        found.append((idea, idea.bound(by_label),
                      ratio(by_label[idea.result], by_label[idea.base]) if has_result else None))
    return found


def result_text(found):
    if found is None or not found.known:
        return "-"
    mark = "" if found.is_single or found.is_real() else "~"
    return f"{mark}{times(found.ratio)}" + ("" if found.is_single else
                                           f"\n{times(found.low)} to {times(found.high)}")


def remark(bound, found):
    """Where bound and result disagree."""
    if isinstance(bound, str) or found is None or not found.known:
        return ""
    return "above its bound: see ideas.md" if found.ratio > 1.05 * bound else ""


def make(study):
    options = study.options
    study.page.paragraph(f"{options.nodes:,} nodes, {options.edges:,} edges, {options.pairs} pairs, seed 1, one "
                         "thread. " + rounds_text(options.rounds))
    with tempfile.TemporaryDirectory() as folder:
        study.say("converting the graph")
        cases = make_cases(options, folder)
        study.measure("ideas", cases)
    check_same([case for case in cases if case.label not in ("small graph", "simulated misses")], "found")
    rows = rows_of(cases)
    study.page.table(["idea", "from", "bound", "result", "to", "file", ""], [
        [idea.name, idea.base, bound if isinstance(bound, str) else times(bound), result_text(found),
         idea.result if found is not None else "-", idea.file, remark(bound, found)]
        for idea, bound, found in rows])
    study.page.plot("Times as fast: the bound that was found before, and what was reached.", plots.bars, "ideas",
                    "Bounds and results", "times as fast", [
                        (idea.name, [None if isinstance(bound, str) else figure_of([bound]),
                                     figure_of([found.ratio]) if found is not None and found.known else None])
                        for idea, bound, found in rows], ("bound", "result"))
    study.show()


def main(arguments=None):
    return run_study("ideas", "What each idea can bring, and what it brought", parse(arguments), make)
