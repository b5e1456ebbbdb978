#!/usr/bin/env python3
"""test_mpi_load.py - the distributed graph is the graph of bfs, for every number of ranks.

1. Nodes, edges and checksum equal graph-info's, for 1, 2, 3, 4 and 7 ranks and for each format.
2. What graph-info refuses is refused with the same words and line.
3. A snapshot written by all ranks has the bytes that graph-convert writes, and can be read. A wrong
   byte in it is refused by its block.

Usage: launcher.py says it.
"""
import random
import struct
import subprocess
import sys
import unittest

from launcher import BIN, HERE, RANKS, main, mpi, single, write


def info(*arguments):
    """What graph-info finds: nodes, edges and checksum; or its message."""
    done = single("graph-info", "-q", *arguments)
    if done.returncode != 0:
        return done.stderr.strip().removeprefix("graph-info: ")
    words = dict(line.split(maxsplit=1) for line in done.stdout.splitlines()[:6])
    return {key: words[key] for key in ("nodes", "edges", "checksum")}


class Load(unittest.TestCase):
    maxDiff = None

    def same(self, ranks, path, *options):
        """As graph-info has it; options that it does not know are left out for it."""
        status, out, own = mpi(ranks, "-q", path, *options)
        self.assertEqual((status, own), (0, []), (ranks, path, options))
        found = dict(line.split(maxsplit=1) for line in out.splitlines())
        wanted = info(path, *(o for o in options if o != "--dealt"))
        self.assertEqual({key: found[key] for key in wanted}, wanted, (ranks, path, options))

    def refused(self, ranks, path):
        status, _, own = mpi(ranks, path)
        self.assertEqual((status, own), (1, [f"bfs-mpi: {info(path)}"]), ranks)

    def test_every_number_of_ranks_has_the_graph_of_one_machine(self):
        subprocess.run([BIN / "graph-convert", "-q", "generate:nodes=3000", HERE / "g.mtx"], check=True)
        for number, ranks in enumerate(RANKS):
            self.same(ranks, HERE / "g.mtx", *(["--dealt"] if number % 3 == 2 else []))

    def test_every_format_of_lines_and_every_direction(self):
        draw = random.Random(1)
        edges = [(draw.randrange(300), draw.randrange(300)) for _ in range(2000)]
        lines = [f"{u} {v}" for u, v in edges]
        lines[100:100] = ["# a comment", "", "% another"]
        listed = write("lines.txt", "\n".join(lines))  # no newline at the end
        comma = write("comma.csv", "from,to\r\n" + "".join(f"{u},{v}\r\n" for u, v in edges))
        entries = "".join(f"{u + 1} {v + 1} {draw.random()}\n" for u, v in edges)
        symmetric = write("symmetric.mtx", "%%MatrixMarket matrix coordinate real symmetric\n% x\n"
                          f"300 300 {len(edges)}\n" + entries)
        dimacs = write("roads.gr", f"c x\np sp 310 {len(edges)}\n" +
                       "".join(f"a {u + 1} {v + 1} 7\n" for u, v in edges))
        tiny = write("tiny.txt", "0 1\n")
        empty = write("empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n5 5 0\n")
        for number, (path, *options) in enumerate([
                (listed, "--undirected", "--dealt"), (comma, "--reverse"), (symmetric,), (dimacs,),
                (tiny,), (empty,)]):
            self.same(RANKS[1:][number % len(RANKS[1:])], path, *options)

    def test_the_first_error_of_the_file_is_reported_with_its_line(self):
        head = "%%MatrixMarket matrix coordinate pattern general\n% x\n90 90 3000\n"
        good = [f"{i % 90 + 1} {i % 89 + 1}\n" for i in range(3000)]
        for name, change in {
                "bad.mtx": {1400: "1 x\n", 2900: "2 y\n"}, "range.mtx": {2999: "91 1\n"},
                "more.mtx": {1500: "1 2\n\n3 4\n"}, "less.mtx": {7: ""}, "long.mtx": {9: "1" * 1100000},
        }.items():
            path = write(name, head + "".join(change.get(i, line) for i, line in enumerate(good)))
            self.refused(3, path)
        self.refused(2, write("head.mtx", "%%MatrixMarket matrix array real general\n1 1\n"))
        self.refused(2, write("none.txt", "# nothing\n"))

    def test_a_snapshot_of_all_ranks_has_the_bytes_of_graph_convert(self):
        text = write("snapshot.txt", "".join(f"{i * i % 997} {i * 7 % 1009}\n" for i in range(40000)))
        wanted, made = HERE / "wanted.pwg", HERE / "made.pwg"
        subprocess.run([BIN / "graph-convert", "-q", text, wanted], check=True)
        for ranks in {3, RANKS[-1]}:
            self.assertEqual(mpi(ranks, "--convert", made, text)[::2], (0, []))
            self.assertEqual(made.read_bytes(), wanted.read_bytes())
        self.same(3, wanted)
        self.same(2, wanted, "--dealt")
        subprocess.run([BIN / "graph-convert", "-q", "--without-reverse", text, wanted], check=True)
        self.same(2, wanted)
        self.assertEqual([], [p.name for p in HERE.iterdir() if ".pw-part" in p.name])

    def test_a_wrong_byte_in_a_snapshot_is_refused_with_its_block_as_by_one_process(self):
        text = write("wrong.txt", "".join(f"{i * i % 997} {i * 7 % 1009}\n" for i in range(40000)))
        snapshot = HERE / "wrong.pwg"
        subprocess.run([BIN / "graph-convert", "-q", text, snapshot], check=True)
        good = snapshot.read_bytes()
        begins = [struct.unpack_from("Q", good, 64 + 16 * array)[0] for array in range(4)]
        for number, place in enumerate((
                8, 40, 5000,  # version, counts, between header and arrays
                begins[0] + 4100, begins[1] + 3, begins[1] + 90000, begins[2] + 1, begins[3] - 9,
                begins[3] + 40000, len(good) - 100)):
            wrong = bytearray(good)
            wrong[place] ^= 1
            snapshot.write_bytes(wrong)
            with self.subTest(place=place):
                self.refused(RANKS[number % len(RANKS)], snapshot)

    def test_what_is_read_in_one_piece_rank_0_deals_out(self):
        edges = [(i * i % 97 + 1, i * 7 % 101 + 1) for i in range(2000)]
        listed = write("packed.txt", "".join(f"{u} {v}\n" for u, v in edges))
        named = write("named.tsv", "".join(f"node {u}\tnode {v}\n" for u, v in edges))
        subprocess.run(["gzip", "-kf", listed], check=True)
        subprocess.run([BIN / "graph-convert", "-q", listed, HERE / "packed.graphml"], check=True)
        subprocess.run([BIN / "graph-convert", "-q", named, HERE / "named.pwg"], check=True)
        subprocess.run(["gzip", "-kf", HERE / "named.pwg"], check=True)
        for number, (name, *options) in enumerate([
                ("packed.txt.gz",), ("packed.txt.gz", "--undirected", "--dealt"), ("packed.graphml",),
                ("named.tsv", "--reverse"), ("named.pwg.gz",)]):
            self.same(RANKS[number % len(RANKS)], HERE / name, *options)
        status, _, own = mpi(2, named)
        self.assertEqual((status, len(own)), (0, 1))
        self.assertIn("rank 0 reads the graph alone", own[0])
        broken = write("broken.tsv", "one\ttwo\nthree\n")
        status, _, own = mpi(2, "-q", broken)
        self.assertEqual((status, own), (1, [f"bfs-mpi: {info(broken)}"]))

    def test_a_graph_that_is_made_is_the_one_of_bfs(self):
        for number, spec in enumerate(("generate:nodes=3k,edges=20k,seed=5", "generate:kronecker,scale=9",
                                       "generate:uniform,nodes=1k", "generate:grid,rows=20,columns=30")):
            ranks = RANKS[number % len(RANKS)]
            self.same(ranks, spec, *(["--dealt"] if number % 2 else []))
        for words, spec, *options in (("node", "generate:node=3"),
                                      ("is no file: the options for reading", "generate:nodes=1k", "--reverse"),
                                      ("is no file: the options for reading", "generate:nodes=1k", "--names=x")):
            status, out, own = mpi(None, spec, *options)
            self.assertEqual((status, out, len(own)), (2, "", 1), own)
            self.assertIn(words, own[0])

    def test_a_snapshot_that_would_lose_names_is_not_written(self):
        named, snapshot = write("lost.tsv", "a\tb\nb\tc\n"), HERE / "lost.pwg"
        subprocess.run([BIN / "graph-convert", "-q", named, snapshot], check=True)
        for graph in (named, snapshot):
            status, _, own = mpi(2, "-q", graph, "--convert", HERE / "lost-out.pwg")
            self.assertEqual((status, len(own)), (1, 1), own)
            self.assertIn("graph-convert writes the snapshot of a graph with names", own[0])
        self.assertFalse((HERE / "lost-out.pwg").exists())

    def test_renumbered_nodes_are_refused(self):
        text, snapshot = write("order.txt", "".join(f"{i} {i * 7 % 60}\n" for i in range(60))), HERE / "order.pwg"
        subprocess.run([BIN / "graph-convert", "-q", "--order=bfs", text, snapshot], check=True)
        subprocess.run(["gzip", "-kf", snapshot], check=True)
        for path in (snapshot, HERE / "order.pwg.gz"):
            status, _, own = mpi(2, "-q", path)
            self.assertEqual((status, len(own)), (1, 1), own)
            self.assertIn("a snapshot of renumbered nodes cannot be used by several ranks", own[0])

    def test_a_graph_that_does_not_fit_is_refused_once_with_the_figures(self):
        status, _, own = mpi(3, "--memory-limit=60M", write("fits.txt", "1 2\n"))
        self.assertEqual((status, len(own)), (1, 1))
        self.assertRegex(own[0], r"1 edges? needs? .* of memory at each of 3 ranks; allowed: 60")

    def test_a_snapshot_is_not_written_over_an_input_or_the_report(self):
        graph, pairs = write("inputs.txt", "1 2\n"), write("asked.txt", "1 2\n")
        for arguments in ((graph, pairs, "--convert", graph), (graph, pairs, "--convert", pairs),
                          (graph, pairs, "--convert", HERE / "both", "-o", HERE / "both"),
                          (graph, pairs, "--convert", HERE / "both", "-o", f"{HERE}/./both")):
            status, _, own = mpi(2, *arguments)
            self.assertEqual((status, len(own)), (2, 1), own)
        self.assertEqual((graph.read_text(), pairs.read_text()), ("1 2\n", "1 2\n"))

    def test_an_option_that_goes_with_nothing_is_refused(self):
        graph = write("alone.txt", "1 2\n")
        for words, *arguments in (
                ("--format needs PAIRS", graph, "--format=json"), ("--path needs PAIRS", graph, "--path"),
                ("--timeout needs PAIRS", graph, "--timeout=1"),
                ("--threads needs PAIRS", graph, "--threads=2"),
                ("--engine needs PAIRS", graph, "--engine=bidirectional"),
                ("--from needs --to", graph, "--from=1"), ("--to needs --from", graph, "--to=1"),
                ("one too many with --from and --to", graph, "random:3", "--from=1", "--to=2")):
            status, out, own = mpi(None, *arguments)
            self.assertEqual((status, out, len(own)), (2, "", 1), arguments)
            self.assertIn(words, own[0])

    def test_wrong_usage_is_reported_once(self):
        status, _, own = mpi(3, "--dealed", "x")
        self.assertEqual((status, own), (2, [
            'bfs-mpi: unknown option "--dealed"; did you mean --dealt?']))


if __name__ == "__main__":
    sys.exit(main())
