#!/usr/bin/env python3
"""test_library_cxx.py - libpwgraph from C++: pwgraph.h compiles as every C++ from 11 to 20 with g++ and
clang++, and the programs in bfs/pwgraph/examples say what a plain search in Python finds, on the land
borders of the world and on random graphs.

PW_SOURCE and PW_BUILD are the tree and the build; PW_TEST_SEED=N repeats a run. Skipped (77) without
a C++ compiler, and in a build without the library.
"""
import collections
import concurrent.futures
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE, BUILD = pathlib.Path(os.environ["PW_SOURCE"]), pathlib.Path(os.environ["PW_BUILD"])
SANITIZE = os.environ.get("PW_SANITIZE", "")
EXAMPLES = SOURCE / "bfs/pwgraph/examples"
COMPILERS = [name for name in ["g++", "clang++"] if shutil.which(name)]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
SEED = int(os.environ.get("PW_TEST_SEED", time.time_ns()))


def compile_all(commands):
    """Run compilers, two at a time. Returns what they complained of."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return "".join(pool.map(lambda words: subprocess.run(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8").stdout, commands))


class Graph:
    """A text of edges, and what a plain search finds in it."""

    def __init__(self, path):
        self.path = path
        self.out, self.into = collections.defaultdict(list), collections.defaultdict(list)
        self.names, self.edges = [], 0
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                source, target = line.split("\t")
                self.names += [name for name in (source, target) if name not in self.out]
                self.out[source].append(target)
                self.into[target].append(source)
                self.out[target], self.into[source] = self.out[target], self.into[source]
                self.edges += 1
        self.names = list(dict.fromkeys(self.names))

    def distances(self, start, lists, avoided=()):
        """Hops to each node that is reached, by levels; of the start itself 0."""
        found, waiting = {start: 0}, collections.deque([start])
        while waiting:
            node = waiting.popleft()
            for other in lists[node]:
                if other not in found and other not in avoided:
                    found[other] = found[node] + 1
                    waiting.append(other)
        return found

    def hops(self, source, target, avoided=()):
        """Of a shortest path with at least one edge; None if no path exists."""
        if source in avoided or target in avoided:
            return None
        found = self.distances(source, self.out, avoided)
        ends = [found[u] + 1 for u in self.into[target] if u in found]
        return min(ends, default=None)

    def all_paths(self, source, target):
        """All shortest paths of two different nodes."""
        found = self.distances(source, self.out)
        if target not in found:
            return []
        paths = [[target]]
        while paths[0][0] != source:
            paths = [[u, *path] for path in paths for u in sorted(set(self.into[path[0]]))
                     if found.get(u) == found[path[0]] - 1]
        return paths


class Cxx(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        folder = cls.folder = pathlib.Path(cls.scratch.name)
        compiler = "clang++" if "clang" in os.environ.get("PW_CC", "") else COMPILERS[0]
        cls.programs = sorted(path.stem for path in EXAMPLES.glob("*.cc"))
        cls.complaints = compile_all(
            [compiler, "-std=c++17", *WARNINGS, *([f"-fsanitize={SANITIZE}"] if SANITIZE else []),
             "-pthread", "-I", BUILD / "include", EXAMPLES / f"{name}.cc", "-o", folder / name,
             "-L", BUILD / "lib", "-lpwgraph", "-lqueue", "-llinked_list"] for name in cls.programs)
        generator = random.Random(SEED)
        cls.graphs = [Graph(SOURCE / "data/sample/borders.tsv")]
        for i in range(3):
            nodes, path = generator.randint(2, 40), folder / f"random-{i}.tsv"
            path.write_text("".join(f"n{generator.randrange(nodes)}\tn{generator.randrange(nodes)}\n"
                                    for _ in range(nodes + generator.randrange(nodes))))
            cls.graphs.append(Graph(path))
        cls.generator = generator

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def run_it(self, program, *words):
        done = subprocess.run([self.folder / program, *map(str, words)], encoding="utf-8", timeout=1200,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=dict(os.environ, LD_LIBRARY_PATH=str(BUILD / "lib")))
        self.assertEqual(done.returncode, 0, f"{program} {words}: {done.stderr}")
        return done.stdout.splitlines()

    def pairs(self):
        """Each graph, with some pairs of different nodes."""
        for graph in self.graphs:
            for _ in range(4):
                if len(graph.names) > 1:
                    yield graph, *self.generator.sample(graph.names, 2)

    def test_the_programs_compile_without_a_warning(self):
        self.assertEqual(self.complaints, "")
        self.assertEqual(self.programs, ["all_paths", "distances", "limits", "look", "make", "open",
                                         "search"])
        page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
        for name in self.programs:
            self.assertIn(f"`{name}.cc`", page)

    def test_the_header_compiles_as_every_cxx(self):
        text = self.folder / "header.cc"
        text.write_text("#include <pwgraph.h>\n#include <pwgraph.h>\n"
                        "unsigned version() { return pwgraph_version(); }\n")
        self.assertEqual(compile_all(
            [compiler, f"-std=c++{standard}", *WARNINGS, "-fsyntax-only", "-I", BUILD / "include", text]
            for compiler in COMPILERS for standard in [11, 14, 17, 20]), "")

    def test_open(self):
        for graph in self.graphs:
            loops = sum(targets.count(name) for name, targets in graph.out.items())
            self.assertEqual(self.run_it("open", graph.path),
                             [f"{len(graph.names)} nodes, {2 * graph.edges - loops} edges"])
        done = subprocess.run([self.folder / "open", self.folder / "none"], encoding="utf-8",
                              stderr=subprocess.PIPE,
                              env=dict(os.environ, LD_LIBRARY_PATH=str(BUILD / "lib")))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^open: .*none: cannot be opened: ")

    def test_look(self):
        for graph in self.graphs:
            prefix = self.generator.choice(graph.names)[:1]
            found = [name for name in graph.names if name.startswith(prefix)]
            head, *lines, random = self.run_it("look", graph.path, prefix)
            self.assertTrue(graph.out[random.removeprefix("at random: ")])
            self.assertEqual(head, f"{min(5, len(found))} of {len(found)} names")
            degrees = []
            for line in lines:
                name = line.partition(",")[0]
                self.assertEqual(line, f"{name}, {len(graph.into[name])} in:"
                                 + "".join(f" {other}" for other in graph.out[name]))
                degrees.append(len(graph.into[name]) + len(graph.out[name]))
            wanted = sorted((len(graph.into[n]) + len(graph.out[n]) for n in found), reverse=True)
            self.assertEqual(degrees, wanted[:5])

    def test_make(self):
        for count in [2, 3, 70]:
            lines = self.run_it("make", count, self.folder / "ring.pwg")
            self.assertEqual(lines, [f"{count - 1} hops from 1 to 0"] * 3)

    def test_search(self):
        for graph, source, target in self.pairs():
            lines = self.run_it("search", graph.path, source, target)
            path = [line for line in lines if ": " not in line]
            hops = graph.hops(source, target)
            self.assertEqual(len(path), 0 if hops is None else hops + 1, (SEED, source, target))
            if path:
                self.assertEqual((path[0], path[-1]), (source, target))
            for u, v in zip(path, path[1:]):
                self.assertIn(v, graph.out[u])
            wanted = collections.Counter(graph.hops(source, name) for name in graph.names)
            self.assertEqual(lines[len(path):],
                             [f"{hops}: {wanted[hops]}" for hops in sorted(set(wanted) - {None})]
                             + ([f"no path: {wanted[None]}"] if wanted[None] else []))

    def test_distances(self):
        for graph, node, _ in self.pairs():
            there = graph.distances(node, graph.out)
            back = graph.distances(node, graph.into)
            rows = [line.split("\t") for line in self.run_it("distances", graph.path, node)]
            self.assertEqual(sorted(row[0] for row in rows), sorted(graph.names))
            for name, to, away, parent in rows:
                self.assertEqual((to, away), (str(there.get(name, "-")), str(back.get(name, "-"))))
                self.assertEqual(parent == "-", name == node or name not in there)
                if parent != "-":
                    self.assertIn(name, graph.out[parent])
                    self.assertEqual(there[parent], there[name] - 1)

    def test_all_paths(self):
        for graph, source, target in self.pairs():
            wanted = graph.all_paths(source, target)
            count, *rows = self.run_it("all_paths", graph.path, source, target)
            self.assertEqual(count, f"{len(wanted)} paths", (SEED, source, target))
            self.assertEqual(len(rows), min(100, len(wanted)))
            self.assertLessEqual({tuple(row.split("\t")) for row in rows}, set(map(tuple, wanted)))
            self.assertEqual(len(set(rows)), len(rows))

    def test_limits(self):
        for graph, source, target in self.pairs():
            path = (graph.all_paths(source, target) or [[]])[0]
            for avoided in [[], path[1:2], self.generator.sample(graph.names, 2)]:
                hops = graph.hops(source, target, avoided)
                lines = self.run_it("limits", graph.path, source, target, *avoided)
                self.assertEqual(lines, ["no path" if hops is None else f"{hops} hops", "cancelled"],
                                 (SEED, source, target, avoided))


if __name__ == "__main__":
    if not COMPILERS or not (BUILD / "lib/libpwgraph.so").exists() or SANITIZE == "memory":
        print("skipped: no C++ compiler (package g++), or no library that it could use, in this build")
        sys.exit(77)
    print(f"PW_TEST_SEED={SEED}", flush=True)
    unittest.main()
