"""perf/study figures --web: how fast bfs-web answers.

tests/python/web_bench.py measures, with wrk. Figures are seconds per answer: the median, and the time
within which 99 % of the answers came. The table goes into python/service.md.
"""
import json
import sys

from cases import ROOT, capture
from figures_rows import graph_in_millions, of_first_machine
from runner import Failed

RUNS = 5
OPTIONS = []  # more of them, for web_bench.py
# (name in web_bench.py, words)
ASKED = (("meta", "`/api/meta`, the least that an answer may take"),
         ("one", "`/api/path` with `mode=one`"), ("all", "`/api/path`, all shortest paths"),
         ("histogram", "`/api/histogram`, 10 per second"), ("pipe", "`bfs --interactive`, one after the other"))
# (name in the figures, in web_bench.py, words)
ENDS = (("median", "median_ms", "median"), ("late", "late_ms", "99 % within"))


def run(options):
    """Leave what was measured in the folder."""
    bench = ROOT / "tests" / "python" / "web_bench.py"
    if not bench.exists():
        raise Failed("tests/python/web_bench.py is only in the source tree")
    capture(["env", f"PW_BUILD={options.bin.resolve().parent}", sys.executable, str(bench), "--rounds",
             str(options.runs), "--json", str(options.output.resolve() / "web.json"), *OPTIONS])
    return 0


def collect(options):
    """[(figure, graph, seconds, None, None)] of what was measured."""
    path = options.output / "web.json"
    if not path.exists():
        return []
    found = json.loads(path.read_text(encoding="utf-8"))
    errors = [name for name, _ in ASKED if found[name].get("errors")]
    if errors:
        raise Failed(f"some questions were not answered: {', '.join(errors)}")
    graph = f"{found['nodes']} nodes, {found['edges']} edges"
    return [(f"web.{name}.{end}", graph, found[name][key] / 1000, None, None)
            for name, _ in ASKED for end, key, _ in ENDS]


def table(rows):
    """(what the table is, its lines), of the first machine that has it."""
    machine, own = of_first_machine(rows, "web.")
    if not own:
        return "", []
    found = {figure: float(row["value"]) for figure, row in own.items()}
    about = ("By `perf/study figures --web --write`: random questions about a generated graph of "
             f"{graph_in_millions(own)}, 300 per second over 16 connections "
             f"where nothing else is said. Medians of rounds in turns, on {machine}.")
    return about, ["| asked | median | 99 % within |", "|---|---:|---:|", *(
        f"| {words} | {1000 * found[f'web.{name}.median']:.2f} ms | {1000 * found[f'web.{name}.late']:.2f} ms |"
        for name, words in ASKED)]
