#!/usr/bin/env python3
"""test_notebooks.py - the notebooks of the Python package run from top to bottom, without Jupyter.

Each code cell runs in one namespace, and the value of its last expression is rendered as a notebook
would do it. What the cells leave there is compared with a search written here and with what bfs
reports. A cell with the tag needs-PACKAGE is left out where that package is not installed, one with
needs-build where the programs of the small wiki are not built.
"""
import ast
import collections
import contextlib
import importlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom
from importlib.util import find_spec

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("PW_BUILD", ROOT / "build/release")).resolve()
LIBRARY = BUILD / "lib/libpwgraph.so"
BFS = BUILD / "bin/bfs"
NOTEBOOKS = ROOT / "python/notebooks"
SAMPLE = ROOT / "data/sample/borders.tsv"

for reason, wrong in (("a sanitizer's library needs its run-time library first",
                       os.environ.get("PW_SANITIZE")),
                      ("the libraries are static archives in this build", not LIBRARY.exists()),
                      ("numpy is not installed: ./setup.sh test", not find_spec("numpy"))):
    if wrong:
        print(f"skipped: {reason}")
        sys.exit(77)

os.environ.update(POINTER_WARS_LIBRARY=str(LIBRARY), POINTER_WARS_BFS=str(BFS), MPLBACKEND="Agg",
                  PW_BUILD=str(BUILD))
sys.path.insert(0, str(ROOT / "python/src"))


def is_there(name):
    """True if a package can be imported, or the programs that a notebook calls are built."""
    if name == "build":
        return all((BUILD / program).exists()
                   for program in ("tests/wikipedia-generate", "bin/wikipedia-import"))
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def rendered(value):
    """What a notebook shows of a value."""
    for method in ("_repr_svg_", "_repr_html_"):
        if hasattr(value, method):
            text = getattr(value, method)()
            if text is not None:
                if method == "_repr_svg_":
                    xml.dom.minidom.parseString(text)
                return text
    return repr(value)


class Run:
    """A notebook, run: its namespace, what each cell printed and showed, the packages it lacked."""

    def __init__(self, name):
        self.names, self.printed, self.shown, self.missing = {"__name__": "__main__"}, [], [], set()
        self.book = json.loads((NOTEBOOKS / name).read_text(encoding="utf-8"))
        for number, cell in enumerate(self.book["cells"]):
            if cell["cell_type"] != "code":
                continue
            needed = {tag[len("needs-"):] for tag in cell["metadata"].get("tags", [])
                      if tag.startswith("needs-")}
            missing = {package for package in needed if not is_there(package)}
            self.missing |= missing
            if not missing:
                self.cell("".join(cell["source"]), f"{name}, cell {number}")

    def cell(self, source, place):
        """Run a cell; its last expression is shown unless a semicolon ends it."""
        tree = ast.parse(source, place)
        last = None
        if isinstance(tree.body[-1], ast.Expr):
            last = ast.Expression(tree.body.pop().value)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, place, "exec"), self.names)
            if last is not None:
                value = eval(compile(last, place, "eval"), self.names)
                if value is not None and not source.rstrip().endswith(";"):
                    self.shown.append(rendered(value))
        self.printed.append(printed.getvalue())


def distances(lists, start, without=()):
    """Hops from a node to every node that has a path."""
    found, queue = {start: 0}, collections.deque([start])
    while queue:
        node = queue.popleft()
        for other in lists[node] - set(without):
            if other not in found:
                found[other] = found[node] + 1
                queue.append(other)
    return found


def sample_lists():
    """The neighbours of each country of the sample."""
    lists = collections.defaultdict(set)
    for line in SAMPLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            source, target = line.split("\t")[:2]
            lists[source].add(target)
            lists.setdefault(target, set())
    return lists


def path_count(lists, source, target):
    """The number of shortest paths, by the counts of the nodes before each node."""
    far, ways = distances(lists, source), collections.Counter({source: 1})
    for node in sorted(far, key=far.get):
        for other in lists[node]:
            if far[other] == far[node] + 1:
                ways[other] += ways[node]
    return ways[target]


