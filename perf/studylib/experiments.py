"""perf/study experiments: the published experiments on allocation, on a page with plots.

1. allocbench measures: each run of an allocator in a fresh process, the allocators in turns, medians
   with their quartile spread. It writes TABLE.csv per table, NAME.about.csv and NAME.heads.csv.
2. The tables go on one page, each experiment beside its published figures and what agrees with them.
3. The plots are drawn from the CSV.
"""
import argparse
import csv
import pathlib
import re
import shutil
import subprocess

import experiments_plots
import published
import runner
import units
from cases import program, programs
from own_name import as_called, complain, own_name
from page import Page
from runner import Failed
from stats import Figure

NAMES = ("sizes", "exhaustion", "worst-case", "purge", "replay", "pointer-wars", "distributions",
         "estimate", "queue", "ageing")
# What makes an experiment short where all are run.
SMALL = {"exhaustion": ["--counts=1,10"], "worst-case": ["--counts=1,10"],
         "purge": ["--allocations=1M", "--pause=20"], "replay": ["--graph=generate:nodes=200k"],
         "pointer-wars": ["--graph=generate:nodes=200k", "--searches=30"],
         "distributions": ["--rounds=2k"], "estimate": ["--rounds=2k"],
         "queue": ["--depth=2M", "--repeats=3"], "ageing": ["--depth=300k"]}

EPILOGUE = """\
examples:
  perf/study experiments                                   all of them, small; ten minutes
  perf/study experiments --full --output results           as published; hours
  perf/study experiments purge queue -- --alloc=malloc,slab,lib:mimalloc
  perf/study experiments sizes -- --alloc=malloc,plugin:./mine.so --runs=5
  perf/study experiments --draw --output results           the page again, from an earlier run
What follows "--" are options of allocbench, and go to each of its runs; see its --help. --alloc=LIST
is one: the allocators in place of the usual ones. An allocator of your own is plugin:FILE (a shared
object with its table: alloc/foreign/ten_minutes.md) or lib:FILE (a library with malloc and free); it
has a column of its own beside the published figures. Name malloc too, with which all are compared.

Prints the tables and writes FOLDER/index.html, index.md, the plots (SVG and PNG), and the CSV of
allocbench. Exit status: 0 done, 1 a run or a plot failed, 2 wrong usage, 130 interrupted
(what is done is written)."""


HEAPS = "replay-recordings.csv"   # the heap that each workload needed; in raw/, the last run's
SEARCHES = "pointer-wars-searches"  # a table per search, as in the article


class Result:
    """What allocbench wrote of one experiment."""

    def __init__(self, folder, name):
        self.folder = folder
        self.name = name
        facts = self.cells(f"{name}.about")[1:]
        self.about = dict(facts)
        self.notes = [value for key, value in facts if key == "note"]
        self.runs = int(self.about["runs"])
        self.tables = {}  # name: (title, heads, data_only)
        heads = self.cells(f"{name}.heads")[1:]
        for own, title, _, head, data_only, _ in heads:
            self.tables.setdefault(own, (title, [], data_only == "true"))[1].append(head)
        # name: per column the unit of its spread ("percent", "own"), which the next column holds; or None
        self.spreads = {table: [row[5] or None for row in heads if row[0] == table][1:] + [None]
                        for table in self.tables}

    def cells(self, table):
        """The rows of a table as texts, its columns' names first."""
        with open(self.folder / f"{table}.csv", encoding="utf-8", newline="") as file:
            return list(csv.reader(file))

    def rows(self, table):
        """The rows of a table as {column: Figure, text, or None where it is not known}. A column of
        spreads goes into the figures before it, and is a figure too."""
        names, *rows = self.cells(table)
        spreads = self.spreads[table]
        return [{name: cell_of(row, i, spreads) for i, name in enumerate(names)} for row in rows]

    def find(self, table, **wanted):
        """The first row with the wanted cells; an empty one where no row has them."""
        for row in self.rows(table) if table in self.tables else []:
            if all(number(row[name]) == value for name, value in wanted.items()):
                return row
        return {}


