#!/usr/bin/env python3
"""test_mpi_load.py - the distributed graph is the graph of bfs, for every number of ranks.

1. Nodes, edges and checksum equal graph-info's, for 1, 2, 3, 4 and 7 ranks.
2. A wrong byte in a snapshot is refused by its block, in the words of graph-info.
3. What is no snapshot, and what one rank alone could use, is refused.

Usage: launcher.py says it.
"""
import struct
import subprocess
import sys
import unittest

from launcher import HERE, RANKS, converted, main, mpi, single, write


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
        graph = converted("g.pwg", "generate:nodes=3000")
        for number, ranks in enumerate(RANKS):
            self.same(ranks, graph, *(["--dealt"] if number % 3 == 2 else []))

    def test_a_tiny_and_an_empty_graph(self):
        tiny = write("tiny.txt", "0 1\n")
        empty = write("empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n5 5 0\n")
        for number, text in enumerate((tiny, empty)):
            self.same(RANKS[1:][number], converted(f"{number}.pwg", text))

    def test_a_snapshot_with_and_without_reverse_adjacency(self):
        text = write("snapshot.txt", "".join(f"{i * i % 997} {i * 7 % 1009}\n" for i in range(40000)))
        self.same(3, converted("both.pwg", text))
        self.same(2, HERE / "both.pwg", "--dealt")
        self.same(2, converted("one.pwg", "--without-reverse", text))

    def test_a_wrong_byte_in_a_snapshot_is_refused_with_its_block_as_by_one_process(self):
        text = write("wrong.txt", "".join(f"{i * i % 997} {i * 7 % 1009}\n" for i in range(40000)))
        graph = converted("wrong.pwg", text)
        good = graph.read_bytes()
        begins = [struct.unpack_from("Q", good, 64 + 16 * array)[0] for array in range(4)]
        for number, place in enumerate((
                8, 40, 5000,  # version, counts, between header and arrays
                begins[0] + 4100, begins[1] + 3, begins[1] + 90000, begins[2] + 1, begins[3] - 9,
                begins[3] + 40000, len(good) - 100)):
            wrong = bytearray(good)
            wrong[place] ^= 1
            graph.write_bytes(wrong)
            with self.subTest(place=place):
                self.refused(RANKS[number % len(RANKS)], graph)

    def test_a_graph_that_is_made_is_the_one_of_bfs(self):
        for number, spec in enumerate(("generate:nodes=3k,edges=20k,seed=5", "generate:kronecker,scale=9",
                                       "generate:uniform,nodes=1k", "generate:grid,rows=20,columns=30")):
            ranks = RANKS[number % len(RANKS)]
            self.same(ranks, spec, *(["--dealt"] if number % 2 else []))
        status, out, own = mpi(None, "generate:node=3")
        self.assertEqual((status, out, len(own)), (2, "", 1), own)
        self.assertIn("node", own[0])

    def test_what_is_no_snapshot_is_refused_once(self):
        text = write("text.txt", "1 2\n2 3\n")
        converted("packed.pwg", text)
        subprocess.run(["gzip", "-kf", HERE / "packed.pwg"], check=True)
        for ranks, path in ((1, text), (3, text), (2, HERE / "packed.pwg.gz")):
            status, out, own = mpi(ranks, path)
            self.assertEqual((status, out, own), (1, "", [
                f"bfs-mpi: {path}: is not a snapshot: graph-convert makes one of any graph file"]))

    def test_renumbered_nodes_are_refused(self):
        text = write("order.txt", "".join(f"{i} {i * 7 % 60}\n" for i in range(60)))
        status, _, own = mpi(2, "-q", converted("order.pwg", "--order=bfs", text))
        self.assertEqual((status, len(own)), (1, 1), own)
        self.assertIn("a snapshot of renumbered nodes cannot be used by several ranks", own[0])

    def test_a_graph_that_does_not_fit_is_refused_once_with_the_figures(self):
        status, _, own = mpi(3, "--memory-limit=60M", converted("fits.pwg", write("fits.txt", "1 2\n")))
        self.assertEqual((status, len(own)), (1, 1))
        self.assertRegex(own[0], r"1 edges? needs? .* of memory at each of 3 ranks; allowed: 60")

    def test_the_report_is_not_written_over_an_input(self):
        pairs = write("asked.txt", "1 2\n")
        graph = converted("inputs.pwg", pairs)
        before = graph.read_bytes()
        for output in (graph, pairs, f"{HERE}/./asked.txt"):
            status, _, own = mpi(2, graph, pairs, "-o", output)
            self.assertEqual((status, len(own)), (1, 1), own)
        self.assertEqual((graph.read_bytes(), pairs.read_text()), (before, "1 2\n"))

    def test_an_option_that_goes_with_nothing_is_refused(self):
        graph = HERE / "alone.pwg"
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
