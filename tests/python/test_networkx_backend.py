#!/usr/bin/env python3
"""test_networkx_backend.py - the backend pointer_wars answers as NetworkX itself does.

NetworkX is the judge on 300 random graphs, for every function that the backend offers.
PW_TEST_SEED=N repeats a run. PW_SUITE=1 runs NetworkX's own tests under the backend, too, which
takes some minutes and needs pytest-xdist.
"""
import contextlib
import inspect
import itertools
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import unittest
import warnings
from unittest import mock
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
OLDEST = (3, 5)  # from then on lengths are dicts, and all pairs an iterator


def fit_networkx():
    """True if NetworkX is there, and new enough; read from its metadata, not imported yet."""
    from importlib import metadata
    try:
        version = metadata.version("networkx")
    except metadata.PackageNotFoundError:
        return False
    return tuple(map(int, re.findall(r"\d+", version)[:2])) >= OLDEST


for reason, wrong in (("a sanitizer's library needs its run-time library first",
                       os.environ.get("PW_SANITIZE")),
                      ("the libraries are static archives in this build", not LIBRARY.exists()),
                      ("numpy is not installed: ./setup.sh test", not find_spec("numpy")),
                      (f"NetworkX {OLDEST[0]}.{OLDEST[1]} is not installed", not fit_networkx())):
    if wrong:
        print(f"skipped: {reason}")
        sys.exit(77)


