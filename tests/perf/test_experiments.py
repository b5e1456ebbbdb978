"""perf/study experiments: plots and the page, from numbers made up here; and one experiment
with the built allocbench, when its path is given."""
import argparse
import contextlib
import csv
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "perf" / "studylib"))

import experiments  # noqa: E402
import experiments_plots  # noqa: E402
import plots  # noqa: E402
import published  # noqa: E402
import runner  # noqa: E402
from runner import Failed  # noqa: E402
from stats import Figure  # noqa: E402

HEAP = "block:small=no"


def values(of):
    """With a figure as its value, or as (value, low, high) where it has an interval."""
    if isinstance(of, Figure):
        return of.value if not of.half else (of.value, of.low, of.high)
    return type(of)(map(values, of)) if isinstance(of, (list, tuple)) else of


class Folder(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)

    def write(self, name, tables, notes=(), data_only=(), runs=3, measured="this", figures=()):
        """An experiment as allocbench writes it. tables: {name: CSV}; figures: columns that are no spread,
        though they are called so."""
        heads = [(table, f"Title of {table}", column, column.replace("_", " "),
                  "true" if table in data_only else "false", "" if column in figures else
                  "percent" if column.endswith("spread_percent") else
                  "own" if column.endswith("_spread") else "")
                 for table, text in tables.items() for column in text.splitlines()[0].split(",")]
        facts = {"experiment": name, "summary": "what it is", "source": "whom", "published": "1 < 2",
                 "measured": measured, "processor": "A & B", "virtual": "true", "runs": runs, "seed": 1,
                 "clock": "counter", "ns_per_tick": "0.500000", "reading_ticks": 20}
        for kind, head, rows in (
                ("heads", ("table", "title", "column", "head", "data_only", "spread"), heads),
                ("about", ("name", "value"), [*facts.items(), *(("note", note) for note in notes)])):
            with open(self.folder / f"{name}.{kind}.csv", "w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows([head, *rows])
        for table, text in tables.items():
            (self.folder / f"{table}.csv").write_text(text, encoding="utf-8")
        return experiments.Result(self.folder, name)

    def drawn(self, name, tables):
        """What is asked of plots.py: [(function, arguments, keywords), ...]"""
        page = unittest.mock.Mock()
        experiments_plots.draw(page, self.write(name, tables))
        return [(call.args[1], call.args[0], values(call.args[2:]), call.kwargs)
                for call in page.plot.call_args_list]


class Texts(Folder):
    def test_distributions_gives_the_range(self):
        [(_, heads, [row]), *_], _ = published.beside(self.write("distributions", {
            "distributions-histogram": "size_from,uniform,log-normal\n",
            "distributions": "allocator,uniform_us,uniform_spread_percent,log-normal_us\n"
            "malloc,0.1,9,0.02\nslab,,,0.3\n"}))
        self.assertEqual(heads[1:], ["least, published", "most, published", "malloc, least, here",
                                     "malloc, most, here"])
        self.assertEqual(row[1:], ["100 ns", "1 us", "20 ns", "100 ns"])

    def test_a_short_time_is_shown_in_its_own_unit(self):
        self.assertEqual([published.written(value, "ms") for value in (0.0005, 0.008203, 0.5, 12345.6)],
                         ["500 ns", "8.203 us", "500 us", "12.35 s"])


class Plots(Folder):
    def test_sizes_are_shown_in_powers_of_two(self):
        for count, text in ((1, "1 B"), (2048, "2 KiB"), (4088, "4 KiB"), (33554424, "32 MiB"),
                            (1000, "1000 B")):
            self.assertEqual(experiments_plots.bytes_text(count), text)

    def test_sizes_takes_the_highest_count_up_to_a_thousand_per_call(self):
        text = "allocator,action,count,size_bytes,median_ns,low_ns,high_ns\n" + "".join(
            f"{name},{action},{count},4088,{ns},1,1\n" for name, action, count, ns in (
                ("malloc", "allocate", 100, 1), ("malloc", "allocate", 1000, 20000),
                ("malloc", "free", 1000, 5000), ("malloc", "allocate", 10000, 1)))
        text = text.replace("20000,1,1", "20000,19000,22000").replace("5000,1,1", "5000,4000,6000")
        [(function, _, arguments, more)] = self.drawn(
            "sizes", {"sizes": text + "slab,allocate,1000,4088,,,\n"})
        self.assertIs(function, plots.scatter)
        self.assertEqual(arguments[4], [("malloc", [(4088, (25.0, 23.0, 28.0))])])
        self.assertIn("1,000 in a row", arguments[1])
        self.assertEqual(more["xtics"], [("4 KiB", "4088"), ("4 KiB", "4088")])

    def test_exhaustion_and_worst_case_show_both_calls_of_each_allocator(self):
        text = ("allocator,repetitions,allocate_ns_per_call,allocate_call_spread_percent,"
                "free_ns_per_call,free_call_spread_percent\nmalloc,1,9,1,9,1\n"
                "malloc,10,1.5,10,2,50\nblock,1,9,1,9,1\nblock,10,3,0,,\n")
        for name in ("exhaustion", "worst-case"):
            [(function, _, arguments, _)] = self.drawn(name, {name: text})
            self.assertIs(function, plots.dots)
            self.assertEqual(arguments[3:], ([("malloc", [(1.5, 1.35, 1.65), (2.0, 1.0, 3.0)]),
                                              ("block", [3.0, None])], ["allocate", "free"]))

    def test_purge_is_drawn_on_a_logarithmic_axis_with_all_points(self):
        rows = "".join(f"malloc,{size},100,1,1,1\n" for size in range(1, 100)) + "malloc,100,9000,,,\n"
        [(function, _, arguments, more)] = self.drawn("purge", {
            "purge": "allocator,size_bytes,mean_cycles,median_cycles,p99_cycles,maximum_cycles\n"
            + rows})
        self.assertIs(function, plots.scatter)
        self.assertEqual(more, {"log_x": False})
        [(name, points)] = arguments[4]
        self.assertEqual((name, points[0], len(points)), ("malloc", (1.0, 100.0), 100))

    def test_a_workload_that_needs_more_heap_than_before_is_named(self):
        head = "workload,heap,operations,needed_mib\n"
        result = self.write("replay", {
            "replay": "workload,allocator,seconds\n",
            "replay-recordings": head + "bfs,block,9,2.5\nqueue,block,9,1\nbfs,first-fit,8,7\n"})
        self.assertEqual(experiments.more_heap(result), [])  # nothing was before
        (self.folder / "raw").mkdir(exist_ok=True)
        (self.folder / "raw" / "replay-recordings.csv").write_text(
            head + "bfs,block,9,2\nqueue,block,9,1\nbfs,first-fit,9,3\n", encoding="utf-8")
        self.assertEqual(experiments.more_heap(result), [
            "bfs on block needs more heap than in the last run: 2.5 MiB, 2.0 before."])

    def test_replay_shows_shares_below_zero_and_no_replay(self):
        text = ("workload,allocator,overhead_percent,overhead_spread\nbfs,malloc,60,2\n"
                "bfs,slab,-5,1\nbfs,replay,1,0\nbfs,replay:unchecked,0,0\nqueue,malloc,50,0\n"
                "queue,slab,,\n")
        [(function, _, arguments, _)] = self.drawn("replay", {"replay": text})
        self.assertIs(function, plots.bars)
        self.assertEqual(arguments[3:], ([("bfs", [(60.0, 58.0, 62.0), (-5.0, -6.0, -4.0)]),
                                          ("queue", [50.0, None])], ["malloc", "slab"]))

    def test_the_searches_and_the_queue_are_drawn_by_allocator(self):
        [(_, _, arguments, _)] = self.drawn("pointer-wars", {
            "pointer-wars": "allocator,wall_seconds\nmalloc,2.5\npool,1\n"})
        self.assertEqual(arguments[3], [("malloc", [2.5]), ("pool", [1.0])])
        [(_, _, arguments, _)] = self.drawn("queue", {
            "queue-deep": "allocator,warm_ns\nmalloc,17.3\nslab,10\n",
            "queue-shallow": "allocator,warm_ns\nmalloc,13.9\nslab,5\n"})
        self.assertEqual(arguments[3:], ([("deep", [17.3, 10.0]), ("steady at 1,000", [13.9, 5.0])],
                                         ["malloc", "slab"]))

    MEMORY = {"distributions-memory": "allocator,sizes,live_peak_kib,held_peak_kib,fragmentation,"
                                      "fragmentation_spread_percent\nmalloc,uniform,100,150,1.5,2\n"
                                      "slab,uniform,100,200,2,0\n",
              "distributions-memory-times": "allocator,sizes,requests,live_kib,held_kib\n"
                                            "malloc,uniform,10,50,70\nmalloc,uniform,20,100,150\n"
                                            "slab,uniform,10,50,60\nslab,uniform,20,100,200\n"}

    def test_memory_has_peak_fragmentation_and_what_is_held_over_time(self):
        page = unittest.mock.Mock()
        experiments_plots.memory(page, self.write("distributions", self.MEMORY))
        peaks, times = [values(call.args[2:]) for call in page.plot.call_args_list]
        self.assertEqual(peaks[0], "distributions-fragmentation")
        self.assertEqual(peaks[-2:], ([("malloc", [(1.5, 1.47, 1.53)]), ("slab", [2.0])],
                                      ["uniform"]))
        self.assertEqual(times[0], "distributions-memory-uniform")
        self.assertEqual(times[-1], [("malloc", [(10.0, 70.0), (20.0, 150.0)]),
                                     ("slab", [(10.0, 60.0), (20.0, 200.0)]),
                                     ("alive", [(10.0, 50.0), (20.0, 100.0)])])

    def test_distributions_has_costs_and_the_histogram(self):
        costs, histogram = self.drawn("distributions", {
            "distributions": "allocator,uniform_us,uniform_spread_percent\nmalloc,0.1,2\n",
            "distributions-histogram": "size_from,size_to,uniform\n4,7,3\n8192,16383,39\n"})
        self.assertEqual(costs[2][3:], ([("malloc", [(0.1, 0.098, 0.10200000000000001)])],
                                        ["uniform"]))
        self.assertEqual(histogram[2][3:], ([("4 B", [3.0]), ("8 KiB", [39.0])], ["uniform"]))

    def test_ageing_has_a_line_per_allocator_in_two_plots(self):
        text = "allocator,1,2\nmalloc,10,20.5\nslab,5,\n"
        time, distance = self.drawn("ageing", {
            "ageing": text, "ageing-distance": text, "ageing-spread": "allocator,1,2\nmalloc,10,\n"})
        self.assertEqual(time[2][4], [("malloc", [(1, (10.0, 9.0, 11.0)), (2, 20.5)]),
                                      ("slab", [(1, 5.0)])])
        self.assertFalse(time[3]["log_y"])
        self.assertTrue(distance[3]["log_y"])

    def test_a_figure_no_larger_than_its_spread_is_not_drawn_and_counted(self):
        for draw in (lambda figures: plots.bars(self.folder, "x", "t", "ns", [("g", figures)],
                                                ["a", "b", "c"]),
                     lambda figures: plots.dots(self.folder, "x", "t", "ns", [("g", figures)],
                                                ["a", "b", "c"]),
                     lambda figures: plots.scatter(self.folder, "x", "t", "x", "y",
                                                   [("s", list(enumerate(figures)))])):
            with unittest.mock.patch("plots.draw", return_value="x.svg") as drawn:
                name, remark = draw([Figure(10.5, 9, 12), Figure(3.25, 0, 6.5), None])
                self.assertEqual(name, "x.svg")
                self.assertIn("1 figure is smaller than its spread", remark)
                self.assertIn("10.5", drawn.call_args.args[2])
                self.assertIn(" 9 12", drawn.call_args.args[2].replace(" 9.0 12.0", " 9 12"))
                self.assertNotIn("3.25", drawn.call_args.args[2])
                self.assertEqual(draw([Figure(3.25, 0, 6.5), None, None])[0], None)
                self.assertIn("One run each", draw([Figure(3.25), None, None])[1])

    def test_bars_start_at_zero_and_go_below_it_and_only_points_are_logarithmic(self):
        with unittest.mock.patch("plots.draw", return_value="x.svg") as drawn:
            plots.bars(self.folder, "x", "t", "%", [("g", [Figure(5, 4, 6), Figure(9)])], ["a", "b"])
            self.assertIn("set yrange [0:10]", drawn.call_args.args[2])
            plots.bars(self.folder, "x", "t", "%", [("g", [Figure(-5, -6, -4)])], ["a"])
            script = drawn.call_args.args[2]
            self.assertIn("set yrange [-6:0]", script)
            self.assertIn("set xzeroaxis", script)
            self.assertNotIn("logscale", script)
            plots.dots(self.folder, "x", "t", "s", [("g", [Figure(5, 4, 6)])])
            self.assertIn("logscale x", drawn.call_args.args[2])
            self.assertNotIn("boxes", drawn.call_args.args[2])

    def test_what_is_not_above_zero_is_left_out_of_a_logarithmic_scale_and_said(self):
        with unittest.mock.patch("plots.draw", return_value="x.svg"):
            _, remark = plots.dots(self.folder, "x", "t", "s", [("g", [1]), ("h", [-1])])
        self.assertEqual(remark, "1 figure is not above zero and left out of the logarithmic scale.")

    @unittest.skipUnless(plots.available(), "no gnuplot")
    def test_gnuplot_draws_quotes_gaps_zeros_and_intervals_as_svg_and_png(self):
        groups = [('a "quoted" one', [Figure(1.5, 1, 2), None]), ("another", [0, Figure(2)])]
        points = [("it's", [(1, Figure(3, 2, 4)), (2, 5)]), ("one", [(1, Figure(4))])]
        for name, _ in (plots.bars(self.folder, "bars", "a 'title'", "ns", groups, ["one", "it's"]),
                        plots.bars(self.folder, "below", "t", "%", [("x", [Figure(-3, -4, -2)])],
                                   [""]),
                        plots.dots(self.folder, "dots", "a 'title'", "ns", groups, ["one", "it's"]),
                        plots.scatter(self.folder, "points", "t", "x", "y", points),
                        plots.scatter(self.folder, "lines", "t", "x", "y", points, lines=True,
                                      log_x=False, log_y=False, xtics=[("a", 1)]),
                        plots.scatter(self.folder, "band", "t", "x", "y", points, lines=True,
                                      log_x=False, log_y=False, band=True)):
            text = (self.folder / name).read_text(encoding="utf-8")
            self.assertIn("</svg>", text)
            png = self.folder / name.replace(".svg", ".png")
            self.assertTrue(png.read_bytes().startswith(b"\x89PNG"))
            if name in ("bars.svg", "dots.svg"):
                self.assertIn("quoted", text)


class Published(Folder):
    def test_the_file_has_the_tables_of_the_article_on_custom_allocators(self):
        run = published.figures("run")
        self.assertEqual(len(run), 7)
        self.assertEqual(run["malloc_calls"][0], run["free_calls"][0])
        for key in ("1", "3", "9"):
            found = published.figures("search", key)
            self.assertEqual(len(found), 9)
            self.assertEqual(*found["visited"])  # the free list searches alike
            self.assertTrue(all(None not in both for both in found.values()))
        # In search 9, which pushes all that it pops, malloc is called per push and twice more.
        self.assertEqual(found["malloc_calls"][0] - 2, found["visited"][0] - 1)
        self.assertEqual(round(run["wall_seconds"][0] / run["wall_seconds"][1], 2), 1.18)
        self.assertEqual(round(run["malloc_calls"][0] / run["malloc_calls"][1]), 97)
        # The estimate is the calls times the nanoseconds of one of each.
        self.assertEqual(round(run["malloc_calls"][0] * (run["ns_per_malloc"][0] + run["ns_per_free"][0])
                               / 1e9), run["estimated_seconds"][0])

    def test_every_row_names_an_article_and_an_experiment_that_are_there(self):
        for row in published.ROWS:
            self.assertIn(row["article"], published.SOURCES)
            self.assertIn(row["experiment"], experiments.NAMES)
            self.assertTrue(row["words"] and row["where"])
            for cell in (row["first"], row["second"]):
                published.number(cell)
        self.assertEqual(len(published.SOURCES), 5)
        for source in published.SOURCES.values():
            self.assertTrue(source["words"] and source["machine"])

    @staticmethod
    def pattern(is_long):
        """Published figures as printed and with commas, of four digits and more; or the
        short ones with their unit. A rate is like many others."""
        texts = set()
        for row in published.ROWS:
            for cell in (row["first"], row["second"]):
                digits = re.sub(r"\D", "", cell).strip("0")
                if row["unit"] == "rate" or len(digits) < 2 or (len(digits) > 3) != is_long:
                    continue
                for text in {cell, f"{int(cell):,}"} if cell.isdigit() else {cell}:
                    texts.add(re.escape(text if is_long else f"{text} {row['unit']}"))
        return re.compile(r"(?<![\d.,])(?:" + "|".join(sorted(texts)) + r")(?![.,]?\d)")

    def test_a_published_figure_is_in_one_file_of_the_tree(self):
        root = HERE.parents[1]
        every, short = self.pattern(True), self.pattern(False)
        self.assertGreater(every.pattern.count("|"), 50)
        names = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True,
                               check=False).stdout.split()
        if not names:
            self.skipTest("no git, or no repository: which files belong to the tree is not known")
        made = re.compile(r"data/published/published\.csv$|perf/studylib/(figures|simulated)\.(csv|md)$")
        for name in names:
            if made.match(name) or not (root / name).is_file():
                continue
            try:
                text = (root / name).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
            measures = name.startswith(("base/", "counters/", "perf/"))
            found = every.search(text) or (short.search(text) if measures else None)
            self.assertIsNone(found, f"{name}: {found and found[0]} is in published.csv")

    def test_ours_is_beside_with_the_ratio_of_the_two(self):
        result = self.write("pointer-wars", {
            "pointer-wars": "allocator,wall_seconds,spread_percent,malloc_calls\nmalloc,4,1,100\n"
            "pool,3,1,10\nslab,1,1,1\n",
            "pointer-wars-searches": "search,allocator,visited,seconds,spread_percent,loads,"
            "nodes_per_second\n1,malloc,70,2,50,,35\n1,pool,70,1.9,50,,37\n"})
        self.assertEqual([title for title, _, _ in published.beside(result)[0]], [""])
        self.assertIn("the article's searches are not beside ours", published.beside(result)[1][-1])
        self.visit_as_published("70")
        tables, sentences = published.beside(result)
        self.assertEqual([title for title, _, _ in tables],
                         ["", "Search 1", "Search 3", "Search 9"])
        rows = {row[0]: row[1:] for row in tables[0][2]}
        paper = published.figures("run")["wall_seconds"]
        self.assertEqual(rows["wall time"], [f"{paper[0]:,} s", f"{paper[1]} s", "1.18", "4 s", "3 s",
                                             "1.33"])
        self.assertEqual(rows["malloc calls"][3:], ["100", "10", "10.0"])
        self.assertEqual(rows["highest nodes/s"][3:], ["-", "-", "-"])
        rows = {row[0]: row[1:] for row in tables[1][2]}
        visited = f"{published.figures('search', '1')['visited'][0]:,}"
        self.assertEqual(rows["edges examined (our pops)"],
                         [visited, visited, "1.00", visited, visited, "1.00"])
        self.assertEqual(rows["nodes/s, computed"], ["1,285,811", "1,341,367", "0.96", "35", "37",
                                                     "0.95"])
        self.assertEqual(rows["wall time"][3:], ["2 s", "1.9 s", "~1.05"])
        self.assertEqual(rows["L1D hit rate"][3:], ["-", "-", "-"])
        self.assertNotIn("not beside ours", " ".join(sentences))

    def visit_as_published(self, count):
        """The searches' file, with the article's visits of search 1 in place of a count."""
        visited = str(published.figures("search", "1")["visited"][0])
        path = self.folder / "pointer-wars-searches.csv"
        path.write_text(path.read_text().replace(f",{count},", f",{visited},"))

    def test_what_the_text_says_has_ours_beside_it(self):
        result = self.write("pointer-wars", {
            "pointer-wars": "allocator,wall_seconds,spread_percent,malloc_calls,ns_per_malloc,"
            "ns_per_malloc_spread_percent,ns_per_free,ns_per_free_spread_percent\n"
            "malloc,4,1,900,20,3,10,8\npool,3,1,470,5,1,5,1\n",
            "pointer-wars-searches": "search,allocator,visited,seconds,nodes_per_second\n"
            "1,malloc,300,2,150\n1,pool,300,1,300\n2,malloc,3,0.001,9\n2,pool,3,0.002,4\n"
            "3,malloc,400,2,200\n3,pool,400,1,400\n"},
            measured="9 searches (p) on g, 200 nodes, 1000 edges, classic engine")
        said = "; ".join(published.beside(result)[1])
        for text in ("gone, about: 15 % (here 25 %)", "from run to run: 10 % to 15 % (here 3 % and 8 %)",
                     "of the edges are in the queue at most, by the calls of malloc with the free list: "
                     "50 % (here 47 %)", "around: 40,000,000 (here 1,000)",
                     "of the edges searched by search 1: 20 % (here 30 %)",
                     "by noise (here 1 ms with malloc, 2 ms with pool)",
                     "before and after (here malloc 150 to 200, pool 300 to 400)",
                     "31 seconds where it means the nanoseconds of one free"):
            self.assertIn(text, said)
        result = self.write("purge", {
            "purge-summary": "allocator,mean_cycles,cumulative_mib,live_peak_kib\nmalloc,9,1835,230\n",
            "purge": "allocator,size_bytes,mean_cycles\n"})
        self.assertIn("never 1 MB alive, but the article has around: 400 MB (here 1,835 MiB in all, at most 230 KiB alive)",
                      published.beside(result)[1][0])
        result = self.write("replay", {"replay": "workload,allocator,seconds\n",
                                       "replay-recordings": "workload,heap,seconds\nqueue,block:x,9\n"
                                       "bfs,first-fit:heap=64M,10\nbfs,block:heap=64M,4\n"})
        self.assertIn("are recorded 2.50 times as fast on the block heap", published.beside(result)[1][0])

    def test_what_the_article_found_is_in_its_tables(self):
        for search in ("1", "3", "9"):
            found = published.figures("search", search)
            for quantity in ("loads", "branches", "l1d_hit_rate"):
                self.assertGreater(found[quantity][0], found[quantity][1])
            self.assertLess(abs(found["branches_predicted_rate"][0]
                                - found["branches_predicted_rate"][1]), 0.002)

    def test_the_article_s_estimate_is_made_of_our_calls_and_nanoseconds(self):
        result = self.write("pointer-wars", {
            "pointer-wars": "allocator,wall_seconds,malloc_calls,free_calls,ns_per_malloc,ns_per_free\n"
            "malloc,4,2000000000,1000000000,10,30\npool,3,10,0,1,2\n"})
        rows = {row[0]: row[1:] for row in published.beside(result)[0][0][2]}
        self.assertEqual(rows["estimate of both together"][3:], ["50 s", "-", "-"])
        self.assertEqual(rows["one free, 10,000 in a row"][3:], ["30 ns", "2 ns", "15.0"])

    def test_the_article_s_estimate_is_as_uncertain_as_its_nanoseconds(self):
        result = self.write("pointer-wars", {
            "pointer-wars": "allocator,wall_seconds,malloc_calls,free_calls,ns_per_malloc,"
            "ns_per_malloc_spread_percent,ns_per_free,ns_per_free_spread_percent\n"
            "malloc,4,50000000,50000000,68,816,10,2\n"})
        rows = {row[0]: row[1:] for row in published.beside(result)[0][0][2]}
        self.assertEqual(rows["estimate of both together"][3], "~3.9 s")
        made = published.run_figure(result.find("pointer-wars", allocator="malloc"),
                                    "estimated_seconds")
        self.assertAlmostEqual(made.low, 0.05 * (68 - 68 * 8.16 + 9.8))
        self.assertAlmostEqual(made.high, 0.05 * (68 + 68 * 8.16 + 10.2))

    def test_the_curves_of_the_article_are_on_the_page(self):
        result = self.write("purge", {
            "purge-summary": "allocator,mean_cycles,spread_percent\nflat,100,1\n",
            "purge": "allocator,size_bytes,mean_cycles\nflat,1,100\n"})
        [(_, heads, curves)], _ = published.beside(result)
        self.assertEqual((heads[0], [row[0] for row in curves]), ("published", [
            "HeapAlloc", "HeapAlloc, low-fragmentation heap", "Hoard", "SMemAlloc"]))

    def test_the_bars_of_the_replay_are_shares_of_the_plain_run(self):
        result = self.write("replay", {
            "replay": "workload,allocator,seconds,spread_percent,overhead_percent,overhead_spread\n"
            "bfs,malloc,4,1,75,1\nbfs,replay,1.5,1,33,1\nbfs,replay:unchecked,1,1,0,1\n",
            "replay-recordings": "workload,heap,seconds\nbfs,first-fit:heap=64M,10\n"})
        self.assertEqual(experiments.bars(result), [["bfs", "4 s", "250 %", "38 %", "25 %"]])
        wide = self.write("replay", {
            "replay": "workload,allocator,seconds,spread_percent,overhead_percent,overhead_spread\n"
            "bfs,malloc,4,70,75,1\nbfs,replay,1.5,50,33,1\nbfs,replay:unchecked,1,1,0,1\n",
            "replay-recordings": "workload,heap,seconds\nbfs,first-fit:heap=64M,10\n"})
        self.assertEqual(experiments.bars(wide), [["bfs", "4 s", "250 %", "~38 %", "~25 %"]])
        result = self.write("replay", {
            "replay": "workload,allocator,seconds,spread_percent,overhead_percent,overhead_spread\n"
            "bfs,malloc,4,1,75,1\nbfs,replay,1.5,1,33,1\nbfs,replay:unchecked,1,1,0,1\n",
            "replay-recordings": "workload,heap,seconds\nbfs,first-fit:heap=64M,10\n"})
        [(_, _, [recording]), _], _ = published.beside(result)
        self.assertEqual(recording[4:], ["4 s", "10 s", "0.40"])

    def test_dlmalloc_s_lead_is_measured_where_it_takes_part(self):
        tables = {"distributions": "allocator,uniform_us,exponential_us,log-normal_us\n"
                  "malloc,0.5,0.2,0.3\nlib:./libdlmalloc.so,0.1,0.1,0.2\n",
                  "distributions-histogram": "size_from,uniform\n"}
        result = self.write("distributions", tables)
        rows = {row[0]: row[1:] for _, _, part in published.beside(result)[0] for row in part}
        lead = rows["dlmalloc ahead of the C library, exponential and log-normal sizes"]
        self.assertEqual(lead, ["1.4 times", "2 times", "1.5 times", "2 times"])

    def test_an_allocator_that_the_user_names_has_a_column_of_ours(self):
        head = ("allocator,repetitions,allocate_ms,allocate_spread_percent,free_ms,"
                "free_spread_percent\n")
        mine = "plugin:./mine.so"

        def tables(rows):
            return published.beside(self.write("exhaustion", {"exhaustion": head + rows}))[0]

        [(_, heads, rows)] = tables(f"malloc,1,8,1,6,1\n{mine},1,2,1,1.5,1\n")
        self.assertEqual(heads[4:], ["malloc, here", f"{mine}, here", "ratio, here"])
        self.assertEqual(rows[0][4:], ["8 ms", "2 ms", "4.00"])
        [(_, heads, rows)] = tables(f'malloc,1,8,1,6,1\n"{HEAP}",1,4,1,3,1\n{mine},1,2,1,1.5,1\n')
        self.assertEqual(heads[4:], ["malloc, here", f"{HEAP}, here", "ratio, here",
                                     f"{mine}, here", f"ratio of {mine}"])
        self.assertEqual(rows[0][4:], ["8 ms", "4 ms", "2.00", "2 ms", "4.00"])
        [(_, heads, _)] = tables("malloc,1,8,1,6,1\nslab,1,2,1,1.5,1\n")  # in place of the block heap
        self.assertEqual(heads[4:6], ["malloc, here", "slab, here"])
        [(_, heads, _)] = tables(f'malloc,1,,,,\n"{HEAP}",1,4,1,3,1\nslab,1,,,,\n')
        self.assertEqual(heads[4:6], ["malloc, here", f"{HEAP}, here"])

    def test_an_own_allocator_has_its_columns_in_every_kind_of_published_table(self):
        mine = "lib:./mine.so"
        result = self.write("pointer-wars", {
            "pointer-wars": f"allocator,wall_seconds\nmalloc,4\npool,3\n{mine},2\n",
            "pointer-wars-searches": "search,allocator,visited,seconds,nodes_per_second\n"
            f"1,malloc,7,2,10\n1,pool,7,1,20\n1,{mine},7,0.5,40\n"})
        self.visit_as_published("7")
        (_, heads, rows), (_, search_heads, searches), *_ = published.beside(result)[0]
        for found in (heads, search_heads):
            self.assertEqual(found[-2:], [f"{mine}, here", f"ratio of {mine}"])
        self.assertEqual({row[0]: row[-2:] for row in rows}["wall time"], ["2 s", "2.00"])
        self.assertEqual({row[0]: row[-2:] for row in searches}["nodes/s, computed"], ["40", "0.25"])
        self.assertTrue(all(len(row) == len(heads) for row in rows + searches))
        result = self.write("distributions", {
            "distributions": "allocator,uniform_us,exponential_us,log-normal_us\n"
            f"malloc,0.5,0.2,0.3\n{mine},0.1,0.1,0.2\n"})
        (_, ranges, [least]), (_, heads, [lead]) = published.beside(result)[0]
        self.assertEqual(ranges[-2:], [f"{mine}, least, here", f"{mine}, most, here"])
        self.assertEqual(least[-4:], ["200 ns", "500 ns", "100 ns", "200 ns"])
        self.assertEqual((heads[-1], lead[-2:]), (f"{mine}, most, here", ["1.5 times", "2 times"]))

    def test_allocbench_s_usual_allocators_are_known(self):
        bfs = runner.find_bfs(str(pathlib.Path(os.environ["PW_ALLOCBENCH"]).with_name("bfs"))
                              if os.environ.get("PW_ALLOCBENCH") else None)
        found = set()
        for path in (HERE.parents[1] / "perf" / "allocbench").glob("*.c"):
            for text in re.findall(r'\.allocators =\s*"([^"]*)"', path.read_text(encoding="utf-8")):
                found |= set(runner.allocators_of(bfs, text))
        self.assertGreater(len(found), 8)
        self.assertLessEqual(found, published.USUAL)

    def test_the_block_heap_s_tests_are_beside_the_article_s(self):
        head = ("allocator,repetitions,allocate_ms,allocate_spread_percent,free_ms,"
                "free_spread_percent\n")
        result = self.write("exhaustion", {"exhaustion": head + f'malloc,1,8,1,6,1\n"{HEAP}",1,4,1,'
                                                                "3,1\n"})
        [(_, heads, rows)], _ = published.beside(result)
        self.assertEqual(heads[1:3], ["C library, published", "block heap, published"])
        self.assertEqual(rows[0][0], "allocate, once")
        self.assertEqual(rows[0][3:], ["10.0", "8 ms", "4 ms", "2.00"])
        self.assertEqual([row[0] for row in rows], [
            "allocate, once", "free, once", "allocate, 10,000 times", "free, 10,000 times"])


