#!/usr/bin/env python3
"""test_python.py - the Python package does what its docstrings say, on the library of a build.

A search in Python, written here, is the judge on 300 random graphs. PW_TEST_SEED=N repeats a run;
PW_LONG=1 makes ten times as many calls to look for leaks; PW_WHEEL=1 builds the wheel, too, which
takes half a minute and needs scikit-build-core or a network.
"""
import array
import collections
import contextlib
import copy
import ctypes
import doctest
import gc
import itertools
import json
import math
import os
import pathlib
import pickle
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import warnings
import weakref
from importlib.util import find_spec

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from random_share import random_share  # noqa: E402

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("PW_BUILD", ROOT / "build/release"))
LIBRARY = BUILD / "lib/libpwgraph.so"
PACKAGE = ROOT / "python/src"
SAMPLE = ROOT / "data/sample/borders.tsv"
SEED = int(os.environ.get("PW_TEST_SEED", time.time_ns()))
LONG = bool(os.environ.get("PW_LONG"))

for reason, wrong in (("a sanitizer's library needs its run-time library first",
                       os.environ.get("PW_SANITIZE")),
                      ("the libraries are static archives in this build", not LIBRARY.exists()),
                      ("numpy is not installed: ./setup.sh test", not find_spec("numpy"))):
    if wrong:
        print(f"skipped: {reason}")
        sys.exit(77)

os.environ.update(POINTER_WARS_LIBRARY=str(LIBRARY), POINTER_WARS_BFS=str(BUILD / "bin/bfs"),
                  PYTHONPATH=str(PACKAGE), PYTHONDONTWRITEBYTECODE="1")
sys.path.insert(0, str(PACKAGE))

import numpy  # noqa: E402
import pointer_wars  # noqa: E402
from pointer_wars import NONE, ArgumentError, Graph, InputError, UnknownNode, _native  # noqa: E402
from pointer_wars import convert, drawing, graph as graphs  # noqa: E402
from pointer_wars import answers, familiar, nodes, race, search, tables  # noqa: E402


def package(name):
    """A package, or None."""
    try:
        return __import__(name)
    except ImportError:
        return None


def ints(numbers):
    """An array of any kind as a list."""
    return [int(number) for number in numbers]


@contextlib.contextmanager
def frees():
    """The kinds of what is given back to the library meanwhile, in their order."""
    freed, before = [], {}
    for name, free in (("GraphOwner", _native.library.pwgraph_free),
                       ("SearchOwner", _native.library.pwgraph_search_free),
                       ("PathsOwner", _native.library.pwgraph_paths_free)):
        kind = getattr(_native, name)
        before[kind] = kind.__dict__["__del__"]
        kind.__del__ = lambda self, name=name, free=free: (freed.append(name), free(self))
    try:
        yield freed
    finally:
        for kind, function in before.items():
            kind.__del__ = function


def processor_ticks(process):
    """Processor time that a process has used, in the kernel's unit."""
    return sum(map(int, pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]))


def csr_arrays(offsets, neighbours):
    """Rows that from_csr uses in place."""
    return numpy.array(offsets, numpy.uint64), numpy.array(neighbours, numpy.uint32)


def read_only_view(row):
    """A view that cannot be written to of an array that can."""
    seen = row[:]
    seen.flags.writeable = False
    return seen


class Judge:
    """The same questions answered by a plain search."""

    def __init__(self, count, edges):
        self.out = {u: set() for u in range(count)}
        self.into = {u: set() for u in range(count)}
        for u, v in edges:
            self.out[u].add(v)
            self.into[v].add(u)

    def distances(self, start, lists, without=()):
        if start in without:
            return {}
        found, queue = {start: 0}, collections.deque([start])
        while queue:
            node = queue.popleft()
            for other in lists[node]:
                if other not in found and other not in without:
                    found[other] = found[node] + 1
                    queue.append(other)
        return found

    def paths(self, source, target, without=()):
        """All shortest paths; from a node to itself they have an edge."""
        if source in without or target in without:
            return []
        far = self.distances(target, self.into, without)
        ways = [[source]]
        starts = [far[v] for v in self.out[source] if v in far]
        for left in range(min(starts, default=-1), -1, -1):
            ways = [way + [v] for way in ways for v in self.out[way[-1]] if far.get(v) == left]
        return sorted(map(tuple, ways)) if starts else []

    def longer(self, source, target, edges, without=()):
        """All paths with `edges` edges, without a node twice; but the source may be the target."""
        far = self.distances(target, self.into, without)
        ways = [[source]] if source not in without else []
        for left in range(edges - 1, -1, -1):
            ways = [way + [v] for way in ways for v in self.out[way[-1]]
                    if (v == target) == (left == 0) and far.get(v, NONE) <= left
                    and v not in way[source == target and left == 0:]]
        return sorted(map(tuple, ways))


