"""perf/study figures --huge: the size of today's English Wikipedia beside the graph of 2007.

1. What it takes (time, disk, memory) is estimated from the number of edges, said, and compared with
   what is there, before anything is made.
2. Each graph is generated once, into a snapshot with its reverse adjacency.
3. The cases of both graphs take turns, in fresh processes: questions with bidirectional, full
   searches with direction-optimizing, and classic on slab, as it is and held to small chunks.
4. A table says how many times as much each is, and whether that is as the nodes or as the edges.
"""
import json
import math
import os
import shutil
from statistics import median

import units
from cases import REAL_EDGES, REAL_NODES, Case, capture, figure_text, program, rounds_text, run_study
from runner import Failed

NODES, EDGES = 7160000, 695000000  # articles and links of the English Wikipedia, 2025
PART = "Today's size"
QUESTIONS, FULL, CLASSIC = 1000, 10, 15  # random pairs; full searches among them; the first ones
PAIRS = f"random:{QUESTIONS},seed=1"
SMALL = "slab:chunk=2M,pages=normal"     # what every slab did before large ones grew
# Per edge and per node of a snapshot with its reverse; per edge at most: a node of the queue, and the
# forward half of the snapshot; seconds per edge: to make it, and to measure one round.
DISK, DISK_NODE = 8.0, 16.0
MEMORY = 16.1 + 4.0
MAKE_SECONDS, ROUND_SECONDS = 60e-9, 80e-9
# (key of the results, case, words, unit)
ROWS = [
    ("nodes", "questions", "nodes", ""), ("edges", "questions", "edges", ""),
    ("snapshot_bytes", "questions", "snapshot with the reverse adjacency, on disk", "B"),
    ("load_seconds", "questions", "opening it", "s"),
    ("median_us", "questions", "a question with bidirectional, median of 1,000 random pairs", "us"),
    ("p99_us", "questions", "99 of 100 questions are answered within", "us"),
    ("full_seconds", "full", "a full search with direction-optimizing", "s"),
    ("seconds", "slab", "15 pairs and a full search, classic on slab", "s"),
    ("seconds", SMALL, f"15 pairs and a full search, classic on {SMALL}", "s"),
    ("faults", "slab", "their page faults, slab", ""),
    ("faults", SMALL, f"their page faults, {SMALL}", ""),
    ("held_bytes", "slab", "memory for the queue's nodes at most, slab", "B"),
    ("peak_rss_bytes", "slab", "peak resident memory, mapped graph included, slab", "B"),
]
HEADS = ["", "graph of 2007", "size of today", "times", "grows"]


def graphs(options):
    """{name: (nodes, edges)}. A test's graph has one beside it in the proportion of the two sizes."""
    if (options.nodes, options.edges) == (NODES, EDGES):
        old = REAL_NODES, REAL_EDGES
    else:
        old = (max(2, round(options.nodes * REAL_NODES / NODES)),
               max(2, round(options.edges * REAL_EDGES / EDGES)))
    return {"2007": old, "today": (options.nodes, options.edges)}


def needed(options):
    """{what: amount}: seconds, bytes of disk, bytes of memory."""
    sizes = graphs(options).values()
    every = sum(edges for _, edges in sizes)
    return {"seconds": every * (MAKE_SECONDS + options.rounds * ROUND_SECONDS),
            "disk": sum(DISK * edges + DISK_NODE * nodes for nodes, edges in sizes),
            "memory": max(MEMORY * edges + DISK_NODE * nodes for nodes, edges in sizes)}


