"""perf/study figures: every figure that the pages quote, made by one command.

1. The studies allocators, ladder and loading run into folders of their own, and the
   comparison of demo.sh.
2. FIGURES says which of their cases, or which ratio of two, is a figure, and the aim it was held
   against. With --write they go into figures.csv, in place of those of the same machine.
3. The pages are written from figures.csv: README.md between its marks, the seconds in
   bfs/engines/README.md, and figures.md with everything. A test compares.
"""
import argparse
import csv
import os
import pathlib
import platform
import re
import signal
import sys
import textwrap

import allocators
import ladder
import loading
from cases import REAL_EDGES, REAL_NODES, ROOT, capture, number_of, program, programs, short, size
from runner import Failed
from speaker import Speaker
from stats import Difference, figure_of

FILE = pathlib.Path(__file__).with_name("figures.csv")
PAGE = pathlib.Path(__file__).with_name("figures.md")
HEADS = ["figure", "machine", "graph", "value", "low", "high", "made_by"]
DEMO_NODES = 40000
DIFFERENT = 1.5  # a second processor's figure is shown beside the first's from that factor on

EPILOGUE = """\
examples:
  perf/study figures                        a graph of 400k nodes; ten minutes
  perf/study figures --full --write         as the pages quote them; 40 minutes, on an idle machine
  perf/study figures --draw --write         measure nothing: the figures of what is in the folder
  perf/study figures --pages                measure nothing: the pages again, from figures.csv
Prints the figures with their aims, and leaves the page and the data of each study in FOLDER. Exit
status: 0 done, 1 a run failed, 2 wrong usage, 130 interrupted."""


def decimal(value, digits=2):
    """At most three digits that count: 1.21, 13.6."""
    return f"{value:.{min(digits, 1) if value >= 10 else digits}f}"


class Wanted:
    """A figure: the value of a case, or how many times as fast it is as another one."""

    def __init__(self, name, words, study, part, case, key="seconds", base=None, unit="s", aim=""):
        self.name, self.words, self.study, self.part, self.case = name, words, study, part, case
        self.key, self.base, self.unit, self.aim = key, base, unit, aim

    def text(self, value):
        if self.unit == "s":
            return f"{short(value)} s"
        return f"{decimal(value)} times" if self.unit == "times" else f"{value:.1f} {self.unit}"


def times(name, words, study, part, case, base, key="seconds", aim=""):
    return Wanted(name, words, study, part, case, key, base, "times", aim)


TIMES = 12
AGAIN = ("malloc", "pool", "pool:order=fifo", "slab")
LAYOUT = "challenge's layout"
ENGINES = ("classic", "mark-on-push", "unrolled", "array", "bitmap", "direction-optimizing",
           "multi-source", "bidirectional")
LISTS = ENGINES[:3]
THREADS = [("classic", "classic, 2 threads, pairs", "classic"),
           ("array", "array, 2 threads, pairs", "array"),
           ("bitmap", "bitmap, 2 threads, one search", "bitmap"),
           ("direction", "direction-opt., 2 threads, one search", "direction-optimizing"),
           ("multi-source", "multi-source, 2 threads", "multi-source"),
           ("array-search", "array, 2 threads, one search", "array"),
           ("bidirectional", "bidirectional, 2 threads, pairs", "bidirectional")]
# Figures in the sentences of bfs/engines/README.md: what stands before, and behind.
SENTENCES = [("classic on slab is", "times as fast as on mimalloc", "ladder.mimalloc"),
             ("on mimalloc, and on malloc", "times as fast as the challenge's", "ladder.layout"),
             ("unrolled is", "times mark-on-push on slab", "ladder.unrolled.slab"),
             ("wanted, and", "times on malloc", "ladder.unrolled.malloc"),
             ("Two threads are", "times as fast as one with classic", "threads.classic"),
             ("classic, and", "with array, when they divide pairs", "threads.array"),
             ("search they are", "times as fast with bitmap", "threads.bitmap"),
             ("bitmap,", "with direction-optimizing", "threads.direction"),
             ("direction-optimizing,", "with multi-source", "threads.multi-source"),
             ("multi-source, and", "with array, which then", "threads.array-search")]
