"""Benchmark cases: each runs once per round, in a process of its own, in random order.

A case is a command and a function that takes what the command printed and returns its values. The
cases of a part take turns, so that a slow drift of the machine meets all of them alike. What is
compared are the values of the same round.
"""
import argparse
import csv
import io
import itertools
import json
import os
import pathlib
import re
import signal
import statistics
import time

from own_name import as_called, complain, own_name
from page import Page
from runner import BFS_NAMES, Failed, call, last_line, turns
from speaker import Speaker
from stats import Difference, figure_of, interval, median

ROOT = pathlib.Path(__file__).resolve().parents[2]


def programs():
    """The folder of the programs: built in this source tree; or PREFIX/bin if this file is
    installed in PREFIX/share/pointer-wars/studylib."""
    in_tree = (ROOT / "CMakeLists.txt").exists()
    return ROOT / "build" / "release" / "bin" if in_tree else ROOT.parent / "bin"


REAL_NODES, REAL_EDGES = 3566907, 45030389  # Gleich/wikipedia-20070206
LONG_SEARCH = 0.02  # seconds; a search that finds nothing and takes longer saw the whole graph


class Case:
    def __init__(self, label, words, read, against=None, optional=False, every=1):
        self.label = label
        self.words = [str(word) for word in words]
        self.read = read          # what the command printed -> {name: value}
        self.against = against    # the label of the case that this one is compared with
        self.optional = optional  # it may be missing, as an allocator that is not installed
        self.every = every        # takes part in one of that number of rounds, because it is slow
        self.rounds = {}          # number of the round: values
        self.missing = None       # why it could not run

    def values(self, key):
        """Of every round that has one."""
        found = [values.get(key) for _, values in sorted(self.rounds.items())]
        return [value for value in found if value is not None]

    def median(self, key):
        values = self.values(key)
        return median(values) if values else None


def capture(words):
    """Run a command to its end; what it printed, or Failed with the last line of its errors."""
    try:
        status, output, errors = call(words)
    except OSError as problem:
        raise Failed(f"{words[0]}: {problem.strerror}") from None
    if status != 0:
        raise Failed(last_line(errors) if errors.strip() else
                     f"{pathlib.Path(words[0]).name} ended with {status}")
    return output


def measure(case, number):
    started = time.monotonic()
    output = capture(case.words)
    try:
        values = case.read(output)
    except (ValueError, KeyError, TypeError, IndexError):
        raise Failed("no figures in what it printed") from None
    values["process_seconds"] = time.monotonic() - started
    case.rounds[number] = values


def run_rounds(cases, rounds, seed, say, title):
    """Measure every case. An optional one that fails is left out from then on."""
    for number, order in itertools.islice(turns(cases, seed), rounds):
        for case in order:
            if case.missing or (number - 1) % case.every != 0:
                continue
            say(f"{title}, round {number} of {rounds}: {case.label}")
            try:
                measure(case, number)
            except Failed as problem:
                if not case.optional:
                    raise Failed(f"{case.label}: {problem}") from None
                case.missing = str(problem)
    return [case for case in cases if not case.missing]


def check_same(cases, key):
    """The same work: a count that all cases must agree in, where they know it."""
    first = None
    for case in cases:
        for values in case.rounds.values():
            count = values.get(key)
            if count is None:
                continue
            if first is None:
                first = (count, case.label)
            if count != first[0]:
                raise Failed(f"{key} differs: {first[1]} has {first[0]}, {case.label} has {count}")


# What programs print ----------------------------------------------------------------------------

def number_of(text):
    """A cell of CSV: a number, None where it is empty, or the text itself."""
    if text == "":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def read_rows(text):
    """The rows of CSV with a header; at least one."""
    rows = [{name: number_of(cell) for name, cell in row.items()}
            for row in csv.DictReader(io.StringIO(text))]
    if not rows:
        raise ValueError
    return rows


def sum_searches(rows):
    """Values of a run from its searches."""
    for row in rows:
        if row["status"] != "done":
            raise Failed(f"search {row['search']}: {row['status']}")
    seconds = [row["seconds"] for row in rows]
    full = [row["seconds"] for row in rows if not row["found"] and row["seconds"] > LONG_SEARCH]
    found = [row for row in rows if row["found"]]
    hops = [row["hops"] for row in found]
    return {"seconds": sum(seconds), "median_search_us": statistics.median(seconds) * 1e6,
            "full_search_seconds": sum(full) / len(full) if full else None,
            "visited": sum(row["visited"] for row in rows),
            "expanded": sum(row["expanded"] for row in rows), "found": len(found),
            "hops": sum(hops) if None not in hops else None}


def read_report(text):
    """A report of bfs --format json. With several threads the time is the whole run's."""
    report = json.loads(text)
    summary = report["summary"]
    values = sum_searches(report["searches"])
    values["cpu_seconds"] = report.get("counters", {}).get("task_clock_seconds")
    if report["context"]["threads"] > 1:
        values["seconds"] = summary["run_seconds"]
        values["cpu_seconds"] = None  # it would cover one thread only
    for key in ("setup_seconds", "load_seconds", "peak_rss_bytes"):
        values[key] = summary.get(key)
    values["nodes"] = report["context"]["graph"].get("nodes")
    values["edges"] = report["context"]["graph"].get("edges")
    return values


# What is shown ----------------------------------------------------------------------------------

def times(ratio):
    """How many times as fast, with as many digits as say something."""
    return f"{ratio:,.0f}" if ratio >= 1000 else f"{ratio:.1f}" if ratio >= 100 else f"{ratio:.2f}"


