"""perf/study figures: one table of figures (name, command, aim), and the page of them.

1. FIGURES says of each figure its command, the value that is taken of what it prints, and its aim. A
   figure with a base is how many times as fast it is as that one.
2. The commands take turns, each in a fresh process (cases.py). With --write their figures go into
   figures.csv, replacing the same machine's.
3. figures.csv also holds figures whose command is not run here, because it needs hours, gigabytes or
   another program; it says which command gave them.
4. figures.md is written from figures.csv, with an interval after each figure where one is known.
"""
import csv
import json
import os
import pathlib
import platform
import re
import shlex
import tempfile

import ladder
import plots
import units
from cases import (REAL_EDGES, REAL_NODES, Case, capture, check_same, finish_options, make_parser, program, ratio,
                   read_report, read_rows, rounds_text, run_study, size)
from stats import Figure, figure_of

FILE = pathlib.Path(__file__).with_name("figures.csv")
PAGE = pathlib.Path(__file__).with_name("figures.md")
HEADS = ["figure", "words", "unit", "machine", "of", "value", "low", "high", "aim", "command"]
TIMES = 12  # of the same search again and again; the page has some, the picture of liblist/README.md all
TIMES_SHOWN = (1, 2, 4, 8, 12)
AGAIN = ("malloc", "pool", "pool:order=fifo", "slab")
LISTS = ("plain", "classic", "mark-on-push")  # engines whose queue is a list; measured from the first search on
ENGINES = (*LISTS, "array", "bitmap", "direction-optimizing", "multi-source", "bidirectional")
# The challenge's own program: a queue, the program that has it, and the allocator of ours.
OWN = {"malloc": ("own-queue", "malloc"), "pool": ("own-queue", "pool"), "slab": ("own-queue", "slab"),
       "plain list": ("own-queue_plain", ""), "LIFO list": ("own-queue_lifo", ""),
       "LIFO list by malloc": ("own-queue_lifo_malloc", ""), "array": ("own-queue_array", "")}
OWN_PAIRS = (6, 15)  # after which the time is looked at
OWN_MATRIX = "wikipedia-20070206/wikipedia-20070206.mtx"  # the file that this program reads
SIMULATED = [("classic", "malloc"), ("classic", "pool"), ("classic", "slab"), ("plain", "slab"),
             ("mark-on-push", "malloc"), ("mark-on-push", "slab"), ("array", "slab"), ("bitmap", "slab"),
             ("direction-optimizing", "slab"), ("bidirectional", "slab")]
COUNTS = {"visited": "nodes visited", "loads": "loads", "branches": "branches", "instructions": "instructions"}
RATES = {"l1d_hit_rate": "L1D hit rate", "l2_local_hit_rate": "L2 local hit rate",
         "branches_predicted_rate": "branches predicted"}
GROUPS = {
    "again": "The same search again and again in one process", "pairs": "15 pairs",
    "queue": "A push and a pop of a FIFO queue", "hooks": "A list node", "own": "The challenge's own program",
    "judge": "The challenge's own program, beside a plain list", "engines": "100 pairs",
    "ladder": "15 pairs of the real size", "threads": "Two threads", "loading": "Loading", "demo": "The demo",
    "simulated": "What engines and allocators execute, on a simulated processor",
    "huge": "The size of today's English Wikipedia", "mapped": "A mapped graph",
    "diameter": "The exact diameter and radius of the largest strong component",
    "web": "bfs-web", "programs": "Share of the processor time that is allocation",
    "memory": "Memory of programs: alive, and held by each malloc"}