def cell_of(cells, i, spreads):
    """A cell of a row as Figure, text, or None; a figure without a spread has no interval."""
    value = value_of(cells[i])
    if not isinstance(value, float):
        return value
    spread = value_of(cells[i + 1]) if spreads[i] else None
    if not isinstance(spread, float):
        return Figure(value)
    half = abs(value) * spread / 100 if spreads[i] == "percent" else spread
    return Figure(value, value - half, value + half)


def value_of(cell):
    if cell == "":
        return None
    try:
        return float(cell)
    except ValueError:
        return cell


def number(cell):
    """The value of a figure; texts and None as they are."""
    return cell.value if isinstance(cell, Figure) else cell


def grouped(text):
    """A number with commas; a text as it is."""
    found = re.fullmatch(r"(-?\d+)(\.\d+)?", text)
    return f"{int(found[1]):,}{found[2] or ''}" if found and len(found[1]) > 3 else text


def title_unit(title):
    """The unit that a title names: "Nanoseconds per push", "Distance, in bytes"; else ""."""
    words = title.lower().split(" ")
    return units.WORDS.get(words[0]) or words[-2:-1] == ["in"] and units.WORDS.get(words[-1]) or ""


def people_table(result, name):
    """(heads, rows) of a table for people: the spread after its figure, marked where it is not
    smaller; without the columns and rows that hold nothing."""
    names, *rows = result.cells(name)
    title, every, _ = result.tables[name]
    own = [units.of_column(column) for column in names]
    if not any(own):  # the title may name the unit of all columns but the first
        own = [""] + [title_unit(title)] * (len(names) - 1)
    spreads = result.spreads[name]
    heads, columns = [], []
    for i in range(len(names)):
        if i == 0 or not spreads[i - 1]:
            heads.append(units.bare(every[i]) if own[i] else every[i])
            columns.append(i)
    shown = [[people_cell(row, i, spreads, own[i]) for i in columns] for row in rows]
    measured = [k for k, i in enumerate(columns) if spreads[i]]
    shown = [row for row in shown if not measured or any(row[k] != "-" for k in measured)]
    known = [k for k in range(len(columns)) if any(row[k] != "-" for row in shown)]
    return [heads[k] for k in known], [[row[k] for k in known] for row in shown]


def with_unit(cell, unit):
    """A cell of a table for people. In one of several times, "9.2 + 11.4 (6%)", each has its unit."""
    if unit and isinstance(value_of(cell), float):
        return units.text(value_of(cell), unit)
    both = re.fullmatch(r"(~?)([\d.]+) \+ ([\d.]+) \((\d+)%\)", cell) if unit else None
    if both:
        times = [units.text(float(both[i]), unit, 3) for i in (2, 3)]
        return f"{both[1]}{' + '.join(times)} ({int(both[4]):,} %)"
    return grouped(cell) or "-"


def people_cell(row, i, spreads, unit):
    if not isinstance(value_of(row[i]), float) or not spreads[i]:
        return with_unit(row[i], unit)
    percent = " %" if spreads[i] == "percent" else ""
    clear = cell_of(row, i, spreads).is_clear
    return f"{'' if clear else '~'}{with_unit(row[i], unit)}" + (
        f"\n± {grouped(row[i + 1])}{percent}" if row[i + 1] else "")


def search_tables(page, result):
    """The chosen searches as in the article: a column per allocator, a row per quantity."""
    heads, rows = people_table(result, SEARCHES)
    for search in dict.fromkeys(row[0] for row in rows):
        columns = [row for row in rows if row[0] == search]
        page.paragraph(f"Search {search}")
        page.table([""] + [row[1] for row in columns],
                   [[head] + [row[i] for row in columns]
                    for i, head in enumerate(heads) if i > 1])


