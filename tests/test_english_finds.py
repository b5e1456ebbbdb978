#!/usr/bin/env python3
"""test_english_finds.py - test_english.py finds each habit, in comments and pages, and nothing else.

Each mistake is made in a small tree with the check, one C file and one page.
"""
import pathlib
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))
from changed_tree import ROOT, ChangedTree  # noqa: E402


class Finds(ChangedTree):
    check = "tests/test_english.py"

    @classmethod
    def fill(cls, tree):
        (tree / "tests").mkdir()
        (tree / "base").mkdir()
        shutil.copy(ROOT / "tests/test_english.py", tree / "tests")
        (tree / "base/one.c").write_text("/* Return one. */\nint one(void)\n{\n    return 1;\n}\n")
        (tree / "base/README.md").write_text("# base\n\nOne is returned.\n\n    program text\n")

    def found(self, name, old, new, wanted):
        """Exactly these findings, while the file has the new text."""
        self.change(name, old, new)
        self.assertEqual(self.findings().strip().splitlines(), list(wanted))
        self.doCleanups()

    def commented(self, comment, *wanted):
        self.found("base/one.c", "/* Return one. */", comment, wanted)

    def written(self, page, *wanted):
        self.found("base/README.md", "One is returned.", page, wanted)

    def test_the_tree_as_it_is_has_no_finding(self):
        self.assertEqual(self.findings().strip(), "")

    def test_a_word_that_the_glossary_replaces(self):
        self.commented("/* A trail of one. */", 'base/one.c:1: "trail": write "visit order"')

    def test_a_rate_without_per(self):
        self.commented("/* 8 bytes\n * a node. */", 'base/one.c:1: "bytes a node": write "per"')

    def test_a_comment_that_begins_with_whether(self):
        self.commented("/* Whether it is one. */",
                       'base/one.c:1: "Whether": begin the comment with "True if"')

    def test_a_comment_that_is_the_same_of_another(self):
        self.commented("/* The same of two. */", 'base/one.c:1: "The same": say what it does')
        self.commented("/*\n * The same as two.\n */", 'base/one.c:2: "The same": say what it does')

    def test_a_comment_may_say_that_things_are_the_same(self):
        self.commented("/* The same number, always. Both are the same for all. */")

    def test_a_half_sentence_hung_on_at_the_end(self):
        self.commented("/* Two numbers, of which one is one. */",
                       'base/one.c:1: ", of which": begin a sentence')
        self.written("One is returned, as far\nas possible.",
                     'base/README.md:3: ", as far as": begin a sentence')

    def test_a_pronoun_of_a_page_without_its_noun(self):
        self.written("One is returned, or\nnone.", 'base/README.md:4: "none": write what is missing')
        self.written("One, for who asks.", 'base/README.md:3: "for who": name the person or the thing')
        self.written("Whoever asks gets one.", 'base/README.md:3: "Whoever": name the person or the thing')
        self.written("Two does the same.", 'base/README.md:3: "the same": name the noun')

    def test_pronouns_with_their_noun_and_in_questions_and_code(self):
        self.written("A caller who asks gets the same number. Who asks?")
        self.written("| Who asks? | `one.c`: the same number |\n|---|---|\n\n    none who asks\n\n`avoid=none`")

    def test_a_long_sentence_of_a_page(self):
        self.written("Short. " + "word " * 25 + "end. Short.",
                     'base/README.md:3: "word word word word word": 26 words: make it two sentences')
        self.written("Short.\n- An item.\n- " + "item " * 25 + "end",
                     'base/README.md:5: "item item item item item": 26 words: make it two sentences')

    def test_sentences_that_end_in_time(self):
        self.written("word " * 20 + "end. " + "Word " * 20 + "end; " + "word " * 20 + "end.")

    def test_program_text_tables_and_headings_are_no_sentences(self):
        for begin in ("    ", "| ", "## ", "```\n"):
            with self.subTest(begin):
                self.written("Short.\n\n" + begin + "word " * 40 + ("\n```" if begin[0] == "`" else ""))


if __name__ == "__main__":
    unittest.main(verbosity=2)
