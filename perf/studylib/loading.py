"""perf/study loading: how long a graph takes from its file to memory, beside its limits.

1. A Matrix Market file sorted by target, as SuiteSparse sorts its own, in the page cache; the same
   as gzip and as a snapshot.
2. A plain read, loops of fscanf without and with the challenge's rows, decompression alone; and the
   reader on one and two threads, with and without the reverse adjacency.
3. With --orders: what the order of the nodes is worth to ten searches.
"""
import gzip
import pathlib
import shutil
import sys
import tempfile

import plots
import units
from cases import (Case, capture, check_same, figure_text, finish_options, make_parser, program,
                   ranked, ratio_text, read_report, read_rows, rounds_text, run_study)

FSCANF_EVERY = 3  # so slow that it takes part in every third round only

EPILOGUE = """\
examples:
  perf/study loading
  perf/study loading --full --orders --output loading-full
  perf/study loading --file wikipedia-20070206.mtx
Prints the tables and writes FOLDER/study.html, study.md, results.csv, results.json and the plots.
Exit status: 0 done, 1 a run or a plot failed, 2 wrong usage, 130 interrupted (what is done is
written)."""

READ = """\
import sys, time
start, piece = time.monotonic(), bytearray(1 << 20)
with open(sys.argv[1], 'rb', buffering=0) as file:
    while file.readinto(piece):
        pass
print(f'load,seconds\\n1,{time.monotonic() - start}')
"""
GUNZIP = """\
import sys, time, zlib
decoder, start = zlib.decompressobj(31), time.monotonic()
with open(sys.argv[1], 'rb', buffering=0) as file:
    while piece := file.read(1 << 16):
        decoder.decompress(piece)
print(f'load,seconds\\n1,{time.monotonic() - start}')
"""


def parse(arguments):
    parser = make_parser("loading", "How fast a graph is read, beside a plain read of the file and "
                         "a loop of fscanf.", EPILOGUE, rounds=5)
    parser.add_argument("--file", type=pathlib.Path, help="read this Matrix Market file instead of "
                        "a generated one")
    parser.add_argument("--orders", action="store_true", help="what the order of the node ids is "
                        "worth to searches")
    return finish_options(parser, arguments)


def make_files(options, folder):
    """text, gzip, snapshot without and with the reverse adjacency"""
    text = options.file or folder / "graph.mtx"
    if options.file is None:
        capture([str(program(options, "graph-convert")), "--quiet", "--by-target",
                 f"generate:nodes={options.nodes},edges={options.edges}", str(text)])
    snapshot, packed = folder / "graph.pwg", folder / "graph.mtx.gz"
    both = folder / "reverse.pwg"
    capture([str(program(options, "graph-convert")), "--quiet", "--with-reverse", str(text),
             str(both)])
    capture([str(program(options, "graph-convert")), "--quiet", "--without-reverse", str(text),
             str(snapshot)])
    with open(text, "rb") as source, gzip.open(packed, "wb", compresslevel=1) as target:
        shutil.copyfileobj(source, target, 1 << 20)
    return text, packed, snapshot, both


def read_load(text):
    """The last row is what counts; the one before, if any, is the load in fresh memory."""
    rows = read_rows(text)
    values = {key: rows[-1].get(key) for key in ("seconds", "peak_rss_bytes", "edges")}
    values["edges"] = values["edges"] or None  # not counted by a plain read
    if len(rows) > 1:
        values["first_seconds"] = rows[0]["seconds"]
        values["first_faults"] = rows[0].get("minor_faults")
    if values["edges"] and values["peak_rss_bytes"]:
        values["bytes_per_edge"] = values["peak_rss_bytes"] / values["edges"]
    return values