def entry_points():
    """The entry points of pyproject.toml, as an installed package declares them."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found = re.findall(r'^\[project\.entry-points\."([\w.]+)"\]\n((?:\w+ = .*\n)+)', text, re.M)
    return "\n".join(f"[{group}]\n" + lines.replace('"', "") for group, lines in found)


INSTALLED = tempfile.TemporaryDirectory()
INFO = pathlib.Path(INSTALLED.name, "pointer_wars-1.dist-info")
INFO.mkdir()
(INFO / "METADATA").write_text("Metadata-Version: 2.1\nName: pointer-wars\nVersion: 1\n")
(INFO / "entry_points.txt").write_text(entry_points())
PATHS = [str(PACKAGE), INSTALLED.name]
os.environ.update(POINTER_WARS_LIBRARY=str(LIBRARY), PYTHONPATH=os.pathsep.join(PATHS),
                  PYTHONDONTWRITEBYTECODE="1")
sys.path[:0] = PATHS

import networkx  # noqa: E402

LOADED_BY_IT = [name for name in sys.modules if name.startswith("pointer_wars")]

import pointer_wars  # noqa: E402
import pointer_wars_networkx  # noqa: E402
from pointer_wars import networkx_backend as backend  # noqa: E402

networkx.config.warnings_to_ignore.add("cache")


def outcome(call):
    """What a call returns, iterators as lists; or what it raises."""
    try:
        found = call()
        if hasattr(found, "__next__"):
            found = list(found)
        return found
    except Exception as why:
        return type(why)


def plain(name, *args, **kwargs):
    """By NetworkX itself."""
    return outcome(lambda: getattr(networkx, name).orig_func(*args, **kwargs))


def dispatched(name, graph, *args, **kwargs):
    """By NetworkX with the backend."""
    return outcome(lambda: getattr(networkx, name)(graph, *args, backend="pointer_wars", **kwargs))


def node_objects(generator, count):
    """Different node objects of all kinds."""
    kinds = [lambda i: i, lambda i: -i - 1, str, lambda i: f"Ä {i}", lambda i: (i, "x"),
             lambda i: frozenset([i]), lambda i: i + 0.5, lambda i: bytes([i]),
             lambda i: ((i,), None)]
    kinds = [generator.choice(kinds)] if generator.random() < 0.5 else kinds
    return [generator.choice(kinds)(i) for i in range(count)]


def random_graph(generator):
    """A graph of any class of NetworkX, connected or not, with loops."""
    count = generator.choice([0, 1, 2, 3, 5, 8, 13, 21, 34])
    nodes = node_objects(generator, count)
    graph = generator.choice([networkx.Graph, networkx.DiGraph, networkx.MultiGraph,
                              networkx.MultiDiGraph])()
    graph.add_nodes_from(generator.sample(nodes, generator.randint(0, count)), colour="red")
    graph.add_nodes_from(nodes)
    for _ in range(int(count * generator.choice([0, 0.7, 1.5, 3, 6]))):
        graph.add_edge(generator.choice(nodes), generator.choice(nodes), weight=generator.random())
    return graph, nodes


class RandomGraphs(unittest.TestCase):
    """300 graphs of every class, with nodes of every kind."""

    def near(self, name, graph, *args, **kwargs):
        """The same, but for the order in which numbers are added up."""
        found = dispatched(name, graph, *args, **kwargs)
        if "seed" in kwargs:  # which NetworkX makes of a number before its function is called
            kwargs["seed"] = random.Random(kwargs["seed"])
        expected = plain(name, graph, *args, **kwargs)
        if isinstance(expected, dict):
            self.assertIsInstance(found, dict, (name, args, kwargs))
            self.assertEqual(list(found), list(expected) if name != "harmonic_centrality"
                             else [key for key in found if key in expected])
            self.assertEqual(set(found), set(expected))
        pairs = ([(found[key], value) for key, value in expected.items()]
                 if isinstance(expected, dict) else [(found, expected)])
        for one, other in pairs:
            if isinstance(other, type) or other != other:
                self.assertEqual(repr(one), repr(other), (name, args, kwargs))
            else:
                self.assertAlmostEqual(one, other, 9, (name, args, kwargs))

    def same(self, name, graph, *args, **kwargs):
        self.assertEqual(dispatched(name, graph, *args, **kwargs),
                         plain(name, graph, *args, **kwargs), (name, args, kwargs))

    def test_every_answer_is_networkxs(self):
        generator = random.Random(SEED)
        for _ in range(random_share(300)):
            graph, nodes = random_graph(generator)
            some = generator.sample(nodes, min(2, len(nodes)))
            with self.subTest(seed=SEED, graph=graph):
                for node in some + ["no node"]:
                    self.one_node(graph, node, generator.choice([None, 0, 1, 2, 3]))
                for source, target in itertools.product(some + ["no node"], repeat=2):
                    self.pair(graph, source, target)
                self.all_nodes(graph, some)
                self.components(graph)
                self.measures(graph, some, generator)

    def test_diameter_radius_and_center_are_networkxs(self):
        """Of 100 connected graphs, some of them with few edges more than a ring or a tree."""
        generator = random.Random(SEED + 1)
        for number in range(random_share(100)):
            count = generator.randint(1, 120)
            graph = (networkx.Graph, networkx.DiGraph)[number % 2]()
            graph.add_nodes_from(node_objects(generator, count))
            nodes = list(graph)
            for place, node in enumerate(nodes):  # a ring, or a tree whose edges lead both ways
                other = nodes[generator.randrange(max(1, place)) if number % 4 > 1 else place - 1]
                graph.add_edges_from([(other, node)] + [(node, other)] * (number % 4 > 1))
            for _ in range(generator.choice([0, 1, 3, count, 4 * count])):
                graph.add_edge(generator.choice(nodes), generator.choice(nodes))
            with self.subTest(seed=SEED, graph=graph):
                far = networkx.eccentricity.orig_func(graph)
                for name in ("eccentricity", "diameter", "radius"):
                    self.same(name, graph)
                self.assertEqual(dispatched("diameter", graph), max(far.values()))
                self.assertEqual(dispatched("center", graph),
                                 [node for node in graph if far[node] == min(far.values())])

    def measures(self, graph, some, generator):
        """What rates nodes or the graph."""
        self.same("periphery", graph)
        found, expected = dispatched("center", graph), plain("center", graph)
        if isinstance(expected, list):  # NetworkX has another order for a tree
            self.assertCountEqual(found, expected)
        else:
            self.assertEqual(found, expected)
        for improved in (True, False):
            self.near("closeness_centrality", graph, wf_improved=improved)
        self.near("harmonic_centrality", graph)
        for bunch in (some, [*some, "no node"], *some[:1], "no node", [[]]):
            self.near("harmonic_centrality", graph, bunch)
        for node in [*some, "no node"]:
            self.near("closeness_centrality", graph, node)
        for normalized, endpoints in itertools.product((True, False), repeat=2):
            for k in (None, -1, 0, 1, len(graph) // 2, len(graph), len(graph) + 1):
                self.near("betweenness_centrality", graph, k, normalized, endpoints=endpoints,
                          seed=generator.randint(0, 9))

    def one_node(self, graph, node, limit):
        for name in ("descendants", "ancestors", "bfs_layers", "bfs_tree", "bfs_edges",
                     "bfs_predecessors", "bfs_successors", "eccentricity",
                     "single_source_shortest_path", "single_source_shortest_path_length",
                     "single_target_shortest_path_length"):
            if name == "bfs_tree":
                trees = (dispatched(name, graph, node), plain(name, graph, node))
                self.assertEqual(*(tree if isinstance(tree, type) else [*tree.edges, *tree]
                                   for tree in trees))
            else:
                self.same(name, graph, node)
        for name in ("bfs_edges", "bfs_predecessors", "bfs_successors"):
            self.same(name, graph, node, depth_limit=limit)
        for name in ("single_source_shortest_path", "single_source_shortest_path_length",
                     "single_target_shortest_path_length"):
            self.same(name, graph, node, cutoff=limit)
        for distance in (-1, 0, 1, 2, 2.0, 0.5, backend.NONE):
            self.same("descendants_at_distance", graph, node, distance)
        for name in ("shortest_path", "shortest_path_length"):
            self.same(name, graph, node)
        self.same("shortest_path_length", graph, None, node)
        lengths = dispatched("single_source_shortest_path_length", graph, node)
        if isinstance(lengths, dict):
            self.assertEqual(list(lengths.values()), sorted(lengths.values()))
        for cutoff in (None, limit):  # equally short paths may be others
            found = dispatched("single_target_shortest_path", graph, node, cutoff=cutoff)
            expected = plain("single_target_shortest_path", graph, node, cutoff=cutoff)
            self.assertEqual(isinstance(found, dict), isinstance(expected, dict), found)
            if isinstance(found, dict):
                self.assertEqual(set(found), set(expected))
                for source, path in found.items():
                    self.valid(graph, path, source, node, len(expected[source]))
        found = dispatched("bfs_edges", graph, node, reverse=True)
        if isinstance(found, list):
            reached = [child for _, child in found]
            self.assertEqual(set(reached), plain("ancestors", graph, node))
            self.assertEqual(len(reached), len(set(reached)))

    def components(self, graph):
        kinds = ("weakly_", "strongly_") if graph.is_directed() else ("",)
        for kind in kinds:
            self.same(f"is_{kind}connected", graph)
            self.same(f"number_{kind}connected_components", graph)
            found, expected = (call(f"{kind}connected_components", graph)
                               for call in (dispatched, plain))
            if kind != "strongly_":
                self.assertEqual(found, expected)
                continue
            self.assertCountEqual(found, expected)
            place = {node: i for i, one in enumerate(found) for node in one}
            for source, target in graph.edges():
                self.assertGreaterEqual(place[source], place[target])
        for node in [] if graph.is_directed() else [*graph, "no node"]:
            self.same("node_connected_component", graph, node)

    def valid(self, graph, path, source, target, length):
        self.assertEqual((path[0], path[-1], len(path)), (source, target, length))
        self.assertTrue(networkx.is_path(graph, path), path)

    def pair(self, graph, source, target):
        expected = plain("shortest_path", graph, source, target)
        for name in ("shortest_path", "bidirectional_shortest_path"):
            found = dispatched(name, graph, source, target)
            if isinstance(expected, list):
                self.valid(graph, found, source, target, len(expected))
            else:
                self.assertEqual(found, expected)
        self.same("shortest_path_length", graph, source, target)
        self.same("has_path", graph, source, target)
        paths = [generated if isinstance(generated, type) else sorted(map(repr, generated))
                 for generated in (dispatched("all_shortest_paths", graph, source, target),
                                   plain("all_shortest_paths", graph, source, target))]
        self.assertEqual(*paths)

    def all_nodes(self, graph, some):
        for name in ("eccentricity", "diameter", "radius", "average_shortest_path_length"):
            self.same(name, graph)
        self.same("average_shortest_path_length", graph, method="unweighted")
        self.same("eccentricity", graph, some)
        self.same("eccentricity", graph, [*some, "no node"])
        for name in ("shortest_path", "shortest_path_length", "all_pairs_shortest_path"):
            self.same(name, graph)
        for cutoff in (None, 1):
            self.same("all_pairs_shortest_path_length", graph, cutoff=cutoff)
        layers = dispatched("bfs_layers", graph, some)
        expected = plain("bfs_layers", graph, some)
        self.assertEqual(list(map(set, layers)), list(map(set, expected)))


class Conversion(unittest.TestCase):
    """Once per graph, until it changes; and never for a Graph."""

    @contextlib.contextmanager
    def conversions(self, wanted):
        with mock.patch.object(backend, "convert_from_nx", side_effect=backend.convert_from_nx
                               ) as there, mock.patch.object(
                backend, "convert_to_nx", side_effect=backend.convert_to_nx) as back:
            yield
        self.assertEqual((there.call_count, back.call_count), wanted)

    def test_a_graph_is_converted_once_until_it_changes(self):
        graph = networkx.path_graph(10)
        with self.conversions((1, 0)):
            for target in (9, 5, 0):
                path = networkx.shortest_path(graph, 0, target, backend="pointer_wars")
                self.assertEqual(path, list(range(target + 1)))
            self.assertEqual(networkx.diameter(graph, backend="pointer_wars"), 9)
        changes = (lambda: graph.add_edge(0, 9), lambda: graph.remove_edge(0, 9),
                   lambda: graph.add_node("new"), lambda: graph.remove_node(4))
        for change, expected in zip(changes, ([0, 9], list(range(10)), list(range(10)),
                                              networkx.NetworkXNoPath)):
            change()
            with self.conversions((1, 0)):
                self.assertEqual(dispatched("shortest_path", graph, 0, 9), expected)

    def test_views_and_other_graphs_like_them_are_converted(self):
        graph = networkx.cycle_graph(6, create_using=networkx.DiGraph)
        reverse = graph.reverse(copy=False)
        self.assertEqual(dispatched("shortest_path", reverse, 0, 4), [0, 5, 4])
        part = networkx.subgraph_view(graph, filter_node=lambda node: node != 5)
        self.assertEqual(dispatched("has_path", part, 4, 0), False)
        several = networkx.MultiGraph([(0, 1), (0, 1), (1, 2)])
        few = networkx.subgraph_view(several, filter_edge=lambda u, v, key: {u, v} == {0, 1})
        self.assertEqual(dispatched("connected_components", few), [{0, 1}, {2}])  # its len() lies

    def test_a_view_answers_for_the_graph_of_now(self):
        """What is asked of a view, before and after its graph changed, is what a copy says."""
        views = {
            "reverse": lambda g: g.reverse(copy=False),
            "undirected": lambda g: g.to_undirected(as_view=True),
            "directed": lambda g: g.to_directed(as_view=True),
            "copy": lambda g: g.copy(as_view=True),
            "subgraph": lambda g: g.subgraph("abcdefg"),
            "edge_subgraph": lambda g: g.edge_subgraph([*zip("abcdef", "bcdefg"), ("b", "f")]),
            "restricted": lambda g: networkx.restricted_view(g, ["h"], [("c", "d")]),
            "filtered": lambda g: networkx.subgraph_view(g, filter_edge=lambda u, v: u != "h"),
            "view of views": lambda g: g.subgraph("abcdefgh").reverse(copy=False).subgraph("abcdefg"),
        }
        changes = [lambda g: g.add_edge("b", "f"), lambda g: g.add_edge("f", "b"),
                   lambda g: g.remove_edge("b", "c"), lambda g: g.add_node("i"),
                   lambda g: g.remove_node("d")]
        for kind, (name, view) in itertools.product((networkx.DiGraph, networkx.Graph,
                                                     networkx.MultiDiGraph), views.items()):
            if kind is networkx.Graph and "view of" in name or (
                    kind is not networkx.DiGraph and name in ("reverse", "edge_subgraph",
                                                              "restricted", "filtered")):
                continue
            graph = kind(zip("abcdefgh", "bcdefgha"))
            seen = view(graph)
            for change in [lambda g: None, *changes]:
                change(graph)
                for source, target in ("ag", "ga", "bf", "fb"):
                    with self.subTest(kind=kind, view=name, source=source, target=target):
                        self.assertEqual(dispatched("shortest_path_length", seen, source, target),
                                         plain("shortest_path_length", seen.copy(), source, target))

    def test_attributes_are_not_lost_silently(self):
        graph = networkx.path_graph(3)
        for wanted in ({"edge_attrs": {"weight": 1}}, {"node_attrs": {"colour": None}},
                       {"preserve_edge_attrs": True}, {"preserve_node_attrs": True}):
            with self.assertRaises(NotImplementedError):
                backend.convert_from_nx(graph, **wanted)

    def test_a_loaded_graph_is_asked_as_it_is(self):
        loaded = pointer_wars.load(SAMPLE)
        with tempfile.TemporaryDirectory() as folder:
            loaded.save(os.path.join(folder, "borders.pwg"))
            graph = pointer_wars.load(os.path.join(folder, "borders.pwg"), by_block=True)
            with self.conversions((0, 0)):
                self.assertEqual(next(networkx.bfs_edges(graph, "Laos", depth_limit=1))[0], "Laos")
                self.assertEqual(networkx.shortest_path(graph, "Laos", "Poland"),
                                 ["Laos", "China", "Russia", "Poland"])
                self.assertEqual(networkx.shortest_path_length(graph, "Laos", "Poland"), 3)
                self.assertTrue(networkx.has_path(graph, source="Laos", target="Poland"))
                self.assertEqual(next(networkx.bfs_layers(graph, "Laos")), ["Laos"])
                self.assertIn("Poland", networkx.descendants_at_distance(graph, "Laos", 3))
                self.assertEqual(dict(networkx.all_pairs_shortest_path_length(graph))["Laos"][
                    "Poland"], 3)
                for call, error in (
                        (lambda: networkx.shortest_path(graph, "Laos", "Polnd"),
                         networkx.NodeNotFound),
                        (lambda: networkx.shortest_path(graph, "Laos", "Iceland"),
                         networkx.NodeNotFound),
                        (lambda: networkx.descendants(graph, "Polnd"), networkx.NetworkXError)):
                    with self.assertRaises(error):
                        call()
            whole = graph.to_networkx()
            for name, arguments in (("single_source_shortest_path_length", ["Laos"]),
                                    ("single_target_shortest_path_length", ["Laos"]),
                                    ("descendants", ["Laos"]), ("ancestors", ["Laos"]),
                                    ("bfs_edges", ["Laos"]), ("bfs_successors", ["Laos"]),
                                    ("single_source_shortest_path", ["Laos"]),
                                    ("eccentricity", []), ("all_pairs_shortest_path", [])):
                self.assertEqual(dispatched(name, graph, *arguments),
                                 plain(name, whole, *arguments), name)
            graph.close()
            with self.assertRaises(pointer_wars.PointerWarsError):
                networkx.shortest_path(graph, "Laos", "Poland")

    def test_numbered_nodes_and_repeated_edges(self):
        with tempfile.TemporaryDirectory() as folder:
            place = os.path.join(folder, "graph.gr")
            edges = [(1, 2), (1, 2), (2, 3), (1, 3), (3, 4), (3, 4), (5, 1)]
            with open(place, "w", encoding="ascii") as file:
                file.write("p sp 5 7\n" + "".join(f"a {u} {v} 1\n" for u, v in edges))
            with self.assertWarns(pointer_wars.PointerWarsWarning):  # weights are ignored
                graph = pointer_wars.load(place)
        self.assertEqual(graph.first_node, 1)
        whole = graph.to_networkx()
        self.assertEqual(networkx.shortest_path(graph, 5, 4), [5, 1, 3, 4])
        for name, node in itertools.product(
                ("bfs_edges", "bfs_successors", "descendants", "single_source_shortest_path",
                 "single_target_shortest_path", "bfs_layers", "ancestors"), whole):
            self.assertEqual(dispatched(name, graph, node), plain(name, whole, node), (name, node))
        self.assertEqual(sorted(networkx.all_shortest_paths(graph, 5, 4)), [[5, 1, 3, 4]])

    def test_what_the_backend_lacks_falls_back(self):
        graph = pointer_wars.load(SAMPLE)
        self.assertTrue(graph.is_directed())
        self.assertFalse(graph.is_multigraph())
        with self.assertRaises(NotImplementedError):
            networkx.is_eulerian(graph)
        with networkx.config(fallback_to_nx=True), self.conversions((0, 1)):  # which is kept
            self.assertFalse(networkx.is_eulerian(graph))
            self.assertEqual(networkx.dijkstra_path_length(graph, "Laos", "Poland"), 3)

    def weighted(self, kind):
        """A graph in which the shortest path by weight has two edges, that by edges has one."""
        graph = kind()
        graph.add_weighted_edges_from([(0, 2, 5), (0, 1, 1), (1, 2, 1)])
        return graph

    def test_a_weighted_question_is_refused_to_whoever_asked(self):
        loaded = pointer_wars.load(SAMPLE)
        with self.assertWarnsRegex(pointer_wars.PointerWarsWarning, "weights are left out"):
            made = pointer_wars.Graph.from_networkx(self.weighted(networkx.DiGraph))
        for graph, fallback in itertools.product((loaded, made), (False, True)):
            ends = list(graph)[:3:2]
            with networkx.config(fallback_to_nx=fallback):
                for call in (
                        lambda: networkx.shortest_path(graph, *ends, weight="weight"),
                        lambda: networkx.shortest_path(graph, *ends, "km"),
                        lambda: networkx.shortest_path_length(graph, *ends, weight=lambda *_: 2),
                        lambda: networkx.shortest_path(graph, *ends, weight="km",
                                                       backend="pointer_wars"),
                        lambda: list(networkx.all_shortest_paths(graph, *ends, weight="km")),
                        lambda: networkx.average_shortest_path_length(graph, "km"),
                        lambda: networkx.diameter(graph, weight="weight")):
                    with self.assertRaisesRegex(ValueError, "weight: edges have no weights here"):
                        call()

    def test_a_weighted_question_of_networkxs_own_graph_is_refused_in_words_or_is_networkxs(self):
        there = self.weighted(networkx.DiGraph)
        asked = [(name, rule[0]) for name, rules in backend.UNFIT.items() for rule in rules
                 if rule[3] == backend.NO_WEIGHTS]
        for is_converted, weight in itertools.product((False, True), ("weight", "km", len)):
            if is_converted:
                networkx.shortest_path(there, 0, 2, backend="pointer_wars")
            for name, argument in asked:
                arguments = {"source": 0, "target": 2}
                known = inspect.signature(getattr(networkx, name).orig_func).parameters
                given = {key: value for key, value in arguments.items() if key in known}
                with self.subTest(name), self.assertRaisesRegex(
                        ValueError, "edges have no weights here"):
                    getattr(networkx, name)(there, backend="pointer_wars", **given,
                                            **{argument: weight})
        with networkx.config.backend_priority(algos=["pointer_wars"]):
            self.assertEqual(networkx.shortest_path(there, 0, 2, weight="weight"), [0, 1, 2])

    def test_no_edge_becomes_1_in_silence_where_weights_were_left_out(self):
        for kind in (networkx.Graph, networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph):
            with self.assertWarnsRegex(pointer_wars.PointerWarsWarning, "weights are left out"):
                graph = pointer_wars.Graph.from_networkx(self.weighted(kind))
            with networkx.config(fallback_to_nx=True):
                self.assertEqual(networkx.shortest_path(graph, 0, 2), [0, 2])
                self.assertEqual(networkx.transitivity(graph), 1 if not graph.directed else
                                 networkx.transitivity(self.weighted(networkx.DiGraph)))
                for call in (lambda: networkx.dijkstra_path(graph, 0, 2),
                             lambda: networkx.bellman_ford_path(graph, 0, 2),
                             lambda: networkx.floyd_warshall(graph),
                             lambda: networkx.is_weighted(graph),
                             lambda: networkx.dijkstra_path(networkx.reverse_view(
                                 backend.convert_to_nx(graph)), 2, 0) if graph.directed else
                             networkx.dijkstra_path(backend.convert_to_nx(graph), 0, 2),
                             lambda: networkx.dijkstra_path(backend.convert_to_nx(
                                 graph).to_undirected(), 0, 2),
                             lambda: networkx.dijkstra_path(backend.convert_to_nx(
                                 graph).to_directed(), 0, 2)):
                    with self.assertRaisesRegex(ValueError, "edges have no weights here"):
                        call()

    def test_weights_of_1_and_questions_without_weights_warn_of_nothing(self):
        ones = networkx.DiGraph()
        ones.add_weighted_edges_from([(0, 1, 1), (1, 2, 1.0)])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            graph = pointer_wars.Graph.from_networkx(ones)
            with networkx.config(fallback_to_nx=True):
                self.assertEqual(networkx.dijkstra_path(graph, 0, 2), [0, 1, 2])
            there = self.weighted(networkx.Graph)
            self.assertEqual(networkx.shortest_path(there, 0, 2, backend="pointer_wars"), [0, 2])

    def test_a_file_with_weights_is_refused_them_too(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder, "roads.csv")
            place.write_text("source,target,km\na,b,5\na,c,1\nc,b,1\n", encoding="ascii")
            with self.assertWarns(pointer_wars.PointerWarsWarning):
                graph = pointer_wars.load(place)
        with networkx.config(fallback_to_nx=True):
            self.assertEqual(networkx.shortest_path(graph, "a", "b"), ["a", "b"])
            with self.assertRaisesRegex(ValueError, "km: edges have no weights here"):
                networkx.dijkstra_path(graph, "a", "b", weight="km")


class Choice(unittest.TestCase):
    """Which calls the backend takes."""

    def test_what_cannot_run_says_why(self):
        graph = networkx.path_graph(4)
        for name, arguments, named in (
                ("shortest_path", (graph, 0, 3, "weight"), {}),
                ("shortest_path_length", (graph,), {"weight": "weight"}),
                ("all_shortest_paths", (graph, 0, 3), {"weight": lambda u, v, data: 1}),
                ("closeness_centrality", (graph, None, "length"), {}),
                ("average_shortest_path_length", (graph, None, "dijkstra"), {}),
                ("bfs_edges", (graph, 0), {"sort_neighbors": sorted}),
                ("bfs_successors", (graph, 0, None, sorted), {}),
                ("eccentricity", (graph,), {"sp": {}}),
                ("diameter", (graph, {0: 1}), {}),
                ("harmonic_centrality", (graph,), {"sources": [0]}),
                ("radius", (graph,), {"usebounds": True})):
            with self.subTest(name), mock.patch.dict(os.environ, {"NETWORKX_TEST_BACKEND": ""}):
                reason = backend.can_run(name, arguments, named)
            self.assertRegex(reason, r"^\w+: .", name)
            with self.assertRaisesRegex(NotImplementedError, reason):  # in our words
                getattr(networkx, name)(*arguments, backend="pointer_wars", **named)
        self.assertIs(backend.can_run("shortest_path", (graph, 0, 3, None), {}), True)
        self.assertIs(backend.can_run("diameter", (graph,), {"usebounds": False}), True)

    def test_a_method_that_there_is_not_is_an_error(self):
        for name in ("shortest_path", "shortest_path_length"):
            for call in (plain, dispatched):
                self.assertEqual(call(name, networkx.path_graph(3), 0, 2, method="SPAM"),
                                 ValueError)

    def test_what_should_not_run_says_why(self):
        small, large = networkx.path_graph(10), networkx.path_graph(backend.SMALL)
        self.assertRegex(backend.should_run("shortest_path", (small, 0, 9), {}), "fewer than")
        for name, graph in (("shortest_path", large), ("bfs_edges", large), ("diameter", small),
                            ("shortest_path", pointer_wars.load(SAMPLE))):
            self.assertIs(backend.should_run(name, (graph,), {}), True)

    def test_by_priority_it_is_used_for_large_graphs_and_for_converted_ones(self):
        small, large = networkx.path_graph(10), networkx.path_graph(backend.SMALL)
        with networkx.config.backend_priority(algos=["pointer_wars"]), mock.patch.object(
                backend, "shortest_path", side_effect=backend.shortest_path) as used:
            self.assertEqual(networkx.shortest_path(small, 0, 2), [0, 1, 2])
            self.assertEqual(used.call_count, 0)
            self.assertEqual(networkx.shortest_path(large, 0, 2), [0, 1, 2])
            self.assertEqual(used.call_count, 1)
            networkx.diameter(small)
            self.assertEqual(networkx.shortest_path(small, 0, 2), [0, 1, 2])
            self.assertEqual(used.call_count, 2)

    def test_what_is_no_node_is_networkxs_error(self):
        graph = networkx.path_graph(4, create_using=networkx.DiGraph)
        for key, name in itertools.product(([], None, 4, "0", float("nan")), backend.FUNCTIONS):
            parameters = inspect.signature(getattr(networkx, name).orig_func).parameters
            for role in {"source", "target", "v"} & set(parameters):
                arguments = {other: 0 for other in ("source", "target") if other in parameters}
                arguments[role] = key
                if name == "descendants_at_distance":
                    arguments["distance"] = 0
                found, expected = (call(name, graph, **arguments) for call in (dispatched, plain))
                with self.subTest(name=name, arguments=arguments):
                    self.assertEqual(found, expected)

    def test_exceptions_have_networkxs_texts(self):
        def text(call):
            try:
                found = call()
                return list(found) if hasattr(found, "__next__") else None
            except Exception as why:
                return str(why)

        for kind, key in itertools.product((networkx.Graph, networkx.DiGraph),
                                           ([], 9, "0", {}, [[1], 1])):
            graph = networkx.path_graph(4, create_using=kind)
            for name in ("ancestors", "descendants", "bfs_edges", "bfs_predecessors", "bfs_layers",
                         "bfs_successors", "eccentricity", "single_source_shortest_path",
                         "single_target_shortest_path", "single_source_shortest_path_length"):
                texts = [text(lambda: call(graph, key)) for call in (
                    getattr(networkx, name).orig_func,
                    lambda *args: getattr(networkx, name)(*args, backend="pointer_wars"))]
                self.assertEqual(*texts, (name, key))


class Package(unittest.TestCase):
    """The entry points, and what they say."""

    def test_importing_networkx_does_not_load_the_library(self):
        self.assertEqual(LOADED_BY_IT, ["pointer_wars_networkx"])
        self.assertIn("pointer_wars", networkx.config.backends)
        self.assertIn("pointer_wars", networkx.shortest_path.__doc__)

    def test_the_functions_named_are_those_there_with_networkxs_arguments(self):
        info = pointer_wars_networkx.get_info()
        for name in info["functions"]:
            expected = inspect.signature(getattr(networkx, name).orig_func).parameters
            found = inspect.signature(getattr(backend, name)).parameters
            self.assertEqual([(one.name, one.default, one.kind) for one in found.values()],
                             [(one.name, one.default, one.kind) for one in expected.values()], name)
        dispatchable = {name for name in dir(backend) if hasattr(
            getattr(networkx, name, None), "orig_func")}
        self.assertEqual(dispatchable, set(info["functions"]))

    @unittest.skipUnless(os.environ.get("PW_SUITE"), "PW_SUITE=1 runs NetworkX's own tests")
    def test_networkxs_own_tests_pass(self):
        large = "test_tree_isomorph and (10 or 11 or 12 or 13 or 14)"  # two minutes of what 9 nodes ask
        command = [sys.executable, "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider",
                   "-n", str(os.cpu_count()), "-k", f"not ({large})", "--pyargs",
                   "networkx", "--tb"]  # thousands expected to fail: without traces
        for text, fallback, traces in (("with fallback", "1", "short"),
                                       ("without fallback", "", "no")):
            with self.subTest(text), tempfile.TemporaryDirectory() as folder:
                run = subprocess.run(
                    [*command, traces], cwd=folder, stdout=subprocess.PIPE, check=False,
                    stderr=subprocess.STDOUT, text=True,
                    env={**os.environ, "NETWORKX_TEST_BACKEND": "pointer_wars",
                         "NETWORKX_FALLBACK_TO_NX": fallback})
                print(f"{text}: {run.stdout.splitlines()[-1]}")
                self.assertEqual(run.returncode, 0, run.stdout[-20_000:])
                passed = int(re.findall(r"(\d+) passed", run.stdout)[-1])
                self.assertGreater(passed, 1000, run.stdout[-2_000:])


if __name__ == "__main__":
    print(f"seed: PW_TEST_SEED={SEED}")
    unittest.main(verbosity=2)
