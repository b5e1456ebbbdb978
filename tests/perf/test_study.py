"""Statistics, words and comparison of perf/study, on numbers made up here; and every subcommand,
small, with the built programs, when their path is given."""
import argparse
import contextlib
import csv
import io
import json
import os
import pathlib
import platform
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import types
import unittest
import unittest.mock

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "perf" / "studylib"))

import cases  # noqa: E402
import cli  # noqa: E402
import compare  # noqa: E402
import contents  # noqa: E402
import figures  # noqa: E402
import page  # noqa: E402
import peers  # noqa: E402
import runner  # noqa: E402
import searches  # noqa: E402
import speaker  # noqa: E402
import stats  # noqa: E402
import study  # noqa: E402
import units  # noqa: E402
from runner import Failed  # noqa: E402


def report(seconds, allocator="malloc", trials=1, visited=1000, **counters):
    """A report as bfs writes it; seconds: of each trial of its one search."""
    rows = [{"trial": i + 1, "search": 1, "source": 1, "target": 2, "found": 1, "hops": 3,
             "visited": visited, "pushed": 2000, "seconds": s, "status": "done",
             "malloc_calls": 10, "free_calls": 10} for i, s in enumerate(seconds)]
    return {"schema": "pointer-wars-bfs/1",
            "context": {"graph": {"name": "g", "nodes": 5, "edges": 9}, "pairs": {"name": "p"},
                        "allocator": {"specification": allocator}, "engine": "classic"},
            "searches": rows,
            "summary": {"search_seconds": sum(seconds), "visited": visited * len(seconds),
                        "searches": len(seconds), "malloc_calls": 10 * trials},
            "counters": counters}


class Statistics(unittest.TestCase):
    def test_the_interval_of_six_values_is_their_range_with_97_percent(self):
        low, high, real = stats.interval([3, 1, 2, 6, 5, 4])
        self.assertEqual((low, high), (1, 6))
        self.assertAlmostEqual(real, 1 - 2 / 64)

    def test_the_median_of_an_even_number_lies_between_the_two_in_the_middle(self):
        self.assertEqual(stats.median([3]), 3)
        self.assertEqual(stats.median([5, 1, 4]), 4)
        self.assertEqual(stats.median([1, 8, 2, 4]), 3)
        figure = stats.figure_of([7, 3])
        self.assertEqual((figure.value, figure.low, figure.high), (5, 3, 7))
        self.assertEqual(stats.Difference([1, 3], [1, 1]).ratio, 2)

    def test_nine_values_give_the_second_and_the_eighth(self):
        low, high, real = stats.interval(range(1, 10))
        self.assertEqual((low, high), (2, 8))
        self.assertGreaterEqual(real, 0.95)

    def test_a_single_value_is_its_own_range_without_confidence(self):
        self.assertEqual(stats.interval([3]), (3, 3, 0.0))

    def test_too_few_values_say_what_confidence_they_have(self):
        _, _, real = stats.interval([1, 2, 3])
        self.assertAlmostEqual(real, 0.75)

    def test_a_difference_within_the_noise_is_none(self):
        base = [1.00, 1.02, 0.99, 1.01, 1.00, 1.03]
        again = [1.02, 1.00, 1.01, 0.99, 1.02, 1.00]
        noise = stats.noise_of(again, base)
        close = stats.Difference([x * 1.01 for x in base], base, noise)
        far = stats.Difference([x * 0.5 for x in base], base, noise)
        self.assertFalse(close.is_real())
        self.assertTrue(far.is_real())

    def test_noise_is_the_same_whichever_of_the_two_is_the_first(self):
        slow, fast = [2.0] * 6, [1.0] * 6
        self.assertAlmostEqual(stats.noise_of(slow, fast), 1.0)
        self.assertAlmostEqual(stats.noise_of(fast, slow), 1.0)
        self.assertEqual(stats.noise_of(fast, fast), 0.0)
        self.assertEqual(stats.noise_of([0.0] * 6, fast), 0.0)

    def test_counts_that_never_vary_need_no_statistics(self):
        difference = stats.Difference([90] * 3, [100] * 3, noise=0.5)
        self.assertTrue(difference.exact)
        self.assertTrue(difference.is_real())

    def test_unpaired_samples_that_do_not_overlap_differ(self):
        ratio, low, high, real = stats.ratio_interval([1, 1.1, 1.2, 1.05], [2, 2.1, 2.2, 2.05])
        self.assertGreater(low, 1.5)
        self.assertGreaterEqual(real, 0.95)
        self.assertTrue(low <= ratio <= high)

    def test_a_known_shift_lies_in_the_interval_as_often_as_it_says(self):
        draw = random.Random(11)
        inside = 0
        for _ in range(400):
            one = [draw.lognormvariate(0, 0.1) for _ in range(8)]
            two = [1.3 * draw.lognormvariate(0, 0.1) for _ in range(8)]
            _, low, high, _ = stats.ratio_interval(one, two)
            inside += low <= 1.3 <= high
        self.assertGreaterEqual(inside / 400, 0.92)


