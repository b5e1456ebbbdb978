#!/usr/bin/env python3
"""test_pipeline.py - perf/study pipeline: what reaches llvm-mca, what it says, and a whole run.

1. Instructions of objdump become text that llvm-mca takes; its words become ours.
2. A real run, small: every path is there, slab's is shorter than malloc's, no path needs fewer cycles
   than its instructions need at eight per cycle, and the page says what is assumed.
Without llvm-mca or qemu the second is skipped with the reason. No test depends on a time.
"""
import csv
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "perf" / "studylib"))

import pipeline  # noqa: E402
from runner import Failed  # noqa: E402

BIN = pathlib.Path(os.environ.get("PW_BFS", ROOT / "build" / "release" / "bin" / "bfs")).parent
A72 = pipeline.PROCESSORS[2]
STUCK = """Dispatch Width:    6
uOps Per Cycle:    2.76

Cycles with backend pressure increase [ 82.68% ]
Throughput Bottlenecks:
  Resource Pressure       [ {resources}% ]
  - Zn3AGU0  [ 43.70% ]
  - Zn3LSU  [ {resources}% ]
  Data Dependencies:      [ 38.19% ]
  - Register Dependencies [ {register}% ]
  - Memory Dependencies   [ 0.00% ]
"""


class Words(unittest.TestCase):
    def test_jumps_have_one_target_and_the_stack_is_no_chain(self):
        for before, after in (
                ("je     14b00 <linked_list_insert_end+0x70>", "je target"),
                ("jmp    148b0 <ask_and_link_end>", "jmp target"),
                ("notrack jmp *%rax", "jmp *%rax"),
                ("mov    0x20(%rip),%rax        # 4c0 <hooks>", "mov    0x20(%rip),%rax"),
                ("push   %r12", "mov %r12,-8(%rsp)"), ("pop    %rbp", "mov -8(%rsp),%rbp"),
                ("movq   $0x0,(%rax)", "movq   $0x0,(%rax)")):
            self.assertEqual(pipeline.cleaned(before, "x86_64"), after)
        for before, after in (("b.eq\t4010 <queue_pop+0x20>  // b.none", "b.eq\ttarget"),
                              ("cbz\tx0, 4010 <queue_pop+0x20>", "cbz\tx0, target"),
                              ("tbnz\tw0, #3, 4010 <queue_pop+0x20>", "tbnz\tw0, #3, target"),
                              ("adrp\tx2, 411000 <__FRAME_END__>", "adrp\tx2, target"),
                              ("add\tx2, x2, #0x10", "add\tx2, x2, #0x10")):
            self.assertEqual(pipeline.cleaned(before, "aarch64"), after)

    def test_calls_are_left_out_and_jumps_are_not(self):
        for text in ("call target", "ret", "endbr64", "bl\t4010", "nopw 0x0(%rax)", "ret\t"):
            self.assertTrue(pipeline.LEFT_OUT.match(text), text)
        for text in ("b\ttarget", "b.eq\ttarget", "jmp target", "mov %rax,%rbx", "br\tx16"):
            self.assertFalse(pipeline.LEFT_OUT.match(text), text)

    def test_what_a_path_waits_for_is_its_largest_share(self):
        self.assertEqual(pipeline.waits(STUCK.format(resources="77.56", register="38.19")),
                         "load/store units (78 %)")
        self.assertEqual(pipeline.waits(STUCK.format(resources="20.00", register="84.00")),
                         "earlier results (84 %)")
        self.assertEqual(pipeline.waits(STUCK.format(resources="43.70", register="38.19").replace(
            "Zn3LSU", "Zn3ALU0")), "load/store units (44 %)")  # of two the first, always the same
        free = "Dispatch Width:    3\nuOps Per Cycle:    {}\n\nNo bottlenecks discovered.\n"
        self.assertEqual(pipeline.waits(free.format("2.84")), "issue, 3 per cycle")
        self.assertEqual(pipeline.waits(free.format("0.98")), "earlier results")
        self.assertRaises(Failed, pipeline.waits, "")

    @unittest.skipUnless(shutil.which("llvm-mca"), "llvm-mca is not installed (package llvm)")
    def test_llvm_mca_knows_the_three_processors(self):
        chain = ["add\tx0, x0, x1"] * 8  # each needs the one before: one per cycle
        seen = pipeline.passes(A72, chain + ["bl\t4010", "ret"])
        self.assertAlmostEqual(seen.cycles, 8, delta=0.2)
        self.assertEqual(seen.instructions, 10)
        self.assertRegex(seen.waits, "earlier results")
        for processor in pipeline.PROCESSORS[:2]:
            seen = pipeline.passes(processor, ["imul %rax,%rax"] * 4)
            self.assertAlmostEqual(seen.cycles, 12, delta=0.3, msg=processor.title)
        self.assertRaises(Failed, pipeline.passes, A72, ["no instruction"])


