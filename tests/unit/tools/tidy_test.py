#!/usr/bin/env python3
"""Tests of which sources tools/tidy.py takes."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import tidy  # noqa: E402


class Wanted(unittest.TestCase):
    def test_layers_and_files(self):
        files = ["ops/a.cpp", "ops/b.cpp", "ops/b.hpp", "opsx/c.cpp"]
        self.assertEqual(tidy.wanted(files, ["ops"]), ["ops/a.cpp", "ops/b.cpp"])
        self.assertEqual(tidy.wanted(files, ["src/ops/b.cpp"]), ["ops/b.cpp"])
        self.assertEqual(tidy.wanted(files, ["none"]), [])


if __name__ == "__main__":
    unittest.main()