class Comparisons(unittest.TestCase):
    """A study of made-up rounds."""

    def study(self, times, chosen=()):
        """times: {label: [[seconds of each search] of each round]}"""
        options = types.SimpleNamespace(confidence=0.95, chosen=list(chosen))
        made = []
        for label, rounds in times.items():
            configuration = runner.Configuration(label, "classic")
            for seconds in rounds:
                one = report(seconds, label)
                for number, row in enumerate(one["searches"], 1):
                    row["search"], row["found"] = number, number % 2
                    row["trial"] = 1
                configuration.reports.append(one)
            made.append(configuration)
        return study.Study(options, made, made[0], None)

    TIMES = {"malloc": [[1.0, 2.0, 0.5, 0.4]] * 6, "pool": [[0.5, 1.0, 0.25, 0.1]] * 6}

    def test_the_direction_of_a_comparison_does_not_decide_whether_it_is_real(self):
        made = self.study({"malloc": [[1.0]] * 5 + [[1.4]], "pool": [[0.72]] * 6})
        for noise in (0.1, 0.35, 0.5):
            one = stats.Difference([1.0] * 5 + [1.4], [0.72] * 6, noise)
            two = stats.Difference([0.72] * 6, [1.0] * 5 + [1.4], noise)
            self.assertEqual(one.is_real(), two.is_real())
        self.assertEqual(len(made.compared), 1)

    def test_the_chosen_searches_are_the_ones_to_show(self):
        chosen = self.study(self.TIMES).chosen()
        self.assertEqual(list(chosen), [1, 2, 4])
        self.assertIn("longest that found its target: 26 %", chosen[1])
        self.assertIn("longest that did not find its target: 51 %", chosen[2])
        self.assertIn("differ the most", chosen[4])
        self.assertEqual(list(self.study(self.TIMES, chosen=[3, 9]).chosen()), [3])

    def test_the_article_s_edges_examined_are_the_nodes_visited(self):
        with tempfile.TemporaryDirectory() as name:
            shown = page.Page("t", pathlib.Path(name))
        contents.chosen_tables(self.study(self.TIMES), shown)
        self.assertRegex("\n".join(shown.text), r"nodes visited \(the article's edges examined\) +"
                         r"1,000 +1,000\npushes +2,000 +2,000\n")

    def test_a_line_ends_with_the_axis(self):
        with unittest.mock.patch("plots.draw", return_value="x.svg") as drawn:
            page.plots.scatter(None, "x", "t", "seconds", "MiB", [("a", [(0, 1), (0.12, 2)])],
                               log_x=False, log_y=False, lines=True)
            self.assertIn("set xrange [0:0.12]", drawn.call_args.args[2])
            page.plots.scatter(None, "x", "t", "search", "ns", [("a", [(1, 1), (12, 2)])],
                               log_x=False)
            self.assertIn("set xrange [0.5:12.5]", drawn.call_args.args[2])

    def test_memory_is_a_band_over_its_runs(self):
        mib = 2 ** 20
        one = contents.memory_points([[(0, mib), (1, 3 * mib)], [(0, mib), (1, 5 * mib)]], steps=2)
        self.assertEqual([(at, f.value, f.low, f.high) for at, f in one],
                         [(0, 1, 1, 1), (0.5, 1, 1, 1), (1, 4, 3, 5)])
        self.assertFalse(contents.memory_points([[(0, mib)]])[0][1].is_known)


class Progress(unittest.TestCase):
    def said(self, terminal):
        now = iter([0, 1, 11, 12, 25, 26])
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            errors.isatty = lambda: terminal
            say = speaker.Speaker(clock=lambda: next(now))
            for text in ("a", "b", "c", "d"):
                say(text)
            say("done", final=True)
            say.clear()
        return errors.getvalue()

    def test_a_log_gets_a_line_now_and_then(self):
        self.assertEqual(self.said(terminal=False), "[11 s] b\n[25 s] d\ndone\n")

    def test_a_terminal_has_one_line_that_is_overwritten(self):
        self.assertEqual(self.said(terminal=True).count("\n"), 1)


