"""perf/study GRAPH PAIRS: allocators and engines on searches of one graph, and what differs."""
import argparse
import json
import pathlib
import re
import shutil
import signal
import time

import contents
import model
import runner
from own_name import as_called, complain, own_name
from speaker import Speaker
from stats import enough
from study import Study
from subcommands import commands_text

# In FOLDER/raw.
REPORT = re.compile(r"-(\d\d+|memory|simulated|calls)\.json$|-calls\.txt$")

EPILOGUE = """\
other comparisons, each with its own --help:
{commands}
For a graph in a file of such a name write ./ideas.

examples:
  perf/study web-cnr-2000.mtx.gz random:20 --alloc malloc,pool,slab
  perf/study generate:nodes=400k,edges=5M random:100 --output study-400k --time-limit 900
  perf/study generate:nodes=400k random:10 --alloc malloc --replay    what malloc costs, and where
Writes FOLDER/study.html, study.md, results.csv, results.json, plots, and the reports of all runs in
FOLDER/raw. Exit status: 0 done, 1 a run failed, 2 wrong usage, 130 interrupted (what is done is
written)."""


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog=own_name("study"), description="Compare allocators and engines on searches of a graph.",
        epilog=as_called(EPILOGUE).replace("{commands}", commands_text()),
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("graph", help="as bfs takes it: a file, or generate:...")
    add("pairs", help="as bfs takes it: a file, or random:...")
    add("--alloc", default="malloc,pool,slab", help="allocators, with commas (default: %(default)s)")
    add("--engine", default="classic", help="engines, with commas (default: %(default)s)")
    add("--baseline", help="what the others are compared with (default: the first allocator)")
    add("--only", help="only these searches: 1,3,9 or 1-15")
    add("--chosen", metavar="LIST", help="searches with a table of their own, as in 1,3,9 (default: "
        "the longest ones, and the one in which the allocators differ the most)")
    add("--rounds", type=int, default=6, help="at least this many rounds (default: %(default)s)")
    add("--rounds-max", type=int, default=30, help="at most this many rounds (default: %(default)s)")
    add("--precision", type=float, default=0.02, help="stop when no interval is wider, as "
        "a share (default: %(default)s)")
    add("--confidence", type=float, default=0.95, help="confidence of the intervals (default: %(default)s)")
    add("--time-limit", type=float, default=600, help="seconds for the rounds (default: "
        "%(default)s)")
    add("--counters", default="auto", help="as bfs takes it (default: %(default)s)")
    add("--sim", default="host", help="caches to simulate where there are no counters: host, pi4, "
        "L1I:L1D:L2, or none (default: %(default)s)")
    add("--sim-limit", type=float, default=120, help="seconds per simulation (default: "
        "%(default)s)")
    add("--replay", action="store_true", help="record the searches on first-fit first, and compare "
        "with a run in which every request is answered from the recording: what is left if "
        "allocation costs nothing")
    add("--cpu", type=int, help="run on this processor")
    add("--seed", type=int, default=1, help="seed of the order of the runs (default: %(default)s)")
    add("--bfs", help="the program bfs (default: of this source tree)")
    add("--output", default="study", help="folder to write (default: %(default)s)")
    options = parser.parse_args(arguments)
    if options.rounds < 1 or options.rounds_max < options.rounds:
        parser.error("--rounds takes 1 to --rounds-max")
    if not 0.5 <= options.confidence < 1:
        parser.error("--confidence takes 0.5 to below 1")
    try:
        options.chosen = [int(number) for number in (options.chosen or "").split(",") if number]
    except ValueError:
        parser.error("--chosen takes numbers of searches, as in 1,3,9")
    return options


def configurations_of(options):
    allocators = runner.allocators_of(options.bfs, options.alloc)
    engines = [name for name in options.engine.split(",") if name]
    found = [runner.Configuration(a, e, a if len(engines) == 1 else f"{a}, {e}")
             for e in engines for a in allocators]
    labels = [c.label for c in found]
    if len(set(labels)) != len(labels):
        raise runner.Failed("--alloc or --engine names one of them twice")
    wanted = options.baseline or labels[0]
    matching = [c for c in found if wanted in (c.label, c.allocator)]
    if not matching:
        raise runner.Failed(f"--baseline {wanted} is not among {', '.join(labels)}")
    return found, matching[0]


def clear_raw(folder):
    """FOLDER/raw without the reports of an earlier study there. A folder in which no study ended
    may hold somebody's own files, and nothing is deleted."""
    raw = folder / "raw"
    raw.mkdir(parents=True, exist_ok=True)
    try:
        earlier = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return
    if isinstance(earlier, dict) and earlier.get("schema") == "pointer-wars-study/1":
        for path in raw.iterdir():
            if REPORT.search(path.name):
                path.unlink()


def make(options, study, folder, say):
    """The measurements, in the order of their worth; an interruption keeps what was measured."""
    everything = study.all()

    def precise():
        base = study.values(study.baseline, "search_seconds")
        return all(enough(study.values(c, "search_seconds"), base, options.precision,
                          options.confidence) for c in everything if c is not study.baseline)

    study.stopped = runner.run_rounds(options, everything, folder, precise, say)
    if not model.has_counters(study.baseline.reports[0]) and options.sim != "none":
        # The baseline first: the others are simulated on the same searches of the same graph.
        for configuration in [study.baseline] + study.compared:
            try:
                runner.simulate(options, configuration, folder, say, study.baseline.simulated)
            except runner.Failed as problem:
                say(f"nothing simulated: {problem}", final=True)
                break
    for configuration in study.configurations if shutil.which("strace") else []:
        try:
            runner.count_calls(options, configuration, folder, say)
        except runner.Failed as problem:
            say(f"no calls counted: {problem}", final=True)
            break
    for configuration in study.configurations:
        runner.record_memory(options, configuration, folder, say)
    if options.replay:
        runner.script_path(folder).unlink(missing_ok=True)  # as large as all the requests


def main(arguments=None):
    options = parse(arguments)
    say = Speaker()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    status = 0
    study = None
    start = time.monotonic()
    try:
        options.bfs = runner.find_bfs(options.bfs)
        configurations, baseline = configurations_of(options)
        again = runner.Configuration(baseline.allocator, baseline.engine,
                                     f"{baseline.label} (again)")
        folder = pathlib.Path(options.output)
        clear_raw(folder)
        if options.replay:
            configurations.append(runner.record_script(options, folder, say))
        study = Study(options, configurations, baseline, again)
        make(options, study, folder, say)
    except KeyboardInterrupt:
        say("interrupted; what is measured is kept", final=True)
        status = 130
    except (runner.Failed, OSError) as problem:
        say.clear()
        complain("study", problem)
        status = 1
    if study is None or not study.baseline.reports:
        return status or 1
    study.stopped = study.stopped or "it was cut short"
    study.configurations = [c for c in study.configurations if c.reports]
    study.seconds = time.monotonic() - start
    try:
        failures = contents.write(study, folder, say)
    except OSError as problem:
        say.clear()
        complain("study", problem)
        return 1
    say.clear()
    print(folder / "study.html")
    for failure in failures:
        complain("study", failure)
    return status or (1 if failures else 0)
