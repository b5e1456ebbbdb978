"""perf/study ideas: the page's commands as they are typed, and three bounds found by other means.

PW_BUILD: the build (default: release)
"""
import csv
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("PW_BUILD") or SOURCE / "build" / "release")
PAGE = SOURCE / "perf" / "studylib" / "ideas.md"
TINY = ["--nodes", "2000", "--edges", "25000", "--pairs", "3", "--rounds", "1"]
sys.dont_write_bytecode = True
sys.path[:0] = [str(SOURCE / "perf" / "studylib")]

import ideas  # noqa: E402


def run(top, *words):
    return subprocess.run([sys.executable, str(SOURCE / "perf" / "study"), "ideas", "--bin", str(BUILD / "bin"),
                           *words], capture_output=True, text=True, check=False, cwd=top, timeout=1200)


def walk(rows, source, target):
    """(pushed, expanded) of the challenge's search, by lists of Python."""
    waiting, marked, current, pushed, at = [], set(), source, 0, 0
    while True:
        is_found = False
        if current in rows and current not in marked:
            marked.add(current)
            waiting += rows[current]
            pushed += len(rows[current])
            is_found = target in rows[current]
        if at == len(waiting) or is_found:
            return pushed, len(marked)
        current = waiting[at]
        at += 1


class Ideas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.top = pathlib.Path(cls.folder.name)
        cls.done = run(cls.top, *TINY, "--output", "out")
        with open(cls.top / "out" / "results.csv", encoding="utf-8", newline="") as file:
            cls.rows = {row["case"]: row for row in csv.DictReader(file)}
        cls.text = cls.done.stdout

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def bound(self, name):
        found = re.search(rf"^{name}  .*?  +([\d.,]+)(  .*)?$", self.text, re.M)
        self.assertIsNotNone(found, self.text + self.done.stderr)
        return float(found[1].replace(",", ""))

    def test_every_idea_of_the_page_has_a_row(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        named = re.findall(r"^\| ([a-z][\w ]+?) \| [A-Z]", PAGE.read_text(), re.M)
        named = [name.replace("shared object or", "shared or") for name in named if name != "idea"]
        self.assertEqual(named, [idea.name for idea in ideas.IDEAS])
        for name in named:
            self.assertIn(name, self.text)

    def test_the_commands_of_the_page_are_understood(self):
        typed = [shlex.split(line) for line in PAGE.read_text().splitlines()
                 if line.startswith("    perf/study ideas")]
        self.assertEqual(len(typed), 2)
        for words in typed:
            options = ideas.parse(words[2:])
            self.assertGreaterEqual(options.pairs, 3)

    def test_a_perfect_mark_by_a_search_in_python(self):
        convert, graph, pairs = BUILD / "bin" / "graph-convert", self.top / "g.mtx", self.top / "p.txt"
        subprocess.run([convert, "--quiet", "generate:nodes=2000,edges=25000,seed=1", graph], check=True)
        subprocess.run([convert, "--quiet", "--pairs=3", "--seed=1", graph, pairs], check=True)
        rows = {}
        edges = [line for line in graph.read_text().splitlines() if not line.startswith("%")][1:]
        for line in edges:
            source, target = line.split()
            rows.setdefault(source, []).append(target)
        counts = [walk(rows, *line.split()[:2]) for line in pairs.read_text().splitlines() if line[:1].isdigit()]
        pushed, expanded = map(sum, zip(*counts))
        self.assertAlmostEqual(self.bound("visited mark"), pushed / expanded, 1)

    def test_bytes_of_a_copy_by_the_compiler(self):
        source = self.top / "size.c"
        source.write_text("#include <linked_list.h>\n_Static_assert(sizeof(struct node) == 4 * sizeof(unsigned int), "
                          "\"\");\n")
        subprocess.run(["cc", "-fsyntax-only", "-I", BUILD / "include", "-I", SOURCE / "liblist", source],
                       check=True)
        self.assertEqual(self.bound("copies"), 4.0)

    def test_allocation_by_the_quotient_of_the_times(self):
        seconds = [float(self.rows[case]["seconds"]) for case in ("classic, malloc", "classic, replay")]
        self.assertAlmostEqual(self.bound("allocation"), seconds[0] / seconds[1], delta=0.01 * seconds[0] / seconds[1]
                               + 0.006)

    def test_misses_are_taken_from_the_time_of_a_push(self):
        search = type("Search", (), {"median": {"seconds": 6.0, "pushed": 3e8}.get})()  # 20 ns per push
        misses = type("Misses", (), {"median": {"branches": 0.5}.get})()
        cases = {"search": search, "simulated misses": misses}
        self.assertAlmostEqual(ideas.without("branches", 20e-9, "search")(cases), 2.0)
        self.assertEqual(ideas.without("branches", 40e-9, "search")(cases), "all of it")
        self.assertEqual(ideas.without("branches", 20e-9, "search")({"search": search}), "needs Valgrind")

    def test_branches_and_pages_have_bounds_where_a_search_can_be_simulated(self):
        done = subprocess.run([BUILD / "bin" / "bfs", "generate:nodes=2000,edges=25000,seed=1", "random:2,seed=1",
                               "--engine=classic", "--alloc=slab", "--sim=32K,8,64:48K,12,64:6M,12,4096",
                               "--quiet"], capture_output=True, text=True, check=False)
        if done.returncode != 0:  # test_simulation holds where it must not be so
            self.skipTest(done.stderr.strip())
        missed = 1 - float(re.search(r"branches predicted +([\d.]+) %", done.stdout)[1]) / 100
        self.assertGreater(missed, 0)
        self.assertGreater(self.bound("branches"), 1)
        self.assertGreaterEqual(self.bound("page size"), 1)

    def test_a_result_above_its_bound_is_marked(self):
        difference = type("Known", (), {"known": True, "ratio": 3.0})()
        self.assertEqual(ideas.remark(2.0, difference), "above its bound: see ideas.md")
        self.assertEqual((ideas.remark(4.0, difference), ideas.remark("not counted", difference)), ("", ""))

    def test_the_data_is_kept(self):
        summary = json.loads((self.top / "out" / "results.json").read_text())
        self.assertEqual(summary["schema"], "pointer-wars-study-ideas/1")
        self.assertGreater(min(float(row["seconds"]) for row in self.rows.values() if row["seconds"]), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