# Groups whose figures are cells of one table: what of their words is a row, and what a column.
CELLS = {
    "again": r"search (?P<row>\d+) of the same again and again, (?P<column>.+)",
    "queue": r"a push and a pop, (?P<column>\w+), (?P<row>.+)", "web": r"bfs-web, (?P<row>\w+): (?P<column>.+)",
    "own": r"the challenge's own program, (?P<column>\d+ pairs), (?P<row>.+)",
    "simulated": r"(?P<column>[^,]+), (?P<row>.+)", "programs": r"allocation on (?P<column>[^:]+): (?P<row>.+)",
    "huge": r"(?P<column>2007|today): (?P<row>.+)", "loading": r"(?P<column>(?:peak while )?loading), (?P<row>.+)",
    "memory": r"(?P<column>.+), (?P<part>[^,:]+): (?P<row>.+)"}

EPILOGUE = """\
examples:
  perf/study figures                             a graph of a million nodes; an hour, on an idle machine
  perf/study figures --full --write              as the pages quote them; hours
  perf/study figures --only pairs,queue --rounds 5
  perf/study figures --pages                     measure nothing: the page again, from figures.csv
Prints the figures with their aims, and leaves them in FOLDER/figures.csv. Exit status: 0 done, 1 a run
failed, 2 wrong usage, 130 interrupted."""


# The table --------------------------------------------------------------------------------------

class Wanted:
    """A figure: the value of a key of what a command prints, or how many times as fast it is as the base's."""

    def __init__(self, name, words, command, base="", key="seconds", unit="s", aim=""):
        self.name, self.words, self.command, self.base = name, words, command, base
        self.key, self.aim = key, aim
        self.unit = "times" if base else unit

    @property
    def group(self):
        return self.name.split(".")[0]


def bfs(graph, pairs, engine, alloc="slab", *more):
    """One thread unless more says otherwise: glibc's malloc is slower to the end of a process that ever had
    two. Engines without a list, which take a fraction of the time, are measured after all searches were made
    once."""
    words = ["bfs", graph, pairs, f"--engine={engine}", f"--alloc={alloc}", "--format=json", "--progress=never",
             "--counters=none", *more]
    words += [] if engine in (*LISTS, "challenge") else ["--warmup=1"]
    return " ".join(words + ([] if any(word.startswith("--threads") for word in more) else ["--threads=1"]))


def again(alloc):
    return bfs("{small}", "random:20,seed=1", "classic", alloc, "--only={search}", f"--trials={TIMES}")


def fifteen(engine, alloc, graph="{small}"):
    return bfs(graph, "random:15,seed=1", engine, alloc)


def hundred(engine, *more):
    return bfs("{graph}", "random:100,seed=1", engine, "slab", *more)


def own(queue):
    made, alloc = OWN[queue]
    return f"sh -c 'cd {{folder}} && LINKED_LIST_ALLOC={alloc} exec {{bin}}/../perf/{made}'"


def loading(file, threads):
    return f"bfs {{folder}}/{file} random:1,seed=1 --threads={threads} --format=json --progress=never"


