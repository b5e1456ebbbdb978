"""perf/study figures: every figure that the pages quote, made by one command.

1. The studies allocators and ladder run into folders of their own, and the
   comparison of demo.sh.
2. figures_wanted.py says which of their cases, or which ratio of two, is a figure, and the aim it
   was held against. With --write they go into figures.csv, replacing the same machine's figures.
3. --huge measures the size of today's English Wikipedia in their place: figures_huge.py.
4. figures_programs.py measures what malloc costs and holds in other programs; --programs: nothing else.
5. figures_web.py measures bfs-web: --web; figures_walks.py, questions about all nodes: --walks.
6. figures_pages.py writes the pages from figures.csv, and draws the picture. A test compares.
"""
import argparse
import csv
import os
import pathlib
import platform
import re
import signal

import allocators
import figures_huge
import figures_programs
import figures_walks
import figures_web
import ladder
from cases import REAL_EDGES, REAL_NODES, capture, number_of, program, programs, size
from figures_pages import HEADS, read_figures, replaced, write_figures, write_pages
from figures_wanted import BY_NAME, FIGURES, HUGE, TIMES
from own_name import as_called, complain, own_name
from runner import Failed
from speaker import Speaker
from stats import Difference, figure_of

DEMO_NODES = 40000
# Measurements of their own, by option: the module, and what collects its figures.
OWN = {"programs": (figures_programs, figures_programs.collect_both),
       "web": (figures_web, figures_web.collect),
       "walks": (figures_walks, figures_walks.collect)}

EPILOGUE = """\
examples:
  perf/study figures                        a graph of 400k nodes; twenty minutes
  perf/study figures --full --write         as the pages quote them; two hours, on an idle machine
  perf/study figures --programs --write     the tables of perf/program; five minutes
  perf/study figures --web --write          the table of python/service.md; six minutes, with wrk
  perf/study figures --walks=DIR --write    the table of bfs/engines beside gapbs; two minutes, idle
  perf/study figures --huge --write         the size of today's English Wikipedia; five minutes, 6 GB
                                            of disk, 14 GB of memory
  perf/study figures --huge --nodes=72k --edges=7M      the same on a hundredth of it
  perf/study figures --draw --write         measure nothing: the figures of what is in the folder
  perf/study figures --pages                measure nothing: the pages again, from figures.csv
Prints the figures with their aims, and leaves the page and the data of each study in FOLDER. Exit
status: 0 done, 1 a run failed, 2 wrong usage, 130 interrupted."""


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
                                                str(options.depth // 2), "--times", str(TIMES),
                                                "--only", "1,2,3"]),
            (allocators, "own", real + ["--only", "4", "--own", str(allocators.OWN_PAIRS[-1])]),
            (ladder, "ladder", real + ([] if options.full else ["--only", "1,2"]))]
    for module, name, words in runs:
        status = module.main(words + common + ["--output", str(options.output / name)])
        if status != 0:
            return status
    Speaker()("the demo")
    (options.output / "demo.txt").write_text(capture([
        str(program(options, "bfs")), demo_graph(options), "random:100", "--alloc=malloc,pool,slab", "--trials=5",
        "--progress=never"]), encoding="utf-8")
    return figures_programs.run(options)


def csv_row(name, graph, values, made_by, digits=".6g"):
    """A row of figures.csv; graph: what the figure is of; values: it, and the ends of its interval."""
    return dict(zip(HEADS, [name, machine_text(), graph, *(
        "" if value is None else f"{value:{digits}}" for value in values), "", made_by]))


def graph_text(nodes, edges):
    return f"{nodes} nodes, {edges} edges"


def collect_huge(options):
    """Rows for figures.csv, of what --huge has left in the folder."""
    results = read_results(options.output / "results.csv", options.depth)
    sizes = figures_huge.graphs(options)
    every = [(wanted, measured(results, wanted)) for wanted in HUGE]
    return [csv_row(wanted.name, graph_text(*sizes[wanted.case.split(",")[0]]), found,
                    "perf/study figures --huge", ".10g") for wanted, found in every if found]


def collect_own(name, options):
    """Rows for figures.csv, of a measurement of its own."""
    return [csv_row(figure, of, values, f"perf/study figures --{name}")
            for figure, of, *values in OWN[name][1](options)]