LOADS = {"read": "plain read", "fscanf": "fscanf loop", "rows": "fscanf into the challenge's rows",
         "text1": "text, one thread", "text2": "text, two threads",
         "reverse1": "text and reverse, one thread", "reverse2": "text and reverse, two threads",
         "gunzip": "gunzip alone", "gzip2": "gzip, two threads", "snapshot": "snapshot"}
LOOPS = {"text1": "loop by hand, one thread", "text2": "loop by hand, two threads",
         "reverse1": "loop by hand and reverse, one thread",
         "reverse2": "loop by hand and reverse, two threads"}

FIGURES = [
    *(Wanted(f"again.{name}.{i}", f"search {i} of the same again and again, {name}", "allocators",
             "1.", name, f"seconds_{i}") for name in AGAIN for i in range(1, TIMES + 1)),
    *(times(f"again.{name}.first", f"the first search, {name} to malloc", "allocators", "1.", name,
            "malloc", "seconds_1") for name in AGAIN[1:]),
    times("again.slab.tenth", "the tenth search, slab to malloc", "allocators", "1.", "slab",
          "malloc", "seconds_10"),
    Wanted("pairs.layout.seconds", "15 pairs, the challenge's layout", "allocators", "2.", LAYOUT),
    *(Wanted(f"pairs.{name}.seconds", f"15 pairs, classic on {name}", "allocators", "2.", name)
      for name in ("malloc", "pool", "slab")),
    *(times(f"pairs.{name}", f"15 pairs, classic on {name} to the challenge's layout", "allocators",
            "2.", name, LAYOUT, aim=aim)
      for name, aim in (("malloc", "at least 1.1"), ("pool", ""), ("slab", ""))),
    *(Wanted(f"queue.{name}.{depth}", f"a push and a pop, {depth}, {name}", "allocators", "3.",
             f"{name}, {depth}", "warm_ns", unit="ns")
      for depth in ("deep", "shallow") for name in ("malloc", "lib:mimalloc", "pool", "slab")),
    Wanted("hooks.difference", "a list node through the hooks, less one by hand", "allocators",
           "4.", "hooks", "difference_ns", unit="ns", aim="at most 1"),
    *(Wanted(f"engines.{name}", f"100 pairs, {name}" + (", slab" if name in LISTS else ""), "ladder",
             "Engines", name + (", slab" if name in LISTS else "")) for name in ENGINES),
    times("ladder.mimalloc", "classic, slab to mimalloc", "ladder", "What came before",
          "classic, slab", "classic, mimalloc", aim="at least 1.8 (was 1.6)"),
    times("ladder.layout", "classic on malloc to the challenge's layout", "ladder",
          "What came before", "classic, malloc", "challenge's layout, malloc", aim="at least 1.1"),
    times("ladder.unrolled.slab", "unrolled to mark-on-push, slab", "ladder", "What came before",
          "unrolled, slab", "mark-on-push, slab", aim="at least 1.25"),
    times("ladder.unrolled.malloc", "unrolled to mark-on-push, malloc", "ladder", "What came before",
          "unrolled, malloc", "mark-on-push, malloc"),
    times("ladder.classic", "classic on slab to its loop by hand", "ladder", "Engines",
          "classic, slab", "classic loop by hand", aim="at least 0.91"),
    times("ladder.array", "array to a loop by hand", "ladder", "Engines", "array",
          "array loop by hand", aim="at least 0.9"),
    *(times(f"threads.{name}", f"{case} to one thread", "ladder", "Switches", case, base)
      for name, case, base in THREADS),
    *(Wanted(f"loading.{name}", f"loading, {case}", "loading", "Loading", case)
      for name, case in LOADS.items()),
    *(Wanted(f"loading.{name}.bytes", f"peak while loading, {case}", "loading", "Loading", case,
             "bytes_per_edge", unit="bytes per edge")
      for name, case in LOADS.items() if name not in ("read", "gunzip")),
    *(times(f"loading.{name}.loop", f"loading, {LOADS[name]}, to the loop by hand", "loading",
            "Loading", LOADS[name], loop, aim="at least 0.87") for name, loop in LOOPS.items()),
    *(times(f"demo.{name}", f"the demo, {name} to malloc", "demo", "demo", name, "malloc")
      for name in ("pool", "slab")),
]
BY_NAME = {wanted.name: wanted for wanted in FIGURES}


