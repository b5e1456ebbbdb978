"""perf/study builds: the engines in several builds of this tree, side by side.

1. Each build is made if it is not up to date; pgo by perf/bench/pgo.sh, again when a source is
   younger than its profile.
2. The engines of perf/study ladder, each build's own, take turns in an order drawn in each round.
3. A row per engine, a column per build: the median of the rounds, and beside it how many times as
   fast as the first build. All builds must have expanded the same nodes.
"""
import argparse
import csv
import os
import pathlib
import shlex
import signal
import subprocess
import sys
from math import exp, log

import ladder
import units
from cases import REAL_EDGES, REAL_NODES, ROOT, capture, check_same, program, run_rounds, size
from runner import Failed
from speaker import Speaker
from stats import Difference, median

# Options beside the preset release. Any other name is a preset.
MADE = {"static": ["-DPW_STATIC=ON"],
        "lto": ["-DPW_STATIC=ON", "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON"]}
FOLDERS = ("alloc", "base", "bfs", "data", "liblist", "libqueue", "perf")
PROGRAMS = ("bfs",)

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
the widest range of a build's rounds, in percent of its median; ~ marks a figure whose interval
includes no difference.
Exit status: 0 done, 1 a build or a run failed, 2 wrong usage, 130 interrupted (whole rounds that
are done are printed)."""


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="builds", description=DESCRIPTION, epilog=EPILOGUE,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--full", action="store_true", help="a graph of the real size")
    add("--nodes", type=size, default=1000000, metavar="N", help="nodes of the generated graph "
        "(default: 1M)")
    add("--edges", type=size, default=12624000, metavar="N", help="its edges (default: 12.624M)")
    add("--pairs", type=size, default=100, metavar="N", help="searches (default: %(default)s)")
    add("--rounds", type=size, default=3, metavar="N", help="times that every build is "
        "measured (default: %(default)s)")
    add("--builds", default="release,static,lto,pgo", metavar="LIST", help="names, at commas; "
        "the others are compared with the first (default: %(default)s)")
    add("--csv", metavar="FILE", help="the figures of every run")
    add("--launcher", default="", metavar="COMMAND", help="run every measurement under this, such "
        'as "taskset -c 1"')
    add("--no-build", action="store_true", help="take the builds as they are")
    add("--folder", default=str(ROOT / "build"), metavar="DIR", help="where the builds are, with "
        "--no-build (default: build in the source tree)")
    options = parser.parse_args(arguments)
    if options.full:
        options.nodes, options.edges = REAL_NODES, REAL_EDGES
    options.graph = f"generate:nodes={options.nodes},edges={options.edges},seed=1"
    options.builds = [name for name in options.builds.split(",") if name]
    if not options.builds or len(set(options.builds)) != len(options.builds):
        parser.error("--builds takes different names, at commas")
    if not all(name.replace("-", "").isalnum() for name in options.builds):
        parser.error("--builds takes names of builds, such as release,lto")
    options.folder = pathlib.Path(options.folder)
    if options.folder != ROOT / "build" and not options.no_build:
        parser.error("--folder needs --no-build")
    try:
        options.launcher = shlex.split(options.launcher)
    except ValueError:
        parser.error("--launcher has a quote that does not end")
    return options


def newest_source():
    """The time at which a source that goes into the programs was changed last."""
    files = [ROOT / "CMakeLists.txt", ROOT / "CMakePresets.json"]
    for folder in FOLDERS:
        files += [path for path in (ROOT / folder).rglob("*")
                  if path.suffix in (".c", ".h", ".in", ".sh") or path.name == "CMakeLists.txt"]
    return max(path.stat().st_mtime for path in files)


def run_build(words, build):
    """cmake or pgo.sh to its end; Failed with the first line that speaks of an error."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          check=False, cwd=ROOT)
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()
        raise Failed(f"{build}: " + next((line for line in said if "error" in line.lower()),
                                         said[-1]))


def make_build(build, say):
    say(f"building {build}")
    if build == "pgo":
        trained = ROOT / "build" / "pgo" / "trained"
        if not trained.exists() or trained.stat().st_mtime < newest_source():
            run_build(["sh", ROOT / "perf" / "bench" / "pgo.sh", *PROGRAMS], build)
            return
    elif build in MADE:
        run_build(["cmake", "--preset", "release", "-B", f"build/{build}", *MADE[build]], build)
    else:
        run_build(["cmake", "--preset", build], build)
    run_build(["cmake", "--build", f"build/{build}", "-j", os.cpu_count() or 1, "--target",
               *PROGRAMS], build)


