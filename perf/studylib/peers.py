"""perf/study peers: all parents and single pairs beside other programs, and the ledger of these claims.

1. gapbs and LAGraph are built at the commits of PEERS, from GitHub or from what the variables GAPBS and
   LAGRAPH name (a folder, or a mirror of git). LAGraph needs SuiteSparse:GraphBLAS (Debian's
   libgraphblas-dev). A pair is asked of NetworKit, a package of Python; the variable PEERS_PYTHON names
   the Python that has it. A program that is not there is left out, in words.
2. All get the same edges and the same sources, which gapbs draws. Its parents are verified by its
   own check, ours by walks.c; the nodes reached must be as many. The hops of each pair must agree.
3. The programs take turns, a process per program and round. A figure is the median over the sources of
   the median of the rounds; a ratio is made per source first, so that small walks count as large ones.
4. With --write the figures go into peers.csv, a row per source or pair, and replace the rows of the
   same graph. The ledger, peers.md, is made from it.
"""
import csv
import os
import pathlib
import re
import sys
from statistics import median

from cases import Case, capture, make_parser, program, run_study, times
from figures import machine_text, markdown
from runner import Failed
from stats import figure_of
from units import text as unit_text

HERE = pathlib.Path(__file__).resolve().parent
PAGE, DATA = HERE / "peers.md", HERE / "peers.csv"
PEERS = {"gapbs": ("https://github.com/sbeamer/gapbs", "b5e3e19c2845f22fb338f4a4bc4b1ccee861d026"),
         "LAGraph": ("https://github.com/GraphBLAS/LAGraph", "afeb9dffca463fb966f1d9637986af55b04df461")}
SHAPES = {"Kronecker": "generate:kronecker,scale=20", "uniform": "generate:uniform,nodes=1M,edges=16M",
          "Wikipedia": "generate:nodes=1M,edges=12624000,seed=1", "grid": "generate:grid,rows=500,columns=500"}
SOURCES, PAIRS, CHECKED = 64, 100, 4
OWN = ("levels", "distances", "both")  # what walks.c times beside the parents
HEADS = ["question", "shape", "threads", "number", "asked", "gapbs", "LAGraph", "NetworKit", "here", *OWN, "run"]
NOT_SAID = {
    "parents": [
        "These figures do not say how the programs compare for distances alone, on more than two threads, or",
        "on other shapes. LAGraph calls a library for sparse matrices, whose other operations are not",
        "asked. It prints tenths of a millisecond, too few digits for a small graph.", ""],
    "pairs": [
        "These figures do not say that NetworKit is slower at anything else. It is asked from Python, which",
        "costs some microseconds per pair. gapbs and LAGraph have no search for one pair.", ""]}
EPILOGUE = """\
examples:
  perf/study peers --web crawl.mtx.gz              all shapes, three rounds; under an hour on an idle machine
  perf/study peers --only Kronecker --rounds 1     one shape, some minutes
  GAPBS=/mirror/gapbs perf/study peers --write     from a folder; the ledger and its data are written
GAPBS and LAGRAPH name a folder or a mirror of git in place of GitHub; LAGRAPH_CMAKE has options for cmake;
PEERS_PYTHON is the Python that has NetworKit.
Exit status: 0 done, 1 a run failed or an answer differs, 2 wrong usage, 130 interrupted."""


# The programs -----------------------------------------------------------------------------------

def checkout(name, folder):
    """The source of a program at its commit."""
    address, commit = PEERS[name]
    place = folder / name
    if not place.exists():
        capture(["git", "clone", "--quiet", os.environ.get(name.upper(), address), place])
    capture(["git", "-C", place, "checkout", "--quiet", commit])
    return place


def build_gapbs(folder):
    place = checkout("gapbs", folder)
    capture(["make", "-C", place, "bfs", "converter"])
    return place


def build_lagraph(folder):
    place = checkout("LAGraph", folder)
    build = place / "build-peers"
    capture(["cmake", "-S", place, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_STATIC_LIBS=OFF",
             *os.environ.get("LAGRAPH_CMAKE", "").split()])
    capture(["cmake", "--build", build, "--parallel", "2", "--target", "bfs_demo", "mtx2bin_demo"])
    return build / "src" / "benchmark"


