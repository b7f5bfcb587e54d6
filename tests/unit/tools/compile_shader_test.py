#!/usr/bin/env python3
"""Tests of what cmake/compile_shader.py does to modules of SPIR-V, and of when it does nothing."""

import os
import pathlib
import re
import shutil
import struct
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "cmake"))

import compile_shader  # noqa: E402
import pack_shaders  # noqa: E402

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


class IsCurrent(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.source = pathlib.Path(folder.name) / "add.comp"
        self.out = pathlib.Path(folder.name) / "add.modules"
        self.depfile = pathlib.Path(folder.name) / "add.modules.d"
        self.source.write_text("void main() {}\n")
        self.depfile.write_text(f"{self.out}: {self.source}\n")
        self.out.write_bytes(compile_shader.command_line() + b"8 0\n\xff")

    def is_current(self):
        return compile_shader.is_current(self.out, self.depfile)

    def test_what_was_made_from_the_same_sources_in_the_same_way(self):
        self.assertTrue(self.is_current())

    def test_not_when_a_source_is_newer(self):
        later = self.out.stat().st_mtime + 1
        os.utime(self.source, (later, later))
        self.assertFalse(self.is_current())

    def test_not_when_a_source_is_gone(self):
        self.source.unlink()
        self.assertFalse(self.is_current())

    def test_not_when_it_was_made_in_another_way(self):
        with mock.patch.object(sys, "argv", [*sys.argv, "--variant=f64"]):
            self.assertFalse(self.is_current())

    def test_not_without_the_list_of_its_sources(self):
        self.depfile.unlink()
        self.assertFalse(self.is_current())


@unittest.skipUnless(shutil.which("zstd"), "zstd is not installed")
class Modules(unittest.TestCase):
    def test_are_read_as_they_were_written(self):
        modules = [module(HEADER), b"", module(HEADER, FLOAT_2), b"", b"", b"", b"", b""]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "add.modules"
            path.write_bytes(compile_shader.command_line() + compile_shader.joined("zstd", modules))
            self.assertEqual(compile_shader.read_modules("zstd", path), modules)

    def test_of_a_family_are_packed_with_their_sizes_and_offsets(self):
        one, other = [module(HEADER, FLOAT_2), *7 * [b""]], [b"", module(HEADER, DOUBLE_3), *6 * [b""]]
        text = pack_shaders.packed("zstd", [("a/f32", one), ("a/f64", other)])
        found = re.findall(r'#define ACLVK_SHADER_(\w+) \{"([^"]*)", \{([^}]*)\}, \{([^}]*)\}, &(\w+)\}', text)
        sizes = [("a_f32", "a/f32", "8, 0, 0, 0, 0, 0, 0, 0"), ("a_f64", "a/f64", "0, 8, 0, 0, 0, 0, 0, 0")]
        self.assertEqual([each[:3] for each in found], sizes)
        self.assertEqual(found[0][4], found[1][4])
        offsets = int(found[0][3].split(", ")[0]), int(found[1][3].split(", ")[1])
        self.assertLess(offsets[0], offsets[1])


if __name__ == "__main__":
    unittest.main()
