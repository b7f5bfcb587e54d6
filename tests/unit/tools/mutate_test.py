#!/usr/bin/env python3
"""Tests tools/mutate.py without a build."""

import contextlib
import io
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tools"))

import mutate


def changes(line):
    return list(mutate.mutants_of(line))


class MutantsOfALine(unittest.TestCase):
    def test_a_lock_is_left_out(self):
        self.assertEqual(changes("  const LockGuard lock(mutex_);"), [("lock", "")])

    def test_each_comparison_becomes_another_one(self):
        self.assertEqual(changes("  if (a < b && c == d) {"), [("comparison", "  if (a <= b && c == d) {"), ("comparison", "  if (a < b && c != d) {")])

    def test_arguments_of_templates_are_no_comparisons(self):
        self.assertEqual(changes("  std::vector<int> values;"), [])
        self.assertEqual(changes("  out << value;"), [])

    def test_a_launch_is_rounded_down_or_one_smaller(self):
        self.assertEqual(changes("  x.groups = (count + size - 1) / size;"), [("launch", "  x.groups = (count) / size;")])
        self.assertEqual(changes("  x.rows = word(rows);"), [("launch", "  x.rows = word(rows) - 1;")])


class ATextWithAMutant(unittest.TestCase):
    def test_has_one_line_changed(self):
        mutant = {"line": "  b;", "changed": "  c;"}
        self.assertEqual(mutate.changed_text("a;\n  b;  // why\n  b;\n", mutant), "a;\n  c;\n  b;\n")
        self.assertIsNone(mutate.changed_text("a;\n", mutant))


class AComparison(unittest.TestCase):
    def test_names_mutants_that_are_noticed_no_more(self):
        before = {"kind": "comparison", "file": "a.cpp", "line": "a < b", "changed": "a <= b", "noticed": "unit: A"}
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            self.assertEqual(mutate.compare([before], [dict(before, noticed="-")]), 1)
            self.assertEqual(mutate.compare([before], [dict(before, noticed="api: B")]), 0)
        self.assertIn("was noticed by unit: A", printed.getvalue())


if __name__ == "__main__":
    unittest.main()