def networkit_python(_):
    python = os.environ.get("PEERS_PYTHON", sys.executable)
    capture([python, "-c", "import networkit"])
    return python


# The graphs -------------------------------------------------------------------------------------

def make_files(options, folder, shape, graph, built):
    """The files of a shape: the same edges in each program's format, the sources and the pairs. gapbs leaves
    out repeated edges and loops, so all others get the edges that it has left."""
    base, convert = folder / shape, [program(options, "graph-convert"), "--quiet"]
    files = {name: base.with_name(f"{shape}.{name}") for name in ("raw.el", "el", "pwg", "sg", "mtx", "grb", "sources", "source",
                                                             "pairs")}
    capture([*convert, graph, files["raw.el"]])
    capture([built["gapbs"] / "converter", "-f", files["raw.el"], "-e", files["el"]])
    files["raw.el"].unlink()
    for name in ("pwg", "mtx") if "LAGraph" in built else ("pwg",):
        capture([*convert, files["el"], files[name]])
    capture([*convert, f"--pairs={PAIRS}", "--seed=1", files["pwg"], files["pairs"]])
    capture([built["gapbs"] / "converter", "-f", files["el"], "-b", files["sg"]])
    drawn = capture([built["gapbs"] / "bfs", "-f", files["sg"], "-n", f"{SOURCES}", "-l"])
    sources = re.findall(r"^Source: +(\d+)$", drawn, re.M)
    checked = capture([built["gapbs"] / "bfs", "-f", files["sg"], "-n", f"{CHECKED}", "-v", "-a"])
    files["source"].write_text("\n".join(sources[:CHECKED]), encoding="utf-8")
    own = capture([options.walks, files["pwg"], "2", files["source"], "check"])
    reached = int(re.search(r"^BFS Tree has (\d+) nodes", checked, re.M)[1])
    if len(sources) != SOURCES or checked.count("PASS") != CHECKED or int(own.split()[-5]) != reached:
        raise Failed(f"{shape}: the parents of gapbs and ours are not of the same walks")
    files["sources"].write_text("\n".join(sources), encoding="utf-8")
    if "LAGraph" in built:
        capture([built["LAGraph"] / "mtx2bin_demo", files["mtx"], files["grb"]])
        files["mtx"].unlink()
        files["source"].write_text(f"%%MatrixMarket matrix array integer general\n{SOURCES} 1\n" + "".join(
            f"{int(source) + 1}\n" for source in sources), encoding="utf-8")
    for name in ("el",) if "NetworKit" not in built else ():
        files[name].unlink()
    return files


# The cases --------------------------------------------------------------------------------------

def numbered(pattern, wanted):
    """Reads the seconds of each source or pair from what a program prints."""
    def read(text):
        found = re.findall(pattern, text, re.M)
        if len(found) != wanted:
            raise ValueError
        rows = [each if isinstance(each, tuple) else ("", each) for each in found]
        return {f"seconds_{i}": float(seconds) for i, (_, seconds) in enumerate(rows, 1)} | {
            f"answer_{i}": answer for i, (answer, _) in enumerate(rows, 1) if answer}
    return read


def read_walks(text):
    rows = [line.split() for line in text.splitlines()]
    return {f"{name}_{i}": float(row[at]) for i, row in enumerate(rows, 1)
            for at, name in enumerate(("seconds", *OWN), 2)}


def read_bfs(text):
    rows = list(csv.DictReader(text.splitlines()))
    return {f"seconds_{i}": float(row["seconds"]) for i, row in enumerate(rows, 1)} | {
        f"answer_{i}": row["hops"] or "-1" for i, row in enumerate(rows, 1)}


