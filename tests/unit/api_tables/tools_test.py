#!/usr/bin/env python3
"""Tests of the header tools. Usage: tools_test.py, or with unittest's options."""

import pathlib
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import coverage  # noqa: E402
import gen_headers  # noqa: E402
import gen_stubs  # noqa: E402
from headers import ctext, layout, tables  # noqa: E402


class Spelling(unittest.TestCase):
    def test_a_star_stands_at_the_name(self):
        self.assertEqual(ctext.parameter("const char * const * names"), "const char *const *names")

    def test_a_function_pointer_takes_its_name_inside(self):
        self.assertEqual(ctext.parameter("int32_t (*const)(const void *, int32_t) callback"),
                         "int32_t (*const callback)(const void *, int32_t)")

    def test_an_array_pointer_takes_its_name_inside(self):
        self.assertEqual(ctext.parameter("int64_t (*)[2] range"), "int64_t (*range)[2]")

    def test_a_callback_type_takes_its_name_inside(self):
        self.assertEqual(ctext.typedef_callback("Make", "void *(*)(size_t)"),
                         "typedef void *(*Make)(size_t);")

    def test_a_comment_cannot_end_early(self):
        self.assertNotIn("*/ b", "\n".join(ctext.comment(["a */ b"])))

    def test_flags_are_unsigned(self):
        flag = tables.Constant("ACL_X", "32", "event flags", "h", "define")
        self.assertEqual(ctext.number(flag), "0x00000020U")


class Layout(unittest.TestCase):
    def test_an_exact_name_beats_a_longer_pattern(self):
        data = tables.Tables([], [], [], [], [tables.Area("h", "a", "", ["ab*"]),
                                              tables.Area("h", "b", "", ["abc"])], {})
        self.assertEqual(layout.Layout(data).file_of("h", "abc"), "b")

    def test_every_function_is_described(self):
        data = tables.load(ROOT / "api")
        missing = [f.name for f in data.functions
                   if layout.is_public(f.header) and f.name not in data.docs]
        self.assertEqual(missing, [])

    def test_small_headers_stay_small(self):
        wanted = gen_headers.generate(ROOT)
        long = [path for path, text in wanted.items()
                if path.startswith("include/acl/rt/") and text.count("\n") > 250]
        self.assertEqual(long, [])


class Check(unittest.TestCase):
    def test_a_changed_header_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            shutil.copytree(ROOT / "api", root / "api")
            wanted = gen_headers.generate(root)
            gen_headers.write(root, wanted)
            self.assertEqual(gen_headers.differences(root, wanted), ([], []))
            header = root / "include/acl/rt/stream.h"
            header.write_text(header.read_text() + "\n")
            (root / "include/aclnnop/aclnn_old.h").write_text(ctext.NOTE)
            self.assertEqual(gen_headers.differences(root, wanted),
                             (["include/acl/rt/stream.h"], ["include/aclnnop/aclnn_old.h"]))


class Stubs(unittest.TestCase):
    def test_a_status_is_passed_on_and_a_pointer_is_null(self):
        text = gen_stubs.generate(ROOT / "api")
        self.assertIn('aclError aclrtSetDevice(int32_t) { return not_supported("aclrtSetDevice"); }', text)
        self.assertIn('{ not_supported("aclrtGetSocName"); return {}; }', text)
        self.assertNotIn("acldvpp", text)


class Coverage(unittest.TestCase):
    def setUp(self):
        self.data = tables.load(ROOT / "api")

    def test_a_weak_function_is_not_built(self):
        text = coverage.report(self.data, {"aclInit": "T", "aclFinalize": "W"})
        self.assertIn("Built: aclInit.", text)
        self.assertIn("Not built: aclFinalize,", text)

    def test_an_operator_needs_both_calls(self):
        found = {"aclnnAdd": "T"}
        self.assertIn("aclnnAdd is exported with only one of its two functions.",
                      coverage.problems(self.data, found))
        found["aclnnAddGetWorkspaceSize"] = "T"
        self.assertNotIn("aclnnAdd is exported with only one of its two functions.",
                         coverage.problems(self.data, found))

    def test_an_unknown_export_is_a_problem(self):
        self.assertIn("aclrtInvented is exported but is in no table.",
                      coverage.problems(self.data, {"aclrtInvented": "T"}))


if __name__ == "__main__":
    unittest.main()
