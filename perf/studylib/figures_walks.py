"""perf/study figures --walks: what asks for all nodes of a graph, beside gapbs.

tests/python/walks_bench.py asks for distances, parents and the histogram; `bfs` searches for a node
that cannot be reached; with --walks=DIR `bfs` of gapbs, made in DIR, finds parents in the same graph
from the same node. Figures are seconds. The table goes into bfs/engines/README.md.
"""
import csv
import json
import os
import pathlib
import re
import sys

from cases import ROOT, Case, capture, check_same, program, run_rounds
from figures_rows import graph_in_millions, of_first_machine, read_rows
from own_name import complain
from runner import Failed
from speaker import Speaker
from stats import figure_of

RUNS = 9
SCALE = 20
COUNTS = (1, 2)  # of threads
BUSY = ", beside other programs"  # what a figure is of, where the machine was not idle
TRIALS = 5  # in each process; a round is their median
# (name in the figures, words)
ASKED = (("distances", "distances"), ("parents", "parents"), ("histogram", "histogram"),
         ("full", "a full search by direction-optimizing"), ("gapbs", "parents, by `bfs` of gapbs"))


def made_graph(options, folder):
    """(the graph as a snapshot, as gapbs reads it or None)."""
    made, peer = folder / "graph.pwg", folder / "graph.sg"
    convert = [str(program(options, "graph-convert")), "--quiet"]
    if options.walks:
        capture([str(pathlib.Path(options.walks) / "converter"), "-g", str(SCALE), "-b", str(peer)])
        capture([*convert, str(peer), str(made)])
        return made, peer
    complain("study", "gapbs is left out: --walks=DIR says where it was made")
    capture([*convert, f"generate:kronecker,scale={SCALE}", str(made)])
    return made, None


def read_full(text):
    """The median of the trials of one search that has seen all that it can reach."""
    rows = json.loads(text)["searches"]
    if any(row["found"] for row in rows):
        raise Failed("the node that cannot be reached was found")
    return {"full": figure_of([row["seconds"] for row in rows]).value,
            "reached": rows[0]["visited"] + 1}  # the source is not counted there


def read_gapbs(text):
    reached = int(re.search(r"BFS Tree has (\d+) nodes", text)[1])
    trials = [float(found) for found in re.findall(r"^Trial Time:\s+(\S+)", text, re.M)]
    return {"gapbs": figure_of(trials).value, "reached": reached}


def cases(options, graph, peer, asked, bench):
    """A process of each program for each number of threads."""
    pairs = graph.with_name("pairs.txt")
    pairs.write_text(f"{asked['source']} {asked['target']}\n", encoding="utf-8")
    made = []
    for count in COUNTS:
        made += [Case(f"walks, {count}", [*bench, graph, asked["source"], count], json.loads),
                 Case(f"full, {count}", [
                     program(options, "bfs"), graph, pairs, "--engine=direction-optimizing",
                     f"--threads={count}", "--parallel=search", f"--trials={TRIALS}", "--format=json",
                     "--progress=never"], read_full)]
        if peer:
            made.append(Case(f"gapbs, {count}", [
                "env", f"OMP_NUM_THREADS={count}", pathlib.Path(options.walks) / "bfs", "-f", peer, "-r",
                asked["source"], "-n", TRIALS, "-a"], read_gapbs))
    return made


def run(options):
    """Leave what was measured in the folder."""
    bench = ROOT / "tests" / "python" / "walks_bench.py"
    if not bench.exists():
        raise Failed("tests/python/walks_bench.py is only in the source tree")
    folder = options.output.resolve() / "walks"
    folder.mkdir(exist_ok=True)
    is_busy = os.getloadavg()[0] > 1
    say = Speaker()
    say("the graph")
    graph, peer = made_graph(options, folder)
    library = options.bin.resolve().parent / "lib" / "libpwgraph.so"
    words = ["env", f"POINTER_WARS_LIBRARY={library}", sys.executable, str(bench)]
    asked = json.loads(capture([*words, str(graph)]))
    measured = cases(options, graph, peer, asked, words)
    run_rounds(measured, options.runs, options.seed, say, "walks")
    check_same(measured, "reached")
    size = f"{asked['nodes']} nodes, {asked['edges']} edges"
    write_rounds(options.output / "walks.csv", size + (BUSY if is_busy else ""), measured)
    for path in (graph, peer):
        if path:
            path.unlink()
    return 0


def write_rounds(path, graph, measured):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["question", "threads", "round", "seconds", "graph"])
        for case in measured:
            for number, values in sorted(case.rounds.items()):
                writer.writerows([name, case.label.split(", ")[1], number, values[name], graph]
                                 for name, _ in ASKED if name in values)


def collect(options):
    """[(figure, graph, seconds, low, high)] of the rounds in the folder."""
    path = options.output / "walks.csv"
    rounds, graph = {}, ""
    for row in read_rows(path) if path.exists() else []:
        rounds.setdefault(f"walks.{row['question']}.{row['threads']}", []).append(float(row["seconds"]))
        graph = row["graph"]
    figures = {name: figure_of(values) for name, values in rounds.items()}
    return [(name, graph, figure.value, figure.low, figure.high) for name, figure in figures.items()]


def table(rows):
    """(what the table is, its lines), of the first machine that has it."""
    machine, own = of_first_machine(rows, "walks.")
    if not own:
        return "", []
    found = {figure: 1000 * float(row["value"]) for figure, row in own.items()}
    is_busy = any(BUSY in row["graph"] for row in own.values())

    def cells(name):
        for count in COUNTS:
            ms, peer = found[f"walks.{name}.{count}"], found.get(f"walks.gapbs.{count}")
            yield f"{ms:.1f} ms | {ms / peer:.2f}" if peer else f"{ms:.1f} ms | -"

    about = ("By `perf/study figures --walks=DIR --write`, DIR being where gapbs was made: a Kronecker graph of "
             f"{graph_in_millions(own)}, searched from one node that reaches most others. The times are medians "
             f"of rounds in turns, on {machine}; they include giving back the arrays. After each time is "
             "its share of the time of gapbs" + ("." if "walks.gapbs.1" in found else ", which was not there.")
             + (" Other programs kept the processors busy meanwhile: all times are too long, and with two threads "
                "the shares, too, differ from what an idle machine gives." if is_busy else ""))
    return about, ["| asked | 1 thread | of gapbs | 2 threads | of gapbs |", "|---|---:|---:|---:|---:|", *(
        f"| {words} | {' | '.join(cells(name))} |" for name, words in ASKED if f"walks.{name}.1" in found)]