def make_cases(options, shape, files, built):
    """The cases of a shape, by question, threads and program."""
    cases = {}
    for threads in (1, 2):
        env = ["env", f"OMP_NUM_THREADS={threads}"]
        key = "parents", shape, threads
        cases[(*key, "gapbs")] = Case(f"{shape}, {threads}: gapbs", [
            *env, built["gapbs"] / "bfs", "-f", files["sg"], "-n", SOURCES],
            numbered(r"^Trial Time: +([\d.]+)$", SOURCES))
        if "LAGraph" in built:
            cases[(*key, "LAGraph")] = Case(f"{shape}, {threads}: LAGraph", [
                *env, built["LAGraph"] / "bfs_demo", files["grb"], files["source"]],
                numbered(r"^parent only .* ([\d.]+) sec$", SOURCES), optional=True)
        cases[(*key, "here")] = Case(f"{shape}, {threads}: walks", [
            options.walks, files["pwg"], threads, files["sources"]], read_walks)
    key = "pairs", shape, 1
    if "NetworKit" in built:
        cases[(*key, "NetworKit")] = Case(f"{shape}: NetworKit", [
            built["NetworKit"], HERE / "pairs.py", files["el"], files["pairs"]],
            numbered(r"^(-?\d+) \d+ ([\d.e-]+)$", PAIRS))
        cases[(*key, "here")] = Case(f"{shape}: bfs", [
            program(options, "bfs"), files["pwg"], files["pairs"], "--engine=bidirectional", "--threads=1",
            "--format=csv", "--progress=never", "--counters=none"], read_bfs)
    return cases


# The ledger -------------------------------------------------------------------------------------

def rows_of(cases, files):
    """peers.csv: a row per source or pair, with the median of the rounds of each program."""
    rows = []
    for question, shape, threads in dict.fromkeys(key[:3] for key in cases):
        own = {name: case for (*key, name), case in cases.items() if key == [question, shape, threads]}
        asked = [line.replace(" ", " to ") for line in files[shape][
            "sources" if question == "parents" else "pairs"].read_text(encoding="utf-8").splitlines() if line[0] != "#"]
        for i, words in enumerate(asked, 1):
            answers = {case.values(f"answer_{i}")[0] for case in own.values() if case.values(f"answer_{i}")}
            if question == "pairs" and len(answers) > 1:
                raise Failed(f"{shape}: {words}: the answers differ: {', '.join(sorted(answers))}")
            rows.append({"question": question, "shape": shape, "threads": threads, "number": i, "asked": words} | {
                name: f"{median(case.values(f'seconds_{i}')):.7f}" for name, case in own.items()
                if case.values(f"seconds_{i}")} | {
                name: f"{median(own['here'].values(f'{name}_{i}')):.7f}" for name in OWN if question == "parents"})
    return rows


def figure_text(figure):
    """The interval in the unit of the figure: 14.2 ms (13.9 to 14.6)."""
    value, unit = unit_text(figure.value, "s").split()
    scale = figure.value / float(value)
    return f"{value} {unit} ({figure.low / scale:.4g} to {figure.high / scale:.4g})"


def table_of(rows, question):
    """A line per shape and threads: the median of each program, and how many times as fast we are."""
    names = [name for name in HEADS[5:9] if any(row.get(name) for row in rows if row["question"] == question)]
    lines = []
    for shape, threads in dict.fromkeys((row["shape"], row["threads"]) for row in rows
                                        if row["question"] == question):
        own = [row for row in rows if (row["question"], row["shape"], row["threads"]) == (question, shape, threads)]
        cells = [shape, str(threads)]
        for name in names:
            values = [float(row[name]) for row in own if row.get(name)]
            cells.append(figure_text(figure_of(values)) if values else "-")
            if name != "here":
                ratio = figure_of([float(row[name]) / float(row["here"]) for row in own if row.get(name)])
                cells.append(f"{times(ratio.value)} ({times(ratio.low)} to {times(ratio.high)})" if ratio else "-")
        if question == "pairs":
            for name in names:
                cells.append(unit_text(sum(float(row[name]) for row in own), "s"))
        lines.append(cells)
    heads = ["graph", "threads"]
    for name in names:
        heads += [name] if name == "here" else [name, f"times as fast as {name}"]
    return markdown(heads + [f"{PAIRS} pairs, {name}" for name in names if question == "pairs"], lines)


def cost_of(rows):
    """A line per shape and threads: how many times as long as a walk each answer takes here."""
    lines = []
    for shape, threads in dict.fromkeys((row["shape"], row["threads"]) for row in rows):
        own = [row for row in rows if (row["shape"], row["threads"]) == (shape, threads)]
        ratios = [figure_of([float(row[name]) / float(row["levels"]) for row in own])
                  for name in ("distances", "here", "both")]
        lines.append([shape, str(threads), figure_text(figure_of([float(row["levels"]) for row in own])),
                      *(f"{each.value:.2f} ({each.low:.2f} to {each.high:.2f})" for each in ratios)])
    return markdown(["graph", "threads", "a walk", "distances", "parents", "both"], lines)


