"""perf/builds, on builds made up here; and on the built bench-ladder, when its path is given."""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
HEADER = ("table,subject,pairs,seconds,min,max,cpu_seconds,expanded,edges,bytes,pair_us,setup")

FAKE = """#!/bin/sh
echo "$@" >>"$0.calls"
while [ $# -gt 0 ]; do [ "$1" = --csv ] && file=$2; shift; done
echo "10 nodes, 20 edges, labels in random order, seed 1"
%s
"""


class Builds(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def fake(self, build, script):
        path = self.folder / build / "bin" / "bench-ladder"
        path.parent.mkdir(parents=True)
        path.write_text(FAKE % script, encoding="utf-8")
        path.chmod(0o755)

    def fake_rows(self, build, **seconds):
        """A build that writes these seconds, of rungs that all expanded seven nodes."""
        rows = [f'2,"{rung}, slab",5,{value},0,0,0,7,9,9,0,0' for rung, value in seconds.items()]
        self.fake(build, "cat >\"$file\" <<END\n" + "\n".join([HEADER] + rows) + "\nEND")

    def calls(self, build):
        path = self.folder / build / "bin" / "bench-ladder.calls"
        return path.read_text(encoding="utf-8").splitlines()

    def run_builds(self, *arguments):
        done = subprocess.run(
            [sys.executable, str(HERE.parents[1] / "perf" / "builds"), "--no-build", "--folder",
             str(self.folder), *arguments], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def assert_fails(self, status, text, *arguments):
        got, _, said = self.run_builds(*arguments)
        self.assertEqual(got, status, said)
        self.assertIn(text, said)
        if status == 1:
            self.assertEqual(said.count("\n"), 1, said)

    def test_the_table_says_how_many_times_as_fast_as_the_first_build(self):
        self.fake_rows("release", classic=3.0, array=1.0)
        self.fake_rows("static", classic=2.0)
        status, table, said = self.run_builds("--builds", "release,static", "--rounds", "2")
        self.assertEqual((status, said), (0, ""))
        lines = table.splitlines()
        self.assertEqual(lines[0], "10 nodes, 20 edges; 5 pairs; seconds, median of 2 rounds, and "
                         "times as fast as release")
        self.assertEqual(lines[2].split(), ["classic,", "slab", "3.0000", "2.0000", "1.50", "0.0%"])
        self.assertEqual(lines[3].split(), ["array,", "slab", "1.0000", "-", "-", "0.0%"])
        self.assertEqual(lines[4].split(), ["all,", "geometric", "mean", "1.50"])

    def test_options_are_passed_on_and_every_build_runs_once_a_round(self):
        self.fake_rows("release", classic=3.0)
        self.fake_rows("lto", classic=3.0)
        self.run_builds("--builds", "release,lto", "--rounds", "4", "--nodes", "10", "--edges",
                        "20", "--pairs", "5", "--full")
        for build in ("release", "lto"):
            self.assertEqual(len(self.calls(build)), 4)
            self.assertIn("--only 2 --rounds 1 --full --nodes 10 --edges 20 --pairs 5 --csv ",
                          self.calls(build)[0])

    def test_the_raw_figures_begin_with_round_and_build_and_the_builds_take_turns(self):
        self.fake_rows("release", classic=3.0, array=1.0)
        self.fake_rows("static", classic=2.0, array=1.0)
        raw = self.folder / "raw.csv"
        self.run_builds("--builds", "release,static", "--rounds", "2", "--csv", str(raw))
        with open(raw, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["round", "build"] + HEADER.split(","))
        self.assertEqual([(row["round"], row["build"]) for row in rows[::2]],
                         [("1", "release"), ("1", "static"), ("2", "static"), ("2", "release")])
        self.assertEqual(rows[0]["subject"], "classic, slab")
        self.assertEqual(float(rows[2]["seconds"]), 2.0)

    def test_a_launcher_stands_before_the_program(self):
        self.fake("release", f"printf '{HEADER}\\n2,\"%s\",5,2,0,0,0,8,9,9,0,0\\n' \"$RUNG\" "
                  '>"$file"')
        status, table, _ = self.run_builds("--builds", "release", "--launcher",
                                           "env 'RUNG=one, two'", "--rounds", "1")
        self.assertEqual(status, 0)
        self.assertIn("median of 1 round,", table)
        self.assertIn("\none, two  ", table)

    def test_builds_that_searched_differently_are_no_comparison(self):
        self.fake_rows("release", classic=3.0)
        self.fake("static", f"printf '{HEADER}\\n2,\"classic, slab\",5,2,0,0,0,8,9,9,0,0\\n' "
                  '>"$file"')
        self.assert_fails(1, "classic, slab: static expanded 8 nodes, release 7", "--builds",
                          "release,static")

    def test_a_run_that_fails_is_one_line_with_what_it_said(self):
        self.fake("release", "echo 'bench-ladder: out of memory' >&2; exit 1")
        self.assert_fails(1, "builds: release: bench-ladder: out of memory", "--builds", "release")

    def test_rounds_that_are_done_are_printed_when_a_later_one_fails(self):
        self.fake_rows("release", classic=3.0)
        self.fake("static", f"printf '{HEADER}\\n2,\"classic, slab\",5,2,0,0,0,7,9,9,0,0\\n' "
                  '>"$file"; [ $(wc -l <"$0.calls") -lt 3 ]')
        status, table, said = self.run_builds("--builds", "release,static", "--rounds", "5")
        self.assertEqual(status, 1)
        self.assertIn("static", said)
        self.assertIn("median of 2 rounds", table)

    def test_a_run_without_figures_is_one_line(self):
        scripts = {"nothing": "", "text": "echo nonsense >\"$file\"",
                   "header": f"echo '{HEADER}' >\"$file\""}
        for build, script in scripts.items():
            with self.subTest(build):
                self.fake(build, script)
                self.assert_fails(1, "wrote no figures", "--builds", build)

    def test_what_is_not_there_is_one_line(self):
        self.assert_fails(1, "bench-ladder: No such file", "--builds", "release")
        self.fake_rows("release", classic=3.0)
        self.assert_fails(1, "/nonexistent/raw.csv: No such file", "--builds", "release", "--csv",
                          "/nonexistent/raw.csv")

    def test_wrong_usage_ends_with_2(self):
        self.assert_fails(2, "--rounds", "--rounds", "0")
        self.assert_fails(2, "--builds", "--builds", "release,release")
        self.assert_fails(2, "--builds", "--builds", "../release")
        self.assert_fails(2, "--nodes", "--nodes", "many")
        self.assert_fails(2, "--launcher", "--launcher", "'")
        self.assert_fails(2, "unrecognized", "graph.mtx")

    def test_help_ends_with_0_and_names_every_build(self):
        status, text, _ = self.run_builds("--help")
        self.assertEqual(status, 0)
        for name in ("release", "static", "lto", "pgo", "Exit status"):
            self.assertIn(name, text)

    @unittest.skipUnless(os.environ.get("PW_BUILD"), "PW_BUILD names no build")
    def test_the_built_program_gives_a_row_for_every_rung(self):
        (self.folder / "mine").symlink_to(os.environ["PW_BUILD"])
        status, table, said = self.run_builds("--builds", "mine", "--rounds", "1", "--nodes",
                                              "2000", "--edges", "20000", "--pairs", "4")
        self.assertEqual(status, 0, said)
        self.assertIn("2000 nodes, 20000 edges; 4 pairs", table)
        for rung in ("classic", "mark-on-push", "array", "bitmap", "bidirectional"):
            self.assertIn("\n" + rung, table)


if __name__ == "__main__":
    unittest.main()