def engines_of(path):
    """The names that bfs --list-engines prints at the start of a line; a build may be older."""
    return {line.split()[0] for line in capture([str(path), "--list-engines"]).splitlines()
            if line and not line[0].isspace()}


def make_cases(options, build):
    """The engines of one build, each under the launcher. Labels begin with the build."""
    there = argparse.Namespace(bin=options.folder / build / "bin", graph=options.graph)
    known = engines_of(program(there, "bfs"))
    cases = []
    for row in ladder.ENGINES:
        if row[1] not in known:
            continue
        case = ladder.engine_case(there, options.pairs, *row)
        case.engine, case.build = case.label, build
        case.label = f"{build}: {case.label}"
        case.words = options.launcher + case.words
        cases.append(case)
    return cases


class Figures:
    """The cases of all builds."""

    def __init__(self, options):
        self.builds = options.builds
        self.cases = [case for build in options.builds for case in make_cases(options, build)]
        self.graph = f"{options.nodes} nodes, {options.edges} edges; {options.pairs} pairs"

    @property
    def rounds(self):
        """How many are whole."""
        return min(len(case.rounds) for case in self.cases)

    def engines(self):
        return [row[0] for row in ladder.ENGINES if any(c.engine == row[0] for c in self.cases)]

    def seconds(self, engine, build):
        """Of the whole rounds; empty where the build has no such engine."""
        for case in self.cases:
            if (case.engine, case.build) == (engine, build):
                return case.values("seconds")[:self.rounds]
        return []

    def measure(self, options, say):
        """The builds take turns, so that a slow drift of the machine meets all of them alike."""
        run_rounds(self.cases, options.rounds, 1, say, "builds")
        for engine in self.engines():
            check_same([case for case in self.cases if case.engine == engine], "expanded")

    def write_raw(self, file):
        keys = ["seconds", "cpu_seconds", "visited", "expanded", "found", "hops",
                "median_search_us", "full_search_seconds", "setup_seconds"]
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["round", "build", "case"] + keys)
        rows = [(number, case, values) for case in self.cases
                for number, values in case.rounds.items()]
        for number, case, values in sorted(rows, key=lambda row: row[0]):
            writer.writerow([number, case.build, case.engine] + [
                "" if values.get(key) is None else values[key] for key in keys])


def write_table(figures):
    """A row per engine; "-" where a build has no such engine."""
    wide = {name: max(10, len(name) + 2) for name in figures.builds}
    plural = "" if figures.rounds == 1 else "s"
    print(f"{figures.graph}; time, median of {figures.rounds} round{plural}, and times as fast "
          f"as {figures.builds[0]}")
    print(f"{'':24}" + "".join(f"{name:>{wide[name]}}" + ("" if i == 0 else f"{'x':>6}")
                               for i, name in enumerate(figures.builds)) + f"{'spread':>9}")
    gains = {name: [] for name in figures.builds}
    for engine in figures.engines():
        line, widest, first = f"{engine:24}", None, None
        base = figures.seconds(engine, figures.builds[0])
        for i, name in enumerate(figures.builds):
            values = figures.seconds(engine, name)
            middle = median(values) if values else None
            first = middle if i == 0 else first
            line += f"{units.seconds(middle) if values else '-':>{wide[name]}}"
            if len(values) > 1:  # one round has no spread
                widest = max(widest or 0, (max(values) - min(values)) / middle)
            if i > 0 and values and first:
                gains[name].append(first / middle)
                found = Difference(base, values)
                mark = "" if found.is_single or found.low == found.high or found.is_real() else "~"
                line += f"{mark + format(first / middle, '.2f'):>6}"
            elif i > 0:
                line += f"{'-':>6}"
        print(line + (f"{100 * widest:8.1f}%" if widest is not None else f"{'-':>9}"))
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
    figures, raw, status = None, None, 0
    try:
        raw = open(options.csv, "w", encoding="utf-8") if options.csv else None
        for build in [] if options.no_build else options.builds:
            make_build(build, say)
        figures = Figures(options)
        figures.measure(options, say)
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
            if figures is not None:
                figures.write_raw(raw)
            raw.close()
    say.clear()
    if figures is not None and figures.rounds > 0:
        write_table(figures)
    return status