FIGURES = [
    *(Wanted(f"again.{name}.{i}", f"search {i} of the same again and again, {name}", again(name), key=f"seconds_{i}")
      for name in AGAIN for i in range(1, TIMES + 1)),
    Wanted("again.pushes", "pushes of that search", again("slab"), key="pushed", unit="count"),
    *(Wanted(f"again.{name}.first", f"the first search, {name} to malloc", again(name), again("malloc"), "seconds_1")
      for name in AGAIN[1:]),
    Wanted("again.slab.tenth", "the tenth search, slab to malloc", again("slab"), again("malloc"), "seconds_10"),
    Wanted("pairs.layout.seconds", "15 pairs, the challenge's layout", fifteen("challenge", "malloc")),
    Wanted("pairs.plain.seconds", "15 pairs, plain on malloc", fifteen("plain", "malloc")),
    *(Wanted(f"pairs.{name}.seconds", f"15 pairs, classic on {name}", fifteen("classic", name))
      for name in ("malloc", "pool", "slab")),
    *(Wanted(f"pairs.{name}.seconds", f"15 pairs, {name}", fifteen(name, "slab"))
      for name in ENGINES if name not in LISTS),
    *(Wanted(f"pairs.{name}", f"15 pairs, classic on {name} to the challenge's layout", fifteen("classic", name),
             fifteen("challenge", "malloc"), aim=aim)
      for name, aim in (("malloc", "at least 1.1"), ("pool", ""), ("slab", ""))),
    *(Wanted(f"queue.{name}.{words}", f"a push and a pop, {words}, {name}",
             f"allocbench queue --alloc={name} --runs=1 --depth={depth} --length={length} --format=csv --quiet",
             key="warm_ns", unit="ns")
      for words, depth, length in (("deep", "{depth}", "{length}"), ("shallow", 1000, "{length}"))
      for name in ("malloc", "lib:mimalloc", "pool", "slab")),
    *(Wanted(f"own.{name}.{count}", f"the challenge's own program, {count} pairs, {name}", own(name),
             key=f"seconds_{count}") for name in OWN for count in OWN_PAIRS),
    *(Wanted(f"own.{name}.{base}.{count}", f"the challenge's own program, {count} pairs, {name} to {base}", own(name),
             own(base), f"seconds_{count}", aim=f"at least {aim}")
      for name, base, aims in (("slab", "LIFO list", (1, 1)), ("slab", "array", (0.8, 0.8)),
                               ("pool", "LIFO list", (0.91,)), ("malloc", "plain list", (1, 1)))
      for count, aim in zip(OWN_PAIRS, aims)),
    *(Wanted(f"engines.{name}", f"100 pairs, {name}" + (", slab" if name in LISTS else ""), hundred(name))
      for name in ENGINES),
    Wanted("ladder.mimalloc", "classic, slab to mimalloc", fifteen("classic", "slab", "{graph}"),
           fifteen("classic", "lib:mimalloc", "{graph}"), aim="at least 1.8"),
    Wanted("ladder.layout", "classic on malloc to the challenge's layout", fifteen("classic", "malloc", "{graph}"),
           fifteen("challenge", "malloc", "{graph}"), aim="at least 1.1"),
    *(Wanted(f"threads.{name}", f"{engine}, 2 threads, {what}to one thread",
             hundred(engine, "--threads=2", *(["--parallel=search"] if "search" in what else [])), hundred(engine))
      for name, engine, what in (("classic", "classic", "pairs, "), ("array", "array", "pairs, "),
                                 ("bitmap", "bitmap", "one search, "),
                                 ("direction", "direction-optimizing", "one search, "),
                                 ("multi-source", "multi-source", ""), ("array-search", "array", "one search, "),
                                 ("bidirectional", "bidirectional", "pairs, "))),
    *(Wanted(f"loading.{name}", f"loading, {words}", loading(file, threads), key="load_seconds")
      for name, words, file, threads in (
          ("text1", "text, one thread", "graph.mtx", 1), ("text2", "text, two threads", "graph.mtx", 2),
          ("gzip2", "gzip, two threads", "graph.mtx.gz", 2), ("snapshot", "snapshot", "graph.pwg", 1))),
    *(Wanted(f"demo.{name}", f"the demo, {name} to malloc",
             *(f"bfs generate:nodes=40k random:100 --alloc={alloc} --format=json --progress=never"
               for alloc in (name, "malloc"))) for name in ("pool", "slab")),
    *(Wanted(f"simulated.{engine}.{name}.{key}", f"{words}, {engine} on {name}",
             f"bfs generate:nodes=10k random:10 --engine={engine} --alloc={name} --sim=pi4 --sim-limit=1000 "
             "--format=json --progress=never", key=key, unit="rate" if key in RATES else "count")
      for engine, name in SIMULATED for key, words in (COUNTS | RATES).items()),
    *(Wanted(f"diameter.{name}", f"walks, {words}", f"graph-info {graph} --diameter", key="walks", unit="count",
             aim=aim)
      for name, words, graph, aim in (
          ("wikipedia", "Wikipedia's shape", f"generate:nodes={REAL_NODES},edges={REAL_EDGES}", "at most 100"),
          ("kronecker", "Kronecker", "generate:kronecker,scale=18", ""),
          ("grid", "grid", "generate:grid,rows=300,columns=300", ""),
          ("uniform", "uniform, the bad case", "generate:uniform,nodes=8k,edges=128k", ""))),
]
# How the files of a group's commands are made.
FILES = {
    "own": ["mkdir {folder}/" + OWN_MATRIX.split("/", maxsplit=1)[0],
            "graph-convert --quiet {graph} {folder}/" + OWN_MATRIX,
            f"graph-convert --quiet --pairs={OWN_PAIRS[-1]} {{graph}} {{folder}}/pairs.txt",
            "sh -c 'grep -v ^# {folder}/pairs.txt >{folder}/nodes'"],
    "loading": ["graph-convert --quiet --by-target {graph} {folder}/graph.mtx",
                "gzip -1 -k {folder}/graph.mtx",
                "graph-convert --quiet {folder}/graph.mtx {folder}/graph.pwg"],
}
# What all commands of a group must agree in.
SAME = {"again": "visited", "pairs": "hops", "own": "visited", "engines": "hops", "threads": "hops"}