def loading_cases(options, text, packed, snapshot, both):
    hand = program(options, "bench-hand")

    def load(label, path, threads, kind="out"):
        return Case(label, [hand, "load", path, threads, kind], read_load)

    return [
        Case("plain read", [sys.executable, "-c", READ, text], read_load),
        Case("fscanf loop", [hand, "fscanf", text], read_load, every=FSCANF_EVERY),
        Case("fscanf into the challenge's rows", [hand, "rows", text], read_load,
             every=FSCANF_EVERY),
        load("text, one thread", text, 1),
        load("text, two threads", text, 2),
        load("text and reverse, one thread", text, 1, "reverse"),
        load("text and reverse, two threads", text, 2, "reverse"),
        load("snapshot", snapshot, 1),
        load("snapshot with reverse", both, 1, "reverse"),
        load("snapshot, reverse made", snapshot, 2, "reverse"),
        Case("gunzip alone", [sys.executable, "-c", GUNZIP, packed], read_load),
        load("gzip, two threads", packed, 2),
    ]


def load_part(study, files):
    title = "Loading"
    cases = loading_cases(study.options, *files)
    plain, fscanf, rows = cases[:3]
    study.measure(title, cases)
    check_same(cases, "edges")
    study.page.heading(title)
    table = []
    for case in cases:
        per_edge = case.median("bytes_per_edge")
        table.append([case.label, figure_text(case.values("seconds"), units.seconds),
                      units.seconds(case.median("first_seconds")), ratio_text(plain, case),
                      ratio_text(case, fscanf), ratio_text(case, rows),
                      f"{per_edge:.1f}" if per_edge else "",
                      units.text(case.median("first_faults"))])
    study.page.table(["", "time", "first load", "to plain read", "x fscanf", "x rows",
                      "peak, bytes/edge", "its faults"], table)
    study.page.paragraph(
        "The reader loads twice in a process: the first load is the first to touch its memory, the second one counts. Peak: resident memory "
        "of the process. Its faults: pages, small and huge, that "
        "the system handed over for the first load, clearing most.", "note")
    study.page.plot("The line is the interval; the scale is logarithmic.", plots.dots, "loading",
                    "A graph from its file to memory", "time",
                    ranked(cases), unit="s")


def order_part(study, text, snapshot, folder):
    """Ten searches of the same pairs, the nodes renumbered in each order."""
    options = study.options
    title = "Ten searches, by the order of the nodes"
    bfs = program(options, "bfs")
    plain = ["--format=csv", "--progress=never", "--counters=none"]
    rows = read_rows(capture([str(bfs), str(snapshot), "random:10,seed=1",
                              "--engine=array", *plain]))
    pairs = folder / "pairs.txt"
    pairs.write_text("".join(f"{row['source']} {row['target']}\n" for row in rows),
                     encoding="utf-8")
    orders = ("none", "degree", "bfs", "random")
    for order in orders:
        capture([str(program(options, "graph-convert")), "--quiet", f"--order={order}", str(text),
                 str(folder / f"{order}.pwg")])
    cases = [Case(f"{engine}, {order}", [
        bfs, folder / f"{order}.pwg", pairs, f"--engine={engine}", "--alloc=malloc", "--threads=1",
        "--format=json", "--progress=never", "--counters=none"], read_report, f"{engine}, none")
        for engine in ("classic", "array") for order in orders]
    study.measure(title, cases, min(options.rounds, 3))
    check_same(cases, "found")
    check_same(cases, "hops")
    by_label = {case.label: case for case in cases}
    study.page.heading(title)
    study.page.table(["engine, order", "time", "x none"], [
        [case.label, figure_text(case.values("seconds"), units.seconds),
         ratio_text(case, by_label[case.against])] for case in cases])


def make(study):
    options = study.options
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        study.say("making the files")
        files = make_files(options, folder)
        where = options.file or f"{options.nodes:,} nodes, {options.edges:,} edges, generated"
        study.page.paragraph(f"{where}: {files[0].stat().st_size / 1e6:,.0f} MB of Matrix Market "
                             "text in the page cache. " + rounds_text(options.rounds))
        study.say("filling the page cache")
        for path in files:
            capture([sys.executable, "-c", READ, str(path)])
        load_part(study, files)
        study.show()
        if options.orders:
            order_part(study, files[0], files[2], folder)


def main(arguments=None):
    return run_study("loading", "Loading a graph", parse(arguments), make)
