#!/usr/bin/env python3
"""Tests of tests/pytorch/report.py on results that are written here."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "pytorch"))

import report  # noqa: E402


def entries(**counts):
    return [{"name": f"{status}{i}", "status": status} for status, count in counts.items() for i in range(count)]


class Problems(unittest.TestCase):
    PAGE = report.MARK + report.report([], entries(**{"pass": 5, "fallback": 2}))

    def test_a_run_like_the_page_has_none(self):
        self.assertEqual(report.problems(entries(**{"pass": 5, "fallback": 2}), self.PAGE), [])

    def test_a_wrong_value_is_one_without_a_page_too(self):
        self.assertEqual(report.problems([{"name": "add", "status": "wrong", "what": "forward: 1; 2 is expected"}]),
                         ["add: wrong forward: 1; 2 is expected"])

    def test_a_crash_is_one(self):
        self.assertEqual(report.problems(entries(crash=1)), ["crash0: crash"])

    def test_fewer_that_pass_are_one(self):
        self.assertEqual(report.problems(entries(**{"pass": 4, "fallback": 3}), self.PAGE),
                         ["4 of 7 entries pass; the page has 5 of 7."])

    def test_a_page_without_a_number_is_one(self):
        self.assertEqual(report.problems(entries(**{"pass": 1}), "nothing"), ["The page has no number of entries that pass."])

    def test_the_page_of_the_repository_has_numbers(self):
        page = (ROOT / "docs" / "pytorch.md").read_text(encoding="utf-8")
        self.assertTrue(report.problems([], page)[0].startswith("0 of 0 entries pass; the page has "))


if __name__ == "__main__":
    unittest.main()
