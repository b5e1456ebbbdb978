"""changed_tree.py - what a test of a check starts with: a copy of the tree in which it makes a mistake.

A class names its check and fills the copy, once. Each test makes its mistake with change(), which is
undone at its end; findings() is what the copy's own check prints.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class ChangedTree(unittest.TestCase):
    check = None  # such as "tests/test_layout.py"

    @classmethod
    def fill(cls, tree):
        """Copy into the empty folder tree what the check reads."""
        raise NotImplementedError

    @classmethod
    def setUpClass(cls):
        cls.tree = pathlib.Path(tempfile.mkdtemp(prefix="pw-tree-"))
        cls.addClassCleanup(shutil.rmtree, cls.tree)
        cls.fill(cls.tree)

    def change(self, name, old, new):
        path = self.tree / name
        before = path.read_text()
        self.assertIn(old, before)
        self.addCleanup(path.write_text, before)
        path.write_text(before.replace(old, new, 1))

    def run_in_tree(self, program, *arguments):
        return subprocess.run([sys.executable, self.tree / program, *arguments], text=True,
                              check=False, stdout=subprocess.PIPE)

    def findings(self):
        done = self.run_in_tree(self.check)
        self.assertEqual(done.returncode, 1 if done.stdout.strip() else 0)
        return done.stdout