class RandomGraphs(unittest.TestCase):
    """300 graphs, small and of every shape."""

    def test_every_answer_is_the_judges(self):
        generator = random.Random(SEED)
        for _ in range(random_share(300)):
            count = generator.randint(1, 25)
            edges = [(generator.randrange(count), generator.randrange(count))
                     for _ in range(generator.randrange(count * 4))]
            judge = Judge(count, edges)
            graph = Graph.from_edges(array.array("i", [u for u, _ in edges]),
                                     array.array("i", [v for _, v in edges]), node_count=count)
            with self.subTest(seed=SEED, count=count, edges=edges):
                self.check_node(graph, judge, generator.randrange(count))
                avoided = generator.sample(range(count), generator.randint(0, count // 3))
                self.check_components(graph, judge)
                self.check_diameter(graph, judge)
                for without in ((), avoided):
                    self.check_reach(graph, judge, without)
                    pairs = [(generator.randrange(count), generator.randrange(count))
                             for _ in range(4)]
                    self.check_pairs(graph, judge, pairs, without)

    def check_node(self, graph, judge, node):
        for direction, lists in (("from", judge.out), ("to", judge.into)):
            wanted = judge.distances(node, lists)
            found = ints(graph.distances(node, direction=direction))
            self.assertEqual(found, [wanted.get(u, NONE) for u in range(len(graph))])
            parents = ints(graph.parents(node, direction=direction))
            for u, parent in enumerate(parents):
                if u == node or u not in wanted:
                    self.assertEqual(parent, NONE)
                else:
                    self.assertEqual(wanted[parent], wanted[u] - 1)
                    self.assertIn(u, lists[parent])
            histogram = graph.histogram(node, direction=direction)
            counts = collections.Counter(wanted.values())
            self.assertEqual(histogram, tuple(counts[d] for d in range(len(counts))))
            self.assertEqual(histogram.unreached, len(graph) - len(wanted))
        self.assertEqual(set(ints(graph.neighbours_of(node))), judge.out[node])
        before = ints(graph.in_neighbours_of(node))
        self.assertEqual((before, set(before)), (sorted(before), judge.into[node]))

    def check_reach(self, graph, judge, without):
        nodes = [*range(len(graph)), 0, 0]
        for direction, lists in (("from", judge.out), ("to", judge.into)):
            far = [judge.distances(node, lists, without).values() for node in nodes]
            for asked, wanted in ((nodes, far), (None, far[:-2])):
                found = graph.reach(asked, direction=direction, without=without)
                self.assertEqual([ints(row) for row in found[:3]],
                                 [[len(row) for row in wanted],
                                  [max(row, default=0) for row in wanted],
                                  [sum(row) for row in wanted]])
                for harmonic, row in zip(found.harmonic, wanted):
                    self.assertAlmostEqual(harmonic, sum(1 / hops for hops in row if hops))

    def check_components(self, graph, judge):
        both = {node: judge.out[node] | judge.into[node] for node in judge.out}
        for connection, out, into in (("weak", both, both), ("strong", judge.out, judge.into)):
            count, numbers = graph.components(connection)
            wanted = {frozenset(set(judge.distances(node, out)) & set(judge.distances(node, into)))
                      for node in judge.out}
            self.assertEqual(count, len(wanted))
            found = {frozenset(node for node, one in enumerate(ints(numbers)) if one == number)
                     for number in range(count)}
            self.assertEqual(found, wanted)

    def check_diameter(self, graph, judge):
        """Of one of the largest strong components; without `component` it must have all nodes."""
        both = {node: set(judge.distances(node, judge.out)) & set(judge.distances(node, judge.into))
                for node in judge.out}
        largest, wanted = max(map(len, both.values())), set()
        for members in map(both.get, graph):
            far = {node: max(map(judge.distances(node, judge.out).get, members)) for node in members}
            if len(members) == largest:
                wanted.add((max(far.values()), min(far.values())))
        found = graph.diameter(component=True, threads=2), graph.radius(component=True)
        self.assertIn(found, wanted)
        if largest == len(graph):
            self.assertEqual((graph.diameter(), graph.radius()), found)
            self.assertEqual(graph.center(), [node for node in graph if far[node] == found[1]])
            return
        for call in (graph.diameter, graph.radius, graph.center):
            with self.assertRaisesRegex(ArgumentError, "component=True"):
                call()

    def check_pairs(self, graph, judge, pairs, without):
        wanted = [judge.paths(u, v, without) for u, v in pairs]
        hops = [len(paths[0]) - 1 if paths else None for paths in wanted]
        self.assertEqual(ints(graph.hops(pairs, without=without)),
                         [NONE if h is None else h for h in hops])
        for (u, v), paths, length, path in zip(pairs, wanted, hops,
                                               graph.paths(pairs, without=without)):
            self.assertEqual(graph.hops(u, v, without=without), length)
            found = graph.paths(u, v, without=without)
            self.assertEqual((found.hops, found.count, len(found), bool(found)),
                             (length, len(paths), len(paths), bool(paths)))
            self.assertEqual(sorted(one.nodes for one in found), paths)
            self.assertEqual([one.nodes for one in found],
                             [tuple(ints(row)) for row in found.rows()])
            self.assertEqual([one.nodes for one in graph.paths(u, v, 2, without=without)],
                             [one.nodes for one in itertools.islice(found, 2)])
            self.assertEqual(graph.path_count(u, v, without=without), len(paths))
            more = judge.longer(u, v, length + 1, without) if paths else []
            found = graph.paths(u, v, without=without, longer=1)
            self.assertEqual((found.hops, found.count), (length + 1 if more else None, len(more)))
            self.assertEqual(sorted(one.nodes for one in found), more)
            self.assertEqual(graph.path_count(u, v, without=without, longer=1), len(more))
            self.assertIn("longer", repr(found))
            for one in (path, graph.path(u, v, without=without)):
                if paths:
                    self.assertIn(one.nodes, paths)
                else:
                    self.assertIsNone(one)

    def test_every_engine_gives_the_same(self):
        graph = Graph.load(SAMPLE)
        pairs = [(graph.random_node(i), graph.random_node(i + 50)) for i in range(50)]
        wanted = ints(graph.hops(pairs))
        for engine in pointer_wars.ENGINES:
            self.assertEqual(ints(graph.hops(pairs, engine=engine, threads=2)), wanted, engine)
            self.assertEqual([graph.hops(u, v, engine=engine) for u, v in pairs[:5]],
                             [None if h == NONE else h for h in wanted[:5]], engine)
            path = graph.path("Laos", "Poland", engine=engine)
            self.assertEqual((path[0], path[-1], path.hops), ("Laos", "Poland", 3), engine)

    def test_a_search_that_takes_long_gives_the_same(self):
        """What is otherwise done after 50 ms: a second attempt, which Ctrl-C can end."""
        graph, before = Graph.load(SAMPLE), (search.ATTEMPT_NS, search.SMALL_WORK,
                                             graphs.SMALL_WORK)
        try:
            search.ATTEMPT_NS, search.SMALL_WORK, graphs.SMALL_WORK = 1, 0, 0
            self.assertEqual(graph.hops("Laos", "Poland", engine="plain"), 3)
            self.assertEqual(graph.path("Laos", "Poland", timeout=100).hops, 3)
            self.assertEqual(graph.histogram("Laos")[:3], (1, 5, 15))
            self.assertEqual(ints(graph.hops([("Laos", "Poland")])), [3])
            self.assertEqual(graph.path_count("Laos", "Poland"), 1)
        finally:
            search.ATTEMPT_NS, search.SMALL_WORK, graphs.SMALL_WORK = before


class Names(unittest.TestCase):
    """Nodes by name, id and number."""

    def setUp(self):
        self.graph = Graph.load(SAMPLE)

    def test_a_node_is_its_name_its_number_or_what_numpy_has(self):
        node = self.graph.node("Laos")
        self.assertEqual((self.graph.key(node), self.graph.label(node)), ("Laos", "Laos"))
        self.assertEqual(self.graph.hops(node, "Poland"), 3)
        self.assertEqual(self.graph.hops(numpy.int64(node), "Poland"), 3)
        self.assertIn("Laos", self.graph)
        self.assertIn(node, self.graph)
        for other in ("laos", "", "\0", "Laos\0", "\ud800", -1, 2**80, len(self.graph), 1.5, None,
                      [], {}, b"Laos", float("nan")):
            self.assertNotIn(other, self.graph)
        self.assertEqual(len(self.graph), 165)
        self.assertEqual(len(list(self.graph)), 165)
        self.assertEqual(repr(self.graph), "<pointer_wars.Graph: 165 nodes, 650 edges>")

    def test_a_misspelt_name_is_a_key_error_with_a_suggestion(self):
        for name, text in (("Laso", "Laos"), ("laos", "'Laos'"), ("cote d'ivoire", "Ivoire")):
            with self.assertRaises(KeyError) as caught:
                self.graph.path(name, "Poland")
            self.assertIsInstance(caught.exception, pointer_wars.PointerWarsError)
            self.assertRegex(str(caught.exception), f"did you mean .*{text}")
        self.assertEqual(self.graph.key(self.graph.resolve("laos")), "Laos")
        with self.assertRaisesRegex(UnknownNode, "did you mean Laos"):
            self.graph.resolve("Laso")

    def test_the_address_of_an_article_is_a_name(self):
        site = "https://en.wikipedia.org/wiki"
        self.assertEqual(list(self.graph.path(f"{site}/Laos#History", f"{site}/Poland")),
                         list(self.graph.path("Laos", "Poland")))
        self.assertIn("https://a.org/wiki/South%20Africa?oldid=1", self.graph)
        self.assertNotIn(f"{site}/laos", self.graph)
        self.assertEqual(self.graph.key(self.graph.resolve(f"{site}/laos")), "Laos")
        with self.assertRaisesRegex(UnknownNode, "did you mean Laos"):
            self.graph.resolve(f"{site}/Laso")

    def test_ids_of_the_file_are_texts_and_numbers_are_numbers(self):
        graph = Graph.from_edges([10, 20], [20, 30], compact=True)
        self.assertEqual(graph.path("10", "30").nodes, (0, 1, 2))
        self.assertEqual(ints(graph.ids), [10, 20, 30])
        self.assertEqual(graph.label(2), "30")
        self.assertIsNone(Graph.from_edges([0], [1]).ids)

    def test_names_in_memory_are_any_keys(self):
        keys = ["a", ("tuple", 1), 7, None]
        graph = Graph.from_edges([0, 1, 2], [1, 2, 3], names=keys)
        self.assertEqual(list(graph), keys)
        self.assertEqual(list(graph.path("a", 7)), ["a", ("tuple", 1), 7])
        self.assertEqual(graph.path("a", ("tuple", 1)).nodes, (0, 1))
        self.assertEqual(graph.hops("a", 7, without=("tuple", 1)), None)
        self.assertEqual(graph.hops("a", 7, without=[("tuple", 1)]), None)
        self.assertEqual(ints(graph.hops(["a", 7], [7, "a"])), [2, NONE])
        self.assertIn(7, graph)
        self.assertNotIn(0, graph)
        self.assertNotIn([], graph)
        with self.assertRaisesRegex(UnknownNode, "'b'; did you mean 'bb'"):
            Graph.from_edges([0], [1], names=["bb", "xyz"]).node("b")
        for wrong in (["a"], ["a", "a", "b", "c"]):
            with self.assertRaises(ValueError):
                Graph.from_edges([0, 1, 2], [1, 2, 3], names=wrong)
        with self.assertRaises(ArgumentError):
            graph.save("/nowhere")

    def test_a_missing_node_is_named(self):
        for call in (lambda: self.graph.hops("Laos", None), lambda: self.graph.hops("Laos"),
                     lambda: self.graph.hops(5), lambda: self.graph.paths("Laos")):
            with self.assertRaisesRegex(TypeError, "second node, or a row of pairs"):
                call()
        graph = Graph.from_edges([0, 1], [1, 2], names=["a", "b", None])
        self.assertEqual((graph.hops("a", None), graph.paths("a", None).count), (2, 1))
        self.assertEqual((graph.hops(None, "a"), graph.path("a", None).hops), (None, 2))
        for call in (lambda: self.graph.path("Laos", "Poland", without=b"China"),
                     lambda: self.graph.hops([b"ab"]), lambda: self.graph.paths([b"ab"])):
            with self.assertRaises(TypeError):
                call()
        with self.assertRaisesRegex(UnknownNode, "which has no nodes"):
            Graph.from_edges([], []).node(0)
        for limit in (2**63, 2**64):
            with self.assertRaises(ArgumentError):
                self.graph.paths("Laos", "Poland", limit)
        self.assertEqual(len(list(self.graph.paths("Laos", "Poland", 2**63 - 1))), 1)

    def test_completion_goes_by_name_or_degree(self):
        self.assertEqual(self.graph.complete("Ge", 2), ["Georgia", "Germany"])
        self.assertEqual(self.graph.complete("ge", 1, "degree"), ["Germany"])
        self.assertEqual(self.graph.complete("", 3, "degree")[0], "China")
        self.assertEqual(self.graph.complete("\0") + self.graph.complete("Xx"), [])
        with self.assertRaises(ArgumentError):
            self.graph.complete("G", order="size")

    def test_a_random_node_repeats_with_its_seed(self):
        self.assertEqual(self.graph.random_node(5), self.graph.random_node(5))
        self.assertIn(self.graph.random_node(), self.graph)
        with self.assertRaises(ArgumentError):
            Graph.from_edges([], [], node_count=3).random_node()

    def test_a_wiki_has_facts_and_pages_if_it_is_one(self):
        self.assertIsNone(self.graph.fact("wiki"))
        self.assertIsNone(self.graph.page("Laos"))


class Files(unittest.TestCase):
    """Loading and saving."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="Zeiger Kämpfe ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_a_snapshot_is_pwg_or_asked_for(self):
        graph = Graph.load(SAMPLE)
        for name in ("o.csv", "o.sg", "o", ".pwg"):
            with self.assertRaisesRegex(ArgumentError, "a snapshot ends in .pwg"):
                graph.save(self.folder / name)
            self.assertFalse((self.folder / name).exists())
        graph.save(self.folder / "o.csv", format="snapshot")
        self.assertEqual(Graph.load(self.folder / "o.csv").path("Laos", "Poland"),
                         graph.path("Laos", "Poland"))
        with self.assertRaisesRegex(ArgumentError, "'csv' is not written"):
            graph.save(self.folder / "o.pwg", format="csv")

    def test_a_saved_graph_is_the_same(self):
        graph = Graph.load(SAMPLE)
        graph.save(self.folder / "copy.pwg")
        again = pointer_wars.load(str(self.folder / "copy.pwg"))
        self.assertEqual(list(again), list(graph))
        self.assertEqual(bytes(memoryview(again.neighbours)), bytes(memoryview(graph.neighbours)))
        with self.assertRaises(pointer_wars.NotWritten) as caught:
            graph.save(self.folder / "none" / "copy.pwg")
        self.assertIsInstance(caught.exception, OSError)

    def test_the_options_change_the_graph(self):
        path = self.write("edges.txt", "10 20\n20 30\n")
        self.assertEqual(Graph.load(path, compact=True).path("10", "30").hops, 2)
        self.assertEqual(Graph.load(path, reverse=True).hops("30", "10"), 2)
        both = Graph.load(path, undirected=True)
        self.assertEqual((both.hops("30", "10"), both.directed), (2, False))
        names = self.write("names.txt", "a\nb\nc\n")
        edges = self.write("small.txt", "0 1\n1 2\n")
        self.assertEqual(list(Graph.load(edges, names=names).path("a", "c")), ["a", "b", "c"])
        self.assertEqual(Graph.load(edges, format="edges", threads=1).hops(0, 2), 2)
        self.assertEqual(Graph.load(edges, cache=self.folder / "cache").hops(0, 2), 2)
        self.assertTrue(list((self.folder / "cache").iterdir()))

    def test_how_far_it_is_is_a_function_or_a_bar(self):
        seen = []
        Graph.load(SAMPLE, progress=seen.append)
        self.assertTrue(all({"phase", "edges", "seconds"} <= set(one) for one in seen))
        with self.assertRaisesRegex(ZeroDivisionError, "raised by the function"):
            self.load_slowly(progress=self.raises)
        done = self.load_slowly_in_child("progress=True")
        self.assertEqual((done.returncode, done.stdout), (0, "2\n"))

    @staticmethod
    def raises(_):
        raise ZeroDivisionError("raised by the function")

    def load_slowly(self, **options):
        """Load from a pipe, with at least one call for progress."""
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        ended = threading.Event()

        def feed():
            with open(pipe, "wb") as file:
                try:
                    while not ended.wait(0.01):
                        file.write(b"0 1\n" * 10_000)
                        file.flush()
                except BrokenPipeError:
                    pass

        feeder = threading.Thread(target=feed)
        feeder.start()
        try:
            return Graph.load(pipe, **options)
        finally:
            ended.set()
            feeder.join()

    def load_slowly_in_child(self, options):
        code = f"import pointer_wars; print(len(pointer_wars.load('-', {options})))"
        child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(40):
            child.stdin.write("0 1\n" * 10_000)
            child.stdin.flush()
            time.sleep(0.01)
        out, err = child.communicate()
        return subprocess.CompletedProcess(child.args, child.returncode, out, err)

    def test_a_file_that_is_wrong_is_refused_with_its_line(self):
        bad = self.write("bad.txt", "1 2\n1 x\n")
        with self.assertRaisesRegex(InputError, "bad.txt:2"):
            Graph.load(bad)
        for kind in (FileNotFoundError, ValueError, pointer_wars.PointerWarsError):
            with self.assertRaises(kind):
                Graph.load(self.folder / "none")
        with self.assertRaises(InputError):
            Graph.load(self.folder)
        with self.assertRaises(ArgumentError):
            Graph.load(SAMPLE, format="nonsense")
        with self.assertRaises(MemoryError):
            Graph.load(self.write("long.txt", "0 1\n" * 200_000), memory_limit=400_000,
                       threads=1)
        for wrong in ({"threads": -1}, {"threads": 5000}, {"memory_limit": -1},
                      {"memory_limit": 2**64}, {"names": "a\0b"}):
            with self.assertRaises(ValueError):
                Graph.load(SAMPLE, **wrong)
        for wrong in (None, 5, 1.5, []):
            with self.assertRaises(TypeError):
                Graph.load(wrong)
        with self.assertRaises(ValueError):
            Graph.load("a\0b")

    def test_a_snapshot_may_be_read_by_block(self):
        Graph.load(SAMPLE).save(self.folder / "g.pwg")
        graph, whole = (Graph.load(self.folder / "g.pwg", by_block=by_block)
                        for by_block in (True, False))
        self.assertEqual(graph.path("Laos", "Poland"), whole.path("Laos", "Poland"))
        self.assertEqual((list(graph), len(graph), graph.edge_count, graph.redirects("Laos")),
                         (list(whole), len(whole), whole.edge_count, []))
        self.assertEqual(ints(graph.neighbours_of("Laos")), ints(whole.neighbours_of("Laos")))
        self.assertEqual(ints(graph.in_neighbours_of("Laos")), ints(whole.in_neighbours_of("Laos")))
        self.assertEqual(ints(graph.neighbours), ints(whole.neighbours))
        self.assertEqual(ints(graph.distances("Laos")), ints(whole.distances("Laos")))
        data = bytearray((self.folder / "g.pwg").read_bytes())
        for place in range(4096, len(data), 512):
            data[place] ^= 0xff
        (self.folder / "bad.pwg").write_bytes(data)
        with self.assertRaises(InputError):
            bad = Graph.load(self.folder / "bad.pwg", by_block=True)
            list(bad), ints(bad.neighbours_of(3)), ints(bad.neighbours)

    def test_a_bad_block_is_named_by_every_question(self):
        generator = random.Random(SEED)
        rows = [[generator.randrange(20_000) for _ in range(100_000)] for _ in range(2)]
        Graph.from_edges(*rows).save(self.folder / "g.pwg")
        data = bytearray((self.folder / "g.pwg").read_bytes())
        for place in range(200_000, len(data) - 8192, 512):
            data[place] ^= 0xff
        (self.folder / "bad.pwg").write_bytes(data)
        pairs = list(zip(*rows))[:100]
        for question in (lambda g: [g.hops(v, u) for u, v in pairs],
                         lambda g: [g.path(v, u) for u, v in pairs],
                         lambda g: g.paths(pairs, threads=2), lambda g: g.hops(pairs),
                         lambda g: [g.paths(v, u) for u, v in pairs],
                         lambda g: [g.distances(v) for _, v in pairs],
                         lambda g: [g.neighbours_of(v) for _, v in pairs]):
            with self.assertRaisesRegex(InputError, "bad.pwg"):
                question(Graph.load(self.folder / "bad.pwg", by_block=True))

    def test_a_wiki_has_pages_redirects_and_facts(self):
        programs = [BUILD / name for name in ("tests/wikipedia-generate", "bin/wikipedia-import")]
        if not all(program.exists() for program in programs):
            self.skipTest("the programs of wikipedia/ are not built")
        snapshot = str(self.folder / "wiki.pwg")
        subprocess.run([programs[0], "--pages=2000", str(self.folder / "dumps")], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.run([programs[1], str(self.folder / "dumps"), snapshot], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for by_block in (False, True):
            graph = Graph.load(snapshot, by_block=by_block)
            self.assertTrue(graph.fact("wiki") and graph.fact("date"))
            titles = [(node, title) for node in range(len(graph))
                      for title in graph.redirects(node)]
            self.assertGreater(len(titles), 10)
            for node, title in titles:
                self.assertEqual(graph.node(title), node)
            self.assertEqual(graph.node(str(graph.page(5))), 5)
            self.assertEqual([graph.node(name) for name in graph], list(range(len(graph))))

    def test_an_unknown_name_comes_with_names_that_are_spelt_alike(self):
        names = ["Miami, Florida", "Miami or Florida", "Miami", "What?"]
        text = self.write("g.txt", "0 1\n1 2\n2 3\n")
        listed = self.write("names.txt", "\n".join(names) + "\n")
        graph = Graph.load(text, names=listed)
        for typed, wanted in (("Miami, Floridx", "Miami, Florida"), ("What!", "What?"),
                              ("Miami ox Florida", "Miami or Florida")):
            with self.assertRaises(UnknownNode) as caught:
                graph.understand(typed)
            self.assertIn(wanted, caught.exception.suggestions)
            self.assertLessEqual(set(caught.exception.suggestions), set(names))
        with self.assertRaises(UnknownNode) as caught:
            graph.node("miami")
        self.assertEqual(caught.exception.suggestions, ("Miami",))
        with self.assertRaises(UnknownNode) as caught:
            graph.understand("zzzzzzzzzzzz")
        self.assertEqual(caught.exception.suggestions, ())
        self.assertEqual(graph.understand("miami"), (2, '"miami" is taken for "Miami"'))
        self.assertEqual(graph.understand("Miami"), (2, ""))
        with self.assertRaises(UnknownNode) as caught:
            Graph.from_edges([0], [1], names=["apple", "pear"]).node("aple")
        self.assertEqual(caught.exception.suggestions, ("apple",))

    def test_a_search_says_what_it_looked_at(self):
        graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], node_count=5)
        path, counts = graph.path_and_counts(0, 3)
        self.assertEqual(path, graph.path(0, 3))
        for found in (counts, graph.paths(0, 3).counts, graph.paths(0, 4).counts):
            self.assertIsInstance(found, pointer_wars.Counts)
            self.assertLessEqual(found.nodes, 10)
            self.assertGreater(found.seconds, 0)
        self.assertGreater(counts.nodes, 0)
        path, counts = graph.path_and_counts(0, 4)
        self.assertIsNone(path)
        self.assertEqual(graph.paths(0, 3).digits, "2")

    def test_a_remark_is_a_warning(self):
        graph = Graph.load(SAMPLE)
        graph.save(self.folder / "g.pwg")
        text = self.write("g.txt", "0 1\n")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            Graph.load(text, cache=self.folder / "cache")
            for snapshot in (self.folder / "cache").iterdir():
                snapshot.write_bytes(b"PW" + bytes(5000))
            Graph.load(text, cache=self.folder / "cache")
        for warning in caught:
            self.assertTrue(issubclass(warning.category, pointer_wars.PointerWarsWarning))
            self.assertEqual(pathlib.Path(warning.filename).name, "test_python.py")


    def test_a_pickled_graph_opens_its_file_again(self):
        path = self.write("e.txt", "10 20\n20 30\n30 40\n")
        graph = Graph.load(path, compact=True, reverse=True, undirected=False)
        route = graph.path("40", "10")
        text = pickle.dumps((graph, route))
        again, copied = pickle.loads(text)
        self.assertIs(again, graph)  # which is open in this process
        self.assertEqual((copied.nodes, copied.graph), (route.nodes, graph))
        code = ("import json, pickle, sys; graph, path = pickle.load(sys.stdin.buffer); print("
                "json.dumps([list(path), path.hops, graph.hops('40', '20'), graph.hops('10', '40'),"
                " path.graph is graph, len(graph)]))")

        def elsewhere(data):
            return subprocess.run([sys.executable, "-c", code], input=data, cwd="/", check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)

        self.assertEqual(json.loads(elsewhere(text).stdout), [[3, 2, 1, 0], 3, 2, None, True, 4])
        here = os.getcwd()
        os.chdir(self.folder)
        try:
            relative = pickle.dumps(Graph.load("e.txt", names=None))
        finally:
            os.chdir(here)
        self.assertEqual(pickle.loads(relative).edge_count, 3)
        self.assertNotEqual(relative, text)
        graph.close()
        with self.assertRaisesRegex(pointer_wars.PointerWarsError, "closed"):
            pickle.dumps(graph)
        self.assertEqual(pickle.loads(text)[0].hops("40", "10"), 3)  # another one
        path.write_text("10 20\n20 30\n", encoding="ascii")
        self.assertIn(b"has changed since", elsewhere(text).stderr)
        path.write_text("10 20\n20 30\n30 30\n", encoding="ascii")
        self.assertIn(b"has changed since", elsewhere(text).stderr)

    def test_names_in_memory_are_saved(self):
        generator = random.Random(SEED)
        letters = ["a", "B", " ", '"', "'", ",", ";", "#", "%", "1", "0", "\\", "é", "日", "-", ":", "%aB"]
        for _ in range(40):
            count = generator.randint(2, 12)
            names = []
            while len(names) < count:
                name = "n" + "".join(generator.choices(letters, k=generator.randint(0, 6)))
                if name not in names:
                    names.append(name)
            edges = generator.randint(1, 20)
            graph = Graph.from_edges(*(generator.choices(range(count), k=edges) for _ in range(2)),
                                     names=names)
            graph.save(self.folder / "named.pwg")
            again = Graph.load(self.folder / "named.pwg")
            self.assertEqual(list(again), names)
            for row in ("offsets", "neighbours", "in_offsets", "in_neighbours"):
                self.assertEqual(ints(getattr(again, row)), ints(getattr(graph, row)), row)
            again.close()
        keyed = Graph.from_edges([0, 1], [1, 2], names=[(0, 0), 7, "x"])
        keyed.save(self.folder / "keyed.pwg")
        self.assertEqual(list(Graph.load(self.folder / "keyed.pwg")), ["(0, 0)", "7", "x"])

    def test_a_name_that_no_file_can_hold_is_refused(self):
        for wrong in ("", "a\tb", "a\nb", ' "q"', "a\0b", "end\r"):
            graph = Graph.from_edges([0, 1], [1, 0], names=["p", wrong])
            with self.assertRaisesRegex(ArgumentError, "name"):
                graph.save(self.folder / "wrong.pwg")
            self.assertFalse((self.folder / "wrong.pwg").exists())
        with self.assertRaisesRegex(ArgumentError, "one text"):
            Graph.from_edges([0], [1], names=[1, "1"]).save(self.folder / "wrong.pwg")
        with self.assertRaisesRegex(ArgumentError, "without edges"):
            Graph.from_edges([], [], names=["a"]).save(self.folder / "wrong.pwg")


class Tables(unittest.TestCase):
    """Edges between texts, pandas and igraph."""
    PAIRS = [("Laos", "China"), ("China", "Russia"), ("Russia", 'the "new, old"; one')]

    def check(self, graph):
        self.assertEqual(list(graph.path("Laos", self.PAIRS[-1][1])),
                         ["Laos", "China", "Russia", self.PAIRS[-1][1]])
        self.assertEqual(list(graph), ["Laos", "China", "Russia", self.PAIRS[-1][1]])

    def test_edges_may_be_between_texts(self):
        sources, targets = zip(*self.PAIRS)
        self.check(Graph.from_edges(self.PAIRS))
        self.check(Graph.from_edges(sources, targets))
        self.check(Graph.from_edges(list(sources), iter(targets)))
        self.assertEqual(Graph.from_edges([(0, 1), (1, 2)]).hops(0, 2), 2)
        self.assertEqual(Graph.from_edges(self.PAIRS, undirected=True).hops("China", "Laos"), 1)
        self.assertEqual(Graph.from_edges(self.PAIRS, reverse=True).hops("China", "Laos"), 1)
        self.check(Graph.from_edges(numpy.array(self.PAIRS)))
        self.check(Graph.from_edges(numpy.array(sources, object), numpy.array(targets)))
        for call, words in ((lambda: Graph.from_edges(["a"], ["b", "c"]), "1 and 2"),
                            (lambda: Graph.from_edges(["a", "b"], ["b", 3]), "edge 1: 3 is no"),
                            (lambda: Graph.from_edges(["a"], [None]), "None is no"),
                            (lambda: Graph.from_edges(["a"], ["b"], names=["x"]), "no names"),
                            (lambda: Graph.from_edges(["a"], ["b"], compact=True), "compact"),
                            (lambda: Graph.from_edges(["ab", "cd"]), "two nodes each")):
            with self.assertRaisesRegex(ValueError, words):
                call()
        with self.assertRaises(TypeError):
            Graph.from_edges("ab", "cd")

    def test_columns_choose_the_ends_of_the_edges_of_a_file(self):
        rows = "when,who,whom,how\n3,ann,ben,post\n4,ben,cid,mail\n"
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore", pointer_wars.PointerWarsWarning)
            path = pathlib.Path(folder, "letters.csv")
            path.write_text(rows)
            for columns, keys in ((("who", "whom"), ["ann", "ben", "cid"]),
                                  ([3, 2], ["ben", "ann", "cid"]), ((2, "whom"), None)):
                with self.subTest(columns=columns):
                    graph = Graph.load(path, columns=columns)
                    self.assertEqual(list(graph), keys or ["ann", "ben", "cid"])
                    self.assertEqual(pickle.loads(pickle.dumps(graph)).edges, graph.edges)
            for columns in (("who", "whose"), ("who", 9), ("who",), ("a,b", "who"), ("who", 2),
                            ("who", 2.5), 5):
                with self.assertRaises((ValueError, TypeError)):
                    Graph.load(path, columns=columns)

    def test_a_refusal_names_the_keyword_that_helps(self):
        for rows, keyword in (("boss_no,boss,staff_no,staff\n4,eve,5,fay\n", 'columns="A,B"'),
                              ("5 6 7\n6 8\n7 8 5 6\n", 'format="adjacency"'),
                              ("4000000001 4000000002\n", "compact")):
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, "rows")
                path.write_text(rows)
                with self.assertRaisesRegex(pointer_wars.PointerWarsError, keyword):
                    Graph.load(path, memory_limit=1 << 30)

    def test_a_heading_of_source_and_target_is_nothing_to_warn_of(self):
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("error")
            for heading, row in (("source,target", "u,v"), ("from\tto", "u\tv"), ("src,dst", "1,2")):
                path = pathlib.Path(folder, "edges")
                path.write_text(f"{heading}\n{row}\n")
                self.assertEqual(Graph.load(path).edge_count, 1)

    def test_edges_between_other_keys_are_refused_with_the_way_in(self):
        for pairs in ([((0, 1), (1, 1))], [[(0,), "b"]], [("a", frozenset("b"))], [(1, [2])]):
            with self.assertRaisesRegex(TypeError, "Graph.from_networkx and Graph.from_pandas.*names="):
                Graph.from_edges(pairs)
        for pairs in ({"a": ["b"], "b": []}, [{"source": "a", "target": "b"}], {1: 2}):
            with self.assertRaisesRegex(TypeError, "from_pandas.*from_networkx"):
                Graph.from_edges(pairs)

    def test_distances_are_of_one_node_and_a_row_names_what_to_call(self):
        graph = Graph.from_edges([("a", "b"), ("b", "c")])
        for row in (["a", "b"], ("a",), numpy.array([0, 1])):
            with self.assertRaisesRegex(TypeError, r"one node; hops\(list, list\).*reach\(\)"):
                graph.distances(row)
        keyed = Graph.from_edges([0], [1], names=[("a", "b"), ("c", "d")])
        self.assertEqual(list(keyed.distances(("a", "b"))), [0, 1])

    @unittest.skipUnless(package("pandas"), "pandas is not installed")
    def test_distances_are_a_series_in_one_line(self):
        import pandas
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "one.txt")
            path.write_text("1 2\n2 3\n")
            for graph in (Graph.from_edges([("x", "y"), ("y", "z")]), Graph.load(path)):
                key = graph.keys()[0]
                series = pandas.Series(graph.distances(key)[graph.first_node:], graph.keys())
                self.assertEqual(series.to_dict(), dict(zip(graph.keys(), range(3))))

    def test_lists_of_one_way_are_led_both_ways(self):
        one_way = Graph.from_csr([0, 2, 2, 3, 3], [1, 2, 1], undirected=True)
        self.assertEqual(sorted(one_way.edges), [(0, 1), (0, 2), (1, 2)])
        self.assertEqual((one_way.directed, one_way.edge_count, one_way.hops(1, 0)), (False, 6, 1))
        self.assertEqual((len(one_way), one_way.path_count(1, 0)), (4, 1))
        for lists in (([0, 1, 3, 4], [1, 0, 2, 1]), ([0, 1], [0]), ([0, 0], [])):
            both = Graph.from_csr(*lists, undirected=True)
            self.assertEqual((both.directed, both.edge_count), (False, len(lists[1])))
        offsets, ends = numpy.array([0, 1, 1], "u8"), numpy.array([1], "u4")
        Graph.from_csr(offsets, ends, undirected=True, names=["u", "v"]).hops("v", "u")
        self.assertTrue(ends.flags.writeable)  # copied
        for lists in (([0, 2, 1], [0]), ([0, 1], [5]), ([], [])):
            with self.assertRaises(ValueError):
                Graph.from_csr(*lists, undirected=True)

    @unittest.skipUnless(package("scipy"), "scipy is not installed")
    def test_a_triangle_of_scipy_is_an_undirected_graph(self):
        from scipy import sparse
        upper = sparse.csr_array([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
        self.assertIsNone(Graph.from_scipy(upper).hops(2, 0))
        for matrix in (upper, upper + upper.T):
            graph = Graph.from_scipy(matrix, undirected=True)
            self.assertEqual((graph.hops(2, 0), graph.edge_count, graph.directed), (2, 4, False))

    @unittest.skipUnless(package("pandas"), "pandas is not installed")
    def test_pandas_goes_and_comes(self):
        import pandas
        table = pandas.DataFrame(self.PAIRS, columns=["source", "target"])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for kind in (object, "string", "category"):
                typed = table.astype(kind)
                self.check(Graph.from_pandas(typed))
                self.check(Graph.from_edges(typed.source, typed.target))
                self.check(Graph.from_edges(typed))
            self.check(Graph.from_pandas(table.rename(columns={"source": "u", "target": 5}),
                                         "u", 5))
        back = Graph.from_pandas(table).to_pandas()
        self.assertEqual(list(back.itertuples(index=False, name=None)), self.PAIRS)
        self.assertEqual(list(Graph.from_pandas(table, undirected=True).to_pandas("a", "b")),
                         ["a", "b"])
        self.assertEqual(len(Graph.from_pandas(table, undirected=True).to_pandas()), 3)
        numbers = Graph.from_pandas(pandas.DataFrame({"source": [10**12, -5], "target": [-5, 7]}))
        self.assertEqual((numbers.hops(10**12, 7), len(numbers)), (2, 3))
        self.assertEqual(len(Graph.from_edges([], []).to_pandas()), 0)
        with self.assertWarnsRegex(pointer_wars.PointerWarsWarning, "weights are left out"):
            Graph.from_pandas(table.assign(weight=[1, 2, 3]))
        for missing in (None, float("nan"), pandas.NA):
            table.loc[1, "target"] = missing
            with self.assertRaisesRegex(ValueError, "target of edge 1.*; table.dropna\\(\\) leaves"):
                Graph.from_pandas(table)
        with self.assertRaisesRegex(ValueError, "no column 'to'; it has 'source', 'target'"):
            Graph.from_pandas(table, "source", "to")
        with self.assertRaisesRegex(TypeError, "from_pandas"):
            Graph.load(table)

    def test_the_page_goes_from_a_csv_to_an_answer(self):
        page = (ROOT / "python/README.md").read_text(encoding="utf-8")
        code = re.search("## From a CSV to an answer\n.*?```python\n(.*?)```", page, re.S)[1]
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-c", code], cwd=folder, check=False, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(done.stdout, 'Paris, Orly -> Rome -> Cairo "new"\n', done.stderr)
            self.assertIn("PointerWarsWarning", done.stderr)
            self.assertEqual(Graph.load(pathlib.Path(folder, "flights.pwg")).edge_count, 2)

    @unittest.skipUnless(package("pandas") and package("igraph") and package("networkx"),
                         "pandas, igraph and networkx are the judges")
    def test_names_that_need_quotes_come_through_every_door(self):
        import igraph
        import networkx
        import pandas
        generator = random.Random(SEED)
        letters = ["a", "B", " ", '"', "'", ",", ";", "#", "1", "\\", "é", "日", "-", ":", "|", "="]
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore", pointer_wars.PointerWarsWarning)  # of the heading
            for number in range(random_share(200)):
                names = ["n" + "".join(generator.choices(letters, k=generator.randint(0, 5))) + "z"
                         for _ in range(generator.randint(2, 12))]
                table = pandas.DataFrame([generator.choices(names, k=2) for _ in range(
                    generator.randint(1, 25))], columns=["source", "target"])
                there = networkx.DiGraph(table.itertuples(index=False, name=None))
                place = os.path.join(folder, str(number))
                table.to_csv(place + ".csv", index=False)
                made = Graph.from_pandas(table)
                made.save(place + ".pwg")
                lists = igraph.Graph.DataFrame(table, directed=True, use_vids=False)
                for graph in (made, Graph.from_edges(table.source, table.target),
                              Graph.load(place + ".csv", format="csv"), Graph.load(place + ".pwg"),
                              Graph.from_igraph(lists), Graph.from_igraph(made.to_igraph()),
                              Graph.from_networkx(there), Graph.from_pandas(made.to_pandas())):
                    self.assertEqual(set(graph), set(there))
                    for start in there:
                        self.assertEqual(
                            {graph.key(node): int(hops) for node, hops in enumerate(
                                graph.distances(start, missing=-1)) if hops >= 0},
                            dict(networkx.single_source_shortest_path_length(there, start)))

    @unittest.skipUnless(package("igraph"), "igraph is not installed")
    def test_igraph_goes_and_comes(self):
        import igraph
        generator = random.Random(SEED)
        for directed, has_names in itertools.product((False, True), repeat=2):
            count = 20
            there = igraph.Graph(n=count, directed=directed, edges=[
                generator.choices(range(count), k=2) for _ in range(30)])
            if has_names:
                there.vs["name"] = [f'n "{i}", ;' for i in range(count)]
            graph = Graph.from_igraph(there)
            self.assertEqual(graph.directed, directed)
            keys = list(there.vs["name"]) if has_names else list(range(count))
            self.assertEqual(list(graph), keys)
            for node in range(count):
                wanted = [-1 if d == float("inf") else d for d in there.distances(node)[0]] \
                    if not directed else [-1 if d == float("inf") else d
                                          for d in there.distances(node, mode="out")[0]]
                self.assertEqual(ints(graph.distances(keys[node], missing=-1)), wanted)
            back = graph.to_igraph()
            self.assertEqual(sorted(map(sorted, back.get_edgelist())) if not directed else
                             sorted(back.get_edgelist()),
                             sorted(map(sorted, there.get_edgelist())) if not directed else
                             sorted(there.get_edgelist()))
            self.assertEqual("name" in back.vs.attributes(), has_names)
        there.es["weight"] = 2
        with self.assertWarnsRegex(pointer_wars.PointerWarsWarning, "weights are left out"):
            Graph.from_igraph(there)
        with self.assertRaisesRegex(TypeError, "from_igraph"):
            Graph.load(there)
        with self.assertRaises(TypeError):
            Graph.from_igraph([1])

    def test_no_path_may_have_another_number(self):
        graph = Graph.from_edges([0, 1], [1, 2])
        self.assertEqual(ints(graph.distances(1)), [NONE, 0, 1])
        self.assertEqual(ints(graph.distances(1, missing=-1)), [-1, 0, 1])
        self.assertEqual(ints(graph.distances(1, missing=2**40)), [2**40, 0, 1])
        found = list(graph.distances(1, missing=float("nan")))
        self.assertNotEqual(found[0], found[0])
        self.assertEqual(found[1:], [0.0, 1.0])
        self.assertEqual(numpy.nanmean(graph.distances(1, missing=float("nan"))), 0.5)
        for wrong, error in ((2**63, ArgumentError), ("x", TypeError)):
            with self.assertRaises(error):
                graph.distances(1, missing=wrong)


class Arrays(unittest.TestCase):
    """Graphs from arrays, and arrays of graphs."""

    def test_the_graphs_arrays_are_read_only_and_keep_it_alive(self):
        graph = Graph.from_edges([0, 1, 2], [1, 2, 0])
        row, whole = graph.neighbours_of(1), graph.neighbours
        self.assertEqual((ints(row), ints(whole), ints(graph.offsets)), ([2], [1, 2, 0],
                                                                        [0, 1, 2, 3]))
        self.assertTrue(memoryview(row).readonly)
        with self.assertRaises((ValueError, TypeError)):
            row[0] = 0
        with frees() as freed:
            graph.close()
            del graph
            gc.collect()
            self.assertEqual((ints(row), ints(whole), freed), ([2], [1, 2, 0], []))
            self.assertTrue(numpy.shares_memory(row, whole))
            self.assertEqual(row.dtype, numpy.uint32)
            del row, whole
            self.assertEqual(freed, ["GraphOwner"])

    def test_edges_of_every_width_make_the_same_graph(self):
        for kind in "iIlLqQ":
            graph = Graph.from_edges(array.array(kind, [0, 1]), array.array(kind, [1, 2]))
            self.assertEqual(graph.hops(0, 2), 2, kind)
        self.assertEqual(Graph.from_edges(array.array("i", [0, 1]), [1, 2]).hops(0, 2), 2)
        frozen = memoryview(array.array("i", [0, 1])).toreadonly()
        self.assertEqual(Graph.from_edges(frozen, (1, 2)).hops(0, 2), 2)
        self.assertEqual(len(Graph.from_edges(range(5), range(1, 6))), 6)
        empty = Graph.from_edges([], [], node_count=2)
        self.assertEqual((len(empty), empty.hops(0, 1), ints(empty.neighbours)), (2, None, []))
        self.assertEqual((ints(empty.distances(0)), ints(empty.neighbours_of(0))), ([0, NONE], []))

    def test_lists_are_borrowed_and_kept(self):
        offsets, neighbours = array.array("Q", [0, 1, 2, 2]), array.array("I", [1, 2])
        graph = Graph.from_csr(offsets, neighbours)
        del offsets, neighbours
        gc.collect()
        self.assertEqual(graph.path(0, 2).nodes, (0, 1, 2))
        for wrong in (([0, 5], [0]), ([0, 1], [7]), ([0, 2, 1], [0]), ([1, 1], [0]), ([0, 1], []),
                      ([0, -1], [0])):
            with self.assertRaises(InputError, msg=str(wrong)):
                Graph.from_csr(*wrong)
        with self.assertRaises(ArgumentError):
            Graph.from_csr([], [])

    def test_what_is_no_row_of_whole_numbers_is_refused(self):
        for wrong in (1, None, "ab", [0.5], ["a", 1], object(), [None], [[0, 1], [1, 2]], b"ab"[:0:2]):
            with self.assertRaises((TypeError, ValueError), msg=repr(wrong)):
                Graph.from_edges(wrong, wrong)
        for wrong in ([-1], [2**32], [2**64], [-2**70]):
            with self.assertRaises((ValueError, TypeError), msg=repr(wrong)):
                Graph.from_edges(wrong, [0])
        with self.assertRaises(ArgumentError):
            Graph.from_edges([0, 1], [1])
        for wrong in (-1, 2**64):
            with self.assertRaises(ArgumentError):
                Graph.from_edges([0], [1], node_count=wrong)
        with self.assertRaises(InputError):
            Graph.from_edges([0], [5], node_count=2)

    def test_a_text_is_one_node_everywhere(self):
        graph = Graph.from_edges([0, 1, 3, 4], [1, 2, 0, 0], names=["a", "b", "c", "ab", "xy"])
        self.assertEqual(ints(graph.reach("ab").reached), [4])
        self.assertEqual(ints(graph.hops("ab", ["a", "b"])), [1, 2])
        self.assertEqual(ints(graph.hops(["xy", "ab"], "c")), [3, 3])
        with self.assertRaisesRegex(UnknownNode, "'bc'"):
            graph.hops("bc", ["b", "c"])
        with self.assertRaisesRegex(UnknownNode, "'bc'"):
            graph.reach("bc")
        with self.assertRaisesRegex(UnknownNode, "'bc'"):
            graph.paths(["b", "c"], "bc")
        with self.assertRaisesRegex(TypeError, "bytes"):
            Graph.from_edges([0], [1], node_count=200).reach(b"ab")
        for make in (lambda: Graph.from_edges([0], [1], names="ab"),
                     lambda: Graph.from_csr(*csr_arrays([0, 1, 1], [1]), names="ab")):
            with self.assertRaisesRegex(TypeError, "not one text"):
                make()
        loaded = Graph.load(SAMPLE)
        self.assertEqual(ints(loaded.hops("Laos", ["Poland", "China"])), [3, 1])
        self.assertEqual(ints(loaded.reach("Laos").eccentricity), ints(
            loaded.reach(["Laos"]).eccentricity))

    def test_one_source_has_many_targets_as_numpy_repeats_it(self):
        graph = Graph.from_edges([0, 1, 2], [1, 2, 3])
        for one, many, hops in ((0, [1, 2, 3], [1, 2, 3]), ([0], [1, 2, 3], [1, 2, 3]),
                                ([0, 1, 2], 3, [3, 2, 1]), ((0, 1, 2), [3], [3, 2, 1]),
                                (0, [], []), ([], [0], []), ([0], 3, [3]),
                                (iter([0, 1]), 3, [3, 2])):
            self.assertEqual(ints(graph.hops(one, many)), hops)
        self.assertEqual([path.hops for path in graph.paths(0, [1, 2, 3])], [1, 2, 3])
        self.assertEqual([path.hops for path in graph.paths([0, 1], 3)], [3, 2])
        keyed = Graph.from_edges([0, 1], [1, 2], names=[(0, 0), (0, 1), (1, 1)])
        self.assertEqual(ints(keyed.hops((0, 0), [(0, 1), (1, 1)])), [1, 2])
        self.assertEqual(keyed.hops((0, 0), (1, 1)), 2)
        for call in (graph.hops, graph.paths):
            with self.assertRaisesRegex(ValueError, "2 sources and 3 targets; give as many"):
                call([0, 1], [1, 2, 3])
        with self.assertRaisesRegex(ValueError, "longer"):
            graph.paths(0, [1, 2], longer=1)

    def test_a_row_of_nodes_has_one_dimension(self):
        graph = Graph.from_edges([0, 1, 2], [1, 2, 3])
        table = numpy.array([[0, 1], [1, 2]])
        for call in (lambda: graph.hops(table, table), lambda: graph.reach(table),
                     lambda: graph.hops(0, table)):
            with self.assertRaisesRegex(ValueError, r"one row of them, found the shape \(2, 2\)"):
                call()
        self.assertEqual(graph.hops(numpy.array(0), numpy.array(3)), 3)
        self.assertEqual(ints(graph.hops(numpy.int64(0), numpy.array([1, 2]))), [1, 2])
        if package("pandas"):
            import pandas
            pairs = pandas.DataFrame({"source": [0, 1], "target": [3, 3]})
            self.assertEqual(ints(graph.hops(pairs)), [3, 2])
            self.assertEqual(ints(graph.hops(pairs.source, pairs.target)), [3, 2])

    def test_a_row_of_nothing_may_be_of_any_type(self):
        self.assertEqual(len(Graph.from_edges(numpy.array([]), numpy.array([], "U1"))), 0)
        with self.assertRaisesRegex(TypeError, r"found shape \(0, 3\)"):
            Graph.from_edges(numpy.empty((0, 3)), numpy.array([]))

    def test_rows_of_python_are_numbers_too(self):
        for kind in "bBhH":
            self.assertEqual(Graph.from_edges(array.array(kind, [0, 1]), [1, 2]).hops(0, 2), 2)
        graph = Graph.from_edges((node for node in (0, 1)), iter([1, 2]))
        self.assertEqual(graph.hops(0, 2), 2)
        for wrong in ([True], [0, False], b"ab", bytearray(b"ab")):
            with self.assertRaises(TypeError, msg=wrong):
                Graph.from_edges(wrong, wrong)
        for wrong in (-1, 2**64, -2**70, 2**40):
            for row in ([wrong], iter([wrong])):
                with self.assertRaisesRegex(InputError, f"(sources: |\\b){wrong}\\b"):
                    Graph.from_edges(row, [0])
        with self.assertRaisesRegex(InputError, "sources: -1 "):
            Graph.from_edges(array.array("q", [-1]), [0])
        with self.assertRaisesRegex(InputError, "neighbours: -1 "):
            Graph.from_csr([0, 1], [-1])
        with self.assertRaisesRegex(InputError, "-1 "):
            Graph.from_edges(array.array("i", [-1]), array.array("q", [0]))

    def test_a_mask_is_not_lost(self):
        masked = numpy.ma.masked_array([0, 1], [False, True])
        for call in (lambda: Graph.from_edges(masked, [1, 2]),
                     lambda: Graph.from_csr([0, 1, 2], masked),
                     lambda: Graph.load(SAMPLE).hops(masked, [1, 2])):
            with self.assertRaisesRegex(TypeError, "mask"):
                call()

    def test_arrays_of_numpy_may_have_gaps_or_any_kind(self):
        base = numpy.arange(20, dtype=numpy.int16)
        graph = Graph.from_edges(base[:-2:2], base[2::2])
        self.assertEqual(graph.hops(0, 18), 9)
        for kind in ("int8", "uint16", "int32", ">i4", ">u8", "uint64"):
            edges = numpy.array([[0, 1], [1, 2]], kind)
            self.assertEqual(Graph.from_edges(edges[:, 0], edges[:, 1]).hops(0, 2), 2, kind)
        for wrong in (numpy.array([0.5]), numpy.array([True]), numpy.zeros((2, 2), int),
                      numpy.array(3), numpy.array([1j])):
            with self.assertRaises(TypeError):
                Graph.from_edges(wrong, wrong)

    def test_arrays_of_numpy_are_borrowed_without_a_copy(self):
        offsets = numpy.array([0, 1, 2, 2], numpy.uint64)
        neighbours = numpy.array([1, 2], numpy.uint32)
        graph = Graph.from_csr(offsets, neighbours)
        self.assertTrue(numpy.shares_memory(graph.neighbours, neighbours))
        self.assertTrue(numpy.shares_memory(graph.offsets, offsets))
        self.assertFalse(neighbours.flags.writeable)
        copied = numpy.array([1, 2], numpy.uint32)
        graph = Graph.from_csr([0, 1, 2, 2], copied, copy=True)
        self.assertFalse(numpy.shares_memory(graph.neighbours, copied))
        self.assertTrue(copied.flags.writeable)
        bad = numpy.array([9, 9], numpy.uint32)
        with self.assertRaises(InputError):
            Graph.from_csr([0, 1, 2, 2], bad)
        self.assertTrue(bad.flags.writeable)

    def test_no_later_change_of_memory_reaches_a_graph(self):
        for kind in ("array", "memoryview", "bytearray", "view", "read-only view"):
            offsets, neighbours = array.array("Q", [0, 1, 2, 2]), array.array("I", [1, 2])
            if "view" in kind and kind != "memoryview":
                offsets, neighbours = csr_arrays(offsets, neighbours)
            rows = {"array": lambda row: row, "memoryview": memoryview, "view": lambda row: row[:],
                    "bytearray": lambda row: memoryview(bytearray(row)).cast(row.typecode),
                    "read-only view": read_only_view}[kind]
            given = rows(offsets), rows(neighbours)
            graph = Graph.from_csr(*given)
            written = given if kind == "bytearray" else (offsets, neighbours)
            for row, wrong in zip(written, (2**40, 0xfffffff0)):
                for i in range(len(row)):
                    row[i] = wrong
            self.assertEqual((graph.path(0, 2).nodes, ints(graph.distances(0))),
                             ((0, 1, 2), [0, 1, 2]), kind)

    def test_arrays_are_writeable_after_an_error(self):
        for named in ({"names": ["a"]}, {"names": [[], [], []]}, {"threads": -1}):
            offsets, neighbours = csr_arrays([0, 1, 2, 2], [1, 2])
            with self.assertRaises((ArgumentError, TypeError)):
                Graph.from_csr(offsets, neighbours, **named)
            self.assertTrue(offsets.flags.writeable and neighbours.flags.writeable, named)

    def test_a_view_of_memory_that_is_read_only_is_used_in_place(self):
        offsets, neighbours = csr_arrays([0, 1, 2, 2], [1, 2])
        whole = Graph.from_csr(offsets, neighbours)
        shares = (neighbours[:], whole.neighbours, numpy.frombuffer(neighbours.tobytes(), "u4"))
        with tempfile.TemporaryDirectory() as folder:
            numpy.save(folder + "/neighbours.npy", neighbours)
            for row in (*shares, numpy.load(folder + "/neighbours.npy", mmap_mode="r")):
                graph = Graph.from_csr(whole.offsets, row)
                self.assertTrue(numpy.shares_memory(graph.neighbours, row))
                self.assertEqual(graph.hops(0, 2), 2)

    def test_pairs_are_arrays_of_any_shape_that_fits(self):
        graph = Graph.load(SAMPLE)
        pairs = numpy.random.default_rng(SEED % 2**32).integers(0, len(graph), (500, 2))
        found = graph.hops(pairs)
        self.assertEqual((found.dtype, found.shape), (numpy.uint32, (500,)))
        self.assertEqual(found.tolist(), graph.hops(pairs[:, 0], pairs[:, 1]).tolist())
        self.assertEqual(found.tolist(), graph.hops(pairs.astype(numpy.uint32)).tolist())
        self.assertEqual(found.tolist(), graph.hops(pairs.astype(numpy.int32)[::1]).tolist())
        self.assertEqual(found.tolist(), [NONE if path is None else path.hops
                                          for path in graph.paths(pairs, threads=3)])
        self.assertEqual(graph.hops(numpy.empty((0, 2), int)).tolist(), [])
        for wrong in (numpy.array([[0, 165]]), numpy.array([[-1, 0]]), numpy.array([[2**40, 0]])):
            with self.assertRaisesRegex(UnknownNode, str(wrong.min() if wrong.min() else
                                                         wrong.max())):
                graph.hops(wrong)
            with self.assertRaises(UnknownNode):
                graph.paths(wrong)
        with self.assertRaises(UnknownNode):
            graph.hops(numpy.array([[0, NONE]], numpy.uint32))
        with self.assertRaises(UnknownNode):
            graph.paths(numpy.array([[0, NONE]], numpy.uint32))
        with self.assertRaises(ArgumentError):
            graph.paths(numpy.array([[0, 1]], numpy.uint32), longer=1)
        with self.assertRaisesRegex(ArgumentError, "longer"):
            graph.paths(0, 1, longer=2)
        for wrong in (numpy.zeros((2, 3), int), numpy.zeros(4, int)):
            with self.assertRaises(ArgumentError):
                graph.hops(wrong)
        with self.assertRaises(TypeError):
            graph.hops(numpy.array([[0.5, float("nan")]]))

    @unittest.skipUnless(package("scipy"), "scipy is not installed")
    def test_scipy_goes_and_comes(self):
        import scipy.sparse
        graph = Graph.load(SAMPLE)
        self.assertFalse(numpy.shares_memory(graph.to_scipy().indices, graph.neighbours))
        matrix = graph.to_scipy(copy=False)
        self.assertTrue(numpy.shares_memory(matrix.indices, graph.neighbours))
        self.assertEqual((matrix.shape, matrix.nnz), ((165, 165), 650))
        again = Graph.from_scipy(matrix)
        self.assertTrue(numpy.shares_memory(again.neighbours, graph.neighbours))
        far = scipy.sparse.csgraph.shortest_path(matrix, unweighted=True, indices=3)
        self.assertEqual([float("inf") if d == NONE else d for d in ints(graph.distances(3))],
                         far.tolist())
        self.assertEqual(Graph.from_scipy(scipy.sparse.coo_matrix(([1], ([0], [1])), (2, 2)))
                         .hops(0, 1), 1)
        with self.assertRaises(ArgumentError):
            Graph.from_scipy(scipy.sparse.csr_array((2, 3)))
        with self.assertRaises(TypeError):
            Graph.from_scipy([[1]])

    @unittest.skipUnless(package("scipy"), "scipy is not installed")
    def test_weights_of_scipy_are_not_lost_in_silence(self):
        from scipy import sparse
        for kind in (sparse.csr_array, sparse.coo_array, sparse.lil_array, sparse.csc_matrix):
            with self.assertWarnsRegex(pointer_wars.PointerWarsWarning, "weights are left out"):
                Graph.from_scipy(kind([[0, 2.5], [0, 0]]))
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                Graph.from_scipy(kind([[0, 1], [1, 0]]))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            twice = sparse.coo_array(([1, 1], ([0, 0], [1, 1])), shape=(2, 2))
            self.assertEqual(Graph.from_scipy(twice).hops(0, 1), 1)

    @unittest.skipUnless(package("scipy"), "scipy is not installed")
    def test_scipy_may_do_anything_with_its_array(self):
        for targets, shares, total in (([1, 2, 0], True, 3), ([2, 1, 0], False, 3),
                                       ([1, 1, 0], False, 3)):
            graph = Graph.from_edges([0, 0, 2], targets, node_count=4)
            for copied in (None, True):
                for operation in (lambda m: m.sum(), lambda m: abs(m).sum(), lambda m: m.max(),
                                  lambda m: m.power(2).sum(), lambda m: m.sum_duplicates(),
                                  lambda m: m.sort_indices(), lambda m: (m @ m).sum(),
                                  lambda m: m.T.tocsr().sum(0)):
                    matrix = graph.to_scipy(copy=copied)
                    self.assertEqual(numpy.shares_memory(matrix.indices, graph.neighbours),
                                     shares and copied is None)
                    operation(matrix)
                    self.assertEqual((matrix.sum(), matrix.toarray().sum()), (total, total))
            graph.to_scipy(copy=True).eliminate_zeros()
            self.assertEqual(graph.to_scipy().max(), 2 if targets[0] == targets[1] else 1)
            self.assertTrue(numpy.shares_memory(graph.to_scipy(copy=False).indices,
                                                graph.neighbours))
        empty = Graph.from_edges([], [], node_count=3).to_scipy()
        self.assertEqual((empty.sum(), empty.shape), (0, (3, 3)))

    @unittest.skipUnless(package("networkx"), "networkx is not installed")
    def test_keys_are_completed_by_name_or_by_the_links_of_both_directions(self):
        """"ab" has two links out, "ac" one out and two in, "ad" one in; "b" begins otherwise."""
        import networkx
        links = [("ab", "ad"), ("ab", "b"), ("ac", "b"), ("b", "ac"), ("c", "ac")]
        graph = Graph.from_networkx(networkx.DiGraph(links))
        self.assertEqual(graph.complete("a"), ["ab", "ac", "ad"])
        self.assertEqual(graph.complete("a", order="degree"), ["ac", "ab", "ad"])
        self.assertEqual(graph.complete("a", 1, "degree"), ["ac"])

    @unittest.skipUnless(package("networkx"), "networkx is not installed")
    def test_networkx_goes_and_comes(self):
        import networkx
        there = networkx.gnp_random_graph(40, 0.1, seed=SEED % 2**32)
        for kind in (networkx.Graph, networkx.DiGraph, networkx.MultiGraph,
                     networkx.MultiDiGraph):
            made = kind(there)
            graph = Graph.from_networkx(made)
            self.assertEqual(graph.directed, made.is_directed())
            back = graph.to_networkx()
            self.assertEqual((set(back), set(back.edges)), (set(made), set(
                (kind if kind in (networkx.Graph, networkx.DiGraph) else
                 networkx.DiGraph if made.is_directed() else networkx.Graph)(made).edges)))
        grid = Graph.from_networkx(networkx.grid_2d_graph(3, 3))
        self.assertEqual(grid.hops((0, 0), (2, 2)), 4)
        self.assertEqual(grid.path_count((0, 0), (2, 2)), 6)
        self.assertEqual(len(Graph.from_networkx(networkx.Graph())), 0)
        named = Graph.load(SAMPLE).to_networkx()
        self.assertEqual(networkx.shortest_path_length(named, "Laos", "Poland"), 3)
        for wrong in (lambda: Graph.from_networkx([1]), lambda: grid.to_networkx(grid)):
            with self.assertRaises(TypeError):
                wrong()


class Words(unittest.TestCase):
    """Words of NetworkX and igraph."""

    def test_what_there_is_has_the_word_that_people_know(self):
        graph = Graph.from_edges([("a", "b"), ("a", "c"), ("c", "c")])
        self.assertEqual((graph.nodes, graph.nodes()), (["a", "b", "c"], ["a", "b", "c"]))
        self.assertEqual(graph.edges(), [("a", "b"), ("a", "c"), ("c", "c")])
        self.assertEqual((graph.order(), graph.number_of_nodes(), graph.size()), (3, 3, 3))
        self.assertEqual(graph.degree(), [("a", 2), ("b", 1), ("c", 3)])
        self.assertEqual((graph["a"], graph["b"], graph["c"]), (["b", "c"], [], ["c"]))
        self.assertEqual([graph.has_edge(*ends) for ends in ("ab", "ba", "cc", "ax", "xa")],
                         [True, False, True, False, False])
        self.assertEqual((graph.has_node("a"), graph.has_node("x")), (True, False))
        for call in (lambda: graph["x"], lambda: graph.degree("x")):
            with self.assertRaisesRegex(UnknownNode, "'x'"):
                call()
        loaded = Graph.load(SAMPLE)
        self.assertIn("China", loaded["Laos"])
        self.assertTrue(loaded.has_edge("Laos", "China"))

    def test_another_word_says_what_it_is_called_here(self):
        graph = Graph.load(SAMPLE)
        for word, called in (("shortest_path", r"graph\.path\("), ("has_path", r"graph\.hops\("),
                             ("vcount", r"len\("), ("add_edge", "from_edges")):
            with self.assertRaisesRegex(AttributeError, f"{word}'; here it is: .*{called}"):
                getattr(graph, word)
        with self.assertRaisesRegex(AttributeError, "no attribute 'nothing'$"):
            getattr(graph, "nothing")
        for call in (graph.path, graph.hops, graph.paths, graph.path_count):
            with self.assertRaisesRegex(ValueError, "edges have no weights here"):
                call("Laos", "Poland", weight="km")
        with self.assertRaisesRegex(ValueError, "edges have no weights here"):
            graph.distances("Laos", weight="km")
        with self.assertRaisesRegex(ValueError, "edges have no weights here"):
            graph.degree("Laos", "km")

    @unittest.skipUnless(package("networkx"), "networkx is not installed")
    def test_networkx_counts_a_loaded_graph(self):
        import networkx
        generator = random.Random(SEED)
        for directed in (False, True):
            there = (networkx.DiGraph if directed else networkx.Graph)()
            there.add_nodes_from(range(9))
            there.add_edges_from(generator.choices(range(9), k=2) for _ in range(12))
            graph = Graph.from_networkx(there)
            for name in ("density", "number_of_nodes", "number_of_edges", "degree_histogram"):
                self.assertEqual(getattr(networkx, name)(graph), getattr(networkx, name)(there))
            self.assertEqual(graph.degree(), list(there.degree()))
            self.assertEqual(dict(networkx.degree(graph)), dict(networkx.degree(there)))
            self.assertEqual(sorted(map(sorted, graph.edges)) if not directed else
                             sorted(graph.edges), sorted(map(sorted, there.edges))
                             if not directed else sorted(there.edges))
            some = generator.sample(range(9), 4)
            for name in ("neighbors", "successors", "predecessors"):
                judge = getattr(there, name if directed else "neighbors")
                self.assertEqual([sorted(getattr(graph, name)(key)) for key in graph],
                                 [sorted(judge(key)) for key in there])
            self.assertEqual({key: row for key, row in graph.adj.items()},
                             {key: list(row) for key, row in there.adj.items()})
            part, judge = graph.subgraph(some), there.subgraph(some)
            self.assertEqual((part.nodes, {key: sorted(part[key]) for key in part}), (
                sorted(judge), {key: sorted(judge[key]) for key in judge}))
            if directed:
                self.assertEqual(sorted(graph.reverse().edges), sorted(there.reverse().edges))

    def test_a_part_and_the_reverse_keep_keys_and_answers(self):
        with tempfile.TemporaryDirectory() as folder:  # a format that counts from 1
            one = pathlib.Path(folder, "one.mtx")
            one.write_text("%%MatrixMarket matrix coordinate pattern general\n4 4 3\n"
                           "1 2\n2 3\n4 4\n")
            from_one = Graph.load(one)
        self.assertEqual(from_one.first_node, 1)
        self.assertEqual(from_one.reverse().edges, [(2, 1), (3, 2), (4, 4)])
        self.assertEqual(from_one.subgraph([4, 3, 2]).edges, [(2, 3), (4, 4)])
        graph = Graph.load(SAMPLE, by_block=False)
        back, part = graph.reverse(), graph.subgraph(["Laos", "China", "Russia", "China"])
        self.assertEqual((back.nodes, back.hops("Poland", "Laos")), (graph.nodes, 3))
        self.assertEqual((sorted(part), part.hops("Laos", "Russia")),
                         (["China", "Laos", "Russia"], 2))
        self.assertEqual((graph.subgraph("Laos").edges, len(graph.subgraph([]))), ([], 0))
        self.assertIs(graph.copy(), graph)
        numbers = Graph.from_edges([5], [7])
        self.assertEqual((numbers.reverse().hops(7, 5), len(numbers.reverse())), (1, 8))
        with self.assertRaisesRegex(UnknownNode, "did you mean"):
            graph.subgraph(["Laso"])

    @unittest.skipUnless(package("networkx"), "networkx is not installed")
    def test_a_part_and_the_reverse_know_of_weights_left_out(self):
        import networkx
        there = networkx.DiGraph()
        there.add_edge("a", "b", weight=3)
        with self.assertWarns(pointer_wars.PointerWarsWarning):
            graph = Graph.from_networkx(there)
        for made in (graph.reverse(), graph.subgraph(["a", "b"])):
            self.assertTrue(made._left_out)


class Races(unittest.TestCase):
    """The oracle of the game, with the judge's search."""

    def test_every_page_has_the_judges_distance(self):
        generator = random.Random(SEED)
        for number in range(random_share(60)):
            count = generator.randint(1, 15)
            edges = [tuple(generator.choices(range(count), k=2)) for _ in range(2 * count)]
            names = [f"p{i}" for i in range(count)] if number % 2 else list(range(count))
            graph = Graph.from_edges(edges, node_count=0 if number % 2 else count,
                                     names=names if number % 2 else None)
            judge, target = Judge(count, edges), generator.randrange(count)
            far = judge.distances(target, judge.into)
            player = race.Race(graph, names[target])
            for node in range(count):
                self.assertEqual(player.distance(names[node]), far.get(node))
                self.assertEqual(dict(player.links(names[node])),
                                 {names[other]: far.get(other) for other in judge.out[node]})
                best = player.best(names[node])
                if far.get(node, 0) == 0:
                    self.assertIsNone(best)
                else:
                    self.assertEqual(player.distance(best), far[node] - 1)
                for other in judge.out[node]:
                    before, after = far.get(node, NONE), far.get(other, NONE)
                    self.assertEqual(player.grade([names[node], names[other]]),
                                     [(before > after) - (before < after)])
            tasks = player.pairs(hops=2, count=100, seed=number)
            self.assertEqual({task.start for task in tasks},
                             {names[node] for node in far if far[node] == 2})
            self.assertEqual(tasks, player.pairs(hops=2, count=100, seed=number))
            good = [sum(far.get(other) == 1 for other in judge.out[names.index(task.start)])
                    for task in tasks]
            self.assertEqual([task.good_links for task in tasks], good)
            self.assertEqual(good, sorted(good, reverse=True))

    def test_a_game_ends_at_the_target_or_is_cut_off(self):
        graph = Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("a", "dead end")])
        game = race.Game(race.Race(graph, "c"), "a", max_steps=2)
        seen, facts = game.reset(seed=5)
        self.assertEqual((seen, facts), ({"page": "a", "target": "c", "links": ["b", "dead end"]},
                                         {"distance": 2}))
        self.assertEqual(game.step(0)[1:4], (1.0, False, False))
        self.assertEqual(game.step(1)[1:], (1.0, True, False, {"distance": 0}))
        game.reset()
        self.assertEqual(game.step(1)[1:], (-1.0, False, True, {"distance": None}))
        with self.assertRaisesRegex(ArgumentError, "no links"):
            game.step(0)
        game.reset(options={"start": "b"})
        self.assertEqual(game.step(0)[1:4], (-1.0, False, False))
        self.assertEqual(game.step(0)[1:4], (1.0, False, True))  # two steps are over
        game.reset()
        for wrong in (-1, 2):
            with self.assertRaisesRegex(ArgumentError, "action"):
                game.step(wrong)

    def test_what_is_no_way_is_refused(self):
        player = race.Race(Graph.load(SAMPLE), "Poland")
        with self.assertRaisesRegex(ArgumentError, "'Laos' has no link to 'Poland'"):
            player.grade(["Laos", "Poland"])
        for call in (lambda: player.distance("Laso"), lambda: player.grade(["Laos", "Chna"]),
                     lambda: race.Race(player.graph, "Polnd"), lambda: race.Game(player, "Laso")):
            with self.assertRaisesRegex(UnknownNode, "did you mean"):
                call()
        for call in (lambda: player.grade("Laos"), lambda: race.Race([], "Laos")):
            with self.assertRaises(TypeError):
                call()
        self.assertEqual((player.grade([]), player.pairs(hops=1, count=0)), ([], []))


