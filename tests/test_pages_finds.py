#!/usr/bin/env python3
"""test_pages_finds.py - test_pages.py finds a page that names what is not there.

Each mistake is made in a copy of the tree, whose own test_pages.py must then report it.
"""
import pathlib
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))
from changed_tree import ROOT, ChangedTree  # noqa: E402


class Finds(ChangedTree):
    check = "tests/test_pages.py"

    @classmethod
    def fill(cls, tree):
        shutil.copytree(ROOT, tree, dirs_exist_ok=True, ignore=shutil.ignore_patterns(
            ".git", ".cache", "build", "seeds", "regressions", "__pycache__", "study*"))
        shutil.copytree(ROOT / "perf", tree / "perf", dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("__pycache__"))

    def found(self, what):
        """Exactly one mistake is found, and said so."""
        self.assertEqual(self.findings().strip(), what)

    def added(self, page, text, what):
        line = len((self.tree / page).read_text().splitlines()) + 2
        with open(self.tree / page, "a", encoding="utf-8") as file:
            file.write(f"\n{text}\n")
        before = (self.tree / page).read_text()[:-len(f"\n{text}\n")]
        self.addCleanup((self.tree / page).write_text, before)
        self.found(f"{page}:{line}: {what}")

    def test_the_tree_as_it_is_has_no_finding(self):
        self.assertEqual(self.findings().strip(), "")

    def test_a_function_that_is_gone(self):
        self.added("bfs/run/README.md", "See `search_stop`.", "nothing has the name `search_stop`")

    def test_a_function_that_only_a_comment_has(self):
        self.change("bfs/search/search.h", "Engines print nothing.", "Engines call search_end.")
        self.added("bfs/search/README.md", "See `search_end`.", "nothing has the name `search_end`")

    def test_a_function_in_a_drawing(self):
        self.added("bfs/run/README.md", "    measure -> search_stop -> report",
                   "nothing has the name search_stop")

    def test_a_file_that_was_moved(self):
        self.added("liblist/README.md", "See `liblist/gone_list.c`.",
                   "`liblist/gone_list.c` is not there")

    def test_a_file_without_a_folder(self):
        self.added("data/README.md", "See `gone_reader.c`.", "`gone_reader.c` is not there")

    def test_a_file_that_is_elsewhere(self):
        self.added("README.md", "See `alloc/pool.c`.", "`alloc/pool.c` is not there")

    def test_an_option_that_no_program_has(self):
        self.added("README.md", "Use `bfs --deepest`.", "no program has the option `--deepest`")

    def test_an_environment_variable_that_nothing_reads(self):
        self.added("README.md", "Set `LINKED_LIST_MALLOC`.",
                   "nothing has the name `LINKED_LIST_MALLOC`")

    def test_a_target_that_is_not_built(self):
        self.added("README.md", "Run `build/release/bin/graph-paint`.",
                   "`build/release/bin/graph-paint` is not built")

    def test_a_folder_that_its_parent_s_page_does_not_name(self):
        self.change("data/README.md", "`decode/`", "decoding")
        self.found("data/README.md:1: does not name its folder decode/")

    def test_a_new_folder_at_the_top(self):
        self.addCleanup(shutil.rmtree, self.tree / "paint")
        (self.tree / "paint").mkdir()
        (self.tree / "paint" / "paint.c").write_text("int paint;\n")
        self.found("README.md:1: does not name its folder paint/")

    def test_a_page_without_questions(self):
        self.change("liblist/README.md", "| question | place |", "| question | answer |")
        self.found('liblist/README.md:1: has no table "question | place"')

    def test_a_question_whose_place_is_none(self):
        self.change("libqueue/README.md", "`liblist/create_delete.h` |\n", "the list |\n")
        self.assertIn("the place is no file and no folder", self.findings())

    def test_a_question_whose_function_is_elsewhere(self):
        self.change("liblist/README.md", "`delete_node` in `create_delete.h`",
                    "`delete_node` in `linked_list.h`")
        self.assertIn("`linked_list.h` has no `delete_node`", self.findings())

    def test_a_question_of_the_root_s_page_that_no_page_answers(self):
        self.change("bfs/README.md", "| Where is nodes/s computed? |", "| Where is the speed? |")
        self.found("README.md:1: bfs/README.md does not answer: Where is nodes/s computed?")

    def test_an_engine_s_name_in_a_help_text(self):
        self.change("bfs/options/options.c", '"how to search, see --list-engines',
                    '"how to search, such as mark-on-push, see --list-engines')
        self.assertIn('the help names the engine "mark-on-push" by hand', self.findings())

    def test_an_engine_whose_name_is_a_word(self):
        self.change("bfs/options/options.c", "(default: pairs)", "(default: plain)")
        self.assertIn('the help names the engine "plain" by hand', self.findings())


unittest.main()
