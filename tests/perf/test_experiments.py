"""perf/study experiments: plots, verdicts and the page, from numbers made up here; and one experiment
with the built allocbench, when its path is given."""
import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "perf" / "studylib"))

import experiments  # noqa: E402
import experiments_plots  # noqa: E402
import experiments_verdicts  # noqa: E402
import plots  # noqa: E402
from runner import Failed  # noqa: E402

HEAP = "block:small=no,lock=no"


class Folder(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)

    def write(self, name, tables, notes=(), data_only=()):
        """An experiment as allocbench writes it. tables: {name: CSV}"""
        heads = [{"table": table, "title": f"Title of {table}", "column": column,
                  "head": column.replace("_", " "), "data_only": table in data_only}
                 for table, text in tables.items() for column in text.splitlines()[0].split(",")]
        (self.folder / f"{name}.json").write_text(json.dumps({
            "schema": "allocbench-1", "experiment": name, "summary": "what it is", "source": "whom",
            "published": "1 < 2", "measured": "this", "processor": "A & B", "virtual": True,
            "runs": 3, "seed": 1, "clock": {"name": "counter", "ns_per_tick": 0.5,
                                            "reading_ticks": 20},
            "heads": heads, "notes": list(notes)}), encoding="utf-8")
        for table, text in tables.items():
            (self.folder / f"{table}.csv").write_text(text, encoding="utf-8")
        return experiments.Result(self.folder, name)

    def verdict(self, name, tables):
        return experiments_verdicts.verdict(self.write(name, tables))

    def drawn(self, name, tables):
        """What is asked of plots.py: [(function, arguments, keywords), ...]"""
        page = unittest.mock.Mock()
        experiments_plots.draw(page, self.write(name, tables))
        return [(call.args[1], call.args[0], call.args[2:], call.kwargs)
                for call in page.plot.call_args_list]


class Verdicts(Folder):
    SIZES = ("allocator,action,count,size_bytes,median_ns,low_ns,high_ns\n"
             f'"{HEAP}",allocate,1000,65528,700000,1,2\n'
             "malloc,allocate,1000,65528,66500000,1,2\n")

    def test_sizes_compares_the_block_heap_with_the_c_library(self):
        self.assertEqual(self.verdict("sizes", {"sizes": self.SIZES}),
                         "Allocating 64 KiB a thousand times takes the block heap 0.700 ms and the "
                         "C library 66.500 ms: 95.0 to 1, published 95 to 1. The order agrees.")

    def test_sizes_says_that_the_gap_is_closed_and_adds_the_largest_size(self):
        text = self.SIZES.replace("66500000", "770000") + (
            f'"{HEAP}",allocate,10000,33554424,10000000,1,2\n'
            "malloc,allocate,10000,33554424,5000000000,1,2\n")
        verdict = self.verdict("sizes", {"sizes": text})
        self.assertIn("1.1 to 1, published 95 to 1. Today's C library keeps", verdict)
        self.assertIn("10.0 ms against 5000.0 ms, 500 to 1, published 20400 to 1", verdict)

    def test_sizes_says_nothing_without_the_c_library(self):
        self.assertEqual(self.verdict("sizes", {"sizes": self.SIZES.replace("malloc", "pool")}), "")

    def test_exhaustion_is_told_per_time_of_the_highest_count(self):
        head = "allocator,repetitions,allocate_ms,free_ms\n"
        rows = f'"{HEAP}",1,9,9\n"{HEAP}",10,6,4\nmalloc,1,9,9\nmalloc,10,200,240\n'
        self.assertIn("1.00 ms per time and the C library 44.00 ms, over 10 times: 44.0 to 1, "
                      "published 44 to 1 for one time. The order agrees.",
                      self.verdict("exhaustion", {"exhaustion": head + rows}))
        self.assertIn("no longer agrees", self.verdict(
            "exhaustion", {"exhaustion": head + rows.replace("200,240", "2,3")}))

    def test_the_worst_case_is_told_per_repetition(self):
        head = "allocator,repetitions,allocate_ms\n"
        self.assertIn("takes the block heap 2.5 ms, published 390.5 ms", self.verdict(
            "worst-case", {"worst-case": head + f'block,2,1\n"{HEAP}",2,5\n'}))
        self.assertEqual(self.verdict("worst-case", {"worst-case": head + f'"{HEAP}",2,\n'}), "")

    def test_purge_names_the_cheapest(self):
        self.assertIn("slab is the cheapest, at 50 cycles", self.verdict("purge", {
            "purge-summary": "allocator,mean_cycles\nmalloc,70.1\nslab,50.2\nlib:x,\n",
            "purge": "allocator,size_bytes,mean_cycles\n"}))

    def test_replay_gives_the_shares_of_the_search(self):
        text = ("workload,allocator,overhead_percent\nqueue,malloc,1\nbfs,malloc,68.6\n"
                "bfs,pool,53.9\nbfs,slab,-0.7\n")
        self.assertIn("on malloc 68.6 % is allocation, measured by eliminating it; on pool 53.9 %, "
                      "on slab -0.7 %", self.verdict("replay", {"replay": text}))
        self.assertEqual(self.verdict("replay", {"replay": text.replace("slab", "block")}), "")

    def test_pointer_wars_compares_time_and_calls_with_malloc(self):
        text = "allocator,wall_seconds,malloc_calls\nmalloc,2,970\npool,1,10\n"
        verdict = self.verdict("pointer-wars", {"pointer-wars": text})
        self.assertIn("takes 0.50 of malloc's time", verdict)
        self.assertIn("(97 times fewer; published 97); the gain in time agrees in kind", verdict)
        self.assertIn("does not show here", self.verdict(
            "pointer-wars", {"pointer-wars": text.replace("pool,1", "pool,3")}))

    def test_distributions_gives_the_range(self):
        head = "allocator,uniform_us,uniform_spread_percent,log-normal_us\n"
        tables = {"distributions-histogram": "size_from,uniform,log-normal\n"}
        self.assertIn("From 0.020 to 0.300 microseconds, published 0.1 to 1: the ranges overlap",
                      self.verdict("distributions", {
                          "distributions": head + "malloc,0.1,9,0.02\nslab,,,0.3\n", **tables}))
        self.assertIn("all below the article's range", self.verdict(
            "distributions", {"distributions": head + "malloc,0.05,9,0.02\n", **tables}))