def write_published(page, result):
    """The article's tables, followed by our measurements."""
    tables, sentences = published.beside(result)
    if tables or sentences:
        page.paragraph(f"Published beside ours ({published.source(result)})." + (
            " Graph, machine and time are others: compare the ratios, the first to the second."
            if any("ratio, here" in heads for _, heads, _ in tables) else ""))
    for title, heads, rows in tables:
        if title:
            page.paragraph(title)
        page.table(heads, rows)
    if sentences:
        page.paragraph("Also published, and ours in brackets: " + "; ".join(sentences) + ".",
                       "note")
    write_pictured(page, result)


def write_pictured(page, result):
    """What is here for a picture of the article that has no numbers: curves, and bars."""
    if result.name == "estimate":
        rows = [[sizes, allocator, *(f"{'' if one.is_clear else '~'}{units.text(one.value, 'ns')}"
                                     for one in (measured, own)), published.ratio_text(own, measured)]
                for sizes, allocator, measured, own in estimates(result)]
        if rows:
            page.paragraph("Estimated beside measured, per allocation and its release.")
            page.table(["sizes", "allocator", "measured", "estimated", "estimated / measured"], rows)
    if result.name == "replay":
        for more in more_heap(result):
            page.paragraph(more, "warning")
        page.paragraph("The article's bars here, in percent of the plain run on malloc; the replay "
                       "is on first-fit, as in the article.")
        page.table(["workload", "plain", "recorded on first-fit", "replay, checked",
                    "replay, unchecked"], bars(result))


def estimates(result):
    """Rows of estimates beside what the distribution itself costs, measured in turns with them:
    [(sizes, allocator, measured Figure, estimated Figure), ...], both in nanoseconds."""
    return [(row["sizes"], row["allocator"], row["measured_ns"], row["ns_each"])
            for row in result.rows("estimate")
            if row.get("measured_ns") is not None and row["ns_each"] is not None]


def more_heap(result):
    """A sentence per workload that needed more heap than in the last run in this folder."""
    before = result.folder / "raw" / HEAPS
    if not before.exists():
        return []
    with open(before, encoding="utf-8", newline="") as file:
        needed = {(row["workload"], row["heap"], float(row["operations"])): float(row["needed_mib"])
                  for row in csv.DictReader(file)}
    return [f"{row['workload']} on {row['heap']} needs more heap than in the last run: "
            f"{now:.1f} MiB, {needed[key]:.1f} before."
            for row in result.rows("replay-recordings")
            for key, now in [((row["workload"], row["heap"], number(row["operations"])),
                              number(row["needed_mib"]))]
            if now > needed.get(key, now)]


def bars(result):
    """A row per workload: the article's yellow, purple, orange and red bars."""
    rows = []
    for workload in dict.fromkeys(row["workload"] for row in result.rows("replay")):
        found = [result.find("replay", workload=workload, allocator="malloc"),
                 published.recorded(result, workload),
                 result.find("replay", workload=workload, allocator="replay"),
                 result.find("replay", workload=workload, allocator="replay:unchecked")]
        plain, *others = [row.get("seconds") for row in found]
        rows.append([workload, published.figure_text(plain, "s")] + [
            published.percent(published.quotient(one, plain).scaled(100))
            if one and plain and plain.value else "-" for one in others])
    return rows


def write_result(page, result):
    about = result.about
    page.heading(result.name)
    summary = about["summary"][:1].upper() + about["summary"][1:]
    page.paragraph(f"{summary}. After {about['source']}.")
    page.paragraph(f"Measured: {about['measured']}.", "note")
    if result.runs == 1:
        page.paragraph("One run: nothing is known of the spread.", "note")
    write_published(page, result)
    for name, (title, _, data_only) in result.tables.items():
        shown = re.sub(r"^(Nano|Micro)seconds\b|, in bytes$", lambda found: "Time" if found[1] else "",
                       title)
        page.paragraph(f"{title if data_only else shown}: {name}.csv")
        if data_only:
            continue
        heads, rows = people_table(result, name)
        if name == SEARCHES:
            search_tables(page, result)
        elif rows:
            page.table(heads, rows)
        else:
            page.paragraph("No allocator could take part.")
    experiments_plots.draw(page, result)
    if result.notes:
        page.paragraph("; ".join(note.rstrip(".") for note in result.notes) + ".", "note")


