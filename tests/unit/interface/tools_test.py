#!/usr/bin/env python3
"""Tests of the header tools. Usage: tools_test.py, or with unittest's options."""

import pathlib
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import check_comments  # noqa: E402
import coverage  # noqa: E402
import gen_headers  # noqa: E402
import gen_stubs  # noqa: E402
from headers import aclnn_files, ctext, layout, tables  # noqa: E402


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
        data = tables.load(ROOT / "interface")
        missing = [f.name for f in data.functions
                   if layout.is_public(f.header) and f.name not in data.docs]
        self.assertEqual(missing, [])

    def test_small_headers_stay_small(self):
        wanted, _ = gen_headers.generate(ROOT)
        long = [path for path, text in wanted.items()
                if path.startswith("include/acl/rt/") and text.count("\n") > 250]
        self.assertEqual(long, [])


class Families(unittest.TestCase):
    ROWS = [("family", "rules", "vulkan", "errors"),
            ("sum", "{inputs} broadcast.", "sum.comp", "161001 {pointers} is NULL; @row; 161002 {out} differs"),
            ("turn", "", "turn.comp", "161002 {out} has another shape"),
            ("turn_inplace", "", "turn.comp", "161001 {out} is NULL")]
    PAIR = "const aclTensor * self, const aclTensor * other, const aclScalar * alphaOptional, aclTensor * out"

    def docs_of(self, *rows):
        with tempfile.TemporaryDirectory() as folder:
            def write(name, lines):
                text = "\n".join("\t".join(line) for line in lines)
                (pathlib.Path(folder) / name).write_text(text)
            write("families.tsv", self.ROWS)
            write("aclnn.tsv", [("name", "brief", "vulkan", "errors"), *rows])
            return tables.load_docs(pathlib.Path(folder))

    @staticmethod
    def operator(name, parameters):
        phase = ", uint64_t * workspaceSize, aclOpExecutor ** executor"
        return tables.Operator(name, parameters + phase, "h", "", "", "", {})

    def test_a_row_has_the_words_of_its_family_and_its_own_errors_in_their_place(self):
        doc = self.docs_of(("aclnnSum", "The sum.", "@sum", "161002 alpha is 0"))["aclnnSum"]
        self.assertEqual((doc.brief, doc.vulkan), ("The sum.", "sum.comp"))
        self.assertEqual([condition for _, condition in doc.errors],
                         ["{pointers} is NULL", "alpha is 0", "{out} differs"])

    def test_own_errors_come_last_where_the_family_has_no_place_for_them(self):
        doc = self.docs_of(("aclnnTurn", "Turns.", "@turn", "161002 alpha is 0"))["aclnnTurn"]
        self.assertEqual(doc.errors, [(161002, "{out} has another shape"), (161002, "alpha is 0")])

    def test_an_operator_in_place_has_a_family_of_its_own(self):
        docs = self.docs_of(("aclnnTurn aclnnInplaceTurn aclnnInplaceSum", "Turns.", "@turn", ""))
        self.assertEqual(docs["aclnnInplaceTurn"].errors, [(161001, "{out} is NULL")])
        self.assertEqual(docs["aclnnTurn"].errors, [(161002, "{out} has another shape")])

    def test_an_unknown_family_is_named(self):
        with self.assertRaisesRegex(SystemExit, "aclnnTurn: no family @turm"):
            self.docs_of(("aclnnTurn", "Turns.", "@turm", ""))

    def test_a_comment_names_the_parameters_of_its_operator(self):
        docs = self.docs_of(("aclnnSum", "The sum.", "@sum", ""))
        doc = aclnn_files.spelt(docs["aclnnSum"], self.operator("aclnnSum", self.PAIR))
        self.assertEqual(doc.rules, "self and other broadcast.")
        self.assertEqual(doc.errors, [(161001, "self, other, out is NULL"), (161002, "out differs")])

    def test_unknown_words_are_named(self):
        with self.assertRaisesRegex(SystemExit, "aclnnSum has no words for {inputz}"):
            aclnn_files.spelt(tables.Doc("{inputz}", "", []), self.operator("aclnnSum", self.PAIR))

    def test_in_place_the_first_tensor_is_the_result(self):
        words = aclnn_files.parameter_words(
            self.operator("aclnnInplaceSum", "aclTensor * selfRef, const aclTensor * other"))
        self.assertEqual((words["out"], words["tensors"]), ("selfRef", "selfRef or other"))


class CollectingHeader(unittest.TestCase):
    def test_includes_every_other_header_of_operators(self):
        files = aclnn_files.files(tables.load(ROOT / "interface"))
        text = files.pop(f"aclnnop/{aclnn_files.COLLECTING}")
        self.assertIn("aclnnop/aclnn_add.h", files)
        for path in files:
            self.assertIn(f'#include "{path.removeprefix("aclnnop/")}"\n', text)


class Comments(unittest.TestCase):
    def setUp(self):
        self.data = tables.load(ROOT / "interface")

    def test_an_operator_without_a_row_is_named(self):
        del self.data.docs["aclnnAdd"]
        self.assertEqual(check_comments.problems(self.data, ["aclnnAdd", "aclnnSub"]), ["aclnnAdd: interface/docs has no row."])

    def test_a_comment_without_a_code_is_named(self):
        self.data.docs["aclnnAdd"] = tables.Doc("The sum.", "", [(161001, "self is NULL")])
        self.assertEqual(check_comments.problems(self.data, ["aclnnAdd"]),
                         ["aclnnAdd: interface/docs has no vulkan.", "aclnnAdd: interface/docs has no 161002."])

    def test_what_is_built_is_read_from_the_list_of_operators(self):
        self.assertIn("aclnnAdd", check_comments.built(ROOT))


class Check(unittest.TestCase):
    def test_a_changed_header_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            shutil.copytree(ROOT / "interface", root / "interface")
            wanted, tests = gen_headers.generate(root)
            self.assertEqual(sorted(tests), ["abi_assert.cpp", "c11_compile.c", "cpp17_compile.cpp"])
            gen_headers.write(root, wanted)
            self.assertEqual(gen_headers.differences(root, wanted), ([], []))
            header = root / "include/acl/rt/stream.h"
            header.write_text(header.read_text() + "\n")
            (root / "include/aclnnop/aclnn_old.h").write_text(ctext.NOTE)
            self.assertEqual(gen_headers.differences(root, wanted),
                             (["include/acl/rt/stream.h"], ["include/aclnnop/aclnn_old.h"]))


class Stubs(unittest.TestCase):
    def test_a_status_is_passed_on_and_a_pointer_is_null(self):
        text = gen_stubs.generate(ROOT / "interface")
        self.assertIn('aclError aclrtSetDevice(int32_t) { return not_supported("aclrtSetDevice"); }', text)
        self.assertIn('{ not_supported("aclrtGetSocName"); return {}; }', text)
        self.assertNotIn("acldvpp", text)


class Coverage(unittest.TestCase):
    def setUp(self):
        self.data = tables.load(ROOT / "interface")

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