class Pages(Folder):
    QUEUE = {"queue-deep": 'allocator,warm_ns\n"slab:a=1,b=2",17.30\nx<y,\n',
             "queue-shallow": "allocator,warm_ns\nmalloc,13.9\n"}

    def test_the_page_has_tables_notes_and_what_was_published(self):
        self.write("queue", self.QUEUE, ["lib:x is left out"], data_only=["queue-shallow"])
        page = experiments.write_page(self.folder, experiments.NAMES)
        html = (self.folder / "index.html").read_text(encoding="utf-8")
        markdown = (self.folder / "index.md").read_text(encoding="utf-8")
        for text in ("A &amp; B, virtual", "0.5 ns per tick; a reading costs 20 ticks",
                     "<td>17.3 ns</td>", "x&lt;y", "lib:x is left out",
                     "Title of queue-shallow: queue-shallow.csv"):
            self.assertIn(text, html)
        self.assertIn("| slab:a=1,b=2 | 17.3 ns |", markdown)
        self.assertIn("| x<y | - |", markdown)
        self.assertNotIn("<td>13.9", html)
        self.assertRegex("\n".join(page.text), r"allocator +warm\n")

    def table(self, name):
        """The rows of the table of a queue under that name, as texts."""
        return experiments.people_table(experiments.Result(self.folder, "queue"), name)

    def test_a_spread_comes_after_its_figure_and_marks_it(self):
        self.write("queue", {"queue-deep": "allocator,cold_ns,cold_spread_percent,share,share_spread,"
                             "calls\nmalloc,17.30,2.5,-3.0,3.5,1234567\nslab,5.00,120.0,4.0,1.0,12\n"
                             "pool,,,,,\n", "queue-shallow": "allocator,warm_ns\n"})
        heads, rows = self.table("queue-deep")
        self.assertEqual(heads, ["allocator", "cold", "share", "calls"])
        self.assertEqual(rows, [["malloc", "17.3 ns\n± 2.5 %", "~-3.0\n± 3.5", "1,234,567"],
                                ["slab", "~5 ns\n± 120.0 %", "4.0\n± 1.0", "12"]])

    def test_a_figure_called_a_spread_stays_a_figure(self):
        self.write("queue", {"queue-deep": "size,malloc,lib:my_spread\n16,1.5,2.5\n"},
                   figures=["lib:my_spread"])
        heads, rows = self.table("queue-deep")
        self.assertEqual(heads, ["size", "malloc", "lib:my spread"])
        self.assertEqual(rows, [["16", "1.5", "2.5"]])

    def test_one_run_has_no_spread(self):
        self.write("sizes", {"sizes": "allocator,action,count,size_bytes,median_ns,low_ns,high_ns\n"
                             f'"{HEAP}",allocate,1000,65528,700000,700000,700000\n'
                             "malloc,allocate,1000,65528,66500000,66500000,66500000\n"}, runs=1)
        text = "\n".join(experiments.write_page(self.folder, ["sizes"]).text)
        self.assertIn("One run: nothing is known of the spread.", text)
        self.write("queue", {"queue-deep": "allocator,warm_ns,warm_spread_percent\nmalloc,17.30,\n",
                             "queue-shallow": "allocator,warm_ns\n"}, runs=1)
        self.assertEqual(self.table("queue-deep")[1], [["malloc", "17.3 ns"]])

    def test_the_chosen_searches_have_a_table_each_with_the_allocators_beside_each_other(self):
        self.write("pointer-wars", {
            "pointer-wars": "allocator,wall_seconds\nmalloc,1\n",
            "pointer-wars-searches": "search,allocator,visited,pushed,loads\n1,malloc,7000,"
            "9000,\n1,pool,7000,9000,\n3,malloc,5,6,\n3,pool,5,6,\n"})
        page = experiments.write_page(self.folder, ["pointer-wars"])
        text = "\n".join(page.text)
        self.assertRegex(text, r"Search 1\n\n +malloc +pool\nvisited +7,000 +7,000\n"
                         r"pushed +9,000 +9,000\n\nSearch 3")

    def test_where_nobody_takes_part_the_page_says_so_and_has_no_picture(self):
        head = ("allocator,repetitions,allocate_ms,allocate_spread_percent,allocate_ns_per_call,"
                "allocate_call_spread_percent,free_ns_per_call,free_call_spread_percent\n")
        self.write("worst-case", {"worst-case": head + "malloc,1,,,,,,\nslab,1,,,,,,\n"})
        text = "\n".join(experiments.write_page(self.folder, ["worst-case"]).markdown)
        self.assertIn("No allocator could take part.", text)
        self.assertNotIn("![", text)

    def test_every_time_and_size_has_the_unit_that_fits(self):
        self.write("queue", {
            "queue-deep": "allocator,repetitions,allocate_ms,allocate_spread_percent,seconds,held_kib,"
            "ns_per_free\nmalloc,8192,0.000412,1.0,0.000540342,262144,1234567\n",
            "queue-shallow": 'size,malloc\n1 B,"~5231.1 + 3.3 (1352%)"\n'})
        heads, [row] = self.table("queue-deep")
        self.assertEqual(heads, ["allocator", "repetitions", "allocate", "time", "held", "time per free"])
        self.assertEqual(row, ["malloc", "8,192", "412 ns\n± 1.0 %", "540.3 us", "256 MiB", "1.235 ms"])
        result = experiments.Result(self.folder, "queue")
        result.tables["queue-shallow"] = ("Nanoseconds per request", ["size", "malloc"], False)
        self.assertEqual(experiments.people_table(result, "queue-shallow")[1],
                         [["1 B", "~5.23 us + 3.3 ns (1,352 %)"]])

    def test_the_page_has_a_list_of_contents_with_links(self):
        self.write("queue", self.QUEUE)
        self.write("ageing", {"ageing": "allocator,1,2\nslab,1,2\n",
                              "ageing-distance": "allocator,1,2\nslab,1,2\n"})
        experiments.write_page(self.folder, experiments.NAMES)
        html = (self.folder / "index.html").read_text(encoding="utf-8")
        markdown = (self.folder / "index.md").read_text(encoding="utf-8")
        links = re.findall(r'<li><a href="#([^"]*)">([^<]*)</a>', html)
        self.assertEqual(links, [("queue", "queue"), ("ageing", "ageing")])
        for anchor, text in links:
            self.assertEqual(html.count(f'<h2 id="{anchor}">{text}</h2>'), 1)
            self.assertLess(markdown.index(f"- [{text}](#{anchor})\n"),
                            markdown.index(f"## {text}\n"))
        self.assertLess(html.index("<nav"), html.index("<h2"))

    def test_an_option_of_allocbench_before_the_dashes_is_refused_with_its_place(self):
        for arguments in (["queue", "--alloc", "malloc,slab"], ["--alloc=malloc", "queue"], ["--runs=5"]):
            with contextlib.redirect_stderr(io.StringIO()) as errors, \
                    self.assertRaises(SystemExit) as ended:
                experiments.parse(arguments)
            self.assertEqual(ended.exception.code, 2)
            self.assertRegex(errors.getvalue(), r'--(alloc|runs)\S* is not an option of study\. Options of '
                             r'allocbench come after "--", as in: study experiments queue -- --alloc=')
        with contextlib.redirect_stdout(io.StringIO()) as said, self.assertRaises(SystemExit):
            experiments.parse(["--help"])
        for text in ('What follows "--" are options of allocbench', "--alloc=LIST", "plugin:FILE",
                     "lib:FILE", "-- --alloc=malloc,plugin:./mine.so"):
            self.assertIn(text, said.getvalue())

    def test_a_folder_without_results_is_refused(self):
        with self.assertRaisesRegex(Failed, "holds no result"):
            experiments.write_page(self.folder, experiments.NAMES)

    def test_a_plot_that_fails_is_reported_and_ends_with_1(self):
        self.write("queue", self.QUEUE)
        errors = io.StringIO()
        with unittest.mock.patch("plots.available", lambda: True), \
                unittest.mock.patch("plots.draw", side_effect=Failed("gnuplot: broken")), \
                contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(experiments.main(["--draw", "--output", str(self.folder)]), 1)
        self.assertIn("gnuplot: broken", errors.getvalue())
        self.assertTrue((self.folder / "index.html").exists())

    def test_options_after_two_dashes_go_to_allocbench(self):
        options = experiments.parse(["purge", "--output", "x", "--", "--alloc", "malloc"])
        self.assertEqual((options.names, options.more), (["purge"], ["--alloc", "malloc"]))
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
            experiments.parse(["nonsense"])

    @unittest.skipUnless(os.environ.get("PW_ALLOCBENCH"), "no allocbench")
    def test_all_of_them_on_two_allocators_leave_no_broken_picture(self):
        program = pathlib.Path(os.environ["PW_ALLOCBENCH"])
        small = ["--runs=2", "--counts=1", "--allocations=2k", "--pause=0", "--rounds=10",
                 "--depth=1k", "--repeats=3", "--graph=generate:nodes=500", "--pairs=random:3",
                 "--workloads=bfs", "--quiet"]
        options = argparse.Namespace(output=self.folder, more=[])
        for name in experiments.NAMES:
            histogram = experiments.histogram(options) if name == "estimate" else []
            done = subprocess.run([program, name, "--alloc", "malloc,slab", "--output", self.folder,
                                   *small, *histogram], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(experiments.main(["--draw", "--output", str(self.folder)]), 0)
        for line in out.getvalue().splitlines():
            self.assertLessEqual(len(line), max(80, len(str(self.folder)) + 40), line)
        pictures = re.findall(r"!\[[^]]*\]\(([^)]*)\)",
                              (self.folder / "index.md").read_text(encoding="utf-8"))
        self.assertEqual(bool(pictures), plots.available())
        for name in pictures:
            self.assertIn("</svg>", (self.folder / name).read_text(encoding="utf-8"), name)
            self.assertTrue((self.folder / name.replace(".svg", ".png")).read_bytes().startswith(
                b"\x89PNG"), name)

    @unittest.skipUnless(os.environ.get("PW_ALLOCBENCH"), "no allocbench")
    def test_estimate_takes_the_sizes_that_distributions_left(self):
        options = argparse.Namespace(output=self.folder, more=[])
        self.assertEqual(experiments.histogram(options), [])
        (self.folder / "distributions-histogram.csv").write_text("size_from,uniform\n")
        self.assertEqual(experiments.histogram(options),
                         [f"--histogram={self.folder}/distributions-histogram.csv"])
        options.more = ["--histogram", "own.csv"]
        self.assertEqual(experiments.histogram(options), [])

    def test_one_command_measures_and_draws(self):
        program = pathlib.Path(os.environ["PW_ALLOCBENCH"])
        arguments = ["sizes", "queue", "--bin", str(program.parent), "--output", str(self.folder),
                     "--", "--runs=1", "--alloc=malloc,slab", "--counts=1,10", "--depth=2k",
                     "--repeats=1", "--quiet"]
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(experiments.main(arguments), 0)
        self.assertIn("index.html", out.getvalue())
        names = ["index.html", "index.md", "sizes.csv", "sizes.about.csv", "sizes.article.csv",
                 "queue-deep.csv"]
        names += ["sizes.svg", "sizes.png", "queue.svg", "queue.png"] if plots.available() else []
        for name in names:
            self.assertGreater((self.folder / name).stat().st_size, 0, name)
        arguments[0:2] = ["queue"]
        arguments[-1] = "--depth=0"
        self.assertEqual(experiments.main(arguments), 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
