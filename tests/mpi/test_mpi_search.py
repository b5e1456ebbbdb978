#!/usr/bin/env python3
"""test_mpi_search.py - bfs-mpi answers as bfs does, for every number of ranks.

1. Found, hops and paths of all engines and both partitions; each path is walked edge by edge and is
   the same for every number of ranks.
2. The report: columns and counts of bfs, what goes over the wire within its bounds.
3. Errors in PAIRS, a deadline, a full disk.

Usage: launcher.py says it.
"""
import csv
import io
import json
import os
import pathlib
import random
import sys
import unittest

import launcher
from launcher import HERE, IS_FURTHER, RANKS, SEED, converted, main, mpi, single

SHAPE_RANKS = [2] if IS_FURTHER else RANKS  # a level takes ranks that do not yield long
SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "data" / "sample"
LEVELS = "--engine=direction-optimizing"


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def bfs(*arguments):
    return single("bfs", *arguments)


def write(name, lines):
    return launcher.write(name, "".join(f"{line}\n" for line in lines))


def packed(graph):
    """The snapshot of a text."""
    return converted(graph.with_suffix(".pwg").name, graph)


class Search(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.paths = {}  # of a graph, an engine and a search: the same for every number of ranks

    def same(self, ranks, graph, pairs, *options):
        """The answers of bfs, with valid paths. graph: a text, whose snapshot is searched."""
        wanted = rows_of(bfs(graph, pairs, LEVELS, "--format=csv").stdout)
        status, out, own = mpi(ranks, packed(graph), pairs, "--path", "--format=csv", *options)
        self.assertEqual((status, own), (0, []), (ranks, options))
        found = rows_of(out)
        compared = ["search", "source", "target", "found", "hops", "status"]
        if LEVELS in options:
            compared += ["visited", "expanded", "pushed", "peak_queue"]
        self.assertEqual([[row[key] for key in compared] for row in found],
                         [[row[key] for key in compared] for row in wanted],
                         (ranks, options, graph, f"PW_TEST_SEED={SEED}"))
        edges = self.edges_of(graph)
        for row in found:
            nodes = row["path"].split(" -> ") if row["path"] else []
            if row["found"] == "1":
                self.assertEqual((nodes[0], nodes[-1]), (row["source"], row["target"]))
                self.assertTrue(edges.issuperset(zip(nodes, nodes[1:])), row)
            self.assertEqual(len(nodes), int(row["hops"]) + 1 if row["found"] == "1" else 0)
            first = self.paths.setdefault((graph, LEVELS in options, row["source"], row["target"]), nodes)
            self.assertEqual(nodes, first, (ranks, options))

    @staticmethod
    def edges_of(graph):
        lines = graph.read_text().splitlines()
        skipped = 3 if lines[0].startswith("%%") else 0
        return {tuple(line.split()[:2]) for line in lines[skipped:]}

    def every_number_of_ranks(self, *engines):
        converted("g.mtx", "generate:nodes=3000")
        for ranks in RANKS:
            dealt = ["--dealt"] if ranks in (2, 7) else []
            for pairs, *engine in engines:
                self.same(ranks, HERE / "g.mtx", pairs, *engine, *dealt)

    def test_every_number_of_ranks_finds_what_bfs_finds(self):
        self.every_number_of_ranks(("random:70",))

    def test_every_number_of_ranks_finds_it_level_by_level(self):
        self.every_number_of_ranks(("random:12", LEVELS))
        self.same(2, HERE / "g.mtx", "random:12,targets=4", LEVELS, "--threads=3")

    def shape(self, edges):
        """A small graph, searched in all ways."""
        draw = random.Random(SEED)
        graph = write("shape.txt", (f"{u} {v}" for u, v in edges))
        last = max(max(edge) for edge in edges)
        ends = [(draw.randint(0, last), draw.randint(0, last)) for _ in range(20)]
        ends += [(0, last), (last, 0), (0, 0), (last, last), (2, 2), (3, 3), (3, 4)]
        pairs = write("ends.txt", (f"{u} {v}" for u, v in ends))
        for ranks, options in ((2, [LEVELS]), (3, [LEVELS, "--dealt"]), (2, ["--dealt"]), (3, [])):
            self.same(ranks if ranks in SHAPE_RANKS else 2, graph, pairs, *options)

    @unittest.skipIf(IS_FURTHER, "not with a further library")
    def test_a_path(self):
        self.shape([(i, i + 1) for i in range(99)])

    def test_a_star(self):
        self.shape([(0, i) for i in range(1, 300)] + [(i, 0) for i in range(200, 300)])

    def test_loops(self):
        self.shape([(0, 0), (1, 2), (2, 1), (3, 3), (3, 4), (130, 131), (131, 130)])

    @unittest.skipIf(IS_FURTHER, "not with a further library")
    def test_levels_that_are_gathered(self):
        draw = random.Random(SEED)
        self.shape(sorted({(draw.randrange(400), draw.randrange(400)) for _ in range(12000)}))

    def test_a_graph_without_edges(self):
        empty = HERE / "empty.mtx"
        empty.write_text("%%MatrixMarket matrix coordinate pattern general\n% none\n5 5 0\n")
        for options in ([], [LEVELS]):
            self.same(3, empty, write("five.txt", ["1 5", "2 2"]), *options)

    def test_bytes_on_the_wire_are_within_their_bounds(self):
        draw = random.Random(SEED)
        edges = {(draw.randrange(6000), draw.randrange(6000)) for _ in range(90000)}
        graph = write("wide.txt", (f"{u} {v}" for u, v in sorted(edges)))
        for ranks in (2, 3):
            status, out, _ = mpi(ranks, packed(graph), "random:4", LEVELS, "--format=json")
            self.assertEqual(status, 0)
            report = json.loads(out)
            gathered = [level for level in report["levels"] if level["bottom_up"] > 0]
            self.assertTrue(gathered)
            for level in report["levels"]:
                searches, ways = level["searches"], level["bottom_up"]
                per_rank = ways * (6000 / 8 + 64) + (searches - ways) * 4 * 6000
                self.assertLessEqual(level["bytes_max"], per_rank, level)
                self.assertGreaterEqual(level["imbalance"] or 1, 1)
            sparse = sum(level["bytes"] for level in report["levels"] if level["bottom_up"] == 0)
            self.assertLessEqual(sparse, 4 * 4 * 6000 * (ranks - 1))  # each id once per rank
            self.assertEqual(report["context"]["ranks"], ranks)
            self.assertEqual(report["summary"]["searches"], 4)

    def test_a_level_ends_where_the_target_is_met(self):
        # Top down: node 1 is first in a frontier, sparse or dense, of nodes with 100 edges each.
        for width in (2000, 3000):
            edges = [(0, i) for i in range(1, width + 1)]
            edges += [(i, width + (i * 100 + j) % 128000) for i in range(1, width + 1) for j in range(100)]
            edges += [(i, i + 1) for i in range(width, width + 127999)]
            graph = write("fan.txt", (f"{u} {v}" for u, v in edges))
            pairs = write("near.txt", [f"0 {width + 100}"])
            for ranks, options, most in ((1, [], 30000), (2, [], 30000), (2, ["--dealt"], 30000 + width * 50)):
                level = self.last_level(ranks, graph, pairs, *options)
                self.assertEqual((level["level"], level["nodes"], level["bottom_up"]), (2, width, 0))
                self.assertLessEqual(level["edges"], most, (ranks, options))
        # Bottom up: only the target looks for a parent.
        draw = random.Random(SEED)
        edges = sorted({(draw.randrange(4000), draw.randrange(4000)) for _ in range(60000)})
        graph = write("thick.txt", (f"{u} {v}" for u, v in edges))
        far = next(row for row in rows_of(bfs(graph, "random:200", LEVELS, "--format=csv").stdout)
                   if row["hops"] == "4")
        pairs = write("far.txt", [f"{far['source']} {far['target']}"])
        looks = sum(edge[1] == int(far["target"]) for edge in edges)
        for ranks, options in ((1, []), (2, ["--dealt", "--threads=2"]), (3, [])):
            level = self.last_level(ranks, graph, pairs, *options)
            self.assertEqual((level["level"], level["bottom_up"]), (4, 1))
            self.assertLessEqual(level["edges"], looks, (ranks, options))

    def last_level(self, ranks, graph, pairs, *options):
        """What the last level of a search cost."""
        status, out, own = mpi(ranks, packed(graph), pairs, LEVELS, "--format=json", *options)
        self.assertEqual((status, own), (0, []))
        return json.loads(out)["levels"][-1]

    def test_the_report_has_the_columns_of_bfs(self):
        graph = packed(write("small.txt", ["1 2", "2 3", "3 1"]))
        pairs = write("three.txt", ["1 3", "3 2", "2 2"])
        names = bfs(graph, pairs, LEVELS, "--format=csv").stdout.splitlines()[0].split(",")
        _, out, _ = mpi(2, graph, pairs, "--format=csv")
        self.assertEqual(out.splitlines()[0].split(",")[:15], names[:15])
        status, out, own = mpi(2, graph, pairs, "--path")
        self.assertEqual((status, own), (0, []))
        for words in ("2 hops", "1 -> 2 -> 3", "3 hops", "run ", "complete", "sent between ranks"):
            self.assertIn(words, out)
        single = json.loads(bfs(graph, pairs, LEVELS, "--format=json").stdout)["context"]
        status, out, own = mpi(2, graph, pairs, "--format=json", "-o", HERE / "r.json")
        self.assertEqual((status, out, own), (0, "", []))
        context = json.loads((HERE / "r.json").read_text())["context"]
        self.assertEqual(context["graph"]["checksum"], single["graph"]["checksum"])

    def test_a_graph_that_is_made_is_searched(self):
        graph, pairs = "generate:nodes=2k,edges=12k", "random:20,seed=3"
        keys = ["source", "target", "found", "hops", "status"]
        wanted = [[row[key] for key in keys] for row in rows_of(bfs(graph, pairs, "-fcsv").stdout)]
        status, out, own = mpi(3, graph, pairs, "-fcsv")
        self.assertEqual((status, own), (0, []))
        self.assertEqual([[row[key] for key in keys] for row in rows_of(out)], wanted)

    def named(self):
        """The snapshot of the sample; its edges by name."""
        sample = SAMPLE / "borders.tsv"
        lines = [line for line in sample.read_text().splitlines() if line[:1] not in ("", "#", "%")]
        return converted("named.pwg", sample), {tuple(line.split("\t")[:2]) for line in lines}

    def test_nodes_have_names_in_pairs_and_reports(self):
        graph, edges = self.named()
        pairs = SAMPLE / "borders-pairs.tsv"
        keys = ["source", "target", "found", "hops", "status"]
        wanted = [[row[key] for key in keys] for row in rows_of(bfs(graph, pairs, "-fcsv").stdout)]
        for ranks in (1, 3):
            status, out, own = mpi(ranks, graph, pairs, "--path", "-fcsv", "-q")
            self.assertEqual((status, own), (0, []), ranks)
            self.assertEqual([[row[key] for key in keys] for row in rows_of(out)], wanted, ranks)
            for row in rows_of(out):
                path = row["path"].split(" -> ") if row["found"] == "1" else []
                self.assertTrue(edges.issuperset(zip(path, path[1:])), row)
                self.assertEqual(path[:1] + path[-1:], [row["source"], row["target"]] if path else [])
        search = json.loads(mpi(2, graph, pairs, "--path", "-fjson")[1])["searches"][0]
        self.assertEqual((search["path"][0], search["path"][-1]), (search["source"], search["target"]))
        status, out, own = mpi(2, graph, pairs)
        self.assertEqual((status, own), (0, []))
        self.assertIn(wanted[0][0], out)

    def test_one_question_is_answered_in_the_words_of_bfs(self):
        graph, edges = self.named()
        said = bfs(graph, "--from", "laos", "--to", "Poland")
        for ranks in (1, 3):
            status, out, own = mpi(ranks, graph, "--from", "laos", "--to", "Poland")
            self.assertEqual(status, 0, own)
            path = out.splitlines()[0].split(" -> ")
            self.assertEqual((path[0], path[-1]), ("Laos", "Poland"))
            self.assertTrue(edges.issuperset(zip(path, path[1:])), out)
            hops, time = out.splitlines()[1].split(", ")
            self.assertEqual(hops, said.stdout.splitlines()[1].split(",")[0])
            self.assertRegex(time, r"^[0-9.]+ (us|ms|s)$")
            self.assertEqual([line.split(": ", 1)[1] for line in own],
                             [line.split(": ", 1)[1] for line in said.stderr.splitlines()])
        status, out, own = mpi(2, packed(write("line.txt", ["1 2", "2 3"])), "--from=3", "--to=1")
        self.assertEqual((status, out, own), (0, "3 does not lead to 1\n", []))
        for asked in (("--from=Loas", "--to=Poland"), ("--from=Laos", "--to=999")):
            said = bfs(graph, *asked)
            status, out, own = mpi(3, "-q", graph, *asked)
            self.assertEqual((status, out, len(own), said.returncode), (1, "", 1, 1), own)
            self.assertEqual(own[0].split(": ", 1)[1], said.stderr.strip().removeprefix("bfs: "))
        status, out, own = mpi(2, graph, "--from=Laos", "--to=Poland", "-fjson")
        report = json.loads(out)
        self.assertEqual((status, report["searches"][0]["path"][0]), (0, "Laos"))
        self.assertIsNone(report["context"]["pairs"]["name"])

    def test_what_is_wrong_with_pairs_is_reported_once_in_the_words_of_bfs(self):
        graph = packed(write("small.txt", ["1 2", "2 3", "3 1"]))
        for number, lines in enumerate((["1 2", "1 12"], ["1 x"], ["# none"], ["4294967295 1"])):
            pairs = write("bad.txt", lines)
            said = bfs(graph, pairs).stderr.strip().removeprefix("bfs: ")
            status, out, own = mpi(3, graph, pairs)
            self.assertEqual((status, out, len(own)), (1, "", 1))
            self.assertEqual(own[0].split(": ", 1)[1], said)
        status, _, own = mpi(2, graph, HERE / "missing")
        self.assertEqual((status, len(own)), (1, 1))
        none = packed(write("none.mtx", ["%%MatrixMarket matrix coordinate pattern general", "0 0 0"]))
        status, _, own = mpi(2, none, "random:3")
        self.assertEqual((status, [line.split(": ", 1)[1] for line in own]),
                         (1, [bfs(none, "random:3").stderr.strip().removeprefix("bfs: ")]))

    def test_a_deadline_ends_the_search_at_all_ranks(self):
        graph = packed(write("long.txt", (f"{i} {i + 1}" for i in range(200000))))
        pairs = write("ends.txt", ["0 200000", "0 1"])
        for options in ([LEVELS], []):
            status, out, own = mpi(3, graph, pairs, "--timeout=0.02", "-fcsv", *options)
            self.assertEqual((status, own), (0, []))
            self.assertEqual(rows_of(out)[0]["status"], "timed-out", options)
            self.assertIn(rows_of(out)[1]["status"], ("done", "timed-out"), options)

    def test_a_report_that_cannot_be_written_is_a_failure(self):
        graph = packed(write("small.txt", ["1 2", "2 3", "3 1"]))
        status, _, own = mpi(2, graph, "random:3", "-o", "/nonexistent/report")
        self.assertEqual((status, len(own)), (1, 1))
        if os.path.exists("/dev/full"):
            status, _, own = mpi(2, graph, "random:3", "-o", "/dev/full")
            self.assertEqual((status, len(own)), (1, 1))


if __name__ == "__main__":
    sys.exit(main())