class Plots(Folder):
    def test_sizes_are_told_in_powers_of_two(self):
        for count, text in ((1, "1 B"), (2048, "2 KiB"), (4088, "4 KiB"), (33554424, "32 MiB"),
                            (1000, "1000 B")):
            self.assertEqual(experiments_plots.bytes_text(count), text)

    def test_sizes_takes_the_highest_count_up_to_a_thousand_per_call(self):
        text = "allocator,action,count,size_bytes,median_ns,low_ns,high_ns\n" + "".join(
            f"{name},{action},{count},4088,{ns},1,1\n" for name, action, count, ns in (
                ("malloc", "allocate", 100, 1), ("malloc", "allocate", 1000, 20000),
                ("malloc", "free", 1000, 5000), ("malloc", "allocate", 10000, 1),
                ("slab", "allocate", 1000, "")))
        [(function, _, arguments, more)] = self.drawn("sizes", {"sizes": text})
        self.assertIs(function, plots.bars)
        self.assertEqual(arguments[3:], ([("4 KiB", [25.0])], ["malloc"]))
        self.assertIn("1000 in a row", arguments[1])
        self.assertTrue(more["log_y"])

    def test_exhaustion_and_worst_case_show_both_calls_of_each_allocator(self):
        text = ("allocator,repetitions,allocate_ns_a_call,free_ns_a_call\nmalloc,1,9,9\n"
                "malloc,10,1.5,2\nblock,1,9,9\nblock,10,3,\n")
        for name in ("exhaustion", "worst-case"):
            [(_, _, arguments, _)] = self.drawn(name, {name: text})
            self.assertEqual(arguments[3:], ([("malloc", [1.5, 2.0]), ("block", [3.0, None])],
                                             ["allocate", "free"]))

    def test_purge_leaves_the_few_far_points_out_and_says_so(self):
        rows = "".join(f"malloc,{size},100,1,1,1\n" for size in range(1, 100)) + "malloc,100,9000,,,\n"
        [(function, caption, arguments, more)] = self.drawn("purge", {
            "purge": "allocator,size_bytes,mean_cycles,median_cycles,p99_cycles,maximum_cycles\n"
            + rows})
        self.assertIs(function, plots.scatter)
        self.assertEqual(more["y_max"], 160)
        self.assertIn("1 of 100 points lie above the plot; the CSV has them.", caption)
        [(name, points)] = arguments[4]
        self.assertEqual((name, points[0], len(points)), ("malloc", (1.0, 100.0), 100))

    def test_replay_shows_no_share_below_zero_and_no_replay(self):
        text = ("workload,allocator,overhead_percent\nbfs,malloc,60\nbfs,slab,-5\nbfs,replay,1\n"
                "bfs,replay:unchecked,0\nqueue,malloc,50\nqueue,slab,\n")
        [(_, _, arguments, _)] = self.drawn("replay", {"replay": text})
        self.assertEqual(arguments[3:], ([("bfs", [60.0, 0]), ("queue", [50.0, None])],
                                         ["malloc", "slab"]))

    def test_the_searches_and_the_queue_are_bars_by_allocator(self):
        [(_, _, arguments, _)] = self.drawn("pointer-wars", {
            "pointer-wars": "allocator,wall_seconds\nmalloc,2.5\npool,1\n"})
        self.assertEqual(arguments[3], [("malloc", [2.5]), ("pool", [1.0])])
        [(_, _, arguments, _)] = self.drawn("queue", {
            "queue-deep": "allocator,warm_ns\nmalloc,17.3\nslab,10\n",
            "queue-shallow": "allocator,warm_ns\nmalloc,13.9\nslab,5\n"})
        self.assertEqual(arguments[3:], ([("deep", [17.3, 10.0]), ("steady at 1000", [13.9, 5.0])],
                                         ["malloc", "slab"]))

    def test_distributions_has_costs_and_the_histogram(self):
        costs, histogram = self.drawn("distributions", {
            "distributions": "allocator,uniform_us,uniform_spread_percent\nmalloc,0.1,2\n",
            "distributions-histogram": "size_from,size_to,uniform\n4,7,3\n8192,16383,39\n"})
        self.assertEqual(costs[2][3:], ([("uniform", [0.1])], ["malloc"]))
        self.assertEqual(histogram[2][3:], ([("4 B", [3.0]), ("8 KiB", [39.0])], ["uniform"]))

    def test_ageing_has_a_line_per_allocator_in_two_plots(self):
        text = "allocator,1,2\nmalloc,10,20.5\nslab,5,\n"
        time, distance = self.drawn("ageing", {"ageing": text, "ageing-distance": text})
        self.assertEqual(time[2][4], [("malloc", [(1, 10.0), (2, 20.5)]), ("slab", [(1, 5.0)])])
        self.assertFalse(time[3]["log_y"])
        self.assertTrue(distance[3]["log_y"])

    @unittest.skipUnless(plots.available(), "no gnuplot")
    def test_gnuplot_draws_bars_with_quotes_gaps_and_zeros_as_svg_and_png(self):
        for log_y in (False, True):
            name = plots.bars(self.folder, "bars", "a 'title'", "ns",
                              [('a "quoted" one', [1.5, None]), ("another", [0, 2])],
                              ["one", "it's"], xlabel="size", log_y=log_y)
            self.assertIn("quoted", (self.folder / name).read_text(encoding="utf-8"))
            self.assertTrue((self.folder / "bars.png").read_bytes().startswith(b"\x89PNG"))