def available_memory():
    """Bytes that programs can take without swapping; None: unknown."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None


def check_room(options):
    """Say what the run takes, and refuse it where that is not there."""
    need = needed(options)
    folder = options.output
    disk = shutil.disk_usage(folder).free + sum(
        path.stat().st_size for path in folder.glob("*.pwg"))  # of an earlier run
    memory = available_memory()
    print(f"This takes some {math.ceil(need['seconds'] / 60):,} minutes, "
          f"{units.text(need['disk'], 'B', 3)} of disk in {folder} and "
          f"{units.text(need['memory'], 'B', 3)} of memory.", flush=True)
    for what, there in (("disk", disk), ("memory", memory)):
        if there is not None and need[what] > there:
            raise Failed(f"--huge takes {units.text(need[what], 'B', 3)} of {what}, and "
                         f"{units.text(there, 'B', 3)} are free; --nodes and --edges take less")


def make_snapshot(options, say, name, nodes, edges):
    """The file of a graph; one of the same size from an earlier run is used again."""
    path = options.output / f"{name}-{nodes}-{edges}.pwg"
    if not path.exists():
        say(f"generating {nodes:,} nodes and {edges:,} edges")
        made = path.with_suffix(".part.pwg")
        capture([str(program(options, "graph-convert")), "--quiet", "--with-reverse",
                 f"generate:nodes={nodes},edges={edges},seed=1", str(made)])
        os.replace(made, path)
    return path


def read_questions(text):
    report = json.loads(text)
    micros = sorted(row["seconds"] * 1e6 for row in report["searches"])
    graph = report["context"]["graph"]
    return {"load_seconds": report["summary"]["load_seconds"], "median_us": median(micros),
            "p99_us": micros[max(0, len(micros) * 99 // 100 - 1)], "nodes": graph["nodes"],
            "edges": graph["edges"], "found": sum(row["found"] for row in report["searches"])}


def read_full(text):
    return {"full_seconds": median(row["seconds"] for row in json.loads(text)["searches"])}


def read_classic(text):
    report = json.loads(text)
    summary = report["summary"]
    return {"seconds": summary["search_seconds"], "visited": summary["visited"],
            "faults": report["counters"].get("faults_minor"), "peak_rss_bytes": summary.get("peak_rss_bytes"),
            "held_bytes": summary["allocator"]["held_bytes_max"]}


def words_of(options, path, *more):
    return [program(options, "bfs"), path, PAIRS, "--threads=1", "--format=json", "--progress=never",
            "--counters=none", *more]


def full_searches(options, path):
    """The numbers of some pairs whose search sees all that can be reached: nothing leads from one
    to the other, and the source reaches about as much as any. Without such a pair the one that
    expands the most."""
    def searches(*more):
        return json.loads(capture([str(word) for word in words_of(options, path, *more)]))["searches"]

    apart = [row["search"] for row in searches("--engine=bidirectional") if not row["found"]][:4 * FULL]
    tried = searches("--engine=direction-optimizing",
                     f"--only={','.join(map(str, apart or range(1, 4 * FULL)))}")
    tried.sort(key=lambda row: -row["expanded"])
    return [row["search"] for row in tried[:FULL] if apart and row["expanded"] > tried[0]["expanded"] / 2] \
        or [tried[0]["search"]]


def cases_of(options, name, path, full):
    """The cases of one graph; their labels begin with its name. full: of full_searches."""
    def case(label, read, *more):
        return Case(f"{name}, {label}", words_of(options, path, *more), read)

    def questions(text):
        return {**read_questions(text), "snapshot_bytes": path.stat().st_size}

    first = ",".join(str(number) for number in sorted({*range(1, CLASSIC + 1), full[0]}))
    return [case("questions", questions, "--engine=bidirectional", "--warmup=1"),
            case("full", read_full, "--engine=direction-optimizing", "--warmup=1",
                 f"--only={','.join(map(str, full))}"),
            *(case(alloc, read_classic, "--engine=classic", f"--alloc={alloc}", f"--only={first}")
              for alloc in ("slab", SMALL))]


def grows(ratio, nodes, edges):
    """A ratio in words, beside the ratios of the nodes and of the edges."""
    if ratio < 1 / 1.15:
        return "falls"
    if ratio <= 1.15:
        return "hardly"
    if ratio < nodes / 1.15:
        return "slower than the nodes"
    if ratio <= nodes * 1.15:
        return "as the nodes"
    if ratio < edges / 1.15:
        return "between nodes and edges"
    return "as the edges" if ratio <= edges * 1.15 else "faster than the edges"


def table(value, text):
    """Rows under HEADS. value(name, case, key): a number or None; text(name, case, key, unit)."""
    def ratio(case, key):
        old, new = (value(name, case, key) for name in ("2007", "today"))
        return new / old if old and new else None

    nodes, edges = ratio("questions", "nodes"), ratio("questions", "edges")
    rows = []
    for key, case, words, unit in ROWS:
        own = ratio(case, key)
        rows.append([words, *(text(name, case, key, unit) for name in ("2007", "today")),
                     units.plain(own, 3) if own else "-",
                     grows(own, nodes, edges) if own and key not in ("nodes", "edges") else ""])
    return rows


def make(study):
    options = study.options
    check_room(options)
    cases = []
    for name, (nodes, edges) in graphs(options).items():
        path = make_snapshot(options, study.say, name, nodes, edges)
        study.say(f"looking for full searches, {name}")
        cases += cases_of(options, name, path, full_searches(options, path))
    study.measure(PART, cases)
    by_label = {case.label: case for case in cases}
    for name in graphs(options):
        same = [by_label[f"{name}, {alloc}"].median("visited") for alloc in ("slab", SMALL)]
        if same[0] != same[1]:
            raise Failed(f"visited differs: {same[0]} and {same[1]}")

    def text(name, case, key, unit):
        return figure_text(by_label[f"{name}, {case}"].values(key),
                           lambda value: units.text(value, unit))

    study.page.heading("The size of today's English Wikipedia")
    study.page.paragraph("Generated graphs of both sizes, seed 1, each in a snapshot that is mapped; one "
                         "thread. " + rounds_text(options.rounds))
    study.page.table(HEADS, table(lambda name, case, key: by_label[f"{name}, {case}"].median(key), text))
    if not options.keep:
        for path in options.output.glob("*.pwg"):
            path.unlink()


def run(options):
    """Measure into the folder of the study; the exit status."""
    return run_study("huge", "The size of today's English Wikipedia", options, make)
