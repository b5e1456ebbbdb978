#!/usr/bin/env python3
"""hypothesis_calls.py - the calls of any_calls.py, and edges between any texts by every way into a
graph, chosen by hypothesis, which finds the shortest that fails.

Usage: hypothesis_calls.py [--seconds=N | --minutes=N]    how long (default: 20 s)
Exit: 0 if no call fails, 1 if one does, 77 without hypothesis or a library. An exception that is
not documented is a failure, and is printed with the steps that lead to it. A signal ends the
process; faulthandler prints where. Ways through pandas, igraph and NetworkX are taken where these
are installed.
"""
import argparse
import csv
import faulthandler
import os
import pathlib
import re
import sys
import tempfile
import time
import warnings

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = pathlib.Path(os.environ.get("PW_BUILD", ROOT / "build/release")) / "lib/libpwgraph.so"
STEPS, EXAMPLES = 30, 200  # at most so many calls per sequence; sequences per batch
NUMBER = re.compile(r"(?=.*[0-9])[0-9]*[.,]?[0-9]*([eE][+-]?[0-9]+)?")  # as tables have them: 7, 0., 1e5, 2,5

try:
    import hypothesis
    from hypothesis import strategies
except ImportError:
    hypothesis = None
for reason, wrong in (("hypothesis is not installed", hypothesis is None),
                      ("the libraries are static archives in this build", not LIBRARY.exists())):
    if wrong:
        print(f"skipped: {reason}")
        sys.exit(77)

os.environ["POINTER_WARS_LIBRARY"] = str(LIBRARY)
sys.path.insert(0, str(ROOT / "python/src"))

import any_calls  # noqa: E402
from pointer_wars import ArgumentError, Graph  # noqa: E402


SETTINGS = hypothesis.settings(max_examples=EXAMPLES, deadline=None, database=None,
                               verbosity=hypothesis.Verbosity.quiet,
                               suppress_health_check=list(hypothesis.HealthCheck))


class Sequences:
    """Sequences of calls until a time; the first failure that was seen."""

    def __init__(self, folder, ends):
        self.folder, self.ends = folder, ends
        self.count, self.failure = 0, None
        self.calls = None  # of the shortest sequence that fails

    def one(self, generator, steps):
        """A sequence. Where time has run out it is empty, unless a failure is being shortened."""
        if time.monotonic() > self.ends and self.failure is None:
            return
        calling = any_calls.Calls(generator, self.folder)
        calling.said = []
        try:
            for _ in range(steps):
                self.count += 1
                calling.step()
        except Exception as why:
            self.failure = self.failure or why
            if self.calls is None or len(calling.said) < len(self.calls):
                self.calls = calling.said
            raise

    def batch(self):
        """Some sequences; a failure is raised in its shortest form."""
        chosen = hypothesis.given(strategies.randoms(use_true_random=False),
                                  strategies.integers(1, STEPS))
        try:
            SETTINGS(chosen(lambda generator, steps: self.one(generator, steps)))()
        except hypothesis.errors.HypothesisException:  # a call took another time, or other memory
            if self.failure is not None:
                raise self.failure
        finally:
            print("\n".join(self.calls or []), end="", flush=True)


def ways_in(edges, folder):
    """A graph of the same edges by every way: in memory, through other packages, from files."""
    made = Graph.from_edges(edges)
    yield "from_edges", made
    yield "subgraph", made.subgraph(list(made))
    yield "reverse", made.reverse().reverse()
    if any_calls.pandas:
        yield "from_pandas", Graph.from_pandas(made.to_pandas())
        yield "columns", Graph.from_edges(made.to_pandas().source, made.to_pandas().target)
    if any_calls.igraph:
        yield "from_igraph", Graph.from_igraph(made.to_igraph())
    if any_calls.networkx and len(set(edges)) == len(edges):
        yield "from_networkx", Graph.from_networkx(made.to_networkx())
    try:
        made.save(folder / "any.pwg")
    except ArgumentError:
        return  # such names cannot be in a file
    yield "save", Graph.load(folder / "any.pwg")
    with open(folder / "any.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows([("source", "target"), *edges])
    if all(name.isdigit() or NUMBER.fullmatch(name) for edge in edges for name in edge):
        yield "names", Graph.load(folder / "any.csv", format="names", columns=("source", "target"))
    else:  # numbers alone would be ids
        yield "csv", Graph.load(folder / "any.csv", format="csv")


def edges_come_through(folder):
    """Random edges between random texts are the same by every way."""
    texts = strategies.text(strategies.characters(exclude_categories=["Cs"]), max_size=4)
    edges = strategies.lists(strategies.tuples(texts, texts), min_size=1, max_size=6)

    def check(rows):
        for way, graph in ways_in(rows, folder):
            assert sorted(graph.edges) == sorted(rows), (way, rows, graph.edges)

    SETTINGS(hypothesis.given(edges)(check))()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--minutes", type=float, default=0)
    options = parser.parse_args()
    faulthandler.enable()
    any_calls.limit_memory()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        edges_come_through(pathlib.Path(folder))
        sequences = Sequences(pathlib.Path(folder), time.monotonic() + (
            60 * options.minutes or options.seconds))
        while time.monotonic() < sequences.ends:
            sequences.batch()
    print(f"{sequences.count} calls", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