class Tables(unittest.TestCase):
    HEAD = ["search", "allocator", "visited (edges examined)"] + [f"counter {i}" for i in range(9)]

    def rows(self, count):
        return [[str(i // 2), "malloc" if i % 2 else "block:small=no"] +
                [f"{i * 1000 + k:,}\n± {k}.5 %" for k in range(10)] for i in range(count)]

    def test_no_line_is_longer_than_80_columns_and_no_cell_is_lost(self):
        for count in (1, 2, 6, 7, 12):
            rows = self.rows(count)
            lines = page.aligned(self.HEAD, rows)
            self.assertLessEqual(max(map(len, lines)), 80)
            for cell in rows[-1]:
                self.assertIn(cell.replace("\n", " "), "\n".join(lines))

    def test_a_wide_table_of_few_rows_is_turned(self):
        [(head, body, whence)] = page.shaped(self.HEAD, self.rows(2), 90)
        self.assertEqual(head, ["search", "0", "0"])
        self.assertEqual(body[0], ["allocator", "block:small=no", "malloc"])
        self.assertEqual(whence[0, 2], (1, 1))

    def test_a_wide_table_of_many_rows_repeats_what_identifies_them(self):
        parts = page.shaped(self.HEAD, self.rows(12), 90)
        self.assertGreater(len(parts), 1)
        for head, body, _ in parts:
            self.assertEqual(head[:2], ["search", "allocator"])
            self.assertEqual(len(body), 12)

    def test_a_page_has_no_table_wider_than_a_window_of_1100_pixels(self):
        with tempfile.TemporaryDirectory() as name:
            made = page.Page("t", pathlib.Path(name))
        made.table(self.HEAD * 2, [row * 2 for row in self.rows(12)], {(3, 5): "better"})
        html = "".join(made.html)
        self.assertGreater(html.count("<table>"), 1)
        self.assertEqual(html.count('class="better"'), 1)

    def test_a_remark_in_place_of_figures_widens_no_column(self):
        with tempfile.TemporaryDirectory() as name:
            made = page.Page("t", pathlib.Path(name))
        made.table(["a", "b", "c"], [["x", "missing: " + "long " * 40, ""], ["y", "1", "2"]])
        self.assertIn('<td class="remark" colspan="2">missing', "".join(made.html))


class Simulations(unittest.TestCase):
    def test_a_second_simulation_takes_the_searches_of_the_first(self):
        made = runner.Configuration("malloc", "classic")
        options = types.SimpleNamespace(sim="pi4", sim_limit=7)
        with unittest.mock.patch("runner.measure", side_effect=lambda *words: words[2:]):
            runner.simulate(options, made, pathlib.Path("f"), lambda _: None)
            self.assertEqual(made.simulated, (pathlib.Path(f"f/raw/{made.file_name}-simulated.json"),
                                              ["--sim=pi4", "--sim-limit", "7"]))
            like = {"searches": [{"search": 1}, {"search": 3}],
                    "context": {"graph_folded": True, "graph": {"nodes": 50}}}
            runner.simulate(options, made, pathlib.Path("f"), lambda _: None, like)
        self.assertEqual(made.simulated[1], ["--sim=pi4", "--sim-limit", "100000", "--only", "1,3",
                                             "--sim-nodes", "50"])


class Options(unittest.TestCase):
    def test_an_allocator_s_own_options_stay_with_it(self):
        bfs = runner.find_bfs(os.environ.get("PW_BFS"))
        self.assertEqual(runner.allocators_of(bfs, "malloc,slab:chunk=2M,pages=huge,pool"),
                         ["malloc", "slab:chunk=2M,pages=huge", "pool"])
        self.assertEqual(runner.allocators_of(bfs, "count(slab:chunk=2M,pages=huge),pool"),
                         ["count(slab:chunk=2M,pages=huge)", "pool"])


class Subcommands(unittest.TestCase):
    def test_a_subcommand_gets_the_words_after_it(self):
        seen = []
        module = types.ModuleType("of_this_test")
        module.main = lambda arguments: seen.append(arguments) or 7
        with unittest.mock.patch.dict(cli.COMMANDS, {"probe": ("of_this_test", "")}), \
                unittest.mock.patch.dict(sys.modules, {"of_this_test": module}):
            self.assertEqual(cli.main(["probe", "--full", "x"]), 7)
        self.assertEqual(seen, [["--full", "x"]])

    def test_a_subcommand_whose_module_is_missing_is_one_line(self):
        said = io.StringIO()
        with unittest.mock.patch.dict(cli.COMMANDS, {"probe": ("not_there", "")}), \
                contextlib.redirect_stderr(said):
            self.assertEqual(cli.main(["probe"]), 1)
        self.assertEqual(said.getvalue(),
                         "study: probe needs perf/studylib/not_there.py, which is missing\n")


def read_searches(text):
    return cases.sum_searches(cases.read_rows(text))


class Cases(unittest.TestCase):
    """What programs print, and what is made of it."""

    CSV = ("trial,search,found,hops,visited,expanded,seconds,status,pushed\n"
           "1,1,1,3,10,4,0.5,done,30\n1,2,0,,20,9,0.25,done,40\n")

    def case(self, label, seconds, **more):
        made = cases.Case(label, ["none"], read_searches, **more)
        made.rounds = {n: {"seconds": s} for n, s in enumerate(seconds, 1)}
        return made

    def python(self, label, script, **more):
        return cases.Case(label, [sys.executable, "-c", script], read_searches, **more)

    def test_an_empty_cell_is_no_number(self):
        self.assertEqual([cases.number_of(cell) for cell in ("", "7", "0.5", "done")],
                         [None, 7, 0.5, "done"])

    def test_searches_in_csv_are_summed_up(self):
        values = read_searches(self.CSV)
        self.assertEqual((values["seconds"], values["visited"], values["expanded"]), (0.75, 30, 13))
        self.assertEqual((values["found"], values["hops"]), (1, 3))
        self.assertEqual(values["full_search_seconds"], 0.25)

    def test_a_search_that_was_cut_short_is_a_failure(self):
        with self.assertRaisesRegex(runner.Failed, "search 2: timed out"):
            read_searches(self.CSV.replace("0.25,done", "0.25,timed out"))

    def test_csv_without_rows_is_no_figures(self):
        with self.assertRaises(ValueError):
            cases.read_rows("trial,search\n")

    def test_with_several_threads_the_time_is_the_run_s(self):
        made = report([1.0, 3.0])
        made["searches"][0]["expanded"] = made["searches"][1]["expanded"] = 5
        made["context"]["threads"] = 1
        self.assertEqual(cases.read_report(json.dumps(made))["seconds"], 4.0)
        made["context"]["threads"], made["summary"]["run_seconds"] = 2, 3.5
        self.assertEqual(cases.read_report(json.dumps(made))["seconds"], 3.5)

    def test_a_ratio_is_of_the_rounds_that_both_have(self):
        base = self.case("base", [4.0, 100.0, 100.0])
        slow = self.case("slow", [2.0])
        self.assertEqual(cases.ratio(slow, base).ratio, 2)
        self.assertTrue(cases.ratio(slow, base).is_single)

    def test_every_case_runs_once_per_round_and_slow_ones_less_often(self):
        script = f"print({self.CSV!r})"
        made = [self.python("a", script), self.python("b", script, every=3)]
        cases.run_rounds(made, 4, 1, lambda *_: None, "test")
        self.assertEqual([sorted(case.rounds) for case in made], [[1, 2, 3, 4], [1, 4]])

    def test_an_optional_case_that_fails_is_missing_and_another_one_ends_the_study(self):
        fails = "import sys; sys.exit('bfs: not installed')"
        made = self.python("maybe", fails, optional=True)
        self.assertEqual(cases.run_rounds([made], 2, 1, lambda *_: None, "test"), [])
        self.assertEqual(made.missing, "bfs: not installed")
        with self.assertRaisesRegex(runner.Failed, "sure: bfs: not installed"):
            cases.run_rounds([self.python("sure", fails)], 2, 1, lambda *_: None, "test")

    def test_cases_that_count_differently_are_no_comparison(self):
        one, two = self.case("one", [1.0]), self.case("two", [1.0])
        one.rounds[1]["found"], two.rounds[1]["found"] = 3, 4
        with self.assertRaisesRegex(runner.Failed, "found differs: one has 3, two has 4"):
            cases.check_same([one, two], "found")

    def test_sizes_end_in_k_m_or_g(self):
        self.assertEqual([cases.size(text) for text in ("7", "400k", "12.624M", "1G")],
                         [7, 400000, 12624000, 10 ** 9])
        for text in ("", "0", "-1", "1.5", "4m", "many"):
            with self.assertRaises(argparse.ArgumentTypeError):
                cases.size(text)


class Figures(unittest.TestCase):
    """perf/study figures."""

    def row(self, name, value, low="", high="", aim="", machine="AMD", unit="s"):
        return dict(zip(figures.HEADS, [name, f"words of {name}", unit, machine, "9 nodes", value, low, high, aim,
                                        "bfs GRAPH"]))

    def test_every_figure_has_a_name_of_its_own_and_a_group_of_the_page(self):
        names = [wanted.name for wanted in figures.FIGURES]
        self.assertEqual(len(set(names)), len(names))
        self.assertLessEqual({wanted.group for wanted in figures.FIGURES}, set(figures.GROUPS))
        self.assertLessEqual({row["figure"].split(".")[0] for row in figures.read_figures()}, set(figures.GROUPS))

    def test_a_figure_is_the_median_of_a_case_or_of_the_ratios_within_rounds(self):
        made = {name: cases.Case(name, [], None) for name in ("slow", "fast")}
        made["slow"].rounds = {1: {"seconds": 6}, 2: {"seconds": 5}}
        made["fast"].rounds = {1: {"seconds": 4}, 2: {"seconds": 2}}
        alone = figures.measured(figures.Wanted("a.b", "", "fast"), made)
        self.assertEqual((alone.value, alone.low, alone.high), (3, 2, 4))
        both = figures.measured(figures.Wanted("a.b", "", "fast", "slow"), made)
        self.assertEqual((both.value, both.low, both.high), (2.0, 1.5, 2.5))  # 6 / 4 and 5 / 2, not 5.5 / 3
        self.assertIsNone(figures.measured(figures.Wanted("a.b", "", "fast", key="none"), made))
        del made["slow"].rounds[2]
        self.assertFalse(figures.measured(figures.Wanted("a.b", "", "fast", "slow"), made).is_known)

    def test_what_each_command_prints_is_read(self):
        text = "".join(f"({i} / 100) Searching\nNodes visited: {i}\nPath found.\nSeconds: {i}.5\n"
                       for i in range(1, 16))
        self.assertEqual(figures.read(text), {"seconds_6": 6.5, "seconds_15": 15.5, "visited": 120})
        with self.assertRaises(IndexError):
            figures.read(text[:200])
        self.assertEqual(figures.read("allocator,warm_ns,other,cold_ns\nslab,4,x,9.5\n")["warm_ns"], 4)
        made = report([1.0, 3.0])
        for one in made["searches"]:
            one["expanded"] = 5
        made["context"]["threads"] = 1
        values = figures.read(json.dumps(made))
        self.assertEqual((values["seconds_1"], values["seconds_2"], values["pushed"]), (1.0, 3.0, 2000))
        made["counters"], made["context"]["compiler"] = {"instructions": 7}, "GNU"
        self.assertEqual(figures.read(json.dumps(made)), {"instructions": 7, "visited": 2000, "compiler": "GNU"})

    def test_new_figures_replace_the_same_machine_s(self):
        old = [self.row("a.a", "1"), self.row("a.a", "2", machine="Arm"), self.row("a.b", "3")]
        self.assertEqual(figures.replaced(old, [self.row("a.a", "9"), self.row("a.c", "4")]),
                         [self.row("a.a", "9"), *old[1:], self.row("a.c", "4")])

    def test_the_page_says_what_the_file_of_figures_says(self):
        self.assertEqual(figures.PAGE.read_text(encoding="utf-8"), figures.page(figures.read_figures()),
                         "run perf/study figures --pages")

    def test_the_page_has_every_command(self):
        page = figures.page(figures.read_figures())
        lines = [line.split() for line in page.splitlines() if line.startswith("    ")]
        for row in figures.read_figures():
            if row["command"].replace("|", "\\|") not in page:
                self.assertTrue(any(self.is_one_of(row["command"].split(), line) for line in lines), row["command"])

    def is_one_of(self, words, line):
        """True if a line of the page, with words in capitals and brackets, means this command, too."""
        means = [word.strip("[]").replace("|", "|" + word.strip("[]").partition("=")[0] + "=") for word in line]
        needed = [word for word in line if word[0] != "["]
        return len(words) >= len(needed) and all(
            any(word in mean.split("|") or re.fullmatch("--[a-z]+=[A-Z]+", mean) and
                word.split("=")[0] == mean.split("=")[0] for mean in means) for word in words)

    def test_commands_that_differ_in_options_are_one_line_above_the_table(self):
        rows = [dict(self.row(f"engines.{name}", "1"), command=f"bfs G P --engine={name} --alloc={alloc}{more}")
                for name, alloc, more in (("x", "u", ""), ("y", "v", " --pin"), ("z", "u", ""))]
        self.assertIn("AMD: 9 nodes.\n\n    bfs G P --engine=ENGINE --alloc=u|v [--pin]\n\n| figure | value |\n",
                      figures.page(rows))
        rows[1]["command"] = "bfs G Q --engine=y --alloc=v"
        self.assertIn("| words of engines.y | 1 s | bfs G Q --engine=y --alloc=v |", figures.page(rows))

    def test_a_machine_has_its_short_name_where_only_one_has_it(self):
        rows = [self.row(f"hooks.{i}", "1", machine=name) for i, name in enumerate(("Arm, 2 cores", "Arm, 4 cores", "MIPS, 1"))]
        text = figures.page(rows)
        for line in ("- MIPS, 1\n", "MIPS: 9 nodes.\n", "Arm, 2 cores: 9 nodes.\n"):
            self.assertIn(line, text)

    def test_of_the_same_search_again_and_again_the_page_has_some(self):
        rows = [dict(self.row(f"again.slab.{i}", str(i)), words=f"search {i} of the same again and again, slab")
                for i in range(1, figures.TIMES + 1)]
        found = re.findall(r"^\| (\d+) \|", figures.page(rows), re.M)
        self.assertEqual([int(number) for number in found], list(figures.TIMES_SHOWN))

    def test_an_aim_that_is_not_reached_is_listed_first(self):
        text = figures.page([self.row("pairs.a", "1.0", aim="at least 1.1", unit="times"),
                             self.row("pairs.b", "1.2", aim="at least 1.1", unit="times"),
                             self.row("hooks.c", "1.2", "1.1", "1.3", "at most 1", unit="ns")])
        first, rest = text.split("## 15 pairs")
        self.assertIn("| words of pairs.a | 1 times | at least 1.1 | AMD |", first)
        self.assertIn("| words of hooks.c | 1.2 ns (1.1 to 1.3) | at most 1 | AMD |", first)
        self.assertNotIn("pairs.b", first)
        self.assertIn("AMD: 9 nodes.\n", rest)
        self.assertIn("| words of pairs.a | 1 times | at least 1.1 | bfs GRAPH |\n"
                      "| words of pairs.b | 1.2 times | at least 1.1 |  |", rest)

    def test_what_differs_within_a_table_is_in_its_rows(self):
        text = figures.page([self.row("pairs.a", "1"), dict(self.row("pairs.b", "2"), of="8 nodes", command="ls")])
        self.assertIn("AMD.\n\n| figure | value | of | command |\n", text)
        self.assertIn("| words of pairs.a | 1 s | 9 nodes | bfs GRAPH |\n| words of pairs.b | 2 s | 8 nodes | ls |", text)

    def test_figures_of_one_kind_are_cells_of_one_table(self):
        def walk(threads, asked, value, **other):
            return dict(self.row(f"programs.{asked}.{threads}", value, **other),
                        words=f"allocation on threads {threads}: {asked}")

        text = figures.page([walk(1, "paths", "4"), walk(3, "paths", "2"), walk(3, "trees", "5"), self.row("programs.x", "7")])
        self.assertIn("|  | threads 1 | threads 3 |\n|---|---|---|\n| paths | 4 s | 2 s |\n| trees |  | 5 s |\n"
                      "| command | bfs GRAPH |  |\n\n| figure | value | command |\n|---|---|---|\n"
                      "| words of programs.x | 7 s | bfs GRAPH |", text)
        text = figures.page([dict(self.row(f"memory.{place}.{name}", value, unit="count"), of=f"{name} runs",
                                  words=f"{place}, {name}malloc: ls", command=name)
                             for place, name, value in (("peak", "a", "9"), ("end", "a", "8"), ("peak", "b", "6"))])
        self.assertIn("|  |  | peak | end | of | command |\n|---|---|---|---|---|---|\n"
                      "| ls | amalloc | 9 | 8 | a runs | a |\n|  | bmalloc | 6 |  | b runs | b |", text)

    def test_the_root_s_page_quotes_at_most_six_of_them(self):
        values = {row["figure"]: row for row in reversed(figures.read_figures())}
        quoted = ["pairs.layout.seconds", "pairs.malloc", "pairs.pool", "pairs.slab",
                  "engines.classic", "engines.bidirectional"]
        self.assertLessEqual(len(quoted), 6)
        text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
        for name in quoted:
            row = values[name]
            said = figures.shown(float(row["value"]), row["unit"])
            found = re.search(rf"[ |]{re.escape(said.removesuffix(' times'))}[ |,:]", text)
            self.assertTrue(found, f"{name}: {said} is not in README.md")

    def test_the_page_of_engines_has_their_seconds(self):
        values = {row["figure"]: float(row["value"]) for row in figures.read_figures()}
        text = (ROOT / "bfs" / "engines" / "README.md").read_text(encoding="utf-8")
        for name in figures.ENGINES:
            said = float(re.search(rf"^\| {name} \|.*\| ([\d.]+) \|$", text, re.M)[1])
            self.assertAlmostEqual(said / values[f"engines.{name}"], 1, delta=0.02, msg=name)


class Peers(unittest.TestCase):
    """perf/study peers, beside a program of our own that prints what gapbs prints."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def write_peer(self, reached):
        """A repository whose build makes the two programs of gapbs; in that graph each node reaches reached."""
        source = self.folder / "source"
        source.mkdir()
        (source / "Makefile").write_text("bfs converter:\n\tcp peer $@ && chmod +x $@\n", encoding="utf-8")
        (source / "peer").write_text(f"""#!/bin/sh
case "$*" in
*-e*) cp "$2" "$4" ;;
*-b*) : ;;
*-l*) for i in $(seq 64); do echo "Source:      $((i % 40 + 1))"; done ;;
*-v*) for i in 1 2 3 4; do echo "Verification:  PASS"; done; echo "BFS Tree has {reached} nodes and 9 edges" ;;
*) for i in $(seq 64); do echo "Trial Time:  0.5"; done ;;
esac
""", encoding="utf-8")
        git = ["git", "-C", str(source), "-c", "user.name=x", "-c", "user.email=x@localhost"]
        for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "x"]):
            subprocess.run([*git, *words], check=True)
        return str(source), subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True,
                                           text=True).stdout.strip()

    def run_peers(self, reached):
        output, errors = io.StringIO(), io.StringIO()
        build = pathlib.Path(os.environ.get("PW_BUILD") or ROOT / "build" / "release")
        variables = {"LAGRAPH": str(self.folder / "nothing"), "PEERS_PYTHON": "false"}
        with unittest.mock.patch.dict(peers.PEERS, gapbs=self.write_peer(reached)), \
                unittest.mock.patch.dict(os.environ, variables), \
                contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            os.environ.pop("GAPBS", None)
            status = peers.main(["--web", "generate:grid,rows=8,columns=5", "--only", "web", "--rounds", "1",
                                 "--bin", str(build / "bin"), "--output", str(self.folder / "study")])
        return status, output.getvalue(), errors.getvalue()

    def test_the_ledger_has_the_ratios_and_says_which_program_is_missing(self):
        status, output, errors = self.run_peers(40)
        self.assertEqual(status, 0, errors)
        self.assertRegex(output, r"\| web \| 1 \| 500 ms \(500 to 500\) \| [\d,.]+ \(")
        self.assertRegex(output, r"\| web \| 2 \| 500 ms ")
        self.assertRegex(output, r"- web: .*; LAGraph is not compared: .*nothing.*; NetworKit is not compared: ")

    def test_walks_that_reach_other_nodes_are_not_compared(self):
        status, _, errors = self.run_peers(39)
        self.assertEqual(status, 1)
        self.assertIn("study: web: the parents of gapbs and ours are not of the same walks", errors)

    def test_pairs_with_different_answers_end_the_run(self):
        pairs = self.folder / "pairs"
        pairs.write_text("# two\n3 8\n8 5\n", encoding="utf-8")
        made = {}
        for name, hops in (("NetworKit", "4"), ("here", "6")):
            made["pairs", "ring", 1, name] = case = cases.Case(name, [], None)
            case.rounds[1] = {"seconds_1": 1.0, "answer_1": "2", "seconds_2": 2.0, "answer_2": hops}
        with self.assertRaisesRegex(Failed, "ring: 8 to 5: the answers differ: 4, 6"):
            peers.rows_of(made, {"ring": {"pairs": pairs}})
        made["pairs", "ring", 1, "NetworKit"].rounds[1]["answer_2"] = "6"
        self.assertEqual([row["NetworKit"] for row in peers.rows_of(made, {"ring": {"pairs": pairs}})],
                         ["1.0000000", "2.0000000"])

    def test_the_page_is_made_of_its_data(self):
        text = peers.PAGE.read_text(encoding="utf-8")
        with open(peers.DATA, encoding="utf-8", newline="") as file:
            self.assertEqual(text, peers.ledger(list(csv.DictReader(file))))

    def test_the_root_s_page_quotes_it(self):
        ledger = peers.PAGE.read_text(encoding="utf-8")
        text = (ROOT / "README.md").read_text(encoding="utf-8").split("## How fast")[1].split("## ")[0]
        quoted = re.findall(r"^\| [^|]* \| ([\d.]+ \w+) \|", text, re.M)[:6]
        self.assertEqual(len(quoted), 6)
        for said in quoted:
            self.assertRegex(ledger, rf"\| {re.escape(said)}[ (|]")


class Simulated(unittest.TestCase):
    """The simulated counts match today's code."""

    CHECKED = [("classic", "pool"), ("classic", "slab"), ("plain", "slab"),
               ("bidirectional", "slab")]

    @unittest.skipUnless(os.environ.get("PW_BFS"), "no program")
    @unittest.skipUnless(os.environ.get("PW_BUILD_TYPE", "Release") == "Release", "other code")
    def test_the_counts_match_today_s_code(self):
        options = argparse.Namespace(bin=pathlib.Path(os.environ["PW_BFS"]).parent, values={})
        if not shutil.which("valgrind"):
            self.skipTest("Valgrind is not installed")
        file = {row["figure"]: row for row in figures.read_figures()}
        for engine, allocator in self.CHECKED:
            name = f"simulated.{engine}.{allocator}"
            wanted = next(one for one in figures.FIGURES if one.name == f"{name}.loads")
            try:
                values = figures.read(cases.capture(figures.words_of(options, wanted.command)))
            except Failed as problem:
                if "--sim" not in str(problem):
                    raise
                self.skipTest(f"this build cannot simulate: {problem}")
            own = f"simulated; {values['compiler']}; {' '.join(platform.libc_ver())}"
            if own != file[f"{name}.loads"]["machine"]:
                self.skipTest(f"the counts are of {file[f'{name}.loads']['machine']}, not {own}")
            self.assertEqual(str(values["visited"]), file[f"{name}.visited"]["value"])
            for key in ("loads", "branches", "instructions"):  # the machine's own memcpy is all that may differ
                self.assertAlmostEqual(values[key] / int(file[f"{name}.{key}"]["value"]), 1, delta=0.02,
                                       msg=f"{name}, {key}: run perf/study figures --only simulated --write")