def write_page(folder, names):
    """The page of what lies in the folder; the page, or Failed when nothing does."""
    results = [Result(folder, name) for name in names if (folder / f"{name}.about.csv").exists()]
    if not results:
        raise Failed(f"{folder}: holds no result of allocbench")
    page = Page("What dynamic allocation costs, measured here", folder)
    about = results[0].about
    virtual = ", virtual" if about["virtual"] == "true" else ""
    page.paragraph(f"{about['processor']}{virtual}. Clock: {about['clock']}, {float(about['ns_per_tick'])} "
                   f"ns per tick; a reading costs {about['reading_ticks']} ticks, which are "
                   f"subtracted. Seed {about['seed']}. Every figure is a median of interleaved "
                   "runs, each in a process of its own; after ± is half the distance of the "
                   "quartiles. A figure marked ~ is not larger than its spread: it says nothing, and "
                   "enters no plot.")
    page.contents()
    for result in results:
        write_result(page, result)
    page.write("index")
    return page


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog=own_name("study") + " experiments", description="Repeat published experiments on allocation, and set "
        "them beside the published figures.", epilog=as_called(EPILOGUE),
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("names", nargs="*", metavar="EXPERIMENT", help="one of " + ", ".join(NAMES)
        + " (default: all)")
    add("--full", action="store_true", help="with the published parameters")
    add("--draw", action="store_true", help="measure nothing: the page of what is in the folder")
    add("--bin", type=pathlib.Path, default=programs(), metavar="DIR",
        help="the folder of allocbench (default: of this source tree, or installed beside)")
    add("--output", type=pathlib.Path, default=pathlib.Path("study-experiments"), metavar="DIR",
        help="the folder for page, data and plots (default: %(default)s)")
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options, unknown = parser.parse_known_args(arguments[:end])
    if unknown:
        parser.error(f'{unknown[0]} is not an option of {own_name("study")}. Options of allocbench come after "--", as in: '
                     f"{own_name('study')} experiments queue -- --alloc=malloc,slab,plugin:./mine.so")
    options.more = arguments[end + 1:]
    for name in options.names:
        if name not in NAMES:
            parser.error(f"there is no experiment {name}: {', '.join(NAMES)}")
    return options


def histogram(options):
    """What "estimate" is to estimate, where nothing is said: the sizes of "distributions" before."""
    path = options.output / "distributions-histogram.csv"
    asked = any(word.startswith("--histogram") for word in options.more)
    return [] if asked or not path.exists() else [f"--histogram={path}"]


def measure(options):
    """Run allocbench, once per experiment. Returns its exit status: of the first run that fails.
    Experiments by name have the published parameters, as in allocbench, unless options say otherwise."""
    (options.output / "raw").mkdir(parents=True, exist_ok=True)
    if (options.output / HEAPS).exists():  # to see whether it grows
        shutil.copy(options.output / HEAPS, options.output / "raw")
    is_small = not options.names and not options.full
    for name in options.names or NAMES:
        words = [str(program(options, "allocbench")), name, "--output", str(options.output)]
        words += ["--runs=3", *SMALL.get(name, [])] if is_small else []
        words += histogram(options) if name == "estimate" else []
        status = runner.attend(words + options.more, stdout=subprocess.DEVNULL)
        if status != 0:
            return status if status in (2, 130) else 1
    return 0


def main(arguments):
    options = parse(arguments)
    status = 0
    try:
        if not options.draw:
            status = measure(options)
        if status in (1, 2):
            return status  # allocbench has said why
        page = write_page(options.output, options.names or NAMES)
    except (Failed, OSError, ValueError, KeyError) as problem:
        complain("study", problem)
        return status or 1
    print("\n".join(page.text))
    print(options.output / "index.html")
    for failure in page.failures:
        complain("study", failure)
    return status or (1 if page.failures else 0)
