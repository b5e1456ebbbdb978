#!/usr/bin/env python3
"""test_header_manual.py - the manual pages of section 3 say what pwgraph.h says, and work.

1. Each function that the library exports has a page, or a link to a page that names it; there are no
   other pages but pwgraph.3.
2. Every comment, prototype and type of the header is on a page, word for word.
3. mandoc and man take the pages without a warning; man finds a function by its link.
4. Making them again gives the same bytes.

PW_SOURCE and PW_BUILD are the tree and the build. Skipped (77) in a build without pages.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = pathlib.Path(os.environ["PW_SOURCE"]), pathlib.Path(os.environ["PW_BUILD"])
HEADER = SOURCE / "bfs/pwgraph/pwgraph.h"
FOLDER = BUILD / "packaging/man3"
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def words_of(page):
    """The words of a page that are shown, with one blank between them."""
    text = re.sub(r"^\.(SH|SS|PP|TP|BR|B|nf|fi|nh|ad l)?\b ?|^\.\\\".*$", "", page, flags=re.M)
    text = re.sub(r"\\f[BIR]|\\&", "", text).replace("\\-", "-").replace("\\e", "\\")
    text = re.sub(r"\\\[u([0-9A-F]{4})\]", lambda m: chr(int(m[1], 16)), text)
    return " ".join(re.sub(r"\b(pwgraph_\w+)\(3\)", r"\1", text).split())


def words_of_comment(comment):
    return " ".join(re.sub(r"\n \*", "\n", comment[2:-2]).split())


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        texts = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.3")}
        cls.links = {name: text for name, text in texts.items() if text.startswith(".so ")}
        cls.pages = {name: text for name, text in texts.items() if name not in cls.links}
        cls.header = HEADER.read_text(encoding="utf-8")

    def test_every_function_has_a_page_and_every_page_a_function(self):
        exported = (SOURCE / "tests/exports-pwgraph.txt").read_text(encoding="utf-8").split()
        self.assertEqual(sorted({*self.pages, *self.links} - {"pwgraph"}), sorted(exported))
        for name, text in self.links.items():
            target = re.fullmatch(r"\.so man3/(\w+)\.3\n", text)[1]
            self.assertRegex(self.pages[target], rf"(?m)^\.SH NAME\n.*\b{name}\b.* \\- ")
        for name in exported:
            self.assertIn(f"\\fB{name}\\fR(3)", self.pages["pwgraph"])

    def test_the_whole_header_is_on_the_pages(self):
        shown = [words_of(page) for page in self.pages.values()]
        outer = re.sub(r"\{\n.*?\n\}", "{}", self.header, flags=re.S)  # comments of members are code
        comments = [words_of_comment(c) for c in COMMENT.findall(outer) if "-----" not in c]
        self.assertGreater(len(comments), 30)
        for comment in comments:
            if comment.startswith("pwgraph.h - "):
                for sentence in re.split(r"(?<=\.) ", comment.partition(" - ")[2]):
                    self.assertTrue(any(sentence.rstrip(".") in page for page in shown), sentence)
            else:
                self.assertTrue(any(comment in page for page in shown), comment)
        prototypes = re.findall(r"^PW_EXPORT ([^;]*;)", self.header, flags=re.M)
        types = re.findall(r"^(?:struct|enum) \w+ \{\n.*?^\};", self.header, flags=re.M | re.S)
        self.assertGreater(min(len(prototypes), 4 * len(types)), 30)
        for code in prototypes + types:
            code = " ".join(code.split())
            self.assertTrue(any(code in page for page in shown), code)

    def test_a_page_has_its_sections_and_a_summary_of_one_line(self):
        for name, page in self.pages.items():
            for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "SEE ALSO"]:
                self.assertIn(f"\n.SH {section}\n", page, name)
            summary = re.search(r"^\.SH NAME\n(.*)", page, flags=re.M)[1].partition(" \\- ")[2]
            self.assertTrue(3 < len(summary) < 85, f"{name}: {summary}")
            self.assertIn("#include <pwgraph.h>", page)

    def test_mandoc_and_man_find_no_fault(self):
        paths = [str(FOLDER / f"{name}.3") for name in self.pages]
        if shutil.which("mandoc"):
            done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *paths], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual((done.returncode, done.stdout), (0, ""))
        if shutil.which("man") and shutil.which("groff"):
            environment = dict(os.environ, LC_ALL="C.UTF-8", MANPATH=str(FOLDER.parent))
            done = subprocess.run(["man", "--warnings", "-l", *paths], env=environment, text=True,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
            self.assertEqual(done.stderr, "")
            done = subprocess.run(["man", "3", "pwgraph_in"], env=environment, text=True,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
            self.assertIn("pwgraph_out, pwgraph_in - ", done.stdout, done.stderr)

    def test_they_are_made_again_to_the_byte(self):
        head = re.search(r'^\.TH \w+ 3 (\S+) "pointer_wars (\S+)"', self.pages["pwgraph"], flags=re.M)
        with tempfile.TemporaryDirectory() as scratch:
            subprocess.run([sys.executable, SOURCE / "packaging/header_manual.py", "--date", head[1],
                            "--version", head[2], "--output", scratch, HEADER,
                            SOURCE / "bfs/pwgraph/README.md"], check=True)
            again = {path.stem: path.read_text(encoding="utf-8")
                     for path in pathlib.Path(scratch, "man3").iterdir()}
        self.assertEqual(again, {**self.pages, **self.links})


if __name__ == "__main__":
    if not FOLDER.exists():
        print("skipped: no manual pages of the library in this build")
        sys.exit(77)
    unittest.main()