# Measured ---------------------------------------------------------------------------------------

def read_results(path, depth):
    """{(part, case): {round: {key: value}}} of a results.csv; the depths of a queue by their name."""
    found = {}
    if not path.exists():
        return found
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            values = {key: number_of(cell) for key, cell in row.items()}
            case = row["case"].replace(f"{depth:,} deep", "deep")
            case = case.replace(f"{allocators.SHALLOW:,} deep", "shallow")
            found.setdefault((row["part"], case), {})[int(row["round"])] = values
    return found


def rounds_of(results, wanted, case):
    for (part, label), rounds in results.items():
        if part.startswith(wanted.part) and label == case:
            return rounds
    return {}


def measured(results, wanted):
    """(value, low, high) of a figure, or None. Of one round there is no interval."""
    own = rounds_of(results, wanted, wanted.case)
    base = rounds_of(results, wanted, wanted.base) if wanted.base else own
    numbers = [n for n in sorted(own) if n in base and own[n].get(wanted.key) is not None
               and base[n].get(wanted.key) is not None]
    if not numbers:
        return None
    values = [own[n][wanted.key] for n in numbers]
    if not wanted.base:
        figure = figure_of(values)
        return figure.value, figure.low, figure.high
    found = Difference([base[n][wanted.key] for n in numbers], values)
    return (found.ratio, None, None) if found.is_single else (found.ratio, found.low, found.high)


def demo_results(text):
    """Of the table that demo.sh ends with: {name: (ratio, low, high)}."""
    pattern = r"^(\S+) .*?\s([\d.]+) \(([\d.]+) to ([\d.]+)\)"
    return {row[1]: tuple(float(row[i]) for i in (2, 3, 4))
            for row in re.finditer(pattern, text, re.M)}


def demo_graph(options):
    return f"generate:nodes={min(DEMO_NODES, options.nodes) // 1000}k"


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