# Measured ---------------------------------------------------------------------------------------

def read(text):
    """The values of what a command printed: a row of CSV, a report of bfs, or what the challenge's own
    program says after each search."""
    if "Seconds: " in text:
        seconds = [float(found) for found in re.findall(r"^Seconds: ([\d.]+)$", text, re.M)]
        return {f"seconds_{count}": seconds[count - 1] for count in OWN_PAIRS} | {
            "visited": sum(map(int, re.findall(r"^Nodes visited: (\d+)$", text, re.M)))}
    if "searches made for that" in text:
        return {"walks": int(re.search(r"^searches made for that +(\d+)$", text, re.M)[1])}
    if not text.startswith("{"):
        return read_rows(text)[0]
    report = json.loads(text)
    if report["counters"].get("instructions") is not None:  # on a simulated processor nothing is timed
        return {**report["counters"], "visited": report["summary"]["visited"],
                "compiler": report["context"]["compiler"]}
    trials = {f"seconds_{row['trial']}": row["seconds"] for row in report["searches"]}
    return {**read_report(text), **trials, "pushed": report["searches"][0]["pushed"]}


def largest_search(options):
    """The number of the one of the first twenty that visits the most."""
    rows = read_rows(capture([str(program(options, "bfs")), options.small, "random:20,seed=1", "--alloc=slab",
                              "--format=csv", "--progress=never"]))
    return max(rows, key=lambda row: row["visited"])["search"]


def words_of(options, command):
    """The words of a command, with the programs of the folder."""
    first, *rest = shlex.split(command.format_map(options.values))
    return [str(options.bin / first) if (options.bin / first).exists() else
            str(program(options, first)) if first == "bfs" else first, *rest]


def machine_text():
    """What a figure depends on beside the program."""
    text, caches = "", {}
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
        folder = pathlib.Path("/sys/devices/system/cpu/cpu0/cache")
        for index in folder.glob("index*"):
            caches[(index / "level").read_text().strip()] = (index / "size").read_text().strip()
    except OSError:
        pass
    name = re.search(r"^model name\s*: (.*)$", text, re.M)
    cache = re.fullmatch(r"(\d+)K", caches.get("3", ""))
    virtual = ", virtual" if re.search(r"^flags\s*:.*\bhypervisor\b", text, re.M) else ""
    return (f"{name[1] if name else platform.machine()}{virtual}; "
            f"{len(os.sched_getaffinity(0))} processors; "
            + (f"{int(cache[1]) // 1024} MiB of L3; " if cache else "")
            + " ".join(platform.libc_ver()))


def measured(wanted, cases):
    """The Figure of the rounds, or None. Of one round there is no interval."""
    case = cases[wanted.command]
    if not wanted.base:
        return figure_of(case.values(wanted.key))
    found = ratio(case, cases[wanted.base], wanted.key) if wanted.base in cases else None
    if found is None or not found.known:
        return None
    return Figure(found.ratio) if found.is_single else Figure(found.ratio, found.low, found.high)


