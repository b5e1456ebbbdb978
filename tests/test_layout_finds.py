#!/usr/bin/env python3
"""test_layout_finds.py - test_layout.py finds what breaks the order of the folders, and code_size.py
what the core reaches.

Each mistake is made in a copy of the tree, whose own test_layout.py must then report it.
"""
import pathlib
import re
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))
from changed_tree import ROOT, ChangedTree  # noqa: E402


class Finds(ChangedTree):
    check = "tests/test_layout.py"

    @classmethod
    def fill(cls, tree):
        rows = [line.split() for line in (ROOT / "tests/layout.txt").read_text().splitlines()]
        tops = [top for row in rows if row and row[0] in ("order", "wings") for top in row[1:]]
        for top in [*tops, "tests"]:
            shutil.copytree(ROOT / top, tree / top,
                            ignore=shutil.ignore_patterns("seeds", "__pycache__"))
        shutil.copy(ROOT / "CMakeLists.txt", tree)
        shutil.copy(ROOT / "README.md", tree)

    def test_the_tree_as_it_is_has_no_finding(self):
        self.assertEqual(self.findings().strip(), "")

    def test_base_may_use_no_other_folder(self):
        self.change("base/report/clock.c", '#include "clock.h"\n',
                    '#include "clock.h"\n#include "counters/resources.h"\n')
        self.assertIn("base/report/clock.c:5: base may not use counters", self.findings())

    def test_folders_of_base_have_an_order_of_their_own(self):
        self.change("base/text/text_form.c", '#include "text_form.h"\n',
                    '#include "text_form.h"\n#include "base/report/clock.h"\n')
        self.assertIn("base/text may not use base/report", self.findings())

    def test_the_table_may_not_point_up(self):
        self.change("tests/layout.txt", "\ncounters  ", "\ncounters  bfs/search  ")
        self.assertIn("counters may not use bfs/search: counters is not above bfs", self.findings())

    def test_the_root_of_a_program_may_not_use_a_wing(self):
        self.change("bfs/main.c", '#include "bfs/', '#include "perf/traffic/prng.h"\n#include "bfs/')
        self.assertIn("bfs may not use perf", self.findings())

    def test_a_wing_may_not_use_another_wing(self):
        self.change("tests/layout.txt", "\nmpi/search  ", "\nmpi/search  wikipedia/sql  ")
        self.assertIn("mpi/search may not use wikipedia/sql", self.findings())

    def test_modules_of_python_form_no_circle(self):
        answers = "python/src/pointer_wars/answers.py"
        for late in ("from . import graph\n", "if TYPE_CHECKING:\n    from .graph import Graph\n",
                     "def checked():\n    global seen\n    import pointer_wars.graph\n"):
            self.change(answers, "\n\nclass Counts", f"\n\n{late}\n\nclass Counts")
            self.assertIn(f"{answers}:1: a circle: {answers} -> python/src/pointer_wars/graph.py",
                          self.findings())
            self.doCleanups()

    def test_a_folder_without_a_place_in_the_order_is_found(self):
        self.change("tests/layout.txt", "wings                   mpi wikipedia",
                    "wings                   mpi")
        found = self.findings()
        self.assertIn("neither order nor wings has wikipedia", found)
        self.assertIn("wikipedia:1: has C files and no place", found)

    def test_the_build_adds_the_folders_in_the_same_order(self):
        self.change("CMakeLists.txt", "  add_subdirectory(data)\n  add_subdirectory(bfs)\n",
                    "  add_subdirectory(bfs)\n  add_subdirectory(data)\n")
        self.assertIn("in another order than layout.txt", self.findings())

    def test_a_long_file_and_a_large_struct_say_why_they_are_not_split(self):
        self.change("judge/player.c", "One file:", "All here:")
        self.change("base/splitmix.h", "#pragma once\n",
                    "#pragma once\nstruct many {\n" + "    int one;\n" * 24 + "};\n")
        found = self.findings()
        self.assertIn("judge/player.c:1: over 500 lines", found)
        self.assertRegex(found, r"base/splitmix.h:\d+: struct many has 2\d members")

    def sizes(self, *arguments):
        return self.run_in_tree("tests/code_size.py", *arguments)

    def test_the_core_has_all_that_its_files_include_to_the_end(self):
        def core():
            return int(re.search(r"core: .* ([\d,]+) with", self.sizes().stdout)[1].replace(",", ""))
        before = core()
        self.change("bfs/run/run.c", '#include "run.h"\n',
                    '#include "run.h"\n#include "counters/region_counters.h"\n')
        self.assertIn("counters/region_counters.h, ", self.sizes().stdout)
        self.assertIn(": bfs/run/run.c\n", self.sizes().stdout)
        self.assertIn("counters/pmu.h, ", self.sizes().stdout) # which nothing of the core names
        self.assertGreater(core(), before + 1000)

    def test_the_sentence_about_the_core_is_the_one_that_the_command_makes(self):
        self.assertEqual(self.sizes("--check").returncode, 0)
        self.change("README.md", "With all that they include, these are some", "These are some")
        self.assertEqual(self.sizes("--check").returncode, 1)
        self.assertEqual(self.sizes("--write").returncode, 0)
        self.assertEqual(self.sizes("--check").returncode, 0)


unittest.main()