class Output(unittest.TestCase):
    def test_only_the_reports_of_an_earlier_study_are_deleted(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "raw").mkdir()
            for file in ("notes.txt", "mine.json", "slab-01.json", "pool-memory.json"):
                (folder / "raw" / file).touch()
            searches.clear_raw(folder)
            self.assertEqual(len(list((folder / "raw").iterdir())), 4)
            (folder / "results.json").write_text('{"schema": "pointer-wars-study/1"}',
                                                 encoding="utf-8")
            searches.clear_raw(folder)
            self.assertEqual({path.name for path in (folder / "raw").iterdir()},
                             {"notes.txt", "mine.json"})


class Calling(unittest.TestCase):
    def test_the_calls_of_the_kernel_are_read_from_strace_s_table(self):
        table = ("% time     seconds  usecs/call     calls    errors syscall\n"
                 "------ ----------- ----------- --------- --------- ----------------\n"
                 " 85.62    0.000256           2       101         3 mmap\n"
                 " 10.70    0.000032           0        34           brk\n"
                 "------ ----------- ----------- --------- --------- ----------------\n"
                 "100.00    0.000299           2       139         3 total\n")
        self.assertEqual(runner.read_calls(table), {"brk_calls": 34, "mmap_calls": 101, "munmap_calls": 0})

    def test_an_interrupted_program_may_report_more_than_a_pipe_holds(self):
        with tempfile.TemporaryDirectory() as name:
            child = ("import os, pathlib, signal, sys, time\n"
                     "def report(*_):\n"
                     "    print('x' * 300000)\n"
                     "    sys.exit(0)\n"
                     "signal.signal(signal.SIGTERM, report)\n"
                     f"pathlib.Path({name!r}, 'ready').touch()\n"
                     "time.sleep(60)\n")
            parent = ("import pathlib, signal, sys\n"
                      f"sys.path.insert(0, {str(pathlib.Path(runner.__file__).parent)!r})\n"
                      "import runner\n"
                      "signal.signal(signal.SIGTERM, signal.default_int_handler)\n"
                      "try:\n"
                      f"    runner.call([sys.executable, '-c', {child!r}])\n"
                      "except KeyboardInterrupt:\n"
                      "    sys.exit(130)\n")
            with subprocess.Popen([sys.executable, "-c", parent], start_new_session=True) as study:
                while not pathlib.Path(name, "ready").exists():
                    time.sleep(0.02)
                study.terminate()
                try:
                    self.assertEqual(study.wait(timeout=200), 130)
                finally:
                    with contextlib.suppress(ProcessLookupError):
                        os.killpg(study.pid, signal.SIGKILL)


