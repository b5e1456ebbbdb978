"""perf/builds: the rungs of bench-ladder in several builds of this tree, side by side.

1. Each build is made if it is not up to date; pgo by perf/bench/pgo.sh, again when a source is younger
   than its profile.
2. Each build's own bench-ladder measures the rungs once a round. The builds take turns, another
   one first in each round, so that a slow drift of the machine meets all of them alike.
3. A row a rung, a column a build: the median of the rounds, and beside it how many times as fast as
   the first build. All builds must have expanded the same nodes.
"""
import argparse
import csv
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
from math import exp, log

from runner import Failed
from speaker import Speaker
from stats import median

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("alloc", "bfs", "cmake", "data", "liblist", "libqueue", "perf")
BENCH = "bench-ladder"

DESCRIPTION = """\
What each kind of build is worth to the searches:
  release  shared libraries, as they are installed
  static   the libraries linked into the program
  lto      static, with link-time optimisation
  pgo      lto, guided by a profile of searches (perf/bench/pgo.sh, needs gcc)
"""
EPILOGUE = """\
examples:
  perf/builds --full --csv builds.csv
  perf/builds --builds release,lto --nodes 1000000 --edges 12624000 --launcher "taskset -c 1"
Prints seconds, medians of the rounds, and how many times as fast as the first build. "spread" is
the widest range of a build's rounds, in percent of its median: smaller differences say nothing.
Exit status: 0 done, 1 a build or a run failed, 2 wrong usage, 130 interrupted (whole rounds that
are done are printed)."""


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="builds", description=DESCRIPTION, epilog=EPILOGUE,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--full", action="store_true", help="a graph of the real size")
    for name in ("nodes", "edges", "pairs"):
        add("--" + name, type=positive, metavar="N", help=f"as {BENCH} takes it")
    add("--rounds", type=positive, default=3, metavar="N", help="times that every build is "
        "measured (default: %(default)s)")
    add("--builds", default="release,static,lto,pgo", metavar="LIST", help="presets, at commas; "
        "the others are compared with the first (default: %(default)s)")
    add("--csv", metavar="FILE", help=f"the rows of every run, as {BENCH} wrote them")
    add("--launcher", default="", metavar="COMMAND", help="run every measurement under this, such "
        'as "taskset -c 1"')
    add("--no-build", action="store_true", help="take the builds as they are")
    add("--folder", default=str(ROOT / "build"), metavar="DIR", help="where the builds are, with "
        "--no-build (default: build in the source tree)")
    options = parser.parse_args(arguments)
    options.builds = [name for name in options.builds.split(",") if name]
    if not options.builds or len(set(options.builds)) != len(options.builds):
        parser.error("--builds takes different names, at commas")
    if not all(name.replace("-", "").isalnum() for name in options.builds):
        parser.error("--builds takes names of presets, such as release,lto")
    options.folder = pathlib.Path(options.folder)
    if options.folder != ROOT / "build" and not options.no_build:
        parser.error("--folder needs --no-build")
    try:
        options.launcher = shlex.split(options.launcher)
    except ValueError:
        parser.error("--launcher has a quote that does not end")
    return options


def program(options, build):
    return options.folder / build / "bin" / BENCH


def call(words, what, **more):
    """Run to the end; its output, or Failed with the last line it said."""
    try:
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                              check=False, **more)
    except OSError as problem:
        raise Failed(f"{what}: {words[0]}: {problem.strerror}") from None
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        error = next((line for line in said if "error" in line.lower()), said[-1] if said else
                     f"ended with {done.returncode}")
        raise Failed(f"{what}: {error}")
    return done.stdout


def newest_source():
    """The time at which a source that goes into the programs was changed last."""
    files = [ROOT / "CMakeLists.txt", ROOT / "CMakePresets.json", ROOT / "perf" / "pgo.sh"]
    for folder in FOLDERS:
        files += [path for path in (ROOT / folder).iterdir()
                  if path.suffix in (".c", ".h", ".cmake", ".in") or path.name == "CMakeLists.txt"]
    return max(path.stat().st_mtime for path in files)


def make_build(build, say):
    say(f"building {build}")
    if build == "pgo":
        trained = ROOT / "build" / "pgo" / "trained"
        if not trained.exists() or trained.stat().st_mtime < newest_source():
            call(["sh", ROOT / "perf" / "pgo.sh", BENCH], "pgo")
            return
    else:
        call(["cmake", "--preset", build], build, cwd=ROOT)
    call(["cmake", "--build", "--preset", build, "-j", os.cpu_count() or 1, "--target", BENCH],
         build, cwd=ROOT)


