"""test_bfs_compare.py - bfs-compare: commands in turns, values measured already, and what is refused.

No test depends on how long something takes: the commands count, sleep until something ends them, or
take a longer time than others by a factor that no machine turns around.
"""
import csv
import io
import json
import math
import os
import pathlib
import re
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.environ.get("PW_COMPARE", "build/release/bin/bfs-compare")


def run(*words, text="", **more):
    return subprocess.run([PROGRAM, *words], input=text, capture_output=True, text=True, timeout=120,
                          check=False, **more)


def compared(*commands, options=()):
    words = [word for command in commands for word in ("--command", command)]
    return run(*words, "--rounds=3", *options)


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


class Base(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def script(self, name, text):
        path = self.folder / name
        path.write_text("#!/bin/sh\n" + text, encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def assert_fails(self, result, status, message):
        self.assertEqual((result.returncode, result.stderr.count("\n")), (status, 1), result.stderr)
        self.assertIn(message, result.stderr)


class Commands(Base):
    def test_the_table_fits_80_columns_and_says_what_it_shows(self):
        result = compared("true", "sh -c 'exit 0 # " + "x" * 100 + "'", options=["--progress=never"])
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"\ncommand +median +spread +times as fast +user\+sys +peak mem\n"
                         r"1 .* 1 .*iB\n2 .* \(.* to .*\) .*iB\n")
        self.assertIn("75 %", " ".join(result.stdout.split()))  # the confidence of three rounds
        for line in result.stdout.splitlines():
            self.assertLessEqual(len(line.split("xx")[0]), 80, line)

    def test_every_round_has_one_run_of_each_in_an_order_of_its_own(self):
        note = self.script("note", f'echo "$1" >>"{self.folder}/log"\n')
        result = run("-c", f"{note} a", "-c", f"{note} b", "-c", f"{note} c", "-n", "8", "-w", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        log = (self.folder / "log").read_text().split()
        rounds = [log[i:i + 3] for i in range(0, len(log), 3)]
        self.assertEqual(len(rounds), 10)
        self.assertEqual({tuple(sorted(one)) for one in rounds}, {("a", "b", "c")})
        self.assertGreater(len({tuple(one) for one in rounds}), 2)

    def test_json_has_every_run_and_what_is_made_of_them(self):
        slow = self.script("slow", "sleep 0.3\n")
        result = compared("true", slow, options=["-f", "json"])
        found = json.loads(result.stdout)
        self.assertEqual(found["schema"], "pointer-wars-commands/1")
        self.assertEqual([(one["round"], one["command"]) for one in found["runs"]],
                         [(r, c) for r in (1, 2, 3) for c in (1, 2)])
        self.assertEqual({one["exit_status"] for one in found["runs"]}, {0})
        first, second = found["commands"]
        times = sorted(one["seconds"] for one in found["runs"] if one["command"] == 2)
        self.assertEqual(second["words"], slow)
        self.assertEqual(second["seconds_median"], times[1])
        self.assertEqual((second["seconds_min"], second["seconds_max"]), (times[0], times[2]))
        self.assertGreaterEqual(times[0], 0.3)
        self.assertLess(second["cpu_seconds_median"], 0.3)  # to sleep takes none
        self.assertEqual((first["speed"], first["memory_ratio"]), (1, 1))
        speeds = sorted(one["seconds"] / other["seconds"] for one, other in
                        zip(found["runs"][::2], found["runs"][1::2]))
        self.assertAlmostEqual(second["speed"], speeds[1], places=3)
        self.assertAlmostEqual(second["speed_high"], speeds[2], places=3)

    def test_memory_and_processor_time_are_the_command_s(self):
        large = f"{sys.executable} -c 'x = bytearray(60000000); sum(range(3000000))'"
        small = f"{sys.executable} -c pass"
        one, two = rows(compared(small, large, options=["-f", "csv"]).stdout)
        self.assertGreater(int(two["peak_rss_bytes_median"]) - int(one["peak_rss_bytes_median"]),
                           50_000_000)
        self.assertGreater(float(two["memory_ratio_low"]), 2)
        self.assertGreater(float(two["cpu_seconds_median"]), float(one["cpu_seconds_median"]))

    def test_as_many_commands_as_are_allowed_are_all_named(self):
        words = [word for number in range(64) for word in ("-c", f"true {number}")]
        result = run(*words, "-n", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        for number in range(64):
            self.assertRegex(result.stdout, rf"(?m)^ +command {number + 1} +true {number}$")
        self.assert_fails(run(*words, "-c", "true", "-n", "1"), 2, "more than 64 commands")

    def test_markdown_is_the_table_alone(self):
        lines = compared("true", "true", options=["--format=markdown"]).stdout.splitlines()
        self.assertEqual(lines[:2], ["| command | median | spread | times as fast | user+sys | peak mem |",
                                     "|---|---:|---:|---:|---:|---:|"])
        self.assertEqual(len(lines), 4)

    def test_a_command_is_split_as_a_shell_does_it(self):
        show = self.script("show", 'for word; do echo "<$word>"; done\n')
        keep = self.folder / "kept"
        result = compared(f"{show} 'a  b' \"it's\" c\\ d '' $PW_WORD", "true",
                          options=["--keep", str(keep)])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((keep / "1-3.out").read_text(), "<a  b>\n<it's>\n<c d>\n<>\n")
        self.assertEqual(sorted(path.name for path in keep.iterdir()),
                         [f"{c}-{r}.out" for c in (1, 2) for r in (1, 2, 3)])
        for command in ("true | true", "true; true", "true >x", "echo $(ls)", "echo `ls`"):
            self.assert_fails(compared(command, "true"), 2, "needs a shell")
        self.assert_fails(compared("echo 'a", "true"), 2, "is not closed")
        self.assert_fails(compared(" ", "true"), 2, "names no program")

    def test_a_command_gets_no_input_and_its_output_is_lost(self):
        result = run("-c", "cat", "-c", "echo lost", "-n", "2", text="never read")
        self.assertEqual(result.returncode, 0)
        self.assertNotIn("\nlost", result.stdout)

    def test_a_failing_command_is_an_error_with_its_last_words(self):
        bad = self.script("bad", "echo first >&2\necho 'no such luck' >&2\nexit 7\n")
        result = compared("true", bad)
        self.assert_fails(result, 1, "command 2 ended with exit status 7: no such luck "
                                     "(--ignore-failure goes on)")
        killed = self.script("killed", "kill -9 $$\n")
        self.assert_fails(compared(killed, "true"), 1, "command 1 was ended by signal 9")

    def test_failures_that_are_allowed_are_counted(self):
        once = self.script("once", f'echo x >>"{self.folder}/count"\n'
                           f'[ "$(wc -l <"{self.folder}/count")" -ne 2 ] || exit 3\n')
        result = compared("true", once, options=["--ignore-failure"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Command 2 ended with exit status 3 in 1 of 3 runs.", result.stdout)
        killed = self.script("killed", "kill -9 $$\n")
        found = json.loads(compared("true", killed, options=["-i", "-fjson"]).stdout)
        self.assertEqual([one["failures"] for one in found["commands"]], [0, 3])
        self.assertEqual({(one["exit_status"], one["signal"]) for one in found["runs"]},
                         {(0, None), (None, 9)})

    def test_a_command_that_cannot_be_started_is_an_error_even_where_failures_are_allowed(self):
        self.assert_fails(compared("true", "pw-no-such-program x", options=["-i"]), 1,
                          "command 2: pw-no-such-program cannot be started: No such file or directory")
        self.assert_fails(compared(f"'{self.folder}'", "true"), 1, "cannot be started: ")

    def test_ctrl_c_reports_whole_rounds_and_ends_the_command(self):
        wait = self.script("wait", f'echo x >>"{self.folder}/runs"\n'
                           f'[ "$(wc -l <"{self.folder}/runs")" -lt 3 ] || '
                           f'{{ echo $$ >"{self.folder}/pid.new"; mv "{self.folder}/pid.new" '
                           f'"{self.folder}/pid"; exec sleep 1000; }}\n')
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            for name in ("runs", "pid"):
                (self.folder / name).unlink(missing_ok=True)
            process = subprocess.Popen([PROGRAM, "-c", wait, "-c", "true", "-n", "9"],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            while not (self.folder / "pid").exists():
                time.sleep(0.005)
            process.send_signal(number)  # to the program alone: it must end its command
            output, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, status)
            self.assertIn("interrupted after 2 of 9 rounds", errors)
            self.assertIn("the median of 2 rounds", " ".join(output.split()))
            with self.assertRaises(ProcessLookupError):
                os.kill(int((self.folder / "pid").read_text()), 0)

    def test_a_report_that_fails_leaves_the_old_file(self):
        path = self.folder / "report.txt"
        path.write_text("old")
        self.assertEqual(compared("true", "false", options=["-o", str(path)]).returncode, 1)
        self.assertEqual(path.read_text(), "old")
        self.assertEqual(compared("true", "true", options=["-o", str(path)]).returncode, 0)
        self.assertIn("times as fast", path.read_text())
        self.assert_fails(compared("true", "true", options=["-o", str(self.folder / "no" / "x")]), 1,
                          "No such file or directory")
        self.assert_fails(compared("true", "true", options=["--keep", str(path)]), 1, "Not a directory")

    def test_what_cannot_be_compared_is_refused(self):
        for words, message in (
                ([], "nothing to compare"), (["-c", "true"], "give --command again"),
                (["-c", "true", "-c", "true", "--values", "-"], "not compared with each other"),
                (["a.json"], "two reports"), (["a", "b", "c"], "one argument too many"),
                (["-c", "true", "-c", "true", "--apart"], "--apart and --confidence are for --values"),
                (["-c", "true", "-c", "true", "--confidence=0.9"], "are for --values"),
                (["--values=-", "--confidence=1"], "expected 0.5 to below 1"),
                (["--values=-", "--force"], "are for two reports"),
                (["--rounds=0", "-c", "true", "-c", "true"], "--rounds"),
                (["--comand=true"], "did you mean --command?"),
                (["-c", "true"] * 65, "more than 64 commands")):
            self.assert_fails(run(*words), 2, message)

    def test_two_reports_are_handed_to_the_study(self):
        study = self.folder / "bfs-study"
        study.write_text('#!/bin/sh\necho "$*"\nexit 1\n')
        study.chmod(0o755)
        result = run("a.json", "b.json", "--fail-if-slower=5%", "--force",
                     env={"PATH": f"{self.folder}:{os.environ['PATH']}"})
        self.assertEqual((result.returncode, result.stdout),
                         (1, "compare --fail-if-slower=5% --force -- a.json b.json\n"))
        self.assert_fails(run("a.json", "b.json", env={"PATH": "/nonexistent"}), 1, "bfs-study")


class Values(Base):
    TABLE = "who,round,ms\na,1,10\na,2,20\na,3,30\nb,1,5\nb,3,15\nb,2,9\n"

    def figures(self, text, *options):
        result = run("--values=-", "--format=json", *options, text=text)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return {(row["case"], row["value"]): row for row in json.loads(result.stdout)["figures"]}

    def test_runs_of_one_round_are_compared_with_each_other(self):
        found = self.figures(self.TABLE)
        first, second = found["a", "ms"], found["b", "ms"]
        self.assertEqual((first["median"], first["low"], first["high"], first["runs"]), (20, 10, 30, 3))
        self.assertEqual((first["spread"], first["confidence"]), (0.25, 0.75))
        self.assertEqual((second["ratio"], second["ratio_low"], second["ratio_high"]), (0.5, 0.45, 0.5))
        self.assertEqual((first["ratio"], second["ratio_confidence"]), (1, 0.75))

    def test_without_rounds_the_runs_are_counted(self):
        found = self.figures("case,x\na,2\nb,6\na,4\nb,8\n")
        self.assertEqual((found["b", "x"]["ratio_low"], found["b", "x"]["ratio_high"]), (2, 3))

    def test_runs_that_were_not_made_in_turns_are_compared_with_all(self):
        found = self.figures("case,x\na,2\na,4\nb,6\nb,8\n", "--apart")["b", "x"]
        self.assertEqual((found["ratio_low"], found["ratio"], found["ratio_high"]), (1.5, 2.5, 4))
        self.assertAlmostEqual(found["ratio_confidence"], 1 - 2 / 6)

    def test_missing_values_and_a_single_run_say_less(self):
        found = self.figures('case,x,y\n"a, ""b""",1,\n"a, ""b""",,\nc,,2\n')
        first = found['a, "b"', "x"]
        self.assertEqual((first["runs"], first["low"], first["spread"]), (1, None, None))
        self.assertEqual((first["ratio"], first["ratio_confidence"]), (1, 0))
        self.assertEqual((found["c", "x"]["runs"], found["c", "x"]["median"]), (0, None))
        self.assertIsNone(found["c", "y"]["ratio"])

    def test_values_of_any_size_come_back_exactly(self):
        values = [0.1, 1e-300, 2.5e300, -3.125, 1 / 3, 1.25e17, math.pi * 1e-12]
        table = "case,x\n" + "".join(f"c{i},{value!r}\n" for i, value in enumerate(values))
        found = self.figures(table)
        self.assertEqual([found[f"c{i}", "x"]["median"] for i in range(len(values))], values)

    def test_the_wished_confidence_decides_the_interval(self):
        table = "case,x\n" + "".join(f"a,{value}\n" for value in range(1, 10))
        self.assertEqual([self.figures(table, *options)["a", "x"]["low"]
                          for options in ([], ["--confidence=0.5"])], [2, 3])

    def test_tables_follow_each_other_and_each_is_answered_at_once(self):
        process = subprocess.Popen([PROGRAM, "--values=-", "--format=csv"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        for value in (3, 4):
            process.stdin.write(f"case,x\na,{value}\n\n")
            process.stdin.flush()
            head, row = process.stdout.readline(), process.stdout.readline()
            self.assertTrue(head.startswith("value,case,runs,median,"), head)
            self.assertTrue(row.startswith(f"x,a,1,{value},"), row)
        process.stdin.close()
        self.assertEqual((process.wait(timeout=60), process.stdout.read()), (0, ""))
        process.stdout.close()

    def test_the_text_says_what_it_shows(self):
        path = self.folder / "v.csv"
        path.write_text(self.TABLE + "\nwho,n\nq,1\n")
        text = run(f"--values={path}").stdout
        self.assertRegex(text, r"\nms +b +3 +9\.00 +\S+ % +0\.500 \(0\.450 to 0\.500\)\n")
        self.assertEqual(len(re.findall("To the first:", text)), 2)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)

    def test_a_bad_table_names_its_line(self):
        for text, message in (
                ("", "standard input: no table of values"),
                ("case\na\n", ":1: a heading names the case and at least one value"),
                ("case,round\na,1\n", ":1: a heading names the case and at least one value"),
                ("case,x\n", ":1: a heading without a line of values"),
                ("case,x\na,1\na,two\n", ':3: "two" is no number'),
                ("case,x\na,nan\n", ':2: "nan" is no number'),
                ("case,x\na,1e999\n", ':2: "1e999" is no number'),
                ("case,x\na\n", ":2: 1 columns, the heading has 2"),
                ("case,x\na,1,2\n", ":2: more columns than the 2 of the heading"),
                ("case,round,x\na,-1,2\n", ':2: "-1" is no round'),
                ("case,x\n" + "".join(f"c{i},1\n" for i in range(1025)), ":1026: more cases"),
                ("case," + ",".join("x" * 300) + "\n", ":1: more than 256 columns")):
            self.assert_fails(run("--values=-", text=text), 1, message)
        self.assert_fails(run(f"--values={self.folder}/none.csv"), 1, "No such file or directory")


if __name__ == "__main__":
    unittest.main()
