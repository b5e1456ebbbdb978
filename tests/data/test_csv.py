"""Tables of edges: Python's csv module and, where it is there, networkx read the same edges.

Usage: test_csv.py FOLDER_OF_PROGRAMS [unittest option...]
"""
import csv
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
from urllib.parse import unquote

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from random_share import random_share  # noqa: E402

try:
    import networkx
except ImportError:
    networkx = None

PROGRAMS = pathlib.Path(sys.argv[1]).resolve()
SEED = int(os.environ.get("PW_TEST_SEED", random.randrange(2 ** 32)))
FILES = int(os.environ.get("PW_CSV_FILES", 500))
LETTERS = ["a", "b", "Q", " ", ",", ";", "\t", '"', "\n", "\r\n", "'", "%41", "\u6771", "\u00e9", "#", "7"]
HEADINGS = [("source", "target"), ("node_1", "node_2"), ("id_1", "id_2"), ("who, or what", "\"whom\""),
            ("From Node", "To Node"), ("u", "v")]


class Tables(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.path = self.folder / "edges"

    def tearDown(self):
        self.scratch.cleanup()

    def edges(self, to, *options):
        """The edges that graph-convert reads, as pairs of texts, sorted."""
        out = self.folder / "out"
        done = subprocess.run([PROGRAMS / "graph-convert", self.path, out, "--quiet", "--to", to, *options],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr + self.path.read_text(encoding="utf-8")[:2000])
        lines = out.read_text(encoding="utf-8").split("\n")[:-1]
        return sorted(tuple(map(unquote, line.split("\t"))) if to == "names" else tuple(line.split(" "))
                      for line in lines)

    def write(self, chance, is_ids):
        """A table as a csv module writes it; returns its separator, and if it has a heading and more columns."""
        separator = chance.choice(",;")
        dialect = {"delimiter": separator, "lineterminator": chance.choice(["\n", "\r\n"])}
        quoting = chance.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
        further = chance.choice([0, 0, 1, 3])
        letters = LETTERS if quoting == csv.QUOTE_ALL else [c for c in LETTERS if c not in ",;\t" or c == separator]
        nodes = [str(chance.randrange(900)) if is_ids else
                 "n" + "".join(chance.choices(letters, k=chance.randrange(1, 7))) + str(chance.randrange(9))
                 for _ in range(20)]
        heading = chance.choice([[], list(chance.choice(HEADINGS))])
        if heading and not is_ids:
            heading = ["source", "target"]
        with open(self.path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, quoting=quoting, **dialect)
            if heading:
                writer.writerow(heading + ["column"] * further)
            for _ in range(chance.randrange(1, 40)):
                notes = ["x" + "".join(chance.choices(letters, k=chance.randrange(5)))  # a word above numbers
                         for _ in range(further)]                                      # is a heading
                writer.writerow(chance.choices(nodes, k=2) + notes)
        return separator, bool(heading), further > 0

    def test_five_hundred_tables_are_read_as_the_csv_module_reads_them(self):
        print(f"test_csv: PW_TEST_SEED={SEED}")
        chance = random.Random(SEED)
        for number in range(random_share(FILES)):
            is_ids = chance.random() < 0.4
            separator, has_heading, has_more = self.write(chance, is_ids)
            with open(self.path, newline="", encoding="utf-8") as file:
                rows = list(csv.reader(file, delimiter=separator))[has_heading:]
            wanted = sorted(tuple(row[:2]) for row in rows)
            with self.subTest(number=number):
                options = ["--input-format=csv"] if chance.random() < 0.5 or is_ids else []
                options += ["--columns=1,2"] if has_more else []  # nothing else says which they are
                self.assertEqual(self.edges("edges" if is_ids else "names", *options), wanted)

    @unittest.skipIf(networkx is None, "networkx is not installed")
    def test_networkx_reads_the_same_edges_from_lists_of_edges(self):
        chance = random.Random(SEED)
        for separator in " \t,;":
            for names in (False, True) if separator != " " else (False,):
                graph = networkx.gnp_random_graph(40, 0.1, seed=chance.randrange(10 ** 6), directed=True)
                if names:
                    graph = networkx.relabel_nodes(graph, {node: f"N {node}'s" for node in graph})
                networkx.write_edgelist(graph, self.path, data=False, delimiter=separator)
                read = networkx.read_edgelist(self.path, delimiter=separator, create_using=networkx.DiGraph)
                with self.subTest(separator=separator, names=names):
                    self.assertEqual(self.edges("names" if names else "edges"), sorted(read.edges))

    @unittest.skipIf(networkx is None, "networkx is not installed")
    def test_networkx_reads_the_same_edges_from_adjacency_lists(self):
        chance = random.Random(SEED)
        for separator in " \t,;":
            for names in (False, True):
                graph = networkx.gnp_random_graph(40, 0.1, seed=chance.randrange(10 ** 6), directed=True)
                if names:
                    graph = networkx.relabel_nodes(graph, {node: f"N{node}'s" for node in graph})
                networkx.write_adjlist(graph, self.path, delimiter=separator)
                read = networkx.read_adjlist(self.path, delimiter=separator, create_using=networkx.DiGraph)
                with self.subTest(separator=separator, names=names):
                    self.assertEqual(self.edges("names" if names else "edges", "--input-format=adjacency"),
                                     sorted(read.edges))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