def measure(options, build):
    """The rows of one run of a build, and what it says about the graph."""
    words = options.launcher + [program(options, build), "--only", "2", "--rounds", "1"]
    words += ["--full"] if options.full else []
    for name in ("nodes", "edges", "pairs"):
        if getattr(options, name):
            words += ["--" + name, str(getattr(options, name))]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "rows.csv"
        said = call(words + ["--csv", file], build)
        try:
            with open(file, encoding="utf-8", newline="") as rows:
                found = list(csv.DictReader(rows))
            if not found or any(float(row["seconds"]) <= 0 for row in found):
                raise ValueError
            return [(row["subject"], row) for row in found], said.split(", labels", 1)[0]
        except (OSError, ValueError, KeyError, TypeError):
            raise Failed(f"{build}: {program(options, build)} wrote no figures") from None


class Figures:
    """What was measured: of each rung and build, the seconds of the rounds."""

    def __init__(self, builds):
        self.builds = builds
        self.seconds = {}   # rung: {build: [seconds]}
        self.expanded = {}  # rung: (count, build that gave it)
        self.graph = ""
        self.pairs = ""
        self.rounds = 0

    def add(self, build, rows, graph):
        self.graph = graph
        for rung, row in rows:
            count, first = self.expanded.setdefault(rung, (row["expanded"], build))
            if row["expanded"] != count:
                raise Failed(f"{rung}: {build} expanded {row['expanded']} nodes, {first} {count}")
            self.pairs = row["pairs"]
            by_build = self.seconds.setdefault(rung, {name: [] for name in self.builds})
            by_build[build].append(float(row["seconds"]))

    def whole_rounds(self, rung, build):
        return self.seconds[rung][build][:self.rounds]


def run_rounds(options, figures, say, raw):
    writer = None
    for number in range(options.rounds):
        turn = number % len(options.builds)
        for build in options.builds[turn:] + options.builds[:turn]:
            say(f"round {number + 1} of {options.rounds}: {build}")
            rows, graph = measure(options, build)
            figures.add(build, rows, graph)
            if raw is None:
                continue
            if writer is None:
                writer = csv.writer(raw, lineterminator="\n")
                writer.writerow(["round", "build", *rows[0][1]])
            for _, row in rows:
                writer.writerow([number + 1, build, *row.values()])
            raw.flush()
        figures.rounds = number + 1


def written(seconds):
    """The fastest rungs take microseconds."""
    return f"{seconds:.4f}" if seconds >= 0.1 else f"{seconds:.6f}"


def write_table(figures):
    """The rungs; "-" where a build has no such rung."""
    wide = {name: max(10, len(name) + 2) for name in figures.builds}
    plural = "" if figures.rounds == 1 else "s"
    print(f"{figures.graph}; {figures.pairs} pairs; seconds, median of {figures.rounds} "
          f"round{plural}, and times as fast as {figures.builds[0]}")
    print(f"{'':24}" + "".join(f"{name:>{wide[name]}}" + ("" if i == 0 else f"{'x':>6}")
                               for i, name in enumerate(figures.builds)) + f"{'spread':>9}")
    gains = {name: [] for name in figures.builds}
    for rung in figures.seconds:
        line, widest, first = f"{rung:24}", 0, None
        for i, name in enumerate(figures.builds):
            values = figures.whole_rounds(rung, name)
            middle = median(values) if values else None
            first = middle if i == 0 else first
            line += f"{written(middle) if values else '-':>{wide[name]}}"
            if values:
                widest = max(widest, (max(values) - min(values)) / middle)
            if i > 0 and values and first:
                gains[name].append(first / middle)
                line += f"{first / middle:6.2f}"
            elif i > 0:
                line += f"{'-':>6}"
        print(line + f"{100 * widest:8.1f}%")
    line = f"{'all, geometric mean':24}{'':{wide[figures.builds[0]]}}"
    for name in figures.builds[1:]:
        mean = exp(sum(map(log, gains[name])) / len(gains[name])) if gains[name] else None
        line += f"{'':{wide[name]}}" + (f"{mean:6.2f}" if mean else f"{'-':>6}")
    if len(figures.builds) > 1:
        print(line)


def main(arguments=None):
    options = parse(arguments)
    say = Speaker()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    figures = Figures(options.builds)
    raw, status = None, 0
    try:
        raw = open(options.csv, "w", encoding="utf-8") if options.csv else None
        for build in [] if options.no_build else options.builds:
            make_build(build, say)
        run_rounds(options, figures, say, raw)
    except KeyboardInterrupt:
        status = 130
    except Failed as problem:
        status = 1
        say.clear()
        print(f"builds: {problem}", file=sys.stderr)
    except OSError as problem:
        status = 1
        say.clear()
        print(f"builds: {problem.filename}: {problem.strerror}", file=sys.stderr)
    finally:
        if raw is not None:
            raw.close()
    say.clear()
    if figures.rounds > 0:
        write_table(figures)
    return status
