#!/usr/bin/env python3
"""test_graph500.py - Graph500's benchmark for every number of ranks: all searches valid, one graph.

Usage: test_graph500.py BIN MPIEXEC PROGRAM CHECK, see launcher.py
CHECK is test_tree_check, which changes one parent per rule and sees that rule reject the tree.
"""
import csv
import json
import pathlib
import statistics
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from launcher import HERE, PROGRAM, RANKS, main, mpi, started  # noqa: E402

CHECK = sys.argv[4]
QUARTILES = ["min", "firstquartile", "median", "thirdquartile", "max"]
MOMENTS = ["mean", "stddev"]
KEYS = (["SCALE", "edgefactor", "NBFS", "graph_generation", "num_mpi_processes", "construction_time"]
        + [f"bfs  {name}_time" for name in QUARTILES + MOMENTS]
        + [f"{name}_nedge" for name in QUARTILES + MOMENTS]
        + [f"bfs  {name}_TEPS" for name in QUARTILES + ["harmonic_mean", "harmonic_stddev"]]
        + [f"bfs  {name}_validate" for name in QUARTILES + MOMENTS] + ["bfs  validated"])


class Graph500(unittest.TestCase):
    def values(self, ranks, *arguments):
        status, out, errors = mpi(ranks, "--graph500", *arguments)
        self.assertEqual((status, errors), (0, []))
        pairs = [line.split(":", 1) for line in out.splitlines()]
        self.assertEqual([key for key, _ in pairs], KEYS)
        return {key: value.strip(" !") for key, value in pairs}

    def test_all_searches_are_valid_and_the_graph_is_the_same_for_every_number_of_ranks(self):
        for scale, all_ranks in (("8", [2, 7]), ("10", RANKS), ("12", [3])):
            seen = set()
            for ranks in all_ranks:
                found = self.values(ranks, "--scale", scale)
                self.assertEqual(found["bfs  validated"], "64 of 64")
                self.assertEqual((found["SCALE"], found["edgefactor"], found["num_mpi_processes"]),
                                 (scale, "16", str(ranks)))
                seen.add(tuple(found[f"{name}_nedge"] for name in QUARTILES + MOMENTS))
            self.assertEqual(len(seen), 1, seen)

    def test_json_and_csv_have_the_same_values_and_every_search(self):
        for ranks in (2, 1):
            status, out, own = mpi(ranks, "--graph500", "--scale=7", "--format=json")
            self.assertEqual((status, own), (0, []))
            report = json.loads(out)
            self.assertEqual(report["schema"], "pointer-wars-graph500/1")
            self.assertEqual(report["context"]["program"], PROGRAM.name)
            result, searches = report["result"], report["searches"]
            self.assertEqual((result["SCALE"], result["edgefactor"], result["num_mpi_processes"]), (7, 16, ranks))
            self.assertEqual((result["NBFS"], result["validated"], len(searches)), (64, 64, 64))
            self.assertEqual(list(result["time"]), QUARTILES + MOMENTS)
            self.assertEqual(list(result["TEPS"]), QUARTILES + ["harmonic_mean", "harmonic_stddev"])
            for name, column in (("time", "seconds"), ("nedge", "edges"), ("validate", "validate_seconds")):
                values = [search[column] for search in searches]
                self.assertEqual((min(values), max(values)), (result[name]["min"], result[name]["max"]))
                self.assertAlmostEqual(statistics.mean(values), result[name]["mean"], delta=1e-3)
            self.assertAlmostEqual(statistics.harmonic_mean(search["TEPS"] for search in searches)
                                   / result["TEPS"]["harmonic_mean"], 1, delta=1e-3)
            self.assertEqual(len({search["key"] for search in searches}), 64)
        status, out, own = mpi(2, "--graph500", "--scale=7", "--format=csv", "-o", HERE / "searches.csv")
        self.assertEqual((status, out, own), (0, "", []))
        rows = list(csv.DictReader((HERE / "searches.csv").open()))
        self.assertEqual([list(rows[0]), [row["key"] for row in rows], [row["edges"] for row in rows]],
                         [list(searches[0]), [str(search["key"]) for search in searches],
                          [str(search["edges"]) for search in searches]])

    def test_another_seed_gives_another_graph(self):
        found = [self.values(2, "--scale=9", seed)["max_nedge"] for seed in ("--seed=1", "--seed=2")]
        self.assertNotEqual(*found)

    def test_a_tiny_graph_has_fewer_keys(self):
        found = self.values(3, "--scale=3", "--edgefactor=2")
        self.assertEqual(found["bfs  validated"], f"{found['NBFS']} of {found['NBFS']}")
        self.assertIn(int(found["NBFS"]), range(2, 9))

    def test_the_engines_of_bfs_keep_the_rules_too(self):
        wanted = self.values(2, "--scale=9")["mean_nedge"]
        for engine in ("plain", "classic", "mark-on-push", "direction-optimizing"):
            found = self.values(1, "--scale=9", f"--engine={engine}")
            self.assertEqual((found["bfs  validated"], found["mean_nedge"]), ("64 of 64", wanted))

    def test_what_is_refused_is_reported_in_one_line(self):
        for ranks, arguments, status, words in (
                (1, ["--engine=bidirectional"], 2, "for --graph500; there are plain"),
                (1, ["--engine=breadth"], 2, 'knows no "breadth"'),
                (2, ["--engine=classic"], 1, "with one rank"), (1, ["--scale=50"], 2, "--scale"),
                (2, ["graph.mtx"], 2, "makes its graph"),
                (2, ["--memory-limit=65M"], 1, "65536 nodes and 2097152 edges need")):
            found, out, own = mpi(ranks, "--graph500", *arguments)
            self.assertEqual((found, out, len(own)), (status, "", 1), own)
            self.assertIn(words, own[0])

    def test_every_rule_rejects_a_tree_that_breaks_it(self):
        for ranks in RANKS:
            done = started(ranks, CHECK)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(done.stdout.count("100%: Checks: 6"), ranks, done.stdout)


if __name__ == "__main__":
    sys.exit(main(at_once=False))
