#!/usr/bin/env python3
"""any_calls.py - any sequence of calls of the package with any arguments ends in an answer or in an
exception that is documented; never in a signal.

Usage: any_calls.py [CALLS]    how many calls (default: 1000); PW_TEST_SEED=N repeats a run
test_python.py sets the environment, and runs this in a process of its own.
"""
import array
import faulthandler
import gc
import importlib
import inspect
import math
import os
import pathlib
import random
import reprlib
import resource
import sys
import tempfile
import threading
import time
import warnings

sys.dont_write_bytecode = True


def package(name):
    """A package, or None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


pandas, igraph, networkx = map(package, ("pandas", "igraph", "networkx"))

import numpy  # noqa: E402
import pointer_wars  # noqa: E402
from pointer_wars import Graph  # noqa: E402

SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "data/sample/borders.tsv"
DOCUMENTED = (pointer_wars.PointerWarsError, TypeError, ValueError, ImportError, OverflowError,
              IndexError, MemoryError)
ROOM = 256 << 20  # bytes more, so that a graph of four billion nodes is refused
CALLED = (Graph, pointer_wars.Path, pointer_wars.Paths)
ATTRIBUTES = ("first_node", "node_limit", "edge_count", "directed", "hops", "nodes", "levels",
              "links", "link_begins", "count", "limit", "digits", "graph", "source", "target")
ODD = [None, True, 0, 1, -1, 3, 164, 165, 2**31, 2**32 - 1, 2**32, 2**63, 2**64, -2**70, 0.5, 1e-9,
       1e300, math.nan, math.inf, "", "Laos", "Poland", "laos", "Laso", "\0", "\ud800", "x" * 5000,
       b"Laos", b"\xff", [], [1], [[1, 2]], [("Laos", "Poland")], [("Laos",)], (), (1, 2), {},
       {"a": 1}, {1, 2}, object(), Graph, len, range(5), range(0), slice(1), "from", "to", "plain",
       "bidirectional", "multi-source", "array", "degree", "name", array.array("d", [0.5]),
       array.array("q", [-1, 2**62]), array.array("I", [0, 1, 2]), memoryview(b"abcd"),
       memoryview(array.array("I", range(6)))[::2], str(SAMPLE), "/nowhere", "/", "/dev/null"]
ODD += [numpy.arange(4), numpy.zeros((3, 2), int), numpy.zeros((2, 3)), numpy.array(5),
        numpy.array(["Laos", "Poland"]), numpy.array([0, 1, 2**40]), numpy.uint64(2**63),
        numpy.arange(9, dtype=numpy.uint32)[::2], numpy.array([[1, 2]], numpy.uint32).T,
        numpy.array([None, object()]), numpy.ma.masked_array([1, 2], [True, False]),
        numpy.float64("nan"), numpy.int8(3), numpy.empty(0), numpy.ones(3, bool)]
if pandas:
    ODD += [pandas.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "weight": [1, 2]}),
            pandas.DataFrame({"source": ["a", None], "target": [1, 0.5]}),
            pandas.DataFrame({"u": [], "v": []}), pandas.Series(["Laos", "China"])]
if igraph:
    ODD += [igraph.Graph.Ring(4), igraph.Graph(n=2, directed=True, edges=[(0, 1)],
                                               vertex_attrs={"name": ["a", "a"]})]
if networkx:
    ODD += [networkx.path_graph(3), networkx.DiGraph([(1, "a"), (True, (1, 2))]),
            networkx.MultiGraph([(0, 0), (0, 0)])]


def shown(value):
    """A value as a short text."""
    return type(value).__name__ if isinstance(value, CALLED) else reprlib.repr(value)[:60]


class Calls:
    """Objects made so far, and the next call."""

    def __init__(self, generator, folder):
        self.generator = generator
        self.folder = folder
        self.held = [Graph.load(SAMPLE), self.small()]
        self.count = self.answered = 0
        self.said = None  # or a list, which gets each call as a text

    def small(self):
        """A random graph, with or without names."""
        generator, nodes = self.generator, self.generator.randint(1, 30)
        count = generator.randrange(nodes * 3)
        rows = [[generator.randrange(nodes) for _ in range(count)] for _ in range(2)]
        names = [chr(97 + i) for i in range(nodes)] if generator.random() < 0.3 else None
        return Graph.from_edges(*rows, node_count=nodes, names=names)

    def value(self):
        """Any argument: an odd one, one that was made, or a likely one."""
        chance = self.generator.random()
        if chance < 0.45:
            return self.generator.choice(ODD)
        if chance < 0.6:
            return self.generator.choice(self.held)
        return self.generator.randrange(40)

    def lists(self):
        """A graph from arrays of any kind, which are written to afterwards."""
        generator, nodes = self.generator, self.generator.randint(1, 20)
        row = [generator.randrange(nodes) for _ in range(generator.randrange(nodes * 3))]
        starts = sorted(generator.choices(range(len(row) + 1), k=nodes - 1))
        offsets, neighbours = array.array("Q", [0, *starts, len(row)]), array.array("I", row)
        if generator.random() < 0.7:
            offsets, neighbours = (numpy.array(row, f"u{row.itemsize}")
                                   for row in (offsets, neighbours))
            if generator.random() < 0.5:
                offsets, neighbours = offsets[:], neighbours[:]
        given = neighbours if generator.random() < 0.5 else memoryview(neighbours)
        graph = Graph.from_csr(offsets, given, copy=generator.random() < 0.2)
        for row in (offsets, neighbours):
            base = getattr(row, "base", None)
            for written in (row, row if base is None else base):
                try:
                    for i in range(len(written)):
                        written[i] = generator.choice([0, 1, 2**31, 2**32 - 1])
                except ValueError:  # read-only
                    pass
        graph.distances(0), graph.hops(0, nodes - 1), graph.path_count(nodes - 1, 0)
        return graph

    def write(self):
        """An attribute is written, which most objects refuse."""
        one = self.generator.choice([one for one in self.held if isinstance(one, CALLED)])
        try:
            if isinstance(one, Graph):
                setattr(one, self.generator.choice(ATTRIBUTES[:4]), self.value())
        except AttributeError:
            pass

    def make(self):
        """An answer made by hand."""
        generator, kind = self.generator, self.generator.choice(CALLED[1:])
        known = list(inspect.signature(kind).parameters.values())
        arguments = [self.value() for _ in range(len(known) - generator.randrange(2))]
        if generator.random() < 0.7:
            arguments[0] = generator.choice([one for one in self.held if isinstance(one, Graph)])
        made = kind(*arguments)
        return list(made)[:50], str(made)[:50]

    def call(self):
        """One call, and what it gave."""
        generator = self.generator
        chance = generator.random()
        if chance < 0.06:
            return self.lists() if chance < 0.02 else self.write() if chance < 0.04 else self.make()
        one = generator.choice([one for one in self.held if isinstance(one, CALLED)])
        names = [name for name in dir(one) if not name.startswith("_")
                 or name in ("__len__", "__iter__", "__contains__", "__getitem__", "__repr__",
                             "__str__", "__eq__", "__bool__", "_repr_svg_")]
        name = generator.choice(names)
        found = getattr(one, name)
        if not callable(found):
            return found
        if name in ("save", "plot"):
            return one.save(self.folder / "any.pwg") if name == "save" else None
        if name == "close" and generator.random() < 0.8:
            return None
        try:
            known = list(inspect.signature(found).parameters.values())
        except ValueError:
            known = []
        required = [p for p in known if p.default is p.empty and p.kind in (0, 1)]
        arguments = [self.value() for _ in range(len(required) + (generator.random() < 0.2))]
        options = {p.name: self.value() for p in known if p.kind == p.KEYWORD_ONLY
                   and generator.random() < 0.25}
        if name == "load" and arguments and arguments[0] in ("-", 0, 1, 2):
            return None
        if name == "random_node":  # else its answer would not repeat
            arguments = arguments or [generator.randrange(100)]
        if name == "load" and "cache" in options:
            options["cache"] = self.folder / "cache"
        if self.said is not None:
            self.said.append(f"{type(one).__name__}.{name}(" + ", ".join([
                *map(shown, arguments), *(f"{k}={shown(v)}" for k, v in options.items())]) + ")")
        result = found(*arguments, **options)
        if hasattr(result, "__next__"):
            result = [one for one, _ in zip(result, range(50))]
        return result

    def step(self):
        """A call; its result may be an argument later."""
        self.count += 1
        if self.count % 20 == 0:  # some are closed, and some fill the memory
            self.held[:10] = []
        try:
            if not any(isinstance(one, Graph) for one in self.held) or self.count % 20 == 0:
                self.held += [Graph.load(SAMPLE), self.small()]
            result = self.call()
        except DOCUMENTED as why:
            if isinstance(why, MemoryError):
                self.held = []
            if os.environ.get("PW_WHY"):
                print(repr(why)[:150])
            return
        if isinstance(result, (list, tuple)) and len(result) > 1000:
            return
        self.held.append(result)
        if len(self.held) > 30:
            del self.held[self.generator.randrange(len(self.held))]
        self.answered += 1
        if self.count % 500 == 0:
            gc.collect()


def limit_memory():
    """Room for some more memory than there is now."""
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[5])
    most = pages * resource.getpagesize() + ROOM
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def main():
    faulthandler.enable()
    limit_memory()
    warnings.simplefilter("ignore")
    calls, seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1000, int(
        os.environ.get("PW_TEST_SEED", time.time_ns()))
    print(f"PW_TEST_SEED={seed}", flush=True)
    raised = []

    def run(number, folder):
        try:
            calling = Calls(random.Random(seed + number), folder)
            for _ in range(calls):
                calling.step()
            print(f"{calls} calls, {calling.answered} of them answered", flush=True)
        except BaseException as why:
            raised.append(why)
            raise

    with tempfile.TemporaryDirectory() as folder:
        folders = [pathlib.Path(folder) / str(number) for number in range(2)]
        for one in folders:
            one.mkdir()
        other = threading.Thread(target=run, args=(1, folders[1]))
        other.start()
        run(0, folders[0])
        other.join()
    return 1 if raised else 0


if __name__ == "__main__":
    sys.exit(main())
