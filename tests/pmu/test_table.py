#!/usr/bin/env python3
"""The table of counters/README.md says what emulated.csv says. tests/pmu/run makes the counts again."""
import sys
import unittest

import table


class Table(unittest.TestCase):
    def test_the_page_says_what_the_file_says(self):
        self.assertEqual(table.PAGE.read_text(encoding="utf-8"), table.page(table.read()),
                         "run tests/pmu/run --write")


if __name__ == "__main__":
    sys.exit(0 if unittest.main(exit=False).result.wasSuccessful() else 1)