def ledger(rows):
    """peers.md."""
    about = [f"{row['shape']}: {row['run']}" for row in rows if row.get("run")]
    commands = [f"- {name}: `{address}` at `{commit}`" for name, (address, commit) in PEERS.items()]
    return "\n".join([
        "# Beside other programs", "",
        "`perf/study peers --web GRAPH --write` builds these programs, measures and writes this page.",
        "`peers.csv` has each source and pair: the median of the rounds. Brackets have the interval of the median.", "",
        *(f"- {line}" for line in about), *commands, "",
        "A load average above the number of processors means that other programs ran beside these. All",
        "times are then too long, and the ratios less certain than their intervals say.", "",
        "## The parents of all nodes", "",
        f"Each program names a parent of every node that {SOURCES} sources reach. gapbs draws the sources. It verifies",
        f"its parents of the first {CHECKED}, and `walks.c` verifies ours; of the last of these, both reach as many",
        "nodes. LAGraph gets the same sources, and its answers are not looked at.", "",
        *table_of(rows, "parents"), *NOT_SAID["parents"],
        "## What an answer costs beside a walk", "",
        "A walk finds the levels alone. The other columns are how many times as long our answers take.", "",
        *cost_of([row for row in rows if row["question"] == "parents"]),
        "## One pair, and 100 pairs", "",
        "Each program names a shortest path. All paths have the same number of edges.", "",
        *table_of(rows, "pairs"), *NOT_SAID["pairs"],
        "Next: `figures.md`, our own figures.", ""])


# The command ------------------------------------------------------------------------------------

def parse(arguments):
    parser = make_parser("peers", "All parents and single pairs beside gapbs, LAGraph and NetworKit.", EPILOGUE,
                         rounds=3, of_graph=False)
    parser.add_argument("--web", metavar="GRAPH", help="a real web graph, in a file that bfs reads")
    parser.add_argument("--only", metavar="LIST", help=f"of {', '.join(SHAPES)}, web (default: all)")
    parser.add_argument("--write", action="store_true", help="write peers.csv and the ledger, peers.md")
    options = parser.parse_args(arguments)
    options.shapes = SHAPES | ({"web": options.web} if options.web else {})
    if options.only:
        unknown = set(options.only.split(",")) - set(options.shapes)
        if unknown:
            parser.error(f"--only: there is no {sorted(unknown)[0]}")
        options.shapes = {name: options.shapes[name] for name in options.only.split(",")}
    options.walks = options.bin.resolve().parent / "perf" / "walks"
    return options


def write(rows):
    """Put the rows of a graph into peers.csv, in place of its old ones, and make the page again."""
    others = []
    if DATA.exists():
        with open(DATA, encoding="utf-8", newline="") as file:
            others = [row for row in csv.DictReader(file) if row["shape"] != rows[0]["shape"]]
    order = [*SHAPES, "web"]
    rows = sorted(rows + others, key=lambda row: order.index(row["shape"]))
    with open(DATA, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, HEADS, lineterminator="\n", restval="")
        writer.writeheader()
        writer.writerows(rows)
    PAGE.write_text(ledger(rows), encoding="utf-8")


def make(study):
    options, built, missing, rows = study.options, {}, [], []
    folder = options.output.resolve()
    for name, build in (("gapbs", build_gapbs), ("LAGraph", build_lagraph), ("NetworKit", networkit_python)):
        study.say(f"building {name}")
        try:
            built[name] = build(folder)
        except Failed as problem:
            if name == "gapbs":
                raise
            missing.append(f"{name} is not compared: {problem}")
    for shape, graph in options.shapes.items():
        study.say(f"making the files of {shape}")
        files = make_files(options, folder, shape, graph, built)
        cases = make_cases(options, shape, files, built)
        study.measure(shape, list(cases.values()))
        own = rows_of(cases, {shape: files})
        own[0]["run"] = "; ".join([machine_text(), f"rounds: {options.rounds}",
                                   f"load average {os.getloadavg()[0]:.1f}", *missing])
        rows += own
        if options.write:
            write(own)
    study.page.paragraph(rows[0]["run"])
    print(ledger(rows))


def main(arguments=None):
    return run_study("peers", "Beside other programs", parse(arguments), make)