class Answers(unittest.TestCase):
    """Paths, their drawings, histograms."""

    def setUp(self):
        self.graph = Graph.load(SAMPLE)

    def test_a_path_is_a_sequence_of_names(self):
        path = self.graph.path("Laos", "Poland")
        self.assertEqual(path, ["Laos", "China", "Russia", "Poland"])
        self.assertEqual((path[1], path[-1], path[1:3], len(path), "China" in path, path.hops),
                         ("China", "Poland", ["China", "Russia"], 4, True, 3))
        self.assertEqual(str(path), "Laos -> China -> Russia -> Poland")
        self.assertEqual(path, self.graph.path("Laos", "Poland"))
        self.assertEqual(len({path, self.graph.path("Laos", "Poland")}), 1)
        self.assertNotEqual(path, "Laos")
        self.assertNotEqual(path, 5)
        with self.assertRaises(IndexError):
            path[4]

    @staticmethod
    def diamonds(count):
        tops = range(0, 3 * count, 3)
        sources = [node for top in tops for node in (top, top, top + 1, top + 2)]
        targets = [node for top in tops for node in (top + 1, top + 2, top + 3, top + 3)]
        return Graph.from_edges(sources, targets)

    def test_a_number_of_paths_is_exact_in_128_bits(self):
        """Diamonds in a row: two paths through each."""
        self.assertEqual(self.diamonds(127).paths(0, 3 * 127).count, 2**127)
        diamonds = 15_000
        graph = self.diamonds(diamonds)
        paths = graph.paths(0, 3 * diamonds)
        self.assertEqual((paths.count, paths.digits), (math.inf, "more than 3.4e38"))
        self.assertTrue(paths)
        self.assertIn("more than 3.4e38 shortest paths", repr(paths))
        self.assertEqual(next(iter(paths)).hops, 2 * diamonds)
        with self.assertRaises(OverflowError):
            len(paths)
        with self.assertRaises(MemoryError):
            paths.rows()
        self.assertEqual(len(paths.rows(3)), 3)
        self.assertEqual(len(graph.paths(0, 3 * diamonds, 5)), 5)
        self.assertIn("<svg", paths._repr_svg_())
        self.assertIn("<svg", next(iter(paths))._repr_svg_())

    def test_a_drawing_is_xml_without_scripts_whatever_the_titles_are(self):
        from xml.etree import ElementTree
        names = ["<script>alert(1)</script>", "\x00\x01\ud800", "a" * 500, "&amp;\"'", "ß\u2028"]
        graph = Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 3, 3, 4], names=names)
        for shown in (graph.path(names[0], names[4]), graph.paths(names[0], names[4]),
                      graph.paths(names[4], names[0]), graph.histogram(names[0]),
                      self.graph.paths("Laos", "Laos"), self.graph.histogram("Laos")):
            picture = shown._repr_svg_()
            root = ElementTree.fromstring(picture.encode("utf-8"))
            self.assertTrue(root.tag.endswith("svg"))
            self.assertNotIn("script", [element.tag.split("}")[1] for element in root.iter()])
            self.assertNotIn("nan", picture)
        titles = [element.text for element in ElementTree.fromstring(
            graph.path(names[0], names[4])._repr_svg_()).iter() if element.tag.endswith("title")]
        self.assertIn(names[0], titles)

    def test_a_drawing_can_be_read_on_any_page(self):
        """It brings its ground, shrinks with the page, and has the contrasts that WCAG 2 asks for."""
        def luminance(color):
            parts = [int(digit, 16) / 15 for digit in color[1:]] if len(color) == 4 else [
                int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
            linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055)**2.4
                      for part in parts]
            return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

        fan = Graph.from_edges([0] * 20 + list(range(1, 21)), list(range(1, 21)) + [21] * 20)
        for shown in (self.graph.path("Laos", "Portugal"), fan.paths(0, 21),
                      self.graph.histogram("Laos")):
            picture = shown._repr_svg_()
            self.assertRegex(picture, 'role="img"[^>]*style="background:#fff;max-width:100%;'
                                      'height:auto"><title>[^<]')
            for kind, color in re.findall(r'<(text|rect|path)[^>]*?(?:stroke|fill)="(#\w+)"/?>',
                                          picture):
                contrast = 1.05 / (luminance(color) + 0.05)
                self.assertGreaterEqual(contrast, 4.5 if kind == "text" else 3, (kind, color))

    def test_a_wide_column_says_how_many_more(self):
        middle = range(1, 101)
        graph = Graph.from_edges([0] * 100 + list(middle), list(middle) + [101] * 100)
        picture = graph.paths(0, 101)._repr_svg_()
        self.assertIn(f"and {100 - drawing.ROWS} more", picture)

    def test_a_histogram_counts_and_draws(self):
        histogram = self.graph.histogram("Laos")
        self.assertEqual(histogram[:4], (1, 5, 15, 16))
        self.assertEqual(sum(histogram) + histogram.unreached, 165)
        wanted = [d for d in ints(self.graph.distances("Laos")) if d not in (0, NONE)]
        self.assertAlmostEqual(histogram.mean, sum(wanted) / len(wanted))
        self.assertEqual(pickle.loads(pickle.dumps(histogram)), histogram)
        if package("matplotlib"):
            import matplotlib
            matplotlib.use("Agg")
            axes = histogram.plot()
            self.assertEqual(len(axes.patches), len(histogram))