class Pages(Folder):
    QUEUE = {"queue-deep": 'allocator,warm_ns\n"slab:a=1,b=2",17.30\nx<y,\n',
             "queue-shallow": "allocator,warm_ns\nmalloc,13.9\n"}

    def test_the_page_has_tables_notes_and_what_was_published(self):
        self.write("queue", self.QUEUE, ["lib:x is left out"], data_only=["queue-shallow"])
        page = experiments.write_page(self.folder, experiments.NAMES)
        html = (self.folder / "index.html").read_text(encoding="utf-8")
        markdown = (self.folder / "index.md").read_text(encoding="utf-8")
        for text in ("A &amp; B, virtual", "0.5 ns per tick; a reading costs 20 ticks",
                     "Published: 1 &lt; 2", "<td>17.30</td>", "x&lt;y", "lib:x is left out",
                     "Title of queue-shallow: queue-shallow.csv"):
            self.assertIn(text, html)
        self.assertIn("| slab:a=1,b=2 | 17.30 |", markdown)
        self.assertIn("| x<y | - |", markdown)
        self.assertNotIn("<td>13.9</td>", html)
        self.assertIn("warm ns", "\n".join(page.text))

    def test_a_folder_without_results_is_refused(self):
        with self.assertRaisesRegex(Failed, "holds no result"):
            experiments.write_page(self.folder, experiments.NAMES)

    def test_a_plot_that_fails_is_told_and_ends_with_1(self):
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
    def test_one_command_measures_and_draws(self):
        program = pathlib.Path(os.environ["PW_ALLOCBENCH"])
        arguments = ["sizes", "queue", "--bin", str(program.parent), "--output", str(self.folder),
                     "--", "--runs=1", "--alloc=malloc,slab", "--counts=1,10", "--depth=2k",
                     "--repeats=1", "--quiet"]
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(experiments.main(arguments), 0)
        self.assertIn("index.html", out.getvalue())
        names = ["index.html", "index.md", "sizes.csv", "sizes.json", "sizes.article.csv",
                 "queue-deep.csv"]
        names += ["sizes.svg", "sizes.png", "queue.svg", "queue.png"] if plots.available() else []
        for name in names:
            self.assertGreater((self.folder / name).stat().st_size, 0, name)
        arguments[0:2] = ["queue"]
        arguments[-1] = "--depth=0"
        self.assertEqual(experiments.main(arguments), 2)


if __name__ == "__main__":
    unittest.main()
