#!/usr/bin/env python3
"""Tests of what cmake/compile_shader.py does to modules of SPIR-V."""

import pathlib
import struct
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "cmake"))

import compile_shader  # noqa: E402

HEADER = [0x07230203, 0x00010500, 0, 100, 0]
DECORATE_BUILTIN = [4 << 16 | 71, 1, 11, 28]
FLOAT_2, DOUBLE_3 = [3 << 16 | 22, 2, 32], [3 << 16 | 22, 3, 64]
TO_FLOAT_8, TO_DOUBLE_9 = [4 << 16 | 115, 2, 8, 7], [4 << 16 | 115, 3, 9, 8]


def no_contraction(result):
    return [3 << 16 | 71, result, 42]


def module(*parts):
    words = [word for part in parts for word in part]
    return struct.pack(f"<{len(words)}I", *words)


class KeepRounding(unittest.TestCase):
    def test_decorates_conversions_beside_the_other_decorations(self):
        before = module(HEADER, DECORATE_BUILTIN, FLOAT_2, DOUBLE_3, TO_FLOAT_8, TO_DOUBLE_9)
        decorations = [*no_contraction(8), *no_contraction(9)]
        after = module(HEADER, decorations, DECORATE_BUILTIN, FLOAT_2, DOUBLE_3, TO_FLOAT_8, TO_DOUBLE_9)
        self.assertEqual(compile_shader.keep_rounding(before), after)

    def test_leaves_modules_without_doubles(self):
        code = module(HEADER, DECORATE_BUILTIN, FLOAT_2, TO_FLOAT_8)
        self.assertEqual(compile_shader.keep_rounding(code), code)


if __name__ == "__main__":
    unittest.main()