class Limits(unittest.TestCase):
    """Wrong arguments, closed graphs, threads, processes, interruptions, leaks."""

    def setUp(self):
        self.graph = Graph.load(SAMPLE)

    def test_no_argument_is_fatal(self):
        odd = [None, -1, 2**31, 2**32, 2**64, -2**70, 1.5, float("nan"), "", "\0", "\ud800", b"x",
               [], [1], (), {}, object(), True, "Laos", 5, [["Laos"]], [("Laos", "Poland", "x")],
               [("Laos", None)], Graph, lambda: 0, memoryview(b"abc"), array.array("d", [0.5])]
        calls = 0
        methods = [name for name in dir(Graph) if not name.startswith("_")
                   and callable(getattr(Graph, name)) and name not in ("close", "save")]
        for name in methods:
            method = getattr(self.graph, name)
            for first in odd:
                for rest in ((), ("Poland",), (first,), (5, first)):
                    calls += 1
                    try:
                        method(first, *rest)
                    except (pointer_wars.PointerWarsError, TypeError, ValueError, ImportError,
                            AttributeError, OverflowError):
                        pass
        for key, value in itertools.product(("without", "engine", "timeout", "threads", "limit",
                                             "direction"), odd):
            for name in ("path", "hops", "paths", "distances", "path_count"):
                try:
                    getattr(self.graph, name)("Laos", *(() if name == "distances" else ("Spain",)),
                                              **{key: value})
                except (pointer_wars.PointerWarsError, TypeError, ValueError, AttributeError):
                    pass
        self.assertEqual(self.graph.hops("Laos", "Poland"), 3)
        self.assertGreater(calls, 1000)

    def test_nobody_changes_the_sizes_of_a_graph(self):
        for name in ("first_node", "node_limit", "edge_count", "directed"):
            with self.assertRaises(AttributeError):
                setattr(self.graph, name, 10**9)
        self.assertEqual((self.graph.first_node, self.graph.node_limit, self.graph.edge_count,
                          self.graph.directed), (0, 165, 650, True))
        with self.assertRaises(UnknownNode):
            self.graph.neighbours_of(10**8)

    def test_an_answer_is_made_of_a_graphs_nodes_only(self):
        for wrong in (0, 1, 2**40, None, self.graph.owner, _native.PathsOwner(0)):
            with self.assertRaises(TypeError):
                pointer_wars.Paths(self.graph, (0, 1), wrong, None, None)
        for wrong in (5, None, "Laos", [self.graph]):
            with self.assertRaises(TypeError):
                pointer_wars.Path(wrong, (0, 1))
        for wrong in ((165,), (-1,), (2**40,)):
            with self.assertRaises(UnknownNode):
                pointer_wars.Path(self.graph, wrong)
        self.assertEqual(pointer_wars.Path(self.graph, [1, 2]).nodes, (1, 2))

    def test_any_sequence_of_calls_ends_in_an_answer_or_an_error(self):
        done = subprocess.run([sys.executable, str(pathlib.Path(__file__).with_name(
            "any_calls.py")), "100000" if LONG else "1000"], text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env={**os.environ, "PW_TEST_SEED": str(SEED)}, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_number_of_time_must_be_one(self):
        for wrong in (-1, float("nan"), float("-inf")):
            with self.assertRaises(ValueError):
                self.graph.path("Laos", "Poland", timeout=wrong)
        self.assertEqual(self.graph.hops("Laos", "Poland", timeout=float("inf")), 3)
        self.assertEqual(self.graph.hops("Laos", "Poland", timeout=100), 3)

    def test_time_that_runs_out_is_a_timeout_error(self):
        count = 300_000
        ring = Graph.from_edges(range(count), list(range(1, count)) + [0])
        for question in (lambda: ring.hops(0, count - 1, engine="plain", timeout=0),
                         lambda: ring.distances(0, timeout=0),
                         lambda: ring.paths(0, count - 1, timeout=0),
                         lambda: ring.hops([(0, count - 1)] * 9, engine="plain", timeout=0),
                         lambda: ring.paths([(0, count - 1)] * 9, engine="plain", timeout=0)):
            with self.assertRaises(TimeoutError) as caught:
                question()
            self.assertIsInstance(caught.exception, pointer_wars.TimedOut)
        self.assertEqual(ring.hops(0, count - 1, engine="plain"), count - 1)

    def test_time_is_of_the_whole_call_and_not_of_the_search_alone(self):
        graph = Graph.from_edges([0, 1], [1, 2])

        def slow_nodes():  # each call has its own
            over = time.monotonic_ns() + 2_000_000
            while time.monotonic_ns() < over:
                pass
            yield 1

        for call in (graph.reach, graph.betweenness,
                     lambda given, timeout: graph.hops(given, [2], timeout=timeout)):
            with self.assertRaises(TimeoutError):
                call(slow_nodes(), timeout=0.001)
            call(slow_nodes(), timeout=1000)
        for call in (graph.distances, graph.parents, graph.histogram,
                     lambda node, **limited: graph.path(node, 2, **limited),
                     lambda node, **limited: graph.path_and_counts(node, 2, **limited)):
            with self.assertRaises(TimeoutError):
                call(1, without=slow_nodes(), timeout=0.001)

    def test_a_closed_graph_says_so(self):
        with self.graph as graph:
            path, paths = graph.path("Laos", "Poland"), graph.paths("Laos", "Poland")
        self.assertIn("closed", repr(graph))
        for call in (lambda: graph.path("Laos", "Poland"), lambda: graph.hops(1, 2),
                     lambda: graph.hops([(1, 2)]), lambda: graph.node("Laos"), lambda: str(path),
                     lambda: graph.distances(1), lambda: graph.neighbours_of(1), lambda: graph.ids,
                     lambda: graph.complete("L"), lambda: graph.save("/nowhere"), lambda: paths[0],
                     lambda: graph.to_networkx(), lambda: graph.random_node(), lambda: repr(paths),
                     lambda: graph.resolve("x"), lambda: graph.fact("wiki"), lambda: list(graph)):
            with self.assertRaises((pointer_wars.PointerWarsError, TypeError, ImportError)):
                call()
        self.assertEqual(ints(paths.nodes)[0], path.nodes[0])
        graph.close()

    def test_a_closed_graph_with_names_in_memory_says_so(self):
        graph = Graph.from_edges([0, 1], [1, 2], names=["a", "b", "c"])
        path = graph.path("a", "c")
        graph.close()
        for call in (lambda: "a" in graph, lambda: "z" in graph, lambda: graph.node("a"),
                     lambda: graph.label(1), lambda: graph.labels([1]), lambda: graph.key(0),
                     lambda: graph.keys(), lambda: graph.complete("a"), lambda: list(path),
                     lambda: graph.resolve("a"), lambda: graph.understand("a"), lambda: str(path)):
            with self.assertRaisesRegex(pointer_wars.PointerWarsError, "closed"):
                call()

    def test_a_graph_in_memory_is_copied_by_reference_and_not_pickled(self):
        paths = self.graph.paths("Laos", "Poland")
        self.assertIs(copy.deepcopy(paths), paths)
        self.assertIs(copy.copy(self.graph), self.graph)
        self.assertIs(copy.deepcopy(self.graph), self.graph)
        made = Graph.from_edges([0], [1])
        for one in (made, self.graph.owner, made.path(0, 1), self.graph.paths("Laos", "Poland")):
            with self.assertRaises(TypeError):
                pickle.dumps(one)
        with self.assertRaises(TypeError):
            Graph(5)

    def test_garbage_with_a_cycle_is_freed_after_its_last_use(self):
        class Holder:
            """In a cycle with all that a graph gives; looks at it when it is collected."""

            def __init__(self, graph):
                self.all = [self, graph, graph.neighbours_of("China"), graph.paths("Laos", "Spain"),
                            graph.path("Laos", "Spain"), graph.distances("Laos")]

            def __del__(self):
                seen.append(ints(self.all[2]) == row and self.all[1].hops("Laos", "Poland") == 3
                            and self.all[3].count == len(list(self.all[3])))

        seen = []
        row = ints(self.graph.neighbours_of("China"))
        gc.collect()
        with frees() as freed:
            for i in range(20):
                graph = Graph.load(SAMPLE)
                graph.hops("Laos", "Poland", engine="plain")
                Holder(graph)
                del graph
                gc.collect()
            gc.collect()
            self.assertEqual(seen, [True] * 20)
        counts = collections.Counter(freed)  # two engines: plain's search, and paths' and hops'
        self.assertEqual((counts["GraphOwner"], counts["PathsOwner"]), (20, 20))
        self.assertEqual(counts["SearchOwner"], 40)

    def test_a_search_goes_before_its_graph_and_that_before_its_arrays(self):
        class Holder:
            """Part of a cycle."""

        for cyclic in (False, True):
            graph = Graph.from_csr(*csr_arrays([0, 1, 2, 2], [1, 2]))
            graph.hops(0, 2)
            holder, there = Holder(), _native._lent[int(graph.owner)]
            holder.all, at = [graph, holder if cyclic else None], int(graph.owner)
            self.assertIsNotNone(there.arrays)
            gc.collect()
            with frees() as freed:
                del graph, holder, there
                gc.collect()
            self.assertEqual(freed, ["SearchOwner", "GraphOwner"])
            self.assertNotIn(at, _native._lent)

    def test_eight_threads_ask_one_graph(self):
        generator = random.Random(SEED)
        pairs = [(generator.randrange(165), generator.randrange(165)) for _ in range(200)]
        wanted, failures = ints(self.graph.hops(pairs)), []

        def ask(number):
            try:
                for engine in (None, "array", "plain"):
                    found = [self.graph.hops(u, v, engine=engine) for u, v in pairs]
                    assert [NONE if h is None else h for h in found] == wanted
                    assert ints(self.graph.hops(pairs, threads=2, engine=engine)) == wanted
                assert ints(self.graph.distances(number))[number] == 0
                for name in ("laos", "Laso"):
                    assert name not in self.graph
            except BaseException as why:
                failures.append(why)

        threads = [threading.Thread(target=ask, args=[number]) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_a_graph_may_go_while_threads_ask_it(self):
        for _ in range(20):
            graph, failures = Graph.load(SAMPLE), []

            def ask(graph=graph, failures=failures):
                try:
                    while True:
                        graph.path("Laos", "Poland")
                        graph.distances(3)
                except pointer_wars.PointerWarsError as why:
                    failures.append(str(why))

            threads = [threading.Thread(target=ask) for _ in range(3)]
            for thread in threads:
                thread.start()
            graph.close()
            for thread in threads:
                thread.join()
            self.assertEqual(failures, ["the graph is closed"] * 3)

    def test_a_forked_process_asks_too(self):
        self.graph.hops("Laos", "Poland")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            child = os.fork()
        if child == 0:
            right = False
            try:
                right = (self.graph.hops("Laos", "Poland") == 3 and "Laso" not in self.graph
                         and self.graph.hops("Laos", "Poland", engine="plain") == 3
                         and ints(self.graph.hops([(1, 2)] * 99, threads=4))[0] < NONE)
            finally:
                os._exit(0 if right else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(self.graph.hops("Laos", "Poland"), 3)

    def interrupted(self, code, feed=None):
        """Run code, which prints a line before the call that takes for ever, and send SIGINT.
        What runs in the background of a shell ignores it at first."""
        begin = ("import pointer_wars, signal, sys\n"
                 "signal.signal(signal.SIGINT, signal.default_int_handler)\n")
        child = subprocess.Popen([sys.executable, "-c", begin + code],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        ended = threading.Event()

        def feeding():
            try:
                while feed and not ended.wait(0.005):
                    child.stdin.write(feed)
                    child.stdin.flush()
            except (BrokenPipeError, ValueError):
                pass

        feeder = threading.Thread(target=feeding)
        feeder.start()
        try:
            self.assertEqual(child.stdout.readline(), "now\n")
            began = processor_ticks(child.pid)
            while child.poll() is None and processor_ticks(child.pid) < began + 3:
                time.sleep(0.01)  # until it computes
            child.send_signal(signal.SIGINT)
            child.wait(300)
        finally:
            child.kill()
            ended.set()
            feeder.join()
            with contextlib.suppress(BrokenPipeError):
                child.stdin.close()
        errors, rest = child.stderr.read(), child.stdout.read()
        child.stderr.close()
        child.stdout.close()
        return rest, errors.strip().split("\n")[-1]

    def test_ctrl_c_ends_a_load_from_a_pipe(self):
        loading = ("pointer_wars.load('-', progress=lambda _: print('now', flush=True) "
                   "if not seen.append(1) and len(seen) == 1 else None)")
        self.assertEqual(self.interrupted("seen = []\n" + loading, "0 1\n" * 10_000)[1],
                         "KeyboardInterrupt")

    def test_ctrl_c_reaches_the_count_of_the_paths_through_many_levels(self):
        """3^10000 paths of 20,000 hops."""
        ways = [(4 * i, 4 * i + way) for i in range(10_000) for way in (1, 2, 3)]
        chain = Graph.from_edges([node for way in ways for node in way],
                                 [node for a, b in ways for node in (b, a + 4)])
        asked = []
        original = search.interruptibly

        def seen(call, flags):
            asked.append(flags)
            return original(call, flags)

        search.interruptibly = seen
        try:
            self.assertEqual(chain.paths(0, 40_000).hops, 20_000)
            self.assertEqual(len(asked), 1)
            self.graph.paths("Laos", "Poland")  # a small one stays in this thread
            self.assertEqual(len(asked), 1)
        finally:
            search.interruptibly = original

    def test_ctrl_c_ends_a_loop_of_short_calls(self):
        """An exception that is raised while something is freed would be lost."""
        loop = ("g = pointer_wars.Graph.from_edges([0, 1], [1, 2])\n"
                "print('now', flush=True)\n"
                "while True:\n"
                "    {}\n")
        for call in ("g.path_count(1, 2)", "g.paths(0, 2)", "list(g.paths(0, 2))",
                     "pointer_wars.Graph.from_edges([0, 1], [1, 2]).hops(0, 2)"):
            for _ in range(60 if LONG else 3):
                self.assertEqual(self.interrupted(loop.format(call))[1], "KeyboardInterrupt", call)

    def test_a_million_calls_leave_nothing(self):
        graph = self.graph

        def ask(count):
            for _ in range(count):
                graph.hops("Laos", "Poland")
                graph.path("Laos", "Poland").nodes
                "Laso" in graph, graph.label(3), graph.neighbours_of(5)
                if not _ % 10:
                    graph.paths("Laos", "Poland").count
                    graph.hops([(1, 2)])
                    graph.histogram("Laos")
                    graph.hops(1, 2, without=3)
            gc.collect()

        ask(2_000)
        before, memory = sys.getallocatedblocks(), resident()
        ask(200_000 if LONG else 20_000)
        self.assertLess(sys.getallocatedblocks() - before, 500)
        self.assertLess(resident() - memory, 4 << 20)

    def test_graphs_that_go_leave_nothing(self):
        def make(count):
            for _ in range(count):
                graph = Graph.from_edges(range(1000), range(1, 1001), names=range(1001))
                graph.hops(0, 9)
                graph.distances(0)
                graph.neighbours_of(5)
                list(graph.paths(0, 5))
            gc.collect()

        make(50)
        before, memory, lent = sys.getallocatedblocks(), resident(), len(_native._lent)
        make(5_000 if LONG else 500)
        self.assertLess(sys.getallocatedblocks() - before, 500)
        self.assertLess(resident() - memory, 8 << 20)
        self.assertEqual(len(_native._lent), lent)

    def test_a_graph_dies_with_its_last_reference(self):
        gone = weakref.ref(self.graph)
        self.graph.hops("Laos", "Poland")
        self.graph = None
        self.assertIsNone(gone())


def resident():
    """Bytes of this process in memory."""
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


class Agreement(unittest.TestCase):
    """The binding and the rest of the tree."""

    def test_the_structs_are_the_headers(self):
        text = (ROOT / "bfs/pwgraph/pwgraph.h").read_text(encoding="utf-8")
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
        for name, ours in (("error", _native.Error), ("progress", _native.Progress),
                           ("options", _native.Options), ("arrays", _native.Arrays),
                           ("counts", _native.Counts), ("paths", _native.PathGraph)):
            body = re.search(rf"struct pwgraph_{name} \{{(.*?)\n\}};", text, re.S)[1]
            members = [re.search(r"\(\*(\w+)\)|(\w+)(?:\[\w+\])?$", part.strip()).group(1, 2)
                       for part in body.split(";") if part.strip()]
            names = [first or second for first, second in members]
            known = [field[0] for field in ours._fields_]
            self.assertEqual(known, names[:len(known)] if name == "options" else names)
        for name in _native.PROTOTYPES:
            self.assertIn(f"pwgraph_{name}(", text)

    def test_bfs_has_the_same_engines(self):
        listed = subprocess.run([os.environ["POINTER_WARS_BFS"], "--list-engines"], text=True,
                                stdout=subprocess.PIPE, check=True).stdout
        self.assertEqual(list(pointer_wars.ENGINES), re.findall(r"^([\w-]+)", listed, re.M))

    def test_the_version_is_the_trees(self):
        tree = re.search(r"VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text().split(
            "project(")[1])[1]
        project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        self.assertEqual((pointer_wars.__version__, re.search(r'^version = "(.*)"', project,
                                                              re.M)[1]), (tree, tree))

    def test_without_a_library_it_says_what_is_missing(self):
        done = subprocess.run([sys.executable, "-c", "import pointer_wars"], text=True,
                              stderr=subprocess.PIPE, check=False,
                              env={**os.environ, "POINTER_WARS_LIBRARY": "/nowhere.so"})
        self.assertRegex(done.stderr, r"ImportError: pointer_wars needs libpwgraph.*pip install")

    def test_the_types_hold(self):
        done = subprocess.run([sys.executable, "-m", "mypy", "--version"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            self.skipTest("mypy is not installed")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", folder],
                                  cwd=ROOT, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)

    @unittest.skipUnless(os.environ.get("PW_WHEEL"), "PW_WHEEL=1 builds the wheel, twice")
    def test_the_wheel_holds_the_library(self):
        """A source archive of the tree, and the wheel that is built from it: twice the same bytes."""
        with tempfile.TemporaryDirectory() as folder:
            run = [sys.executable, "-m", "venv", folder + "/venv"]
            subprocess.run(run, check=True)
            python = folder + "/venv/bin/python"
            subprocess.run([python, "-m", "pip", "install", "-q", "build"], check=True)
            files = [{}, {}]
            for number, made in enumerate(files):
                out = pathlib.Path(folder, str(number))
                subprocess.run([python, "-m", "build", "-o", out, ROOT], check=True, stdout=subprocess.PIPE,
                               env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
                made.update({path.name: path.read_bytes() for path in out.iterdir()})
            self.assertEqual(len(files[0]), 2, files[0].keys())
            self.assertTrue(files[0] == files[1], "two builds differ")
            wheel, = pathlib.Path(folder, "0").glob("*.whl")
            subprocess.run([python, "-m", "pip", "install", "-q", wheel], check=True)
            clean = {name: value for name, value in os.environ.items()
                     if name not in ("POINTER_WARS_LIBRARY", "POINTER_WARS_BFS", "PYTHONPATH")}
            code = ("import pointer_wars as p; print("
                    f"p.load({str(SAMPLE)!r}).hops('Laos', 'Poland'))")
            done = subprocess.run([python, "-c", code], cwd=folder, env=clean, check=True,
                                  stdout=subprocess.PIPE, text=True)
            self.assertEqual(done.stdout, "3\n")

    def test_doctest_finds_every_example(self):
        found = {test.docstring for module in MODULES
                 for test in doctest.DocTestFinder().find(module)}
        for kind in {value for module in MODULES for value in vars(module).values()
                     if isinstance(value, type) and value.__module__.startswith("pointer_wars")}:
            for member in (kind, *vars(kind).values()):
                text = getattr(getattr(member, "__func__", member), "__doc__", None) or ""
                if ">>>" in text and text != type(member).__doc__:  # of a number it is int's
                    self.assertIn(text, found)


MODULES = (pointer_wars, _native, nodes, graphs, answers, convert, drawing, familiar, race, search,
           tables)


def load_tests(loader, tests, pattern):
    """The examples in the docstrings run, too, from the root of the tree."""
    for module in MODULES:
        tests.addTests(doctest.DocTestSuite(
            module, extraglobs={"Graph": Graph},
            optionflags=doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL))
    return tests


if __name__ == "__main__":
    print(f"PW_TEST_SEED={SEED}", flush=True)
    os.chdir(ROOT)
    assert ctypes.sizeof(_native.Options) % 8 == 0
    unittest.main(verbosity=2)