def collect(options):
    """Rows for figures.csv, of what the studies have left in the folder."""
    made_by = "perf/study figures" + (" --full" if options.full else "")
    results = {name: read_results(options.output / name / "results.csv", options.depth)
               for name in ("allocators", "own", "ladder")}
    path = options.output / "demo.txt"
    demo = demo_results(path.read_text(encoding="utf-8")) if path.exists() else {}
    real, small = graph_text(REAL_NODES, REAL_EDGES), graph_text(options.nodes, options.edges)
    rows = []
    for wanted in FIGURES:
        found = demo.get(wanted.case) if wanted.study == "demo" else \
            measured(results[wanted.study], wanted)
        if found:
            graph = demo_graph(options) if wanted.study == "demo" else \
                real if options.full and wanted.study != "allocators" else small
            if wanted.study == "own":
                rounds = len(rounds_of(results["own"], wanted, wanted.case))
                graph += f", {rounds} round" + "s" * (rounds != 1)
            rows.append(csv_row(wanted.name, graph, found, made_by,
                                ".0f" if wanted.unit == "pushes" else ".6g"))
    return rows + collect_own("programs", options)


# The command ------------------------------------------------------------------------------------

def parse(arguments):
    parser = argparse.ArgumentParser(
        prog=own_name("study") + " figures", description="Every figure that the pages quote, with the aim it is "
        "held against.", epilog=as_called(EPILOGUE), formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--full", action="store_true", help="a million nodes for the allocators, the real size for "
        "engines and the challenge's own program")
    add("--huge", action="store_true", help="the size of today's English Wikipedia in place of all "
        "that, beside the graph of 2007: opening, questions, full searches, classic on slab, memory")
    add("--programs", nargs="?", const="", metavar="LIST", help="what malloc costs and holds in programs that many "
        "machines have, and nothing else; LIST: of these (" +
        ",".join(name for name, *_ in figures_programs.PROGRAMS) + ")")
    add("--web", action="store_true", help="how fast bfs-web answers, and nothing else")
    add("--walks", nargs="?", const="", metavar="DIR", help="distances, parents, histogram and full search "
        "of a Kronecker graph, and nothing else; DIR: where gapbs was made, for its times beside")
    add("--keep", action="store_true", help="with --huge: keep the two graphs for the next run")
    add("--nodes", type=size, help="nodes of the graph (default: 400k; with --full 1M; with --huge "
        "7.16M)")
    add("--edges", type=size, help="its edges (default: 5.05M; with --full 12.624M; with --huge 695M)")
    add("--depth", type=size, help="of the deep queue (default: 5M; with --full 20M)")
    add("--rounds", type=size, help="of every study (default: 3; of the programs "
        f"{figures_programs.RUNS}, of the walks {figures_walks.RUNS})")
    add("--write", action="store_true", help="put them into figures.csv and the pages")
    add("--draw", action="store_true", help="measure nothing: what is in the folder")
    add("--pages", action="store_true", help="measure nothing: the pages from figures.csv")
    add("--bin", type=pathlib.Path, default=programs(), metavar="DIR",
        help="the folder of the programs (default: of this source tree, or installed beside)")
    add("--output", type=pathlib.Path, default=pathlib.Path("study-figures"), metavar="DIR",
        help="the folder of the studies (default: %(default)s)")
    options = parser.parse_args(arguments)
    unknown = set((options.programs or "").split(",")) - {"", *(name for name, *_ in
                                                                figures_programs.PROGRAMS)}
    if unknown:
        parser.error(f"--programs: there is no {sorted(unknown)[0]}")
    apart = [name for name in ("huge", *OWN) if getattr(options, name) not in (None, False)]
    if len(apart) + options.full > 1 and apart:
        parser.error(f"--{apart[0]} is a measurement of its own: leave out --{[*apart[1:], 'full'][0]}")
    options.own = next((name for name in apart if name in OWN), None)
    options.runs = options.rounds or OWN[options.own or "programs"][0].RUNS
    options.rounds = options.rounds or 3
    default = (figures_huge.NODES, figures_huge.EDGES) if options.huge else \
        (1000000, 12624000) if options.full else (400000, 5050000)
    options.nodes = options.nodes or default[0]
    options.edges = options.edges or default[1]
    options.seed = 1
    options.depth = options.depth or (20000000 if options.full else 5000000)
    return options


def run(options):
    if options.pages:
        write_pages(read_figures())
        return 0
    options.output.mkdir(parents=True, exist_ok=True)
    run_it = figures_huge.run if options.huge else OWN[options.own][0].run if options.own else measure
    status = 0 if options.draw else run_it(options)
    if status != 0:
        return status
    rows = collect_huge(options) if options.huge else collect_own(options.own, options) if options.own \
        else collect(options)
    if not rows:
        raise Failed(f"{options.output} holds no figures")
    write_figures(rows, options.output / "figures.csv")
    print("\n".join(figure_lines(rows)))
    if options.write:
        every = replaced(read_figures(), rows)
        write_figures(every)
        demo = options.output / "demo.txt"
        write_pages(read_figures(), demo.read_text(encoding="utf-8") if demo.exists() else None)
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
        complain("study", problem)
        return 1
