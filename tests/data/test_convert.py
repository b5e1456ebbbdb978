"""graph-convert: each format is written and read back unchanged; networkx agrees, where it is there.

Usage: test_convert.py FOLDER_OF_PROGRAMS SAMPLE_FOLDER [unittest option...]
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from urllib.parse import unquote

try:
    import networkx
except ImportError:
    networkx = None

PROGRAMS = pathlib.Path(sys.argv[1]).resolve()
SAMPLE = pathlib.Path(sys.argv[2]).resolve()
HAS_EXPAT = os.environ.get("PW_HAVE_EXPAT") == "1"

# Names with everything that some format has to escape.
ODD = ("a & <b>\tq\"x\\y\nq\"x\\y\t%2541 z\n%23hash\ta & <b>\na & <b>\tq\"x\\y\n"
       "\u6771\tx  y\n100%25\t'&amp;'\n]\t[\n*Arcs\t% x\n")


class Convert(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def run_program(self, name, *arguments, status=0, text=None):
        """Standard output and error of a program that ends with this status."""
        done = subprocess.run([PROGRAMS / name, *map(str, arguments)], capture_output=True,
                              input=text, text=True, encoding="utf-8", cwd=self.folder)
        self.assertEqual(done.returncode, status, f"{name} {arguments}: {done.stderr}")
        return done.stdout, done.stderr

    def convert(self, *arguments, status=0, text=None):
        return self.run_program("graph-convert", *arguments, status=status, text=text)

    def checksum(self, path, *options):
        lines = self.run_program("graph-info", path, *options)[0].splitlines()
        return next(line.split()[-1] for line in lines if line.startswith("checksum"))

    def names(self, path):
        self.convert(path, "names.pwg", "--write-names=names.txt", "--quiet")
        return (self.folder / "names.txt").read_text(encoding="utf-8")

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def edges_by_name(self, path):
        """The edges of a list of names, sorted."""
        lines = (self.folder / path).read_text(encoding="utf-8").splitlines()
        return sorted(tuple(unquote(name) for name in line.split("\t")) for line in lines)

    def endings(self):
        formats = {"matrix-market": ".mtx", "edges": ".txt", "names": ".tsv", "csv": ".csv",
                   "snapshot": ".pwg"}
        return {**formats, **({"graphml": ".graphml"} if HAS_EXPAT else {})}

    def test_every_format_by_ending_and_by_name_is_read_back_as_the_same_graph(self):
        self.run_program("graph-convert", "generate:nodes=500,edges=6000", "in.mtx")
        wanted = self.checksum("in.mtx", "--undirected")
        for name, ending in self.endings().items():
            with self.subTest(name):
                out, _ = self.convert("in.mtx", "out" + ending, "--undirected")
                self.assertRegex(out, "^out.*: 500 nodes, 119[0-9]* edges\n$")
                self.assertEqual(self.checksum("out" + ending), wanted)
                self.convert("in.mtx", "by-name", "--undirected", "--to", name)
                self.assertEqual((self.folder / "by-name").read_bytes(),
                                 (self.folder / ("out" + ending)).read_bytes())

    def test_names_are_kept_whatever_is_in_them(self):
        self.write("odd.tsv", ODD)
        wanted, names = self.checksum("odd.tsv"), self.names("odd.tsv")
        self.assertEqual(len(names.splitlines()), 12)
        for ending in [".pwg"] + [".graphml"] * HAS_EXPAT:
            with self.subTest(ending):
                self.assertEqual(self.convert("odd.tsv", "out" + ending)[1], "")
                self.assertEqual(self.names("out" + ending), names)
                self.assertEqual(self.checksum("out" + ending), wanted)
        self.convert("odd.tsv", "out.tsv")
        self.assertEqual(self.edges_by_name("out.tsv"), self.edges_by_name("odd.tsv"))
        self.convert(SAMPLE / "borders.tsv", "borders.pwg")
        self.convert("borders.pwg", "borders.tsv", "--quiet")
        found = [edge for edge in self.edges_by_name("borders.tsv")]
        lines = (SAMPLE / "borders.tsv").read_text(encoding="utf-8").splitlines()[1:]
        self.assertEqual(found, sorted(tuple(line.split("\t")) for line in lines))

    def test_ids_of_the_file_stay_where_the_format_has_them(self):
        self.write("sparse.txt", "7 4000000000\n4000000000 12\n")
        self.convert("sparse.txt", "out.el", "--compact")
        self.assertEqual((self.folder / "out.el").read_text(), "7 4000000000\n4000000000 12\n")
        self.convert("sparse.txt", "out.csv", "--compact")
        self.assertEqual((self.folder / "out.csv").read_text(),
                         "source,target\n7,4000000000\n4000000000,12\n")
        _, err = self.convert("sparse.txt", "out.mtx", "--compact")
        self.assertIn("Matrix Market numbers the nodes from 1: the ids of the file are lost", err)

    def test_the_way_that_a_refusal_names_leads_to_the_edges(self):
        """The message's own command is run: sed, awk or jq."""
        cases = [
            ("c k\np edge 4 3\ne 4 3\ne 3 1\ne 1 2\n", [(4, 3), (3, 1), (1, 2)]),
            ("p max 3 2\nn 1 s\nn 3 t\na 1 2 7\na 2 3 8\n", [(1, 2), (2, 3)]),
            ("p tw 3 2\nc k\n1 3\n3 2\n", [(1, 3), (3, 2)]),
            ("nodedef>name VARCHAR,w INT\n7,1\n8,1\n9,0\n"
             "edgedef>node1 VARCHAR,node2 VARCHAR,d INT\n7,9,1\n9,8,0\n", [(7, 9), (9, 8)]),
            ("<u:x> <u:k> <u:y> .\n<u:y> <u:n> \"Y <u:z>\" .\n<u:y> <u:k> <u:z> .\n",
             [("u:x", "u:y"), ("u:y", "u:z")]),
            ("# ann\nben\ncid 0.5\n# cid\ndan\n",
             [("ann", "ben"), ("ann", "cid"), ("cid", "dan")]),
        ]
        if shutil.which("jq"):
            cases += [("[[5, 6], [6, 7]]", [(5, 6), (6, 7)]),
                      ('{"links": [{"source": "u", "target": "v", "key": 0}]}', [("u", "v")]),
                      ('{"from": 5, "to": 6}\n{"from": 6, "to": 7}\n', [(5, 6), (6, 7)])]
        for text, wanted in cases:
            with self.subTest(text):
                _, err = self.run_program("graph-info", self.write("FILE", text), status=1)
                way = re.search("which is not read: (.*?)( makes|, or)", err)[1]
                if ">" not in way.split("'")[-1]:
                    way += " > a.csv"
                subprocess.run(way, shell=True, check=True, cwd=self.folder)
                made = re.search("> (\\S+)$", way)[1]
                self.convert(made, "out.csv", "--quiet")
                found = (self.folder / "out.csv").read_text().splitlines()[1:]
                self.assertEqual(sorted(found), sorted(f"{a},{b}" for a, b in wanted))

    def test_what_a_format_cannot_keep_is_noted(self):
        self.write("in.gml", "graph [ node [ id 0 label \"a\tb\" ] node [ id 1 ] ]")
        _, err = self.convert("in.gml", "out.mtx")
        self.assertIn("Matrix Market has no names: the names of the nodes are lost "
                      "(--write-names=FILE keeps them)", err)
        _, err = self.convert("in.gml", "out.mtx", "--write-names=out.names")
        self.assertNotIn("--write-names", err)
        self.assertEqual((self.folder / "out.names").read_text(), "a b\n1\n")
        self.assertEqual(self.convert("out.mtx", "again.pwg", "--names=out.names")[1], "")
        self.assertEqual(self.names("again.pwg"), "a b\n1\n")
        _, err = self.convert("in.gml", "out.tsv")
        self.assertIn("an edge list of names has no place for 2 nodes without an edge", err)
        self.write("zero.txt", "0 1\n")
        _, err = self.convert("zero.txt", "out.mtx")
        self.assertIn("Matrix Market numbers the nodes from 1: each id is one more", err)
        (self.folder / "control.tsv").write_bytes(b"a\tb\ncaf\x02\tb\n")
        _, err = self.convert("control.tsv", "out.graphml")
        self.assertIn("1 characters of names cannot be written and are replaced", err)
        self.assertIn(">caf\ufffd<", (self.folder / "out.graphml").read_text(encoding="utf-8"))

    def test_standard_output_takes_text_and_no_summary(self):
        out, _ = self.convert("-", "-", "--to=edges", text="1 2\n2 3\n")
        self.assertEqual(out, "1 2\n2 3\n")
        _, err = self.convert("-", "-", status=2, text="1 2\n")
        self.assertIn("a snapshot must be a file, not standard output", err)

    def test_wrong_usage_is_said_and_nothing_is_overwritten(self):
        self.write("in.txt", "1 2\n")
        os.symlink("in.txt", self.folder / "link.txt")
        for arguments, status, message in [
                (("in.txt", "out.json"), 2, "out.json: .json is not written; .pwg is a snapshot, .graphml is"),
                (("in.txt", "out.gml"), 2, "out.gml: .gml is not written; .pwg is a snapshot"),
                (("in.txt", "./out"), 2, "./out: a name without an ending is not written"),
                (("in.txt", "out.mtx.gz"), 2, "compressed files are not written"),
                (("in.txt", "out.mtx", "--with-reverse"), 2, "--with-reverse is for a snapshot"),
                (("in.txt", "out.mtx", "--record-source"), 2, "--record-source is for a snapshot"),
                (("in.txt", "out", "--to=gexf"), 2, "--to knows no \"gexf\"; there are snapshot, matrix-market"),
                (("in.txt", "in.txt"), 1, "in.txt: cannot be written: it is an input file"),
                (("in.txt", "link.txt"), 1, "link.txt: cannot be written: it is an input file"),
                (("in.txt", "out.mtx", "--write-names=in.txt"), 1, "it is an input file"),
                (("in.txt", "new.tsv", "--to=names", "--write-names=./new.tsv"), 1,
                 "./new.tsv: cannot be written: another output is the same file"),
                (("in.txt", "no/folder.mtx"), 1, "no/folder.mtx: cannot create"),
                (("in.txt", "/dev/full", "--to=edges"), 1, "/dev/full: cannot write")]:
            with self.subTest(arguments):
                self.assertIn(message, self.convert(*arguments, status=status)[1])
        self.assertEqual((self.folder / "in.txt").read_text(), "1 2\n")
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.txt", "link.txt"])

    @unittest.skipIf(networkx is None, "networkx is not installed")
    def test_networkx_reads_what_is_written(self):
        self.write("odd.tsv", ODD)
        wanted = self.edges_by_name("odd.tsv")
        self.convert("odd.tsv", "out.graphml")
        graph = networkx.read_graphml(self.folder / "out.graphml", force_multigraph=True)
        label = networkx.get_node_attributes(graph, "label")
        self.assertEqual(sorted((label[edge[0]], label[edge[1]]) for edge in graph.edges()), wanted)

    @unittest.skipIf(networkx is None, "networkx is not installed")
    def test_what_networkx_writes_is_read(self):
        graph = networkx.MultiDiGraph() if networkx else None
        self.write("odd.tsv", ODD)
        wanted = self.edges_by_name("odd.tsv")
        graph.add_edges_from(wanted)
        for ending, write in [(".gml", networkx.write_gml)] + [
                (".graphml", networkx.write_graphml)] * HAS_EXPAT:
            with self.subTest(ending):
                write(graph, self.folder / ("in" + ending))
                self.convert("in" + ending, "out.tsv", "--quiet")
                self.assertEqual(self.edges_by_name("out.tsv"), wanted)
        both = networkx.Graph([("a", "b"), ("b", "b")])
        for ending, write in [(".gml", networkx.write_gml)] + [
                (".graphml", networkx.write_graphml)] * HAS_EXPAT:
            write(both, self.folder / ("in" + ending))
            self.convert("in" + ending, "out.tsv", "--quiet")
            self.assertEqual(self.edges_by_name("out.tsv"), [("a", "b"), ("b", "a"), ("b", "b")])

    @unittest.skipIf(networkx is None or not HAS_EXPAT, "networkx or libexpat is not installed")
    def test_a_table_of_names_is_written_with_a_heading_and_quotes(self):
        self.write("in.tsv", "Laos, P.\tsay \"hi\"\nsay \"hi\"\t\u6771\n")
        _, err = self.convert("in.tsv", "out.csv")
        self.assertEqual(err, "")
        self.assertEqual((self.folder / "out.csv").read_text(encoding="utf-8"),
                         'source,target\n"Laos, P.","say ""hi"""\n"say ""hi""",\u6771\n')
        self.assertEqual(self.names("out.csv"), self.names("in.tsv"))
        self.write("ids.txt", "5 7\n7 9\n")
        self.convert("ids.txt", "ids.csv", "--compact")
        self.assertEqual((self.folder / "ids.csv").read_text(), "source,target\n5,7\n7,9\n")
        self.write("numbers.tsv", "900\t2\n")
        _, err = self.convert("numbers.tsv", "numbers.csv", "--input-format=names")
        self.assertIn("the names are numbers, which are ids in CSV", err)

    @unittest.skipIf(networkx is None or not HAS_EXPAT, "networkx or libexpat is not installed")
    def test_the_line_that_names_networkx_makes_graphml(self):
        self.write("pajek", "*Vertices 3\n1 \"x\"\n2 \"y z\"\n3 \"w\"\n*Arcs\n1 2\n2 1\n2 3\n")
        star = networkx.star_graph(3)
        networkx.write_graph6(star, self.folder / "graph6")
        networkx.write_graph6(star, self.folder / "bare6", header=False)
        networkx.write_sparse6(star, self.folder / "sparse6")
        networkx.write_multiline_adjlist(networkx.path_graph(4, networkx.DiGraph),
                                         self.folder / "lines")
        star = sorted((a, b) for edge in [("0", "1"), ("0", "2"), ("0", "3")]
                      for a, b in (edge, edge[::-1]))
        for name, wanted in [("pajek", [("x", "y z"), ("y z", "w"), ("y z", "x")]),
                             ("lines", [("0", "1"), ("1", "2"), ("2", "3")]),
                             ("graph6", star), ("bare6", star), ("sparse6", star)]:
            with self.subTest(name):
                _, err = self.convert(name, "out.tsv", status=1)
                line = re.search("python3 -c '(.*)' makes GraphML", err)[1]
                subprocess.run([sys.executable, "-c", line.replace("FILE", name)], check=True,
                               cwd=self.folder)
                self.convert("a.graphml", "out.tsv", "--quiet")
                self.assertEqual(self.edges_by_name("out.tsv"), wanted)

    def test_an_ending_that_is_not_written_is_refused(self):
        self.write("ids.txt", "5 7\n7 9\n")
        self.assertIn("out.net: .net is not written",
                      self.convert("ids.txt", "out.net", status=2)[1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