def measure(options):
    """Run the studies, each into its folder; the first status that is not 0."""
    graph = ["--nodes", str(options.nodes), "--edges", str(options.edges)]
    common = ["--bin", str(options.bin), "--rounds", str(options.rounds)]
    real = ["--full"] if options.full else graph
    runs = [(allocators, "allocators", graph + ["--depth", str(options.depth), "--length",
                                                str(options.depth // 2), "--times", str(TIMES)]),
            (ladder, "ladder", real + ([] if options.full else ["--only", "1,2"])), (loading, "loading", real)]
    for module, name, words in runs:
        status = module.main(words + common + ["--output", str(options.output / name)])
        if status != 0:
            return status
    Speaker()("the demo")
    (options.output / "demo.txt").write_text(capture([
        str(program(options, "bfs")), demo_graph(options), "random:100", "--alloc=malloc,pool,slab", "--trials=5",
        "--progress=never"]), encoding="utf-8")
    return 0


def collect(options):
    """Rows for figures.csv, of what lies in the folder."""
    made_by = "perf/study figures" + (" --full" if options.full else "")
    results = {name: read_results(options.output / name / "results.csv", options.depth)
               for name in ("allocators", "ladder", "loading")}
    path = options.output / "demo.txt"
    demo = demo_results(path.read_text(encoding="utf-8")) if path.exists() else {}
    real = f"{REAL_NODES} nodes, {REAL_EDGES} edges"
    small = f"{options.nodes} nodes, {options.edges} edges"
    rows = []
    for wanted in FIGURES:
        found = demo.get(wanted.case) if wanted.study == "demo" else \
            measured(results[wanted.study], wanted)
        if found:
            graph = demo_graph(options) if wanted.study == "demo" else \
                real if options.full and wanted.study != "allocators" else small
            rows.append(dict(zip(HEADS, [wanted.name, machine_text(), graph] + [
                "" if value is None else f"{value:.6g}" for value in found] + [made_by])))
    return rows


# Written ----------------------------------------------------------------------------------------

def read_figures(path=FILE):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def replaced(rows, new):
    """The rows with those of the same figure and machine exchanged. A machine that was named in
    other words by an earlier command keeps its other figures."""
    keys = {(row["figure"], row["machine"]) for row in new}
    return [row for row in rows if (row["figure"], row["machine"]) not in keys] + new


def write_figures(rows, path=FILE):
    order = {name: i for i, name in enumerate(BY_NAME)}
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, HEADS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: (row["machine"], order[row["figure"]])))


class Figures:
    """The figures of the machine that has the most, and those of the others."""

    def __init__(self, rows):
        machines = {}
        for row in rows:
            machines.setdefault(row["machine"], {})[row["figure"]] = row
        self.machine = max(machines, key=lambda name: len(machines[name]))
        self.own = machines.pop(self.machine)
        self.others = machines

    def value(self, name):
        return float(self.own[name]["value"]) if name in self.own else None

    def cell(self, name, digits=2):
        value = self.value(name)
        return "-" if value is None else decimal(value, digits)

    def graph(self, name):
        nodes, edges = map(int, re.findall(r"\d+", self.own[name]["graph"]))
        return f"{nodes / 1e6:.3g} M nodes and {edges / 1e6:.3g} M edges"

    def different(self):
        """[(wanted, own value, machine, its value)] of figures that differ in kind: on the other
        side of 1, or by DIFFERENT."""
        found = []
        for machine, figures in self.others.items():
            for name, row in figures.items():
                first, second = self.value(name), float(row["value"])
                if first and second and (
                        max(first, second) / min(first, second) >= DIFFERENT or
                        BY_NAME[name].unit == "times" and (first < 1) != (second < 1)):
                    found.append((BY_NAME[name], first, machine, second))
        return found


def again_table(figures):
    shown = (1, 2, 4, 8, TIMES)
    every = {name: [figures.value(f"again.{name}.{i}") for i in range(1, TIMES + 1)]
             for name in AGAIN}
    most = max(value for values in every.values() for value in values if value)
    has_lines = all(None not in values for values in every.values())
    lines = ["| search | " + " | ".join(map(str, shown)) + " |" + " |" * has_lines,
             "|---|" + "---:|" * len(shown) + "---|" * has_lines]
    for name, values in every.items():
        line = f" {allocators.bars(values, most)} |" if has_lines else ""
        lines.append(f"| `{name}` | " + " | ".join(figures.cell(f"again.{name}.{i}") for i in shown)
                     + f" |{line}")
    return lines


def how_fast(figures):
    """The section of README.md, between its marks."""
    f = figures.cell
    older = sorted({row["made_by"] for row in figures.own.values()} - {"perf/study figures --full"})
    lines = [
        filled("`perf/study figures --full --write` makes every figure here, in the demo above and in "
               "the table of `bfs/engines/README.md`, in 40 minutes; without `--full` it takes a "
               "smaller graph and ten minutes. Each is the median of interleaved runs in fresh "
               "processes; `perf/studylib/figures.md` has all, with intervals, aims and machines. "
               f"Below: {figures.machine}." + (
                   f" Until its next run some are of {', '.join(older)}." if older else "")), "",
        f"The same search again and again in one process, seconds ({figures.graph('again.malloc.1')}):",
        "", *again_table(figures), "",
        filled("With `malloc` and with a last-in-first-out free list every search leaves its nodes "
               "more scattered than it found them, and the next one waits for memory longer. A slab "
               "carves whole pages in address order and does not age: by the tenth search it is "
               f"{f('again.slab.tenth', 0)} times as fast as `malloc`. The first search is "
               f"{f('again.pool.first', 1)} times as fast on `pool` as on `malloc`, and "
               f"{f('again.slab.first', 1)} times on `slab`: what costs is where the nodes lie more "
               "than the call."), "",
        "| 15 searches of that graph | seconds | times as fast |", "|---|---:|---:|",
        "| the challenge's layout: one struct and one grown array per node, one `malloc` per push | "
        f"{f('pairs.layout.seconds')} | 1 |",
        f"| this search on `malloc` | {f('pairs.malloc.seconds')} | {f('pairs.malloc')} |",
        f"| on `pool` | {f('pairs.pool.seconds')} | {f('pairs.pool')} |",
        f"| on `slab` | {f('pairs.slab.seconds')} | {f('pairs.slab')} |", "",
        "| ns per push and pop of a FIFO queue, warm | glibc | mimalloc | `pool` | `slab` |",
        "|---|---:|---:|---:|---:|"]
    for depth, words in (("deep", "millions deep"), ("shallow", "1,000 deep")):
        lines.append(f"| {words} | " + " | ".join(
            f(f"queue.{name}.{depth}", 1) for name in ("malloc", "lib:mimalloc", "pool", "slab"))
            + " |")
    lines += ["", f"One create and delete through the hooks costs {f('hooks.difference', 1)} ns more "
              "than the same code written by hand.", *different_table(figures), "",
              f"Loading {figures.graph('loading.text1')}, Matrix Market text in the page cache:", "",
              "| | seconds | peak, bytes per edge |", "|---|---:|---:|", *loading_rows(f), "",
              filled("The seconds of one hundred searches of that graph with each engine stand in "
                     f"`bfs/engines/README.md`: from {f('engines.classic', 0)} s with `classic` on "
                     f"`slab` to {figures.value('engines.bidirectional') * 1e3:.1f} ms with "
                     "`bidirectional`.")]
    return "\n".join(lines)


def filled(text):
    return textwrap.fill(text, 105, break_long_words=False, break_on_hyphens=False)


def different_table(figures):
    found = figures.different()
    if not found:
        return []
    lines = []
    for machine in dict.fromkeys(entry[2] for entry in found):
        lines += ["", f"On a second machine ({machine}) these differ in kind:", "",
                  "| | first | second |", "|---|---:|---:|"]
        lines += [f"| {wanted.words} | {wanted.text(first)} | {wanted.text(second)} |"
                  for wanted, first, name, second in found if name == machine]
    return lines


def loading_rows(f):
    def row(words, *names):
        return f"| {words} | {'; '.join(f('loading.' + name) for name in names)} | " + (
            f(f"loading.{names[0]}.bytes", 1) if f(f"loading.{names[0]}.bytes") != "-" else "") + " |"

    return [row("reading the file and nothing else", "read"),
            row("a loop of `fscanf` into two arrays", "fscanf"),
            row("the same into the challenge's layout, one struct and one grown array per node",
                "rows"),
            row("this reader, one thread; two threads", "text1", "text2"),
            row("with the reverse adjacency, one thread; two threads", "reverse1", "reverse2"),
            row(f"from gzip, two threads (decompression alone: {f('loading.gunzip')})", "gzip2"),
            row("from a snapshot, mapped", "snapshot")]


def all_figures(rows):
    """figures.md."""
    lines = ["# Every figure that the pages quote", "",
             "Made by `perf/study figures` from `figures.csv`. In brackets stands the interval, where "
             "one is known; an aim is what a", "figure was held against."]
    for machine in dict.fromkeys(row["machine"] for row in rows):
        lines += ["", f"## {machine}", "", "| figure | value | aim | graph | made by |",
                  "|---|---:|---:|---|---|"]
        lines += [figure_row(row) for row in rows if row["machine"] == machine]
    return "\n".join(lines) + "\n"


def figure_row(row):
    wanted = BY_NAME[row["figure"]]
    ends = f" ({float(row['low']):.4g} to {float(row['high']):.4g})" if row["low"] else ""
    graph = re.sub(r"\d{4,}", lambda number: f"{int(number[0]):,}", row["graph"])
    return (f"| {wanted.words} | {wanted.text(float(row['value']))}{ends} | {wanted.aim} | {graph} | "
            f"{row['made_by']} |")


def between(text, mark, inside):
    """The text with what stands between two marks exchanged."""
    begin, end = f"<!-- {mark}:begin -->\n", f"\n<!-- {mark}:end -->"
    before, rest = text.split(begin, 1)
    return before + begin + inside + end + rest.split(end, 1)[1]


def engines_page(text, figures):
    """The last column of the table of engines, and the figures in its sentences."""
    for name in ENGINES:
        value = figures.value(f"engines.{name}")
        if value:
            shown = f"{value:.4f}" if value < 0.1 else decimal(value)
            text = re.sub(rf"^(\| {name} \|.*\|) [\d.]+ \|$", rf"\1 {shown} |", text, flags=re.M)
    for before, behind, name in SENTENCES:
        value = figures.value(name)
        if value:
            before, behind = (re.escape(words).replace(r"\ ", r"\s+") for words in (before, behind))
            text = re.sub(rf"({before}\s+)[\d.]+(?: to [\d.]+)?(\s+{behind})",
                          rf"\g<1>{decimal(value)}\g<2>", text)
    return text


def pages(rows, demo=None):
    """{path: text} of every page, as figures.csv has it."""
    figures = Figures(rows)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    readme = between(readme, "bench", how_fast(figures))
    if demo:
        readme = between(readme, "demo", "```\n== Side by side: the same 100 searches\n"
                         + demo.strip("\n") + "\n```")
    engines = ROOT / "bfs" / "engines" / "README.md"
    return {ROOT / "README.md": readme, PAGE: all_figures(rows),
            engines: engines_page(engines.read_text(encoding="utf-8"), figures)}


def write_pages(rows, demo=None):
    for path, text in pages(rows, demo).items():
        path.write_text(text, encoding="utf-8")


# The command ------------------------------------------------------------------------------------

def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="study figures", description="Every figure that the pages quote, with the aim it is "
        "held against.", epilog=EPILOGUE, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--full", action="store_true", help="a million nodes for the allocators, the real size for "
        "engines and loading")
    add("--nodes", type=size, help="nodes of the graph (default: 400k; with --full 1M)")
    add("--edges", type=size, help="its edges (default: 5.05M; with --full 12.624M)")
    add("--depth", type=size, help="of the deep queue (default: 5M; with --full 20M)")
    add("--rounds", type=size, default=3, help="of every study (default: %(default)s)")
    add("--write", action="store_true", help="put them into figures.csv and the pages")
    add("--draw", action="store_true", help="measure nothing: what is in the folder")
    add("--pages", action="store_true", help="measure nothing: the pages from figures.csv")
    add("--bin", type=pathlib.Path, default=programs(), metavar="DIR",
        help="the folder of the programs (default: that of this source tree, or installed beside)")
    add("--output", type=pathlib.Path, default=pathlib.Path("study-figures"), metavar="DIR",
        help="the folder of the studies (default: %(default)s)")
    options = parser.parse_args(arguments)
    options.nodes = options.nodes or (1000000 if options.full else 400000)
    options.edges = options.edges or (12624000 if options.full else 5050000)
    options.depth = options.depth or (20000000 if options.full else 5000000)
    return options