def typed(command, depths):
    """A command as one types it in the folder of its files, for people to read its answer."""
    text = re.sub(r"^sh -c 'cd \{folder\} && |LINKED_LIST_ALLOC= |exec \{bin\}/\.\./perf/|\{folder\}/|'$"
                  r"| --format=\w+| --progress=never| --counters=none| --quiet", "", command)
    return text.format_map({"graph": "GRAPH", "small": "GRAPH", "search": "N", **depths})


def row_of(options, wanted, figure, case):
    """A row of figures.csv."""
    values = case.rounds[min(case.rounds)]
    machine = f"simulated; {values['compiler']}; {' '.join(platform.libc_ver())}" if "compiler" in values \
        else machine_text()
    of = re.search(r"generate:nodes=[^ ,]*(,edges=[^ ,]*)?", wanted.command.format_map(options.values))
    ends = [None, None] if figure.low == figure.high else [figure.low, figure.high]
    digits = ".0f" if wanted.unit == "count" else ".6g"
    return dict(zip(HEADS, [
        wanted.name, wanted.words, wanted.unit, machine, of[0] if of else "",
        *("" if value is None else f"{value:{digits}}" for value in (figure.value, *ends)), wanted.aim,
        typed(wanted.command, options.depths)]))


# The page ---------------------------------------------------------------------------------------

def read_figures(path=FILE):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def replaced(rows, new):
    """The rows, with rows of the same figure and machine replaced where they are."""
    fresh = {(row["figure"], row["machine"]): row for row in new}
    return [fresh.pop((row["figure"], row["machine"]), row) for row in rows] + list(fresh.values())


def write_figures(rows, path=FILE):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, HEADS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def shown(value, unit):
    """A value for people."""
    if unit == "times":
        return f"{value:.3g} times" if value < 1000 else f"{value:,.0f} times"
    if unit == "rate":
        return f"{value * 100:.1f} %"
    if unit == "count":
        return f"{value:,.0f}"
    return units.text(value, unit)


def value_cell(row):
    """The value, and its interval in the unit of the value if that suits both ends."""
    value, *ends = (shown(float(row[end]), row["unit"]) for end in ("value", "low", "high") if row[end])
    unit = value.partition(" ")[2]
    if unit and all(end.partition(" ")[2] == unit for end in ends):
        ends = [end.partition(" ")[0] for end in ends]
    return value + (f" ({' to '.join(ends)})" if ends else "")


def misses(row):
    """True if the value does not reach the aim: "at least 1.1", "at most 10"."""
    words = row["aim"].split()
    return bool(words) and (float(row["value"]) < float(words[2]) if words[1] == "least" else
                            float(row["value"]) > float(words[2]))


