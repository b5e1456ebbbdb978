"""perf/builds, on builds made up here; and on the built programs, when their path is given."""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent

# A bfs that knows some engines and repeats its arguments for each; $engine and $call are its own.
FAKE = """#!/bin/sh
case $1 in --list-engines)
    printf '%s  summary\\n  more\\n' ENGINES; exit ;;
esac
echo "$@" >>"$0.calls"
for word; do case $word in --engine=*) engine=${word#--engine=} ;; esac; done
SCRIPT
"""


def report(seconds, expanded=7):
    """What bfs --format json prints of one search."""
    return json.dumps({
        "context": {"threads": 1, "graph": {"nodes": 10, "edges": 20}},
        "searches": [{"search": 1, "found": 1, "hops": 3, "visited": 9, "expanded": expanded,
                      "seconds": seconds, "status": "done"}],
        "summary": {"setup_seconds": 0.1}, "counters": {}})


class Builds(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def fake(self, build, script, engines=("classic",)):
        path = self.folder / build / "bin" / "bfs"
        path.parent.mkdir(parents=True)
        path.write_text(FAKE.replace("ENGINES", " ".join(engines)).replace("SCRIPT", script),
                        encoding="utf-8")
        path.chmod(0o755)

    def fake_times(self, build, **seconds):
        """A build whose engines take these seconds and all expand seven nodes."""
        script = "case $engine in\n" + "".join(
            f"{engine}) echo '{report(value)}' ;;\n" for engine, value in seconds.items())
        self.fake(build, script + "esac", list(seconds))

    def calls(self, build):
        path = self.folder / build / "bin" / "bfs.calls"
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
        self.fake_times("release", classic=3.0, array=1.0)
        self.fake_times("static", classic=2.0)
        status, table, said = self.run_builds("--builds", "release,static", "--rounds", "2",
                                              "--nodes", "10", "--edges", "20", "--pairs", "1")
        self.assertEqual((status, said), (0, ""))
        lines = table.splitlines()
        self.assertEqual(lines[0], "10 nodes, 20 edges; 1 pairs; time, median of 2 rounds, and "
                         "times as fast as release")
        self.assertEqual(lines[2].split(), ["classic,", "slab", "3", "s", "2", "s", "1.50", "0.0%"])
        self.assertEqual(lines[3].split(), ["array", "1", "s", "-", "-", "0.0%"])
        self.assertEqual(lines[4].split(), ["all,", "geometric", "mean", "1.50"])

    def test_options_are_passed_on_and_every_build_runs_once_a_round(self):
        self.fake_times("release", classic=3.0)
        self.fake_times("lto", classic=3.0)
        self.run_builds("--builds", "release,lto", "--rounds", "4", "--nodes", "10", "--edges",
                        "20", "--pairs", "5")
        for build in ("release", "lto"):
            self.assertEqual(len(self.calls(build)), 4)
            self.assertIn("generate:nodes=10,edges=20,seed=1 random:5,seed=1 --engine=classic",
                          self.calls(build)[0])
            self.assertIn("--threads=1", self.calls(build)[0])

    def test_full_is_the_real_size(self):
        self.fake_times("release", classic=3.0)
        self.run_builds("--builds", "release", "--rounds", "1", "--full")
        self.assertIn("generate:nodes=3566907,edges=45030389,", self.calls("release")[0])

    def test_the_raw_figures_begin_with_round_and_build_and_the_builds_take_turns(self):
        self.fake_times("release", classic=3.0, array=1.0)
        self.fake_times("static", classic=2.0, array=1.0)
        raw = self.folder / "raw.csv"
        self.run_builds("--builds", "release,static", "--rounds", "2", "--csv", str(raw))
        with open(raw, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0])[:4], ["round", "build", "case", "seconds"])
        self.assertEqual([row["round"] for row in rows], ["1"] * 4 + ["2"] * 4)
        self.assertEqual({(row["build"], row["case"], row["seconds"]) for row in rows}, {
            ("release", "classic, slab", "3.0"), ("release", "array", "1.0"),
            ("static", "classic, slab", "2.0"), ("static", "array", "1.0")})

    def test_a_launcher_comes_before_the_program(self):
        self.fake("release", f"echo '{report(2.5)}' | sed s/2.5/$SECONDS_OF_TEST/")
        status, table, _ = self.run_builds("--builds", "release", "--launcher",
                                           "env 'SECONDS_OF_TEST=4.5'", "--rounds", "1")
        self.assertEqual(status, 0)
        self.assertIn("median of 1 round,", table)
        self.assertIn("4.5 s", table)

    def test_builds_that_searched_differently_are_no_comparison(self):
        self.fake_times("release", classic=3.0)
        self.fake("static", f"echo '{report(2.0, expanded=8)}'")
        self.assert_fails(1, "expanded differs: release: classic, slab has 7, static: classic, "
                          "slab has 8", "--builds", "release,static")

    def test_a_run_that_fails_is_one_line_with_what_it_said(self):
        self.fake("release", "echo 'bfs: out of memory' >&2; exit 1")
        self.assert_fails(1, "builds: release: classic, slab: bfs: out of memory", "--builds",
                          "release")

    def test_rounds_that_are_done_are_printed_when_a_later_one_fails(self):
        self.fake_times("release", classic=3.0)
        self.fake("static", f"[ $(wc -l <\"$0.calls\") -lt 3 ] && echo '{report(2.0)}'")
        status, table, said = self.run_builds("--builds", "release,static", "--rounds", "5")
        self.assertEqual(status, 1)
        self.assertIn("static", said)
        self.assertIn("median of 2 rounds", table)

    def test_a_run_without_figures_is_one_line(self):
        scripts = {"nothing": ":", "text": "echo nonsense", "empty": "echo '{}'"}
        for build, script in scripts.items():
            with self.subTest(build):
                self.fake(build, script)
                self.assert_fails(1, "no figures", "--builds", build)

    def test_what_is_not_there_is_one_line(self):
        self.assert_fails(1, "release/bin/bfs is not built", "--builds", "release")
        self.fake_times("release", classic=3.0)
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
    def test_the_built_program_gives_a_row_for_every_engine(self):
        (self.folder / "mine").symlink_to(os.environ["PW_BUILD"])
        status, table, said = self.run_builds("--builds", "mine", "--rounds", "1", "--nodes",
                                              "2000", "--edges", "20000", "--pairs", "4")
        self.assertEqual(status, 0, said)
        self.assertIn("2000 nodes, 20000 edges; 4 pairs", table)
        for engine in ("classic", "mark-on-push", "array", "bitmap", "bidirectional"):
            self.assertIn("\n" + engine, table)


if __name__ == "__main__":
    unittest.main(verbosity=2)