def run(options):
    if options.pages:
        write_pages(read_figures())
        return 0
    options.output.mkdir(parents=True, exist_ok=True)
    status = 0 if options.draw else measure(options)
    if status != 0:
        return status
    rows = collect(options)
    if not rows:
        raise Failed(f"{options.output} holds no figures")
    write_figures(rows, options.output / "figures.csv")
    print("\n".join(figure_lines(rows)))
    if options.write:
        every = replaced(read_figures(), rows)
        write_figures(every)
        write_pages(read_figures(), (options.output / "demo.txt").read_text(encoding="utf-8"))
    else:
        print(options.output / "figures.csv")
    return 0


def figure_lines(rows):
    """The figures as text of 80 columns."""
    lines = [rows[0]["machine"], ""]
    for row in rows:
        wanted = BY_NAME[row["figure"]]
        aim = f"  aim: {wanted.aim}" if wanted.aim else ""
        lines.append(f"{wanted.words[:52]:<52} {wanted.text(float(row['value'])):>12}{aim}")
    return lines


def main(arguments=None):
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    options = parse(arguments)
    try:
        return run(options)
    except KeyboardInterrupt:
        return 130
    except (Failed, OSError, ValueError) as problem:
        print(f"study: {problem}", file=sys.stderr)
        return 1