class Plots(unittest.TestCase):
    ROWS = [("an 'engine', slab", [stats.Figure(0.5, 0.4, 0.7)]), ("other", [3.0])]

    def draw(self, gnuplot):
        """A page with one plot, drawn by a gnuplot of our own; None: there is no gnuplot."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            if gnuplot:
                (folder / "gnuplot").write_text("#!/bin/sh\n" + gnuplot, encoding="utf-8")
                (folder / "gnuplot").chmod(0o755)
            with unittest.mock.patch.dict(os.environ, {"PATH": str(folder)}):
                made = page.Page("title", folder)
                made.plot("caption", page.plots.dots, "name", "title", "seconds", self.ROWS)
            return made

    def test_gnuplot_that_fails_is_said_on_the_page_and_to_the_caller(self):
        made = self.draw("echo 'line 3: no such terminal' >&2; exit 1")
        self.assertEqual(made.failures, ["gnuplot: name.svg: line 3: no such terminal"])
        self.assertIn("No plot: gnuplot: name.svg", "\n".join(made.text))

    def test_without_gnuplot_the_page_says_so_and_nothing_fails(self):
        made = self.draw(None)
        self.assertEqual(made.failures, [])
        self.assertIn("gnuplot is not installed", "\n".join(made.text))

    def test_a_logarithmic_axis_has_numbers_even_within_a_power_of_ten(self):
        self.assertEqual(units.log_tics(0.17, 6), [0.2, 0.5, 1, 2, 5])
        self.assertEqual(units.log_tics(3, 4.9), [3, 4])
        self.assertEqual(units.log_tics(0.5, 20000), [1, 10, 100, 1000, 10000])
        self.assertGreater(len(units.log_tics(1.1, 1.4)), 1)

    def test_a_figure_beside_its_point_has_three_digits(self):
        self.assertEqual([page.plots.short(value) for value in (1.2, 0.3468, 12.34, 123.4, 4567.8, 3)],
                         ["1.20", "0.347", "12.3", "123", "4,568", "3"])

    def script(self, draw, *arguments, **more):
        with unittest.mock.patch("plots.draw", return_value="x.svg") as drawn:
            draw(None, "x", "t", *arguments, **more)
        return drawn.call_args.args[2]

    def test_no_axis_leaves_its_numbers_to_gnuplot(self):
        wide = [(10.0 ** n, stats.Figure(10.0 ** -n)) for n in range(7)]
        script = self.script(page.plots.scatter, "x", "y", [("a", wide)], unit="s")
        self.assertIn("'1 us' 1e-06", script)
        self.assertIn("'100k' 100000", script)
        flat = [(x, 2.5e6 * x) for x in (0, 1, 2)]
        script = self.script(page.plots.scatter, "x", "y", [("a", flat)], log_x=False, log_y=False)
        self.assertIn("'1M' 1000000", script)
        script += self.script(page.plots.scatter, "x", "y", [("a", flat)], log_x=False, log_y=False,
                              unit="KiB", x_unit="s", lines=True)
        self.assertIn("'2 GiB' 2097152", script)
        self.assertIn("'0.5 s' 0.5", script)
        script += self.script(page.plots.bars, "y", [("g", [0.00012])], ["a"], unit="s")
        self.assertIn("'100 us' 0.0001", script)
        script += self.script(page.plots.dots, "x", [("g", [0.00002]), ("h", [0.3])], unit="s")
        self.assertIn('"20 us"', script)
        self.assertNotRegex(script, "set format|'%g'|10\\^")
        self.assertEqual(len(re.findall("set [xy]range", script)),
                         len(re.findall("set [xy]tics \\(", script)))

    def test_an_axis_of_one_value_or_of_zeros_has_two_ends(self):
        for values in ([0], [7], [-7]):
            for tics in (units.axis(min(values + [0]), max(values + [0])), units.axis(0, 0, "s")):
                self.assertLess(tics[0][1], tics[-1][1])

    @unittest.skipUnless(page.plots.available(), "gnuplot is not installed")
    def test_points_are_drawn_as_svg_and_png(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            page.plots.dots(folder, "name", "it's", "seconds", self.ROWS)
            self.assertIn("engine", (folder / "name.svg").read_text(encoding="utf-8"))
            self.assertTrue((folder / "name.png").read_bytes().startswith(b"\x89PNG"))


class Units(unittest.TestCase):
    def test_a_value_has_the_unit_in_which_it_lies_between_1_and_1000(self):
        self.assertEqual([units.seconds(value) for value in (
            0, 3e-10, 1e-5, 0.0009996, 0.99999, 59.94, 6215.162, None)],
            ["0 s", "0.3 ns", "10 us", "999.6 us", "1 s", "59.94 s", "6,215 s", "-"])
        self.assertEqual([units.text(value, "KiB") for value in (0.5, 1023, 1212, 3 * 2 ** 20)],
                         ["512 B", "1,023 KiB", "1.184 MiB", "3 GiB"])
        self.assertEqual(units.text(-3.7, "ns"), "-3.7 ns")

    def test_no_number_has_an_exponent(self):
        for value in (1e-9, 0.00012345, 1, 999.95, 123456789, 1e15, -1e-5):
            for unit in ("", "ns", "s", "B", "MiB", "%"):
                self.assertNotIn("e", units.text(value, unit).replace("s", ""))
        self.assertEqual([units.plain(value) for value in (1e-5, 2038458096, 12.5, 100)],
                         ["0.00001", "2,038,458,096", "12.5", "100"])

    def test_a_head_gives_its_unit_to_the_cells(self):
        self.assertEqual([units.bare(head) for head in (
            "allocate ms", "ns per free", "seconds, recording", "most live, KiB", "live KiB now",
            "MiB in all", "chosen searches, s", "mean cycles per request", "nodes/s")],
            ["allocate", "time per free", "time, recording", "most live", "live now", "memory in all",
             "chosen searches", "mean cycles per request", "nodes/s"])
        self.assertEqual([units.of_column(name) for name in (
            "allocate_ms", "ns_per_malloc", "wall_seconds", "nodes_per_second", "held_kib",
            "mean_cycles", "log-normal_us")], ["ms", "ns", "s", "", "KiB", "", "us"])


class Compare(unittest.TestCase):
    def run_compare(self, one, two, *extra):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, content in (("a.json", one), ("b.json", two)):
                path = pathlib.Path(folder) / name
                path.write_text(content if isinstance(content, str) else json.dumps(content),
                                encoding="utf-8")
                paths.append(str(path))
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = compare.main([*paths, *extra])
            return status, out.getvalue(), err.getvalue()

    FAST = [1.00, 1.01, 0.99, 1.00, 1.02]
    SLOW = [1.30, 1.31, 1.29, 1.30, 1.32]

    def test_a_slower_run_fails_when_asked_to(self):
        status, _, err = self.run_compare(report(self.FAST), report(self.SLOW),
                                          "--fail-if-slower", "5%")
        self.assertEqual(status, 1)
        self.assertIn("30.0 % longer", err)

    def test_a_faster_run_passes(self):
        status, out, _ = self.run_compare(report(self.SLOW), report(self.FAST),
                                          "--fail-if-slower", "5%")
        self.assertEqual(status, 0)
        self.assertIn("-23", out)
        self.assertNotIn("few trials", out)

    def test_of_three_trials_nothing_follows_and_it_says_so(self):
        status, out, _ = self.run_compare(report(self.SLOW[:3]), report(self.FAST[:3]))
        self.assertEqual(status, 0)
        self.assertIn("With so few trials no change is clear of noise", out)

    def test_one_trial_has_no_spread(self):
        status, out, _ = self.run_compare(report([1.0]), report([1.3]))
        self.assertEqual(status, 0)
        self.assertIn("+30.0 % (one trial: no spread)", out)
        self.assertNotIn("none", out)

    def test_noise_does_not_fail(self):
        noisy = [0.8, 1.3, 1.0, 1.2, 0.9]
        status, out, _ = self.run_compare(report(noisy), report([x * 1.08 for x in noisy]),
                                          "--fail-if-slower", "5%")
        self.assertEqual(status, 0)
        self.assertIn("~", out)

    def test_other_work_is_not_compared(self):
        other = report(self.FAST)
        other["context"]["graph"]["edges"] = 10
        status, _, err = self.run_compare(report(self.FAST), other)
        self.assertEqual(status, 1)
        self.assertIn("graphs differ", err)
        self.assertEqual(self.run_compare(report(self.FAST), other, "--force")[0], 0)

    def test_files_that_are_no_reports_are_one_line(self):
        for text in ("", "{}", "[1]", "nonsense", '{"schema": "pointer-wars-bfs/1"}'):
            status, _, err = self.run_compare(text, report(self.FAST))
            self.assertEqual(status, 1)
            self.assertEqual(err.count("\n"), 1)


@unittest.skipUnless(os.environ.get("PW_BFS"), "PW_BFS names no program")
class WholeStudy(unittest.TestCase):
    def test_a_small_study_leaves_its_page_and_its_data(self):
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / "study"
            done = subprocess.run(
                [sys.executable, str(HERE.parents[1] / "perf" / "study"),
                 "generate:nodes=2k,edges=25k", "random:3", "--alloc", "malloc,slab",
                 "--rounds", "2", "--rounds-max", "2", "--sim", "none",
                 "--bfs", os.environ["PW_BFS"], "--output", str(output)],
                capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            page = (output / "study.html").read_text(encoding="utf-8")
            self.assertIn("</html>", page)
            self.assertNotIn("http://", page.replace("http://www.w3.org", "").replace(
                "http://www.gnuplot.info", ""))
            data = json.loads((output / "results.json").read_text(encoding="utf-8"))
            self.assertEqual([c["label"] for c in data["configurations"]],
                             ["malloc", "slab", "malloc (again)"])
            for configuration in data["configurations"]:  # also what was not counted, as null
                self.assertIn(None, configuration["metrics"].values())
                self.assertEqual(set(configuration["metrics"]),
                                 {metric.key for metric in contents.model.RUN + contents.model.COUNTERS})
            rows = (output / "results.csv").read_text(encoding="utf-8").splitlines()
            self.assertEqual(len(rows), 1 + 3 * 2 * 3)
            self.assertEqual(len(list((output / "raw").glob("*-0?.json"))), 6)

    def test_calls_of_a_library_s_own_malloc_are_not_shown_as_few(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, str(ROOT / "perf" / "study"), "generate:nodes=2k,edges=25k",
                 "random:3", "--alloc", "malloc,lib:c", "--rounds", "2", "--rounds-max", "2",
                 "--sim", "none", "--bfs", os.environ["PW_BFS"], "--output", folder],
                capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            text = (pathlib.Path(folder) / "study.md").read_text(encoding="utf-8")
        for name in ("malloc calls", "free calls"):
            rows = re.findall(rf"^\W*{name}\b[ |]+(.*)$", text, re.M)
            self.assertRegex(rows[0], r"^[\d,]+[ |]+-[ |]+-\W*$")  # of the whole run
            self.assertTrue(all(re.search(r"^[\d,]+[ |]+-[ |]*$", row) for row in rows[1:]), rows)
        self.assertIn("The malloc and free calls of lib:c are not known: it calls a malloc of its "
                      "own.", re.sub(r"\s+", " ", text))
        self.assertNotIn("malloc calls against", text)

    def test_vanilla_is_compared_with_replay(self):
        with tempfile.TemporaryDirectory() as name:
            done = subprocess.run(
                [sys.executable, HERE.parents[1] / "perf" / "study", "generate:nodes=4000",
                 "random:3", "--bfs", os.environ["PW_BFS"], "--alloc", "malloc", "--replay", "--rounds", "2",
                 "--rounds-max", "2", "--sim", "none", "--output", name],
                capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            text = (pathlib.Path(name) / "study.md").read_text(encoding="utf-8")
            self.assertRegex(text, r"\| the whole run \| malloc \| replay \|")
            self.assertFalse((pathlib.Path(name) / "raw" / "replay.script").exists())

    def test_a_graph_that_is_not_there_is_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, str(HERE.parents[1] / "perf" / "study"), "/nonexistent", "random:3",
                 "--bfs", os.environ["PW_BFS"], "--output", folder + "/study"],
                capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("/nonexistent", done.stderr)


@unittest.skipUnless(os.environ.get("PW_BFS"), "PW_BFS names no program")
class WholeSubcommands(unittest.TestCase):
    """Each subcommand on a tiny graph: its tables, its files, its exit status."""

    SMALL = ["--nodes", "2k", "--edges", "20k", "--rounds", "2"]

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.output = pathlib.Path(scratch.name) / "out"

    def run_study(self, name, *arguments, environment=None):
        return subprocess.run(
            [sys.executable, str(HERE.parents[1] / "perf" / "study"), name, "--output",
             str(self.output), "--bin", str(pathlib.Path(os.environ["PW_BFS"]).parent),
             *arguments], capture_output=True, text=True, check=False,
            env={**os.environ, **(environment or {})})

    def rows_of(self, done):
        """The rows of results.csv of a study that ended well."""
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("</html>", (self.output / "study.html").read_text(encoding="utf-8"))
        self.assertTrue((self.output / "study.md").exists())
        json.loads((self.output / "results.json").read_text(encoding="utf-8"))
        with open(self.output / "results.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_one_command_makes_the_figures_and_leaves_them_in_its_folder(self):
        groups = "again,pairs,queue,own,engines,loading"
        done = self.run_study("figures", "--only", groups, "--nodes", "2k", "--edges", "20k", "--rounds", "1",
                              "--depth", "5k")
        rows = self.rows_of(done)
        self.assertEqual({row["visited"] for row in rows if "own-queue" in row["case"]} - {""}, {
            next(row["visited"] for row in rows if "own-queue_array" in row["case"])})
        exact = [row for row in rows if "random:100" in row["case"]
                 and ("engine=plain" in row["case"] or "engine=classic" in row["case"])]
        self.assertEqual(len({(row["visited"], row["expanded"], row["found"], row["hops"]) for row in exact}), 1)
        found = {row["figure"]: row for row in figures.read_figures(self.output / "figures.csv")}
        self.assertEqual({name for name in found if "mimalloc" not in name}, {
            wanted.name for wanted in figures.FIGURES
            if wanted.group in groups.split(",") and "mimalloc" not in wanted.name})
        self.assertTrue(all(float(row["value"]) > 0 for row in found.values()))
        self.assertIn("15 pairs, classic on slab", done.stdout)
        self.assertEqual(list(self.output.glob("*/nodes")), [])

    def test_wrong_usage_is_status_2(self):
        for name, arguments in (("figures", ["--only", "9"]), ("figures", ["--rounds", "0"]),
                            ("figures", ["--edges", "few"]), ("ideas", ["graph.mtx"])):
            with self.subTest(name):
                self.assertEqual(self.run_study(name, *arguments).returncode, 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