class Notebooks(unittest.TestCase):
    """All notebooks, and what they leave in their namespaces."""

    def run_notebook(self, name):
        run = Run(name)
        if "matplotlib" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")
        if run.missing:
            print(f"{name}: without the cells that need {', '.join(sorted(run.missing))}")
        return run

    def test_a_question_has_the_answers_of_another_search(self):
        run = self.run_notebook("a_question.ipynb")
        names, lists = run.names, sample_lists()
        far = distances(lists, "Laos")

        self.assertEqual(len(names["graph"]), len(lists))
        for path, without in ((names["path"], []), (names["detour"], ["Russia"])):
            self.assertEqual((path[0], path[-1]), ("Laos", "Poland"))
            self.assertTrue(all(v in lists[u] for u, v in zip(path, list(path)[1:])))
            self.assertFalse(set(without) & set(path))
            self.assertEqual(path.hops, distances(lists, "Laos", without)["Poland"])
        self.assertEqual(names["longer"], names["detour"].hops - far["Poland"])
        self.assertEqual((names["paths"].hops, names["paths"].count),
                         (far["Italy"], path_count(lists, "Laos", "Italy")))
        counts = collections.Counter(far.values())
        self.assertEqual(list(names["histogram"]), [counts[d] for d in range(len(counts))])
        self.assertEqual(names["histogram"].unreached, len(lists) - len(far))
        self.assertIn("Poland", run.printed[3])  # the suggestion
        self.assertEqual(sum(text.startswith("<svg") for text in run.shown), 4)
        self.assertEqual(sorted(names["farthest"]),
                         sorted(node for node in far if far[node] == max(far.values())))
        self.assertAlmostEqual(float(names["reached"].mean()), sum(far.values()) / len(far))
        if "matplotlib" not in run.missing:
            self.assertEqual([bar.get_height() for bar in names["axes"].patches],
                             list(names["histogram"]))

    def test_a_race_has_the_distances_of_another_search(self):
        run = self.run_notebook("a_race.ipynb")
        names, lists = run.names, sample_lists()
        far = {country: distances(lists, country).get("Poland") for country in lists}
        self.assertEqual(dict(names["race"].links("Laos")), {u: far[u] for u in lists["Laos"]})
        steps = [far[u] - far[v] for u, v in zip(names["clicks"], names["clicks"][1:])]
        self.assertEqual(names["grades"], steps)
        self.assertEqual(sorted({far[task.start] for task in names["tasks"]}), [4])
        self.assertEqual((len(names["tasks"]), len(names["way"])), (5, 5))
        self.assertEqual([far[country] for country in names["way"]], [4, 3, 2, 1, 0])
        if "build" not in run.missing:
            wiki, goal = names["wiki"], names["goal"]
            lists = {page: set(wiki[page]) for page in wiki}
            for page in wiki.complete("", 20):
                self.assertEqual(goal.distance(page), distances(lists, page).get(goal.target))
            clicks = names["grades_of_luck"]
            self.assertGreater(len(clicks), 20)
            self.assertEqual(names["share"], sum(click > 0 for click in clicks) / len(clicks))

    def test_a_study_counts_as_bfs_does(self):
        run = self.run_notebook("a_study.ipynb")
        names = run.names
        report = subprocess.run([BFS, names["graph"], names["pairs"], "--engine=classic",
                                 "--alloc=malloc", "--format=json"], stdout=subprocess.PIPE,
                                check=True).stdout
        searches = json.loads(report)["searches"]
        self.assertEqual(names["pushes"], sum(search["pushed"] for search in searches))
        self.assertEqual([row["allocator"] for row in names["rows"]], names["allocators"])
        for row in names["rows"]:
            name = row["allocator"]
            seconds = sorted(one["seconds"] for one in names["report"]["runs"]
                             if one["allocator"] == name)
            self.assertEqual(len(seconds), 5)
            self.assertEqual(row["seconds_median"], seconds[2])
            self.assertAlmostEqual(names["ns_per_push"][name] * names["pushes"], seconds[2] * 1e9,
                                   delta=1)
            self.assertEqual(name in names["faster"], row["speed_low"] > 1)
        self.assertEqual(min(names["extra"].values()), 0)
        self.assertLess(names["calls"]["slab"], names["calls"]["malloc"])
        self.assertEqual(names["report"]["context"]["graph"], names["graph"])
        if "matplotlib" not in run.missing:
            self.assertEqual([bar.get_height() for bar in names["axes"].patches], names["medians"])

    def test_all_notebooks_are_short_whole_and_without_outputs(self):
        self.assertEqual(sorted(path.name for path in NOTEBOOKS.glob("*.ipynb")),
                         ["a_question.ipynb", "a_race.ipynb", "a_study.ipynb"])
        for path in NOTEBOOKS.glob("*.ipynb"):
            text = path.read_text(encoding="utf-8")
            book = json.loads(text)
            self.assertEqual((book["nbformat"], book["nbformat_minor"]), (4, 5))
            self.assertEqual(text, json.dumps(book, indent=1, ensure_ascii=False) + "\n")
            ids = [cell["id"] for cell in book["cells"]]
            self.assertEqual(len(set(ids)), len(ids))
            for cell in book["cells"]:
                with self.subTest(notebook=path.name, cell=cell["id"]):
                    lines = "".join(cell["source"]).splitlines()
                    self.assertLessEqual(max(map(len, lines)), 100)
                    if cell["cell_type"] == "code":
                        self.assertLessEqual(len(lines), 8)
                        self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))
                    else:
                        self.assertRegex(re.sub(r"\s+$", "", lines[-1]), r"[.;:?]$")


if __name__ == "__main__":
    os.chdir(NOTEBOOKS)  # as Jupyter does
    with tempfile.TemporaryDirectory() as settings:  # the home may not be writable
        os.environ["MPLCONFIGDIR"] = settings
        done = unittest.main(exit=False)
    sys.exit(not done.result.wasSuccessful())
