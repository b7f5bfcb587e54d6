#!/usr/bin/env python3
"""Tests of which loops tools/check_loops.py refuses."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import check_loops  # noqa: E402


def lines(text):
    return [number for number, _ in check_loops.faults_in(text)]


class Loops(unittest.TestCase):
    def test_bounds_that_are_constants_are_fine(self):
        for loop in (
            "for (uint i = 0; i < 8u; ++i) x += i;",
            "for (uint i = 0; i < kEach; ++i) x += i;",
            "for (uint i = 0; i < 2 * kEach - 1 && more; ++i) x += i;",
            "for (uint i = 0; i < THREADS; ++i) x += i;",
            "for (uint i = kTeam / 2; i > 0; i /= 2) x += i;",
            "for (uint i = kDims; i-- > 0u;) x += i;",
            "[[unroll]] for (uint i = 0; i < n; ++i) x += i;",
            "LOOP_OVER(i, 0u, n, 1u) x += i;",
        ):
            self.assertEqual(lines(loop), [], loop)

    def test_bounds_that_a_program_chooses_are_refused(self):
        for loop in (
            "for (uint i = 0; i < n; ++i) x += i;",
            "for (uint i = 0; i < kEach * n; ++i) x += i;",
            "for (uint i = n; i > 0; --i) x += i;",
            "for (uint i = 0; i < kEach || more; ++i) x += i;",
            "while (low < high) ++low;",
            "do { ++low; } while (low < high);",
        ):
            self.assertIn(1, lines(loop), loop)

    def test_a_reason_lets_one_loop_pass(self):
        text = "while (low < high) {  // iterations: halves a range\n}\nwhile (low < high) {}\n"
        self.assertEqual(lines(text), [3])
        self.assertEqual(lines("while (low < high) {  // turns:\n}"), [1])

    def test_a_macro_has_one_reason(self):
        self.assertEqual(lines("#define A /* iterations: few */ \\\n  while (x) \\\n    ++y;\nwhile (x) {}\n"), [4])

    def test_comments_are_no_loops(self):
        self.assertEqual(lines("// for (uint i = 0; i < n; ++i)\n/* while (x) */\n"), [])


if __name__ == "__main__":
    unittest.main()