class RealRun(unittest.TestCase):
    def study(self, folder, *words, path=None):
        return subprocess.run(
            [sys.executable, ROOT / "perf" / "study", "pipeline", "--nodes=1k", "--edges=10k",
             "--rounds=1", "--bin", BIN, "--output", folder, *words], text=True, check=False,
            env={**os.environ, "PATH": path or os.environ["PATH"], "COLUMNS": "120"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def test_without_llvm_mca_it_says_what_to_install(self):
        with tempfile.TemporaryDirectory() as name:
            done = self.study(pathlib.Path(name), path=name)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("llvm-mca is not installed", done.stdout)

    @unittest.skipUnless((BIN / "bfs").exists(), f"{BIN} has no bfs")
    def test_every_path_is_followed_and_measured(self):
        own = platform.machine()
        missing = [name for name in ("llvm-mca", f"qemu-{own}", "gcc") if not shutil.which(name)]
        if missing or own not in ("x86_64", "aarch64"):
            self.skipTest(f"not here: {', '.join(missing) or own}")
        if not pathlib.Path(subprocess.run(["gcc", "-print-file-name=libc.a"], text=True, check=True,
                                           stdout=subprocess.PIPE).stdout.strip()).is_absolute():
            self.skipTest("the C library cannot be linked statically")
        with tempfile.TemporaryDirectory(prefix="pipeline ü ") as name:
            folder = pathlib.Path(name)
            done = self.study(folder, "--only", own)
            self.assertEqual(done.returncode, 0, done.stdout)
            said = (folder / "study.md").read_text(encoding="utf-8")
            page = (folder / "study.html").read_text(encoding="utf-8")
            with open(folder / "results.csv", encoding="utf-8", newline="") as file:
                measured = list(csv.DictReader(file))
        self.assertNotIn("No x86_64", said)
        self.assertIn("every load hits the first-level cache", said)
        rows = {cells[0]: (int(cells[1]), float(cells[2]), cells[3]) for cells in
                re.findall(r"^\| (.+?) \| (\d+) \| ([\d.]+) \| (.+?) \|$", said, re.M)}
        for allocator in pipeline.ALLOCATORS:
            for title in ("plain's push on {}", "plain's pop on {}", "{}: its part of a push",
                          "list's insertion on {}"):
                count, cycles, waits = rows[title.format(allocator)]
                self.assertGreaterEqual(cycles, (count - 4) / 8, title)  # 4: calls and returns
                self.assertTrue(waits)
            self.assertEqual(rows[f"{allocator}: its part of a push"][0]
                             + rows[f"list's insertion on {allocator}"][0],
                             rows[f"plain's push on {allocator}"][0])
        self.assertLess(rows["plain's push on slab"][0], rows["plain's push on malloc"][0])
        self.assertEqual(len(measured), 6)
        self.assertTrue(all(float(row["pair_ns"]) > 0 for row in measured))
        if shutil.which("gnuplot"):
            self.assertIn("A push and its pop: issue alone, and measured", page)


unittest.main(verbosity=2)
