"""Statistics, words and comparison of perf/study, on numbers made up here; and every subcommand,
small, with the built programs, when their path is given."""
import argparse
import contextlib
import csv
import io
import json
import os
import pathlib
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

import allocators  # noqa: E402
import cases  # noqa: E402
import cli  # noqa: E402
import compare  # noqa: E402
import contents  # noqa: E402
import figures  # noqa: E402
import figures_huge  # noqa: E402
import figures_pages  # noqa: E402
import figures_programs  # noqa: E402
import figures_walks  # noqa: E402
import figures_web  # noqa: E402
import figures_wanted  # noqa: E402
import ladder  # noqa: E402
import page  # noqa: E402
import picture  # noqa: E402
import published  # noqa: E402
import runner  # noqa: E402
import searches  # noqa: E402
import simulated  # noqa: E402
import speaker  # noqa: E402
import stats  # noqa: E402
import study  # noqa: E402
import units  # noqa: E402
import words  # noqa: E402
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
        self.assertEqual(close.verdict(), "none")

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


class Words(unittest.TestCase):
    def difference(self, factor, noise=0.0):
        base = [1.0, 1.01, 0.99, 1.0, 1.02, 1.0]
        return stats.Difference([x * factor for x in base], base, noise)

    def test_half_the_time_is_twice_as_fast(self):
        text = words.about_time("pool", "malloc", self.difference(0.5))
        self.assertIn("2.00 times as fast as with malloc (2.00 to 2.00, with 97 % confidence)", text)
        self.assertNotIn("50 %", text)  # one number per comparison

    def test_more_time_is_slower(self):
        text = words.about_time("pool", "malloc", self.difference(1.5))
        self.assertIn("0.67 times as fast", text)

    def test_one_round_is_no_verdict(self):
        difference = stats.Difference([0.5], [1.0])
        self.assertFalse(difference.is_real())
        text = words.about_time("pool", "malloc", difference)
        self.assertIn("2.00 times as fast as malloc; nothing is known of the spread", text)
        self.assertNotIn("confidence", text)
        self.assertEqual(contents.difference_cells(difference, contents.model.RUN[0]),
                         ("2.00 x", None))

    def test_noise_is_not_turned_into_a_story(self):
        text = words.about_time("pool", "malloc", self.difference(0.97, noise=0.1))
        self.assertIn("no difference in time", text)

    def test_counters_speak_for_a_difference_or_against_it(self):
        own = {"loads": 40, "branches": 120, "l1d_hit_rate": 0.95}
        base = {"loads": 100, "branches": 100, "l1d_hit_rate": 0.99}
        self.assertEqual(words.reasons(own, base, True, self.difference(0.5)),
                         "In favour of less time, the simulated processor counts 60 % fewer loads; against "
                         "it, the simulated processor counts 20 % more branches; fewer hits in the "
                         "first-level cache (95.0 % against 99.0 %).")
        self.assertTrue(words.reasons(own, base, False, self.difference(1.5)).startswith(
            "In favour of more time, the processor counts 20 % more branches; fewer hits"))
        self.assertTrue(words.reasons({"loads": 130}, {"loads": 100}, False, self.difference(0.5))
                        .startswith("Against it, the processor counts 30 % more loads."))
        self.assertTrue(words.reasons(own, base, False, self.difference(0.97, noise=0.1)).startswith(
            "The processor counts a difference all the same: 60 % fewer loads; 20 % more"))

    def test_what_is_not_known_is_left_out(self):
        self.assertEqual(words.reasons({}, {}, False, self.difference(0.5)), "")
        self.assertEqual(words.reasons({"loads": None}, {"loads": 3}, False, self.difference(0.5)), "")


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

    def test_every_place_gives_the_same_number_for_one_comparison(self):
        made = self.study(self.TIMES)
        with tempfile.TemporaryDirectory() as name:
            shown = page.Page("t", pathlib.Path(name))
        contents.run_table(made, shown)
        contents.beside_the_article(made, shown)
        text = "\n".join(shown.text + words.conclusion(made))
        self.assertIn("2.11 x", text)
        self.assertRegex(text, r"wall time .* 2\.11\n")
        self.assertIn("With pool the searches are 2.11 times as fast as with malloc (", text)

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
        self.assertEqual(published.figures("search", "1")["visited"][0],
                         published.figures("search", "1")["visited"][1])
        with tempfile.TemporaryDirectory() as name:
            shown = page.Page("t", pathlib.Path(name))
        contents.chosen_tables(self.study(self.TIMES), shown)
        self.assertRegex("\n".join(shown.text), r"nodes visited \(the article's edges examined\) +"
                         r"1,000 +1,000\npushes +2,000 +2,000\n")

    def test_the_article_s_tables_are_beside_ours_and_simulated_counts_say_so(self):
        made = self.study(self.TIMES)
        for configuration, loads in zip(made.configurations, (300, 100)):
            configuration.simulated = json.loads(json.dumps(configuration.reports[0]))
            for row in configuration.simulated["searches"]:
                row["loads"] = loads
            configuration.simulated["searches"][2]["visited"] += 1  # search 3, of a smaller graph
        self.assertEqual(list(dict(contents.article_tables(made))), ["The whole run"])  # other pairs
        with unittest.mock.patch("published.is_the_real_graph", lambda report: True):
            tables = dict(contents.article_tables(made))
        self.assertEqual(list(tables), ["The whole run", "Search 1", "Search 3"])
        rows = {row[0]: row[4:] for row in tables["Search 1"]}
        self.assertEqual(rows["loads"], ["300 (sim.)", "100 (sim.)", "3.00"])
        self.assertEqual(rows["malloc calls"], ["10", "10", "1.00"])
        self.assertNotIn("loads", [row[0] for row in tables["Search 3"]])
        self.assertEqual(contents.article_tables(self.study({"malloc": [[1.0]] * 3})), [])

    def test_the_article_s_graph_is_known_by_its_pairs_and_by_what_its_searches_visit(self):
        one = report([1.0])
        one["context"]["graph"].update(nodes=published.GRAPH_NODES, edges=published.GRAPH_EDGES,
                                       as_published=0)
        self.assertFalse(published.is_the_real_graph(one))  # only as large: generate:wikipedia
        one["context"]["pairs"]["checksum"] = published.PAIRS_CHECKSUM
        self.assertFalse(published.is_the_real_graph(one))  # its pairs on another graph
        visited = [published.figures("search", str(n))["visited"][0] for n in (1, 3, 9)]
        row = one["searches"].pop()
        one["searches"] = [{**row, "search": n, "visited": count}
                           for n, count in zip((1, 3, 9), visited)]
        self.assertTrue(published.is_the_real_graph(one))
        one["searches"][2]["visited"] -= 1  # the article repeats the last entry
        self.assertTrue(published.is_the_real_graph(one))
        one["context"]["graph"].update(edges=published.GRAPH_EDGES + 1, as_published=1)
        self.assertFalse(published.is_the_real_graph(one))
        one["searches"][2]["visited"] += 1
        self.assertTrue(published.is_the_real_graph(one))
        one["context"]["pairs"]["checksum"] = "0" * 16
        self.assertFalse(published.is_the_real_graph(one))
        one["context"]["pairs"]["checksum"] = published.PAIRS_CHECKSUM
        one["searches"] = [{**row, "search": 2}]  # none that the article counts
        self.assertFalse(published.is_the_real_graph(one))

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
        return [[str(i // 2), "malloc" if i % 2 else "block:small=no,lock=no"] +
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
        self.assertEqual(body[0], ["allocator", "block:small=no,lock=no", "malloc"])
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

    def test_trials_of_one_search_are_values_of_their_own(self):
        text = self.CSV.replace("1,2,0,,20", "2,1,1,3,10")
        self.assertEqual(allocators.read_trials(text), {"seconds_1": 0.5, "seconds_2": 0.25,
                                                        "visited": 10, "pushed": 30})

    def test_seconds_and_visits_of_the_challenge_s_own_program_are_read_after_some_of_its_pairs(self):
        text = "".join(f"({i} / 100) Searching\nNodes visited: {i}\nPath found.\nSeconds: {i}.5\n"
                       for i in range(1, 9))
        self.assertEqual(allocators.read_own(text, [6, 8]),
                         {"seconds_6": 6.5, "seconds_8": 8.5, "visited": 36})
        with self.assertRaises(IndexError):
            allocators.read_own(text, [6, 9])

    def test_allocbench_s_queue_is_read_by_the_names_of_its_columns(self):
        self.assertEqual(allocators.read_queue("allocator,warm_ns,other,cold_ns\nslab,4,x,9.5\n"),
                         {"cold_ns": 9.5, "warm_ns": 4.0})

    def test_a_ratio_smaller_than_its_spread_is_marked(self):
        base = self.case("base", [1.0, 1.1, 0.9, 1.0, 1.05, 0.95])
        close = self.case("close", [1.05, 1.0, 1.0, 0.97, 0.99, 1.0])
        far = self.case("far", [0.5, 0.5, 0.5, 0.5, 0.5, 0.5])
        self.assertTrue(cases.ratio_text(close, base).startswith("~"))
        self.assertEqual(cases.ratio_text(far, base), "2.00\n1.80 to 2.20")
        self.assertEqual(cases.ratio_text(self.case("once", [0.5]), base), "2.00")
        self.assertEqual(cases.ratio_text(base, base), "1")

    def test_a_ratio_is_of_the_rounds_that_both_have(self):
        base = self.case("base", [4.0, 100.0, 100.0])
        slow = self.case("slow", [2.0])
        self.assertEqual(cases.ratio_text(slow, base), "2.00")

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
    RESULTS = ("part,case,round,seconds,warm_ns\n"
               "2. 15 pairs,challenge's layout,1,6,\n2. 15 pairs,malloc,1,4,\n"
               "2. 15 pairs,malloc,2,2,\n2. 15 pairs,challenge's layout,2,5,\n"
               '"3. queue","slab, 5,000 deep",1,,7\n"3. queue","slab, 1,000 deep",1,,5\n')

    def results(self, text):
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / "results.csv"
            path.write_text(text, encoding="utf-8")
            return figures.read_results(path, 5000)

    def test_a_figure_is_the_median_of_a_case_or_of_the_ratios_within_rounds(self):
        results = self.results(self.RESULTS)
        self.assertEqual(figures.measured(results, figures_wanted.BY_NAME["pairs.malloc.seconds"]),
                         (3, 2, 4))
        self.assertEqual(figures.measured(results, figures_wanted.BY_NAME["pairs.malloc"]),
                         (2.0, 1.5, 2.5))  # 6 / 4 and 5 / 2, not 5.5 / 3
        self.assertEqual(figures.measured(results, figures_wanted.BY_NAME["queue.slab.deep"]),
                         (7, None, None))
        self.assertEqual(figures.measured(results, figures_wanted.BY_NAME["queue.slab.shallow"])[0], 5)
        self.assertIsNone(figures.measured(results, figures_wanted.BY_NAME["pairs.slab"]))

    def test_the_demo_s_table_is_read(self):
        text = ("allocator   median  spread         times as fast     mallocs  per node\n"
                "malloc     1.23 s   14.6 %                     1  19,581,060    32.0 B\n"
                "slab        123 ms   1.1 %   9.44 (8.76 to 12.5)         202    16.0 B\n")
        self.assertEqual(figures.demo_results(text), {"slab": (9.44, 8.76, 12.5)})

    def test_every_figure_is_of_a_case_that_a_study_has(self):
        options = argparse.Namespace(bin=pathlib.Path("/"), graph="g", pairs=9)
        with unittest.mock.patch("cases.os.access", return_value=True):
            there = {
                "allocators": [row[0] for row in allocators.PAIRS] + allocators.AGAIN + [
                    f"{name}, {depth}" for name in allocators.QUEUES
                    for depth in ("deep", "shallow")],
                "own": list(allocators.OWN),
                "ladder": [row[0] for row in ladder.BEFORE + ladder.ENGINES + ladder.SWITCHES],
                "demo": ["pool", "slab", "malloc"]}
            options = argparse.Namespace(bin=pathlib.Path("/"))
            there["huge"] = [case.label for name in ("2007", "today")
                             for case in figures_huge.cases_of(options, name, "a", [1])]
        for wanted in figures_wanted.FIGURES + figures_wanted.HUGE:
            self.assertIn(wanted.case, there[wanted.study], wanted.name)
            self.assertIn(wanted.base or wanted.case, there[wanted.study], wanted.name)

    def test_a_second_machine_s_figures_are_beside_if_they_differ_in_kind(self):
        def row(name, machine, value):
            return dict(zip(figures_pages.HEADS, [name, machine, "9 nodes, 9 edges", str(value)]
                            + [""] * 4))

        made = figures_pages.Figures([row("pairs.malloc", "one", 1.2), row("pairs.slab", "one", 13.6),
                                row("pairs.pool", "one", 1.9), row("demo.slab", "one", 9.4),
                                row("pairs.malloc", "two", 0.99), row("pairs.slab", "two", 7.9),
                                row("demo.slab", "two", 10)])
        self.assertEqual([(wanted.name, first, machine, second)
                          for wanted, first, machine, second in made.different()],
                         [("pairs.malloc", 1.2, "two", 0.99), ("pairs.slab", 13.6, "two", 7.9)])

    def test_the_engines_page_has_its_figures_in_column_and_sentences(self):
        page = (ROOT / "bfs" / "engines" / "README.md").read_text(encoding="utf-8")
        names = [name for _, _, name in figures_wanted.SENTENCES] + ["engines.array"]
        text = figures_pages.engines_page(page, figures_pages.Figures([dict(zip(
            figures_pages.HEADS, [name, "m", "g", str(70.25 + i)] + [""] * 4))
            for i, name in enumerate(names)]))
        for i, name in enumerate(names):
            self.assertIn(figures_wanted.decimal(70.25 + i), text, f"{name}: no such sentence")
        self.assertRegex(text, rf"\| array \|.*\| {figures_wanted.decimal(70.25 + len(names) - 1)} \|\n")

    def test_new_figures_replace_the_same_machine_s(self):
        def row(name, machine, value):
            return {"figure": name, "machine": machine, "value": value}

        self.assertEqual(figures_pages.replaced([row("a", "x", 1), row("a", "y", 2), row("b", "x", 3)],
                                          [row("a", "x", 9)]),
                         [row("a", "y", 2), row("b", "x", 3), row("a", "x", 9)])

    def test_the_pages_say_what_the_file_of_figures_says(self):
        for path, text in figures_pages.pages(figures_pages.read_figures()).items():
            self.assertEqual(path.read_text(encoding="utf-8"), text,
                             f"{path}: run perf/study figures --pages")

    def test_what_never_differs_has_no_interval(self):
        def row(name, low, high):
            return figures_pages.figure_row(dict(zip(figures_pages.HEADS, [
                name, "AMD, virtual", "9 nodes", "11754746", low, high, "", "perf/study figures"])))

        self.assertIn("| 11,754,746 pushes |", row("again.pushes", "11754746", "11754746.0"))
        self.assertIn("| 11,754,746 pushes (1 to 2) |", row("again.pushes", "1", "2"))

    def test_an_aim_that_is_not_reached_is_listed(self):
        def row(name, value):
            return dict(zip(figures_pages.HEADS, [name, "AMD, virtual", "g", value, "", "", "", ""]))

        text = "\n".join(figures_pages.not_met([row("pairs.malloc", "1.0"), row("pairs.slab", "2"),
                                                row("ladder.layout", "1.1"),
                                                row("hooks.difference", "1.2")]))
        self.assertIn("| 15 pairs, classic on malloc to the challenge's layout | 1.00 times | "
                      "at least 1.1 | AMD |", text)
        self.assertIn("| 1.2 ns | at most 1 | AMD |", text)
        self.assertNotIn("pairs, classic on slab", text)
        self.assertNotIn("1.10 times", text)


class Programs(unittest.TestCase):
    """perf/study figures --programs."""

    @staticmethod
    def row(name, value, low, high, machine="AMD"):
        return dict(zip(figures_pages.HEADS, [f"programs.{name}", machine, "131715 requests, 15 runs",
                                              value, low, high, "", ""]))

    def test_the_table_marks_what_is_noise_and_names_what_was_not_installed(self):
        about, lines = figures_programs.table([
            self.row("cc1.glibc", "3.9", "2.7", "5.1"), self.row("cc1.mimalloc", "0.5", "-1.5", "2.5"),
            self.row("cc1.jemalloc", "-6", "-7", "-5"), self.row("jq.glibc", "9", "9", "9"),
            self.row("awk.glibc", "9", "9", "9", "another")])
        self.assertEqual(lines, [
            "| program | requests | glibc | mimalloc | jemalloc | tcmalloc |",
            "|---|---:|---:|---:|---:|---:|",
            "| cc1 -O2, a file of 500 lines | 131,715 | 3.9 ± 1.2 | ~0.5 ± 2.0 | -6.0 ± 1.0 | - |",
            "| jq, 100,000 small objects | 131,715 | 9.0 | - | - | - |"])
        self.assertIn("the median of 15 runs", about)
        self.assertIn("on AMD. Not installed there: tcmalloc (Debian: `libtcmalloc-minimal4`).", about)
        self.assertEqual(figures_programs.table([]), ("", []))

    def test_the_page_has_its_table_when_the_file_has_its_figures(self):
        rows = figures_pages.read_figures() + [self.row("cc1.glibc", "3.9", "2.7", "5.1")]
        page = figures_pages.pages(rows)[figures_pages.PROGRAMS_PAGE]
        self.assertIn("| cc1 -O2, a file of 500 lines | ", page)
        self.assertIn("allocation on glibc: cc1 -O2", figures_pages.all_figures(rows))

    def test_a_figure_is_what_allocbench_wrote(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "programs" / "jq"
            folder.mkdir(parents=True)
            (folder / "program.csv").write_text(
                "allocator,share_percent,share_spread\nas it is,10.5,0.5\nreplayed,,\n"
                "lib:jemalloc,12,\nlib:tcmalloc,,\n", encoding="utf-8")
            (folder / "program-requests.csv").write_text("program,requests\njq,608120\n")
            options = argparse.Namespace(output=pathlib.Path(name), runs=3)
            self.assertEqual(figures_programs.collect(options), [
                ("programs.jq.glibc", "608120 requests, 3 runs", 10.5, 10.0, 11.0),
                ("programs.jq.jemalloc", "608120 requests, 3 runs", 12.0, 12.0, 12.0)])

    def test_the_malloc_that_holds_least_is_the_answer_of_the_page_of_memory(self):
        with tempfile.TemporaryDirectory() as name:
            for program, ends in (("jq", (2048, 1024, 9000)), ("perl", (4000, 2000, 5000))):
                folder = pathlib.Path(name) / "programs" / program
                folder.mkdir(parents=True)
                (folder / "memory-program.csv").write_text(
                    "requests,live_peak_bytes,live_end_bytes\n9,3145728,1048576\n")
                (folder / "memory.csv").write_text(
                    "allocator,held_peak_kib,held_end_kib,request_ns\n"
                    f'malloc,4096,{ends[0]},20\n"malloc, trimmed",4096,{ends[1]},30\n'
                    f"lib:tcmalloc,9216,{ends[2]},10\n")
            rows = [dict(zip(figures_pages.HEADS, [figure, "AMD", of, str(value), "", "", "", ""]))
                    for figure, of, value, *_ in figures_programs.collect_memory(
                        argparse.Namespace(output=pathlib.Path(name), runs=15))]
        answer, about, lines = figures_programs.memory_table(rows)
        self.assertTrue(answer.startswith("glibc for the least memory, tcmalloc for the least time"), answer)
        self.assertIn("glibc 2, mimalloc 0, jemalloc 0, tcmalloc 0. The least time per request: "
                      "tcmalloc 2, glibc 0", answer)
        self.assertIn("Medians of 5 runs on AMD.", about)
        self.assertEqual(lines[2], "| jq, 100,000 small objects | 3.0, 1.0 | 4.0, 2.0 (1.0); 20 ns | - | - "
                         "| 9.0, 8.8; 10 ns |")
        self.assertEqual(figures_programs.memory_table([]), ("", "", []))
        page = figures_pages.pages(figures_pages.read_figures() + rows)
        self.assertNotIn("peak, alive", page[figures_pages.PAGE])
        self.assertIn("\n| jq, 100,000 small objects | ", page[figures_pages.MEMORY_PAGE])

    def test_a_program_that_is_missing_is_left_out(self):
        with tempfile.TemporaryDirectory() as name, \
                unittest.mock.patch("figures_programs.shutil.which", return_value=None), \
                contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(figures.main(["--programs", "--output", name]), 1)
        self.assertIn("jq, 100,000 small objects: left out: jq or its input is missing", said.getvalue())
        self.assertIn("holds no figures", said.getvalue())

    def test_it_is_a_measurement_of_its_own(self):
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
            figures.parse(["--programs", "--full"])
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()) as said:
            figures.parse(["--programs", "jq,emacs"])
        self.assertIn("--programs: there is no emacs", said.getvalue())
        self.assertEqual((figures.parse(["--programs"]).runs, figures.parse([]).rounds), (15, 3))
        self.assertEqual(figures.parse(["--programs", "--rounds", "2"]).runs, 2)


class Huge(unittest.TestCase):
    """perf/study figures --huge."""

    def options(self, *words):
        return figures.parse(["--huge", *words])

    def test_it_is_the_size_of_today_s_wikipedia_beside_the_graph_of_2007(self):
        self.assertEqual(figures_huge.graphs(self.options()),
                         {"2007": (3566907, 45030389), "today": (7160000, 695000000)})
        small = figures_huge.graphs(self.options("--nodes=7160", "--edges=695k"))
        self.assertEqual(small, {"2007": (3567, 45030), "today": (7160, 695000)})
        need = figures_huge.needed(self.options())
        self.assertLess(need["memory"], 24e9)
        self.assertTrue(5.5e9 < need["disk"] < 7e9, need)

    def test_what_it_takes_is_said_first_and_refused_in_one_line_if_it_is_not_there(self):
        for memory, more, said in (
                (10 ** 9, ["--nodes=1M", "--edges=100M"], r"study: --huge takes \S+ GiB of memory, and "
                 r"954 MiB are free; --nodes and --edges take less\n"),
                (10 ** 18, ["--nodes=1G", "--edges=1000000G"],
                 r"study: --huge takes \S+ TiB of disk, and \S+ \S+ are free; --nodes and --edges "
                 r"take less\n")):
            with tempfile.TemporaryDirectory() as name, \
                    unittest.mock.patch("figures_huge.available_memory", return_value=memory), \
                    unittest.mock.patch("figures_huge.capture") as made, \
                    contextlib.redirect_stderr(io.StringIO()) as errors, \
                    contextlib.redirect_stdout(io.StringIO()) as out:
                self.assertEqual(figures.main(["--huge", "--output", name, *more]), 1)
            made.assert_not_called()
            self.assertRegex(out.getvalue(), r"^This takes some \S+ minutes, \S+ \S+ of disk in \S+ and \S+ "
                             r"\S+ of memory\.\n$")
            self.assertRegex(errors.getvalue(), f"^{said}$")

    def test_help_says_what_it_measures_and_needs(self):
        with contextlib.redirect_stdout(io.StringIO()) as said, self.assertRaises(SystemExit):
            figures.parse(["--help"])
        text = " ".join(said.getvalue().split())
        for part in ("--huge", "--keep", "6 GB of disk, 14 GB of memory", "beside the graph of 2007"):
            self.assertIn(part, text)
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit):
            figures.parse(["--huge", "--full"])

    def test_growth_is_said_beside_the_nodes_and_the_edges(self):
        self.assertEqual([figures_huge.grows(ratio, 2, 15) for ratio in (0.5, 1, 1.5, 2.1, 7, 15, 20)],
                         ["falls", "hardly", "slower than the nodes", "as the nodes",
                          "between nodes and edges", "as the edges",
                          "faster than the edges"])

    def test_the_page_has_its_table_when_the_file_has_its_figures(self):
        def row(name, value):
            return dict(zip(figures_pages.HEADS, [f"huge.{name}", "AMD", "9 nodes, 9 edges", value]
                            + [""] * 4))

        self.assertEqual(figures_pages.huge_table([]), [])
        text = "\n".join(figures_pages.huge_table(
            [row("2007.questions.nodes", "100"), row("today.questions.nodes", "200"),
             row("2007.questions.edges", "1000"), row("today.questions.edges", "15000"),
             row("2007.slab.seconds", "0.0005"), row("today.slab.seconds", "0.0075")]))
        self.assertIn("| edges | 1,000 | 15,000 | 15 |  |", text)
        self.assertIn("| 15 pairs and a full search, classic on `slab` | 500 us | 7.5 ms | 15 | as the edges |", text)
        self.assertIn("| opening it | - | - | - |  |", text)

    def test_the_challenge_s_own_program_has_a_table_of_the_pairs_that_were_measured(self):
        def row(name, machine, value, rounds=""):
            return dict(zip(figures_pages.HEADS, [f"own.{name}", machine, "9 nodes, 9 edges" + rounds, value]
                            + [""] * 4))

        self.assertEqual(figures_pages.own_table([]), [])
        text = "\n".join(figures_pages.own_table([
            row("slab.6", "AMD", "3.5", ", 5 rounds"), row("slab.100", "AMD", "70.25", ", 1 round"),
            row("array.6", "AMD", "3", ", 3 rounds"), row("LIFO list.15", "Intel", "9"),
            row("array.6", "Intel", "1"), row("array.LIFO list.15", "Intel", "7")]))
        first, second = text.split("; Intel:")
        self.assertIn("| queue | 6 pairs, 3 rounds | 100 pairs, 1 round |\n|---|---:|---:|", first)
        self.assertIn("| slab | 3.50 | 70.2 |", first)
        self.assertIn("| array | 3.00 | - |", first)
        self.assertIn("| queue | 6 pairs | 15 pairs |", second)
        self.assertIn("| LIFO list | - | 9.00 |", second)


class Picture(unittest.TestCase):
    """The picture of README.md."""

    def rows(self, seconds):
        machine = ["m", "5 nodes, 9 edges"]
        rows = [["again.pushes", *machine, "1000000", "", "", "", ""]]
        rows += [[f"again.{name}.{i}", *machine, str(seconds), "", "", "", ""]
                 for name in picture.LINES for i in range(1, figures_wanted.TIMES + 1)]
        return [dict(zip(figures_pages.HEADS, row)) for row in rows]

    def test_it_is_drawn_from_the_times_and_the_pushes(self):
        text = figures_pages.ageing(figures_pages.Figures(self.rows(0.25)))
        self.assertEqual(text.count(" 250 ns</text>"), 3)
        self.assertEqual(text.count("<circle"), 3 * figures_wanted.TIMES)
        self.assertIn(" 7.5 ns</text>", figures_pages.ageing(figures_pages.Figures(
            self.rows(0.0075))))
        self.assertEqual(figures_pages.ageing(figures_pages.Figures(self.rows(0.25)[:-1])), "")

    def test_a_value_is_as_high_as_its_axis_says(self):
        frame = picture.Frame(12, 473)
        self.assertEqual((frame.top, frame.step), (500, 100))
        self.assertEqual(frame.y(0), picture.HEIGHT - picture.BOTTOM)
        self.assertEqual(frame.y(500), picture.TOP)
        self.assertEqual(frame.y(250), (picture.TOP + picture.HEIGHT - picture.BOTTOM) / 2)

    def test_every_colour_is_legible_on_a_light_and_on_a_dark_page(self):
        def luminance(colour):
            parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
            red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
                                for part in parts)
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue

        for colour in [picture.INK, *picture.LINES.values()]:
            for page_colour in ("#ffffff", "#0d1117"):
                dark, light = sorted((luminance(colour), luminance(page_colour)))
                self.assertGreaterEqual((light + 0.05) / (dark + 0.05), 4, colour + page_colour)
        drawn = figures_pages.PICTURE.read_text(encoding="utf-8")
        self.assertNotIn("<rect", drawn)  # no background
        self.assertEqual(set(re.findall(r"#[0-9a-f]{6}", drawn)),
                         {picture.INK, *picture.LINES.values()})

    def test_names_at_the_ends_of_lines_do_not_cover_each_other(self):
        text = figures_pages.ageing(figures_pages.Figures(self.rows(0.25)))
        heights = sorted(float(y) for y in re.findall(r'y="([\d.]+)" text-anchor="start" '
                                                      r'font-size="16"', text))
        self.assertTrue(all(b - a >= 20 for a, b in zip(heights, heights[1:])), heights)


class Web(unittest.TestCase):
    """perf/study figures --web."""

    MEASURED = {"nodes": 4000000, "edges": 50000000, **{
        name: {"median_ms": 1.5 + i, "late_ms": 3.25 + i, "errors": 0}
        for i, (name, _) in enumerate(figures_web.ASKED)}}

    def collected(self, measured):
        with tempfile.TemporaryDirectory() as name:
            (pathlib.Path(name) / "web.json").write_text(json.dumps(measured))
            return figures_web.collect(argparse.Namespace(output=pathlib.Path(name)))

    def test_the_page_has_milliseconds_of_what_was_measured(self):
        found = self.collected(self.MEASURED)
        self.assertIn(("web.all.median", "4000000 nodes, 50000000 edges", 0.0035, None, None), found)
        rows = [dict(zip(figures_pages.HEADS, [name, "AMD", graph, str(value), "", "", "", ""]))
                for name, graph, value, *_ in found]
        about, lines = figures_web.table(rows)
        self.assertIn("4 M nodes and 50 M edges", about)
        self.assertIn("| `/api/path`, all shortest paths | 3.50 ms | 5.25 ms |", lines)
        self.assertEqual(figures_web.table([]), ("", []))
        page = figures_pages.pages(figures_pages.read_figures() + rows)[figures_pages.WEB_PAGE]
        self.assertIn("| `/api/meta`, the least that an answer may take |", page)

    def test_a_question_without_an_answer_is_a_failure(self):
        with self.assertRaisesRegex(Failed, "not answered: one"):
            self.collected({**self.MEASURED, "one": {"median_ms": 1, "late_ms": 1, "errors": 2}})

    def test_it_is_a_measurement_of_its_own(self):
        for other in ("--programs", "--full", "--walks"):
            with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
                figures.parse(["--web", other])


class Walks(unittest.TestCase):
    """perf/study figures --walks."""

    ROUNDS = {"walks": ({"distances": 0.010, "parents": 0.012, "histogram": 0.004, "reached": 7},
                        {"distances": 0.030, "parents": 0.016, "histogram": 0.004, "reached": 7},
                        {"distances": 0.008, "parents": 0.014, "histogram": 0.004, "reached": 7}),
              "full": ({"full": 0.003, "reached": 7},), "gapbs": ({"gapbs": 0.040, "reached": 7},)}

    def rows(self, *names, graph="1048576 nodes, 31399382 edges"):
        """Rows of figures.csv, as if these programs had been measured."""
        measured = []
        for name in names:
            for count in figures_walks.COUNTS:
                case = cases.Case(f"{name}, {count}", [], None)
                case.rounds = {i + 1: values for i, values in enumerate(self.ROUNDS[name])}
                measured.append(case)
        with tempfile.TemporaryDirectory() as folder:
            figures_walks.write_rounds(pathlib.Path(folder) / "walks.csv", graph, measured)
            found = figures_walks.collect(argparse.Namespace(output=pathlib.Path(folder)))
        return [dict(zip(figures_pages.HEADS, [name, "AMD", graph, str(value), "", "", "", ""]))
                for name, graph, value, *_ in found]

    def test_the_page_has_medians_and_their_shares_of_gapbs(self):
        about, lines = figures_walks.table(self.rows("walks", "full", "gapbs"))
        self.assertIn("1.05 M nodes and 31.4 M edges", about)
        self.assertIn("| distances | 10.0 ms | 0.25 | 10.0 ms | 0.25 |", lines)
        self.assertIn("| parents, by `bfs` of gapbs | 40.0 ms | 1.00 | 40.0 ms | 1.00 |", lines)
        page = ROOT / "bfs" / "engines" / "README.md"
        rows = [row for row in figures_pages.read_figures() if not row["figure"].startswith("walks.")]
        self.assertIn(lines[2], figures_pages.pages(rows + self.rows("walks", "full", "gapbs"))[page])

    def test_without_gapbs_the_page_says_so(self):
        about, lines = figures_walks.table(self.rows("walks", "full"))
        self.assertIn("gapbs, which was not there", about)
        self.assertIn("| histogram | 4.0 ms | - | 4.0 ms | - |", lines)
        self.assertFalse([line for line in lines if "by `bfs` of gapbs" in line])
        self.assertEqual(figures_walks.table([]), ("", []))

    def test_the_page_says_that_the_machine_was_busy(self):
        size = "1048576 nodes, 31399382 edges"
        self.assertNotIn("busy", figures_walks.table(self.rows("walks", graph=size))[0])
        self.assertIn("busy", figures_walks.table(self.rows("walks", graph=size + figures_walks.BUSY))[0])

    def test_a_search_that_finds_its_target_is_no_full_search(self):
        row = {"found": 0, "visited": 6, "seconds": 0.5}
        self.assertEqual(figures_walks.read_full(json.dumps({"searches": [row]})), {"full": 0.5, "reached": 7})
        with self.assertRaisesRegex(Failed, "was found"):
            figures_walks.read_full(json.dumps({"searches": [row, {**row, "found": 1}]}))

    def test_what_gapbs_prints_is_read(self):
        text = "Trial Time:  0.3\nBFS Tree has 7 nodes and 9 edges\nTrial Time:  0.1\nTrial Time:  0.2\n"
        self.assertEqual(figures_walks.read_gapbs(text), {"gapbs": 0.2, "reached": 7})

    @unittest.skipUnless(os.environ.get("PW_BFS"), "no program")
    def test_a_small_graph_is_measured_without_gapbs(self):
        folder = pathlib.Path(os.environ["PW_BFS"]).parent
        if not (folder.parent / "lib" / "libpwgraph.so").exists():
            self.skipTest("the libraries are static archives in this build")
        if os.environ.get("PW_BUILD_TYPE", "Release") != "Release":
            self.skipTest("Python cannot load the library of this build")
        with tempfile.TemporaryDirectory() as name, unittest.mock.patch.object(figures_walks, "SCALE", 10), \
                contextlib.redirect_stderr(io.StringIO()) as said:
            options = figures.parse(["--walks", "--rounds=2", "--bin", str(folder), "--output", name])
            self.assertEqual(figures_walks.run(options), 0)
            found = figures_walks.collect(options)
        self.assertIn("gapbs is left out", said.getvalue())
        self.assertEqual({figure for figure, *_ in found},
                         {f"walks.{asked}.{count}" for asked in ("distances", "parents", "histogram", "full")
                          for count in (1, 2)})


class Simulated(unittest.TestCase):
    """The tables of simulated counts match today's code."""

    CHECKED = [("classic", "pool"), ("classic", "slab"), ("plain", "slab"),
               ("bidirectional", "slab")]

    def test_the_pages_say_what_the_file_of_simulated_counts_says(self):
        for path, text in simulated.pages(simulated.read()).items():
            self.assertEqual(path.read_text(encoding="utf-8"), text, path)

    @unittest.skipUnless(os.environ.get("PW_BFS"), "no program")
    @unittest.skipUnless(os.environ.get("PW_BUILD_TYPE", "Release") == "Release", "other code")
    def test_the_counts_match_today_s_code(self):
        options = argparse.Namespace(bin=pathlib.Path(os.environ["PW_BFS"]).parent)
        if not shutil.which("valgrind"):
            self.skipTest("Valgrind is not installed")
        file = {(row["engine"], row["allocator"]): row for row in simulated.read()}
        for pair in self.CHECKED:
            try:
                row = simulated.simulate(options, *pair)
            except Failed as problem:
                if "--sim" not in str(problem):
                    raise
                self.skipTest(f"this build cannot simulate: {problem}")
            for name in ("compiler", "c_library"):
                if row[name] != file[pair][name]:
                    self.skipTest(f"the counts are from {file[pair][name]}, not {row[name]}")
            self.assertEqual(row["visited"], file[pair]["visited"])
            for name in simulated.COUNTS:  # the machine's own memcpy is all that may differ
                self.assertAlmostEqual(int(row[name]) / int(file[pair][name]), 1, delta=0.02,
                                       msg=f"{pair}, {name}: run perf/study simulated --write")


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
        self.assertIn("none", out)

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
            self.assertRegex(text, "With replay the searches are|Between replay and malloc")
            self.assertFalse((pathlib.Path(name) / "raw" / "replay.script").exists())

    def test_the_article_s_pairs_are_known_and_another_graph_as_large_is_another_graph(self):
        pairs = ROOT / "data" / "wikipedia" / "wikipedia-20070206-pairs.txt"
        with tempfile.TemporaryDirectory() as name:
            graph = pathlib.Path(name) / "as-large.mtx"
            graph.write_text(f"%%MatrixMarket matrix coordinate pattern general\n"
                             f"{published.GRAPH_NODES} {published.GRAPH_NODES} 1\n1 2\n")
            others = pathlib.Path(name) / "others.txt"
            others.write_text(pairs.read_text().replace("3000843 1573690", "3000843 1573691"))
            one, other = (json.loads(subprocess.run(
                [os.environ["PW_BFS"], graph, file, "--format", "json"], check=True,
                capture_output=True, text=True).stdout) for file in (pairs, others))
        self.assertEqual(one["context"]["pairs"]["checksum"], published.PAIRS_CHECKSUM)
        self.assertNotEqual(other["context"]["pairs"]["checksum"], published.PAIRS_CHECKSUM)
        one["context"]["graph"]["edges"] = published.GRAPH_EDGES
        self.assertFalse(published.is_the_real_graph(one))

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

    def path_with(self, *programs):
        """A PATH of these programs alone."""
        folder = self.output.with_name("programs")
        folder.mkdir()
        for name in programs:
            (folder / name).symlink_to(shutil.which(name))
        return str(folder)

    def rows_of(self, done):
        """The rows of results.csv of a study that ended well."""
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("</html>", (self.output / "study.html").read_text(encoding="utf-8"))
        self.assertTrue((self.output / "study.md").exists())
        json.loads((self.output / "results.json").read_text(encoding="utf-8"))
        with open(self.output / "results.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_the_ladder_measures_every_engine(self):
        done = self.run_study("ladder", *self.SMALL, "--pairs", "4", "--first", "2")
        rows = self.rows_of(done)
        found = {row["case"] for row in rows}
        for name in ("challenge's layout, malloc", "plain, malloc", "classic, slab", "array",
                     "bidirectional", "multi-source, 2 threads", "array, snapshot, order bfs"):
            self.assertIn(name, found)
            self.assertIn("\n" + name, done.stdout)
        engines = [row for row in rows if row["part"] == "Engines"]
        self.assertEqual(len(engines), 2 * 8)
        self.assertEqual(len({(row["found"], row["hops"]) for row in engines}), 1)
        exact = [row for row in engines if row["case"].startswith(("plain", "classic"))]
        self.assertEqual(len({(row["visited"], row["expanded"]) for row in exact}), 1)

    def test_the_allocators_repeat_one_search_and_count_alike(self):
        done = self.run_study("allocators", *self.SMALL, "--pairs", "3", "--times", "3", "--depth",
                              "2k", "--length", "2k", "--own", "8")
        rows = self.rows_of(done)
        self.assertEqual(len([row for row in rows if row["part"].startswith("1.")]), 2 * 6)
        self.assertEqual(len({row["visited"] for row in rows if row["part"].startswith("2.")}), 1)
        self.assertIn("slab, 1,000 deep", done.stdout)
        own = [row for row in rows if row["part"].startswith("4.")]
        self.assertEqual(len(own), 2 * 7)
        self.assertEqual(len({row["visited"] for row in own}), 1)
        self.assertTrue(all(0 < float(row["seconds_6"]) < float(row["seconds_8"]) for row in own))
        self.assertEqual(list(self.output.glob("*/nodes")), [])

    def test_some_queues_after_100_pairs_go_into_the_figures_of_their_folder(self):
        self.run_study("allocators", *self.SMALL, "--rounds", "1", "--only", "4", "--own", "100", "--queues",
                       "slab,array", "--output", str(self.output / "own"))
        done = self.run_study("figures", *self.SMALL, "--draw")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = figures_pages.read_figures(self.output / "figures.csv")
        self.assertEqual({row["figure"] for row in rows}, {
            *(f"own.{name}.{count}" for name in ("slab", "array", "slab.array") for count in (6, 15, 100))})
        self.assertEqual({row["graph"].split("edges")[1] for row in rows}, {", 1 round"})
        self.assertIn("100 pairs, 1 round", "\n".join(figures_pages.own_table(rows)))

    def test_a_queue_that_is_not_there_is_a_wrong_option(self):
        done = self.run_study("allocators", "--queues", "slab,stack")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--queues: there is no stack", done.stderr)

    def test_the_challenge_s_own_program_is_left_out_where_only_what_is_installed_is_there(self):
        installed = self.output.with_name("bin")
        installed.symlink_to(pathlib.Path(os.environ["PW_BFS"]).parent)
        with unittest.mock.patch("pathlib.Path.resolve", lambda path: path):
            options = allocators.parse(["--bin", str(installed), "--output", str(self.output)])
            study = cases.Study("allocators", "title", options)
            allocators.own(study)
        self.assertIn(f"Left out: {self.output.with_name('perf') / 'own-queue'} is not there.",
                      "\n".join(study.page.text))
        self.assertEqual(study.parts, [])

    def test_one_command_makes_the_figures_and_writes_them_into_its_folder(self):
        done = self.run_study("figures", "--nodes", "2k", "--edges", "20k", "--rounds", "1",
                              "--depth", "5k", environment={"PATH": self.path_with("awk", "uname")})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("15 pairs, classic on slab", done.stdout)
        rows = {row["figure"]: row
                for row in figures_pages.read_figures(self.output / "figures.csv")}
        others = {name for name in rows if name.startswith(("programs.", "memory."))}
        self.assertEqual({name for name in (wanted.name for wanted in figures_wanted.FIGURES)
                          if "mimalloc" not in name and not name.startswith("threads.")},
                         {name for name in set(rows) - others if "mimalloc" not in name})
        with self.subTest("what a program allocates"):
            if subprocess.run(["setarch", "-R", "true"], capture_output=True, check=False).returncode:
                self.skipTest("this system does not let addresses be the same in each run")
            self.assertIn("programs.awk.glibc", others)
        self.assertIn("memory.awk.glibc.end", others)
        self.assertFalse(any(".awk." not in name for name in others), others)
        self.assertIn("sort, 300,000 lines: left out: sort or its input is missing", done.stderr)
        self.assertTrue(all(float(row["value"]) > 0 for name, row in rows.items()
                            if name not in others))

    def test_the_huge_size_can_be_tried_at_a_tiny_one(self):
        done = self.run_study("figures", "--huge", "--nodes", "2k", "--edges", "40k", "--rounds", "1")
        rows = self.rows_of(done)
        self.assertEqual(len(rows), 2 * 4)
        self.assertIn("The size of today's English Wikipedia", done.stdout)
        self.assertEqual(list(self.output.glob("*.pwg")), [])
        found = {row["figure"]: float(row["value"])
                 for row in figures_pages.read_figures(self.output / "figures.csv")}
        self.assertEqual({wanted.name for wanted in figures_wanted.HUGE}, set(found))
        self.assertEqual((found["huge.today.questions.nodes"], found["huge.today.questions.edges"]),
                         (2000, 40000))
        self.assertGreater(found["huge.today.questions.snapshot_bytes"], 8 * 40000)
        self.assertEqual(found["huge.today.slab.held_bytes"], 2 ** 21)

    def test_wrong_usage_is_status_2(self):
        for name, arguments in (("ladder", ["--only", "9"]), ("allocators", ["--rounds", "0"]),
                            ("ladder", ["--edges", "few"]), ("ladder", ["graph.mtx"])):
            with self.subTest(name):
                self.assertEqual(self.run_study(name, *arguments).returncode, 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