def markdown(heads, rows):
    return ["| " + " | ".join(heads) + " |", "|---|" + "---|" * (len(heads) - 1),
            *("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows), ""]


def unrepeated(cells):
    """The cells of a column, empty where the one above has the same words."""
    return ["" if cell == above else cell for cell, above in zip(cells, [""] + cells)]


def shared_command(commands):
    """One line for commands that differ in options only, or "". An option that some lack is in brackets;
    up to two of its values are named, more are a word in capitals."""
    first, *others = [[word for word in command.split() if not word.startswith("--")] for command in commands]
    if "'" in "".join(commands) or any(words != first for words in others):
        return ""
    if "--" not in commands[0] and "/" not in commands[0]:  # no command: "a loop by hand"
        return ""
    values = {}
    for command in commands:
        for word in command.split():
            if word.startswith("--"):
                values.setdefault(word.partition("=")[0], []).append(word.partition("=")[2])
    options = []
    for name, found in values.items():
        kinds = list(dict.fromkeys(found))
        value = "|".join(kinds) if len(kinds) < 3 else name.strip("-").upper()
        text = f"{name}={value}" if value else name
        options.append(text if len(found) == len(commands) else f"[{text}]")
    return " ".join(first + options)


def crossed(pattern, rows, key):
    """The lines of a table of cells. What rows are of, and the commands if key names them, are a last column, or
    a last row if they are the same down each column."""
    cells, labels, columns = {}, {}, {}
    for row in rows:
        found = re.fullmatch(pattern, row["words"])
        label = tuple(filter(None, [found["row"], found.groupdict().get("part")]))
        cells[label, found["column"]] = value_cell(row)
        labels.setdefault(label, row)
        columns.setdefault(found["column"], []).append(row)
    size = len(next(iter(labels)))
    heads = [""] * size + list(columns)
    body = [unrepeated([label[0] for label in labels]), *zip(*(label[1:] for label in labels)),
            *([cells.get((label, column), "") for label in labels] for column in columns)]
    last = []
    for key in ["of"] * (len({row["of"] for row in rows}) > 1) + key:
        if all(len({row[key] for row in column}) == 1 for column in columns.values()):
            last.append([key] + [""] * (size - 1) + unrepeated([column[0][key] for column in columns.values()]))
        else:
            heads.append(key)
            body.append(unrepeated([row[key] for row in labels.values()]))
    return markdown(heads, [*zip(*body), *(line + [""] * (len(heads) - len(line)) for line in last)])


def table(rows, machine, title):
    """The lines of a machine's figures. What all rows share is above the table, as their commands are if they
    differ in options only; otherwise a command is in the first of its rows. Cells of a table come first."""
    pattern = CELLS.get(rows[0]["figure"].split(".")[0], "(?!)")
    rows = [row for row in rows if int((re.fullmatch(r"again\..+\.(\d+)", row["figure"]) or [0, 1])[1]) in TIMES_SHOWN]
    inside = [row for row in rows if not row["aim"] and re.fullmatch(pattern, row["words"])]
    of = {row["of"] for row in rows}
    shared = shared_command(list(dict.fromkeys(row["command"] for row in rows)))
    key = [] if shared else ["command"]
    heads = ["figure", "value"] + ["aim"] * any(row["aim"] for row in rows) + ["of"] * (len(of) > 1) + key
    lines = [": ".join([machine, *(only for only in of if only and len(of) == 1)]) + ".", ""]
    lines += [f"    {shared}", ""] if shared else []
    lines += crossed(pattern, inside, key) if inside else []
    rest = [row for row in rows if row not in inside]
    commands = unrepeated([row["command"] for row in rest])
    cells = [{"figure": re.sub(f"^{re.escape(title)}, ", "", row["words"], flags=re.I), "value": value_cell(row),
              "aim": row["aim"], "of": row["of"], "command": command} for row, command in zip(rest, commands)]
    return lines + (markdown(heads, [[row[head] for head in heads] for row in cells]) if rest else [])


def page(rows):
    """figures.md: a table per group and machine. A machine has a short name, unless two would share it."""
    machines = list(dict.fromkeys(row["machine"] for row in rows))
    brief = [re.split("[,;]", machine)[0] for machine in machines]
    names = {machine: name if brief.count(name) == 1 else machine for machine, name in zip(machines, brief)}
    lines = ["# Figures", "", "`perf/study figures` measures these, and writes this page from `figures.csv`. Brackets after a figure have",
             "the interval of the median. A row without a command has the command above. In a command, words in capitals",
             "are as the row says, and words in brackets belong to some rows: `figures.csv` has each command in full.", "",
             *(f"- {machine}" for machine in machines), "", "## Aims that are not met", "",
             *markdown(["figure", "value", "aim", "machine"], [
                 [row["words"], value_cell(row), row["aim"], names[row["machine"]]] for row in rows if misses(row)])]
    for group, title in GROUPS.items():
        own = [row for row in rows if row["figure"].split(".")[0] == group]
        lines += [f"## {title}", ""] if own else []
        for machine in dict.fromkeys(row["machine"] for row in own):
            lines += table([row for row in own if row["machine"] == machine], names[machine], title)
    return "\n".join(lines) + "\nNext: `peers.md`, the same questions asked of other programs.\n"


def draw(folder, rows):
    """The picture of liblist/README.md: the time of a push, search after search, where a machine has all of them."""
    values = {row["figure"]: float(row["value"]) for row in rows if row["machine"] == rows[0]["machine"]}
    series = [(name, [(i, values[f"again.{name}.{i}"] / values["again.pushes"] * 1e9) for i in range(1, TIMES + 1)])
              for name in ("malloc", "pool", "slab")]
    plots.scatter(folder, "ageing", "The same search again and again", "number of the search", "time per push",
                  series, log_x=False, log_y=False, lines=True, unit="ns")


def write_pages(rows):
    """The page, and the picture of README.md."""
    PAGE.write_text(page(rows), encoding="utf-8")
    picture = ladder.svg(rows)
    if picture:
        PAGE.with_name("ladder.svg").write_text(picture, encoding="utf-8")


# The command ------------------------------------------------------------------------------------

def parse(arguments):
    parser = make_parser("figures", "Every figure that the pages quote, with its aim.", EPILOGUE,
                         rounds=3)
    add = parser.add_argument
    groups = list(dict.fromkeys(wanted.group for wanted in FIGURES))
    add("--only", default=",".join(groups), metavar="LIST", help="groups of figures (default: %(default)s)")
    add("--depth", type=size, default=20000000, metavar="N", help="elements of the deep queue (default: 20M)")
    add("--write", action="store_true", help="put them into figures.csv and the page, and draw the picture")
    add("--pages", action="store_true", help="measure nothing: the page from figures.csv")
    options = finish_options(parser, arguments)
    options.small = "generate:nodes=1000000,edges=12624000,seed=1" if options.full else options.graph
    options.only = options.only.split(",")
    unknown = set(options.only) - set(groups)
    if unknown:
        parser.error(f"--only: there is no {sorted(unknown)[0]}")
    options.depths = {"depth": options.depth, "length": options.depth // 2}
    return options


def make(study):
    options = study.options
    chosen = [wanted for wanted in FIGURES if wanted.group in options.only]
    with tempfile.TemporaryDirectory(dir=options.output) as folder:
        options.values = {"graph": options.graph, "small": options.small, "bin": options.bin.resolve(),
                          "folder": folder, "search": 1, **options.depths}
        if "again" in options.only:
            options.values["search"] = largest_search(options)
        for command in [command for group in options.only for command in FILES.get(group, [])]:
            study.say(f"making the files: {command}")
            capture(words_of(options, command))
        commands = dict.fromkeys(command for wanted in chosen for command in (wanted.command, wanted.base) if command)
        cases = {command: Case(command, words_of(options, command), read, optional="lib:" in command,
                               every=options.rounds if "--sim" in command else 1) for command in commands}
        study.measure("figures", list(cases.values()))
    for group, key in SAME.items():
        check_same([cases[wanted.command] for wanted in chosen if wanted.group == group], key)
    study.page.paragraph(rounds_text(options.rounds))
    found = [(wanted, measured(wanted, cases)) for wanted in chosen]
    rows = [row_of(options, wanted, figure, cases[wanted.command]) for wanted, figure in found if figure]
    study.page.table(["figure", "value", "aim"], [[row["words"], value_cell(row), row["aim"]] for row in rows])
    write_figures(rows, options.output / "figures.csv")
    if options.write:
        every = replaced(read_figures(), rows)
        write_figures(every)
        write_pages(every)
        if "again" in options.only and plots.available():
            draw(PAGE.parent, rows)


def main(arguments=None):
    options = parse(arguments)
    if options.pages:
        write_pages(read_figures())
        return 0
    return run_study("figures", "Figures", options, make)
