#!/usr/bin/env python3
"""Tests of which references and chapters tools/check_references.py finds."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import check_references  # noqa: E402


class References(unittest.TestCase):
    def found(self, text):
        return [(name, number) for name, number, _ in check_references.references(text)]

    def test_numbers_and_lists(self):
        self.assertEqual(self.found("// (runtime-semantics 7.5)."), [("runtime-semantics", "7.5")])
        self.assertEqual(self.found("// capture-semantics, section 5: a"), [("capture-semantics", "5")])
        self.assertEqual([number for _, number in self.found("// (runtime-semantics 4.2, 4.11 and 4.12; docs/adr/0015).")],
                         ["4.2", "4.11", "4.12"])
        self.assertEqual(self.found("// runtime-semantics E0.9."), [("runtime-semantics", "E0.9")])

    def test_over_the_end_of_a_line(self):
        text = "int a;\n/// see capture-semantics\n/// 7.7.\n"
        self.assertEqual(list(check_references.references(text)), [("capture-semantics", "7.7", 2)])

    def test_without_a_number_it_is_no_reference(self):
        self.assertEqual(self.found("// as capture-semantics says, 7 times"), [])


class Chapters(unittest.TestCase):
    def test_headings_and_bold_items(self):
        text = "## 5. Events\n\n### 5.2 Matrix\n\n* **5.3.9 IPC**: 7.1 no\n* **E0.9** mapping\n"
        self.assertEqual(check_references.chapters(text), {"5", "5.2", "5.3.9", "E0.9"})


if __name__ == "__main__":
    unittest.main()
