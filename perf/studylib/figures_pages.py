"""figures.csv, and the pages that are written from it: README.md between its marks with its picture,
the seconds in bfs/engines/README.md, the tables of perf/program, and figures.md with
everything."""
import csv
import pathlib
import re
import textwrap

import allocators
import figures_huge
import figures_programs
import figures_walks
import figures_web
import picture
import units
from cases import ROOT
from figures_rows import of_first_machine, read_rows
from figures_wanted import (AGAIN, BY_NAME, ENGINES, HUGE, OTHER, PROGRAMS, SENTENCES, TIMES, WALKS,
                            WEB, decimal)

FILE = pathlib.Path(__file__).with_name("figures.csv")
PAGE = pathlib.Path(__file__).with_name("figures.md")
PROGRAMS_PAGE = ROOT / "perf" / "program" / "five_minutes.md"
MEMORY_PAGE = ROOT / "perf" / "program" / "memory.md"
WEB_PAGE = ROOT / "python" / "service.md"
PICTURE = pathlib.Path(__file__).with_name(picture.FILE_NAME)
HEADS = ["figure", "machine", "graph", "value", "low", "high", "aim", "made_by"]
# What perf/study figures --full does not measure.
OTHERS = {wanted.name for wanted in OTHER + HUGE + PROGRAMS + WEB + WALKS}
DIFFERENT = 1.5  # a second processor's figure is shown beside the first's from that factor on
WIDTH = 100


def read_figures(path=FILE):
    return read_rows(path)


def replaced(rows, new):
    """The rows, with rows of the same figure and machine replaced. A machine that was named in
    other words by an earlier command keeps its other figures."""
    keys = {(row["figure"], row["machine"]) for row in new}
    return [row for row in rows if (row["figure"], row["machine"]) not in keys] + new


def write_figures(rows, path=FILE):
    order = {name: i for i, name in enumerate(BY_NAME)}
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, HEADS, lineterminator="\n")
        writer.writeheader()
        writer.writerows({**row, "aim": BY_NAME[row["figure"]].aim}
                         for row in sorted(rows, key=lambda row: (row["machine"],
                                                                  order[row["figure"]])))


def of_figures_page(rows):
    """The rows without the memory of other programs: they are on a page of their own alone, as they
    are many."""
    return [row for row in rows if not row["figure"].startswith("memory.")]