def ratio(case, base, key="seconds"):
    """The Difference of base to case, so that above 1 the case is faster; rounds that both have."""
    common = [n for n in sorted(case.rounds) if n in base.rounds
              and case.rounds[n].get(key) and base.rounds[n].get(key)]
    return Difference([base.rounds[n][key] for n in common], [case.rounds[n][key] for n in common])


def rounds_text(rounds):
    low_high = interval(list(range(rounds)))
    return (f"Medians of {rounds} rounds; every measurement is a process of its own, and the order "
            "is drawn again for each round. After ± and below a ratio is the interval of "
            f"the median ({low_high[2] * 100:.0f} % confidence). A figure or a ratio marked ~ is not "
            "larger than its spread, and says nothing.") if rounds > 1 else "One round: nothing is known of the spread."


# The command ------------------------------------------------------------------------------------

def size(text):
    """A number of nodes or edges: 400000, 400k, 12.6M, 1G."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([kMG]?)", text)
    number = float(match[1]) * {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}[match[2]] if match else 0
    if number < 1 or number != int(number):
        raise argparse.ArgumentTypeError(f'expected a number such as 12.6M, found "{text}"')
    return int(number)


def make_parser(name, description, epilogue, rounds, of_graph=True):
    parser = argparse.ArgumentParser(prog=f"{own_name('study')} {name}", description=description,
                                     epilog=as_called(epilogue),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    if of_graph:
        add("--full", action="store_true", help=f"a graph of the real size: {REAL_NODES:,} nodes, "
            f"{REAL_EDGES:,} edges")
        add("--nodes", type=size, default=1000000, metavar="N", help="nodes of the generated graph "
            "(default: 1M)")
        add("--edges", type=size, default=12624000, metavar="N", help="its edges (default: "
            "12.624M)")
    add("--rounds", type=size, default=rounds, metavar="N", help="how often everything is "
        "measured (default: %(default)s)")
    add("--seed", type=int, default=1, metavar="N", help="seed of the order of the runs (default: %(default)s)")
    add("--bin", type=pathlib.Path, default=programs(), metavar="DIR",
        help="the folder of the programs (default: of this source tree, or installed beside)")
    add("--output", type=pathlib.Path, default=pathlib.Path(f"study-{name}"), metavar="DIR",
        help="the folder for page, data and plots (default: %(default)s)")
    return parser


def finish_options(parser, arguments):
    options = parser.parse_args(arguments)
    if options.full:
        options.nodes, options.edges = REAL_NODES, REAL_EDGES
    options.graph = f"generate:nodes={options.nodes},edges={options.edges},seed=1"
    return options


def program(options, name):
    paths = [options.bin / each for each in (BFS_NAMES if name == "bfs" else (name,))]
    path = next((path for path in paths if path.exists()), paths[-1])
    if not os.access(path, os.X_OK):
        raise Failed(f"{path} is not built: cmake --preset release && cmake --build --preset "
                     "release, or name the folder with --bin")
    return path


class Study:
    """The parts of one study: its cases, its page, and what is to be said."""

    def __init__(self, name, title, options):
        self.name = name
        self.options = options
        self.say = Speaker()
        self.parts = []  # (title, cases)
        self.shown = 0   # lines of the page's text that are printed
        options.output.mkdir(parents=True, exist_ok=True)
        self.page = Page(title, options.output)

    def measure(self, title, cases, rounds=None):
        """Run a part; the cases that have figures."""
        self.parts.append((title, cases))
        return run_rounds(cases, rounds or self.options.rounds, self.options.seed, self.say, title)

    def show(self):
        """Print what the page has more than at the last call."""
        self.say.clear()
        print("\n".join(self.page.text[self.shown:]), flush=True)
        self.shown = len(self.page.text)

    def write(self):
        folder = self.options.output
        keys = []
        for _, cases in self.parts:
            for case in cases:
                for values in case.rounds.values():
                    keys += [key for key in values if key not in keys]
        with open(folder / "results.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["part", "case", "round"] + keys)
            for title, cases in self.parts:
                for case in cases:
                    for number, values in sorted(case.rounds.items()):
                        writer.writerow([title, case.label, number] + [
                            "" if values.get(key) is None else values[key] for key in keys])
        with open(folder / "results.json", "w", encoding="utf-8") as file:
            json.dump({"schema": f"pointer-wars-study-{self.name}/1", "parts": [
                {"title": title, "cases": [case_summary(case) for case in cases]}
                for title, cases in self.parts]}, file, indent=1)
            file.write("\n")
        self.page.write()


def case_summary(case):
    found = {"label": case.label, "command": case.words, "against": case.against,
             "missing": case.missing, "values": {}}
    for key in sorted({key for values in case.rounds.values() for key in values}):
        values = case.values(key)
        if values and all(isinstance(value, (int, float)) for value in values):
            figure = figure_of(values)  # one round has no interval
            found["values"][key] = {
                "median": figure.value, "low": figure.low, "high": figure.high,
                "confidence": interval(values)[2] if figure.is_known else None,
                "rounds": len(values)}
    return found


def run_study(name, title, options, make):
    """make(study) measures and fills the page. Returns the exit status; what is measured is kept
    when a run fails or is interrupted."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    study, status = None, 0
    try:
        study = Study(name, title, options)
        make(study)
    except KeyboardInterrupt:
        status = 130
    except (Failed, OSError) as problem:
        status = 1
        if study is not None:
            study.say.clear()
        complain("study", problem)
    if study is None:
        return status
    study.say.clear()
    try:
        if any(case.rounds for _, cases in study.parts for case in cases):
            study.write()
            study.show()
            print(options.output / "study.html")
    except OSError as problem:
        complain("study", problem)
        return 1
    for failure in study.page.failures:
        complain("study", failure)
    return status or (1 if study.page.failures else 0)