class Figures:
    """The figures of the machine that has the most, and of the others."""

    def __init__(self, rows):
        machines = {}
        for row in of_figures_page(rows):
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
        nodes, edges = map(int, re.findall(r"\d+", self.own[name]["graph"])[:2])
        return f"{nodes / 1e6:.3g} M nodes and {edges / 1e6:.3g} M edges"

    def different(self):
        """[(wanted, own value, machine, its value)] of figures that differ in kind: on the other
        side of 1, or by DIFFERENT."""
        found = []
        for machine, figures in self.others.items():
            for name, row in figures.items():
                first, second = self.value(name), float(row["value"])
                if first and second and BY_NAME[name].unit != "%" and (
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


def ageing(figures):
    """The picture, of the times of each search and its pushes; "" without these figures."""
    pushes = figures.value("again.pushes")
    names = [[f"again.{name}.{i}" for i in range(1, TIMES + 1)] for name in picture.LINES]
    if not pushes or any(name not in figures.own for line in names for name in line):
        return ""
    series = {name: [tuple(float(figures.own[one][key]) / pushes * 1e9
                           if figures.own[one][key] else None
                           for key in ("value", "low", "high")) for one in line]
              for name, line in zip(picture.LINES, names)}
    return picture.ageing(
        series, "Nanoseconds per push: the same search again and again",
        f"{pushes:,.0f} pushes per search, {TIMES} searches in one process, a graph of "
        f"{figures.graph('again.pushes')}, engine classic. Medians with intervals. "
        f"{figures.machine}.")


def picture_words(figures):
    """The picture for README.md, with its content in words, and what it shows."""
    def change(name):
        first, last = (figures.value(f"again.{name}.{i}") / figures.value("again.pushes") * 1e9
                       for i in (1, TIMES))
        return f"{first:.0f} ns at first and {last:.0f} at last with {name}"

    return "\n".join([
        filled(f"![The same search, {TIMES} times in one process. A push takes "
               + "; ".join(change(name) for name in picture.LINES)
               + "](perf/studylib/ageing.svg)"), "",
        filled("With `malloc`, and with a last-in-first-out free list (`pool`), every search leaves "
               "its nodes more scattered than it found them, and the next one waits for memory "
               "longer. A `slab` carves whole pages in address order and does not age: by the tenth "
               f"search it is {figures.cell('again.slab.tenth', 0)} times as fast as `malloc`.")])


def how_fast(figures):
    """The section of README.md, between its marks: the one table that matters, and where the tables
    of loading and of engines are."""
    f = figures.cell
    other = next(iter(figures.others.values()), {})

    def second(name):
        return decimal(float(other[name]["value"])) if name in other else "-"

    older = sorted({row["made_by"] for row in figures.own.values() if row["figure"] not in OTHERS}
                   - {"perf/study figures --full"})
    return "\n".join([
        filled("`perf/study figures --full --write` measures every figure here and draws the picture, "
               "in two hours; without `--full` it takes a smaller graph and twenty minutes. Each "
               "is the median of interleaved runs in fresh processes. `perf/studylib/figures.md` has all, "
               "with intervals, aims, and the tables of loading and of allocators. The first "
               f"machine: {figures.machine}; the second: {next(iter(figures.others), 'none')}." + (
                   f" Until its next run some are of {', '.join(older)}." if older else "")), "",
        f"| 15 searches of {figures.graph('pairs.malloc')} | seconds | times as fast | on the second |",
        "|---|---:|---:|---:|",
        "| the challenge's layout, one `malloc` per push | "
        f"{f('pairs.layout.seconds')} | 1 | 1 |",
        *(f"| {words} `{name}` | {f(f'pairs.{name}.seconds')} | {f(f'pairs.{name}')} | "
          f"{second(f'pairs.{name}')} |" for words, name in (
              ("this search on", "malloc"), ("on", "pool"), ("on", "slab"))), "",
        filled(f"Loading {figures.graph('loading.text2')} takes this reader {f('loading.text2')} s with "
               f"two threads, and a loop of `fscanf` {f('loading.fscanf')} s. 100 searches there take "
               f"`classic` on `slab` {seconds(figures.value('engines.classic'))} s, with every count of "
               "the challenge, and `bidirectional`, the answer alone, "
               f"{seconds(figures.value('engines.bidirectional'))} s: `bfs/engines/README.md` has all "
               "engines.")])


def seconds(value):
    return "-" if value is None else f"{value:.4f}" if value < 0.1 else decimal(value)


def tables(figures):
    """The tables of figures.md."""
    f = figures.cell
    lines = [
        "## Tables", "",
        f"The same search again and again in one process, seconds ({figures.graph('again.malloc.1')}):",
        "", *again_table(figures), "",
        filled("Why it ages is said beside its picture in the root's README.md. The first search is "
               f"{f('again.pool.first', 1)} times as fast on `pool` as on `malloc`, and "
               f"{f('again.slab.first', 1)} times on `slab`: what costs is where the nodes lie more "
               "than the call."), "",
        "| ns per push and pop of a FIFO queue, warm | glibc | mimalloc | `pool` | `slab` |",
        "|---|---:|---:|---:|---:|"]
    for depth, words in (("deep", "millions deep"), ("shallow", "1,000 deep")):
        lines.append(f"| {words} | " + " | ".join(
            f(f"queue.{name}.{depth}", 1) for name in ("malloc", "lib:mimalloc", "pool", "slab"))
            + " |")
    lines += ["", f"One create and delete through the hooks costs {f('hooks.difference', 1)} ns more "
              "than the same code written by hand.", "",
              filled("Searches and readers written by hand were measured last on the AMD EPYC, with "
                     "the graph of 2007. classic on `slab` was 0.86 times as fast as its loop, array "
                     "0.99 times. The reader was 1.07 times as fast as a loop that trusts the file on "
                     "one thread and 1.50 times on two; with the reverse adjacency 0.87 and 1.17 "
                     "times."), *different_table(figures), "",
              f"Loading {figures.graph('loading.text1')}, Matrix Market text in the page cache:", "",
              "| | seconds | peak, bytes per edge |", "|---|---:|---:|", *loading_rows(f)]
    return lines


def huge_table(rows):
    """The size of today's English Wikipedia beside the graph of 2007, of the first machine that has
    it."""
    machine, found = of_first_machine(rows, "huge.")
    if not found:
        return []

    def value(name, case, key):
        row = found.get(f"huge.{name}.{case}.{key}")
        return float(row["value"]) if row else None

    def text(name, case, key, unit):
        return units.text(value(name, case, key), unit)

    return ["", "## The size of today's English Wikipedia", "",
            filled("Generated graphs of both sizes, each in a snapshot that is mapped; one thread; "
                   f"{machine}. `perf/study figures --huge --write` measures them again: the last column "
                   "says how a figure grows beside the nodes and the edges. Small chunks in normal "
                   "pages are what a slab took before it grew with its size. Where the host of a "
                   "virtual machine takes free pages back, they can be the faster ones: "
                   "`alloc/nodes/README.md`."), "",
            "| " + " | ".join(figures_huge.HEADS) + " |", "|---|---:|---:|---:|---|",
            *("| " + " | ".join(re.sub(r"(classic on |, )(slab\S*)$", r"\1`\2`", cell)
                                for cell in row) + " |" for row in figures_huge.table(value, text))]


def own_column(figures, count):
    """The head of the column after this number of pairs, with the fewest rounds of a figure in it. None if it
    has no figure."""
    graphs = [figures.own[name]["graph"] for name in (f"own.{queue}.{count}" for queue in allocators.OWN)
              if name in figures.own]
    rounds = [int(found[1]) for found in (re.search(r"(\d+) round", graph) for graph in graphs) if found]
    return None if not graphs else f"{count} pairs" + (f", {min(rounds)} round" + "s" * (min(rounds) != 1)
                                                       if rounds else "")


def own_table(rows):
    """The challenge's own program, on each machine that has it."""
    own = [row for row in rows if row["figure"].startswith("own.")]
    if not own:
        return []
    lines = ["", "## The challenge's own program", "",
             filled("Seconds of processor time after some of its pairs, as medians of interleaved rounds. The "
                    "queue is ours on an allocator, a list that asks malloc for each node, or an array. The LIFO "
                    "list has chunks of 4 MiB and a free list, last in, first out; \"by malloc\", it asks malloc "
                    "for each new node, as the pool does. These commands measure a round again, which takes half an "
                    "hour for all queues; `--queues` names some."), "",
             "    perf/study allocators --full --only 4 --own 100 --rounds 1 --output study-figures/own",
             "    perf/study figures --full --draw --write"]
    for machine in dict.fromkeys(row["machine"] for row in own):
        figures = Figures([row for row in own if row["machine"] == machine])
        heads = {count: own_column(figures, count) for count in allocators.OWN_PAIRS}
        counts = [count for count, head in heads.items() if head]
        lines += ["", filled(f"{figures.graph(next(iter(figures.own)))}; {machine}:"), "",
                  "| queue | " + " | ".join(heads[count] for count in counts) + " |",
                  "|---|" + "---:|" * len(counts),
                  *(f"| {name} | " + " | ".join(figures.cell(f"own.{name}.{count}") for count in counts) + " |"
                    for name in allocators.OWN if any(f"own.{name}.{count}" in figures.own for count in counts))]
    return lines


def not_met(rows):
    """What was wanted and is not reached, machine by machine."""
    lines = []
    for row in rows:
        wanted, value = BY_NAME[row["figure"]], float(row["value"])
        if wanted.misses(value):
            lines.append(f"| {wanted.words} | {wanted.text(value)} | {wanted.aim} | "
                         f"{row['machine'].split(',')[0]} |")
    return ["## Aims that are not met", "", "| figure | value | aim | machine |",
            "|---|---:|---:|---|", *lines]


def filled(text):
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


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
    rows = of_figures_page(rows)
    lines = ["# Every figure that the pages quote", "",
             filled("Made by `perf/study figures` from `figures.csv`. In brackets: the interval, if "
                    "one is known. An aim is what a figure was held against."), "",
             *tables(Figures(rows)), *own_table(rows), *huge_table(rows), "", *not_met(rows)]
    for machine in dict.fromkeys(row["machine"] for row in rows):
        lines += ["", f"## {machine}", "", "| figure | value | aim | graph | made by |",
                  "|---|---:|---:|---|---|"]
        lines += [figure_row(row) for row in rows if row["machine"] == machine]
    return "\n".join(lines) + "\n"


def bound(wanted, value):
    """An end of an interval, in a unit where the figure's own unit may not fit."""
    return wanted.text(value) if units.family(wanted.unit) and wanted.unit != "ns" else \
        units.plain(value)


def figure_row(row):
    wanted = BY_NAME[row["figure"]]
    low, high = (bound(wanted, float(row[end])) if row[end] else "" for end in ("low", "high"))
    ends = f" ({low} to {high})" if low != high else ""  # a count has no interval
    graph = re.sub(r"\d{4,}", lambda number: f"{int(number[0]):,}", row["graph"])
    return (f"| {wanted.words} | {wanted.text(float(row['value']))}{ends} | {wanted.aim} | {graph} | "
            f"{row['made_by']} |")


def between(text, mark, inside):
    """Replace the text between two marks."""
    begin, end = f"<!-- {mark}:begin -->\n", f"\n<!-- {mark}:end -->"
    before, rest = text.split(begin, 1)
    return before + begin + inside + end + rest.split(end, 1)[1]


def engines_page(text, figures):
    """The last column of the table of engines, and the figures in its sentences."""
    for name in ENGINES:
        value = figures.value(f"engines.{name}")
        if value:
            shown = seconds(value)
            text = re.sub(rf"^(\| {name} \|.*\|) (?:[\d.]+ )?\|$", rf"\1 {shown} |", text, flags=re.M)
    for before, after, name in SENTENCES:
        value = figures.value(name)
        if value:
            before, after = (re.escape(words).replace(r"\ ", r"\s+") for words in (before, after))
            text = re.sub(rf"({before}\s+)[\d.]+(?: to [\d.]+)?(\s+{after})",
                          rf"\g<1>{decimal(value)}\g<2>", text)
    return text


def pages(rows, demo=None):
    """{path: text} of every page, and of the picture, as figures.csv has it."""
    answer, of, held = figures_programs.memory_table(rows)
    figures = Figures(rows)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    readme = between(readme, "bench", how_fast(figures))
    drawn = ageing(figures)
    if drawn:
        readme = between(readme, "picture", picture_words(figures))
    if demo:
        readme = between(readme, "demo", "```\n== Side by side: the same 100 searches\n"
                         + demo.strip("\n") + "\n```")
    made = {}
    about, shares = figures_programs.table(rows)
    if shares:
        made[PROGRAMS_PAGE] = between(PROGRAMS_PAGE.read_text(encoding="utf-8"), "examples",
                                      "\n".join([filled(about), "", *shares]))
    if held:
        text = between(MEMORY_PAGE.read_text(encoding="utf-8"), "answer", filled(answer))
        made[MEMORY_PAGE] = between(text, "programs", "\n".join([filled(of), "", *held]))
    about, answers = figures_web.table(rows)
    if answers:
        made[WEB_PAGE] = between(WEB_PAGE.read_text(encoding="utf-8"), "speed",
                                 "\n".join([filled(about), "", *answers]))
    engines = ROOT / "bfs" / "engines" / "README.md"
    engines_text = engines_page(engines.read_text(encoding="utf-8"), figures)
    about, walks = figures_walks.table(rows)
    if walks:
        engines_text = between(engines_text, "walks", "\n".join([filled(about), "", *walks]))
    made |= {ROOT / "README.md": readme, PAGE: all_figures(rows), PICTURE: drawn,
            engines: engines_text}
    return {path: text for path, text in made.items() if text}


def write_pages(rows, demo=None):
    for path, text in pages(rows, demo).items():
        path.write_text(text, encoding="utf-8")


