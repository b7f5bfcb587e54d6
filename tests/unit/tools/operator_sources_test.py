#!/usr/bin/env python3
"""Tests of tools/headers/operator_sources.py: which operators it finds, and what it writes for them."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

from headers import operator_sources, tables  # noqa: E402


def operator(name, parameters):
    return tables.Operator(name, parameters + ", uint64_t * workspaceSize, aclOpExecutor ** executor", "", "", "", "", {})


def data(*operators):
    return tables.Tables([], [], [], list(operators), [], {})


ADD = operator("aclnnAdd", "const aclTensor * self, const aclScalar * alpha, bool exact, aclTensor * out")


class Planned(unittest.TestCase):
    def found(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "src" / "ops" / name
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")
            return operator_sources.planned(pathlib.Path(folder))

    def test_functions_of_a_source(self):
        text = "std::shared_ptr<Executor> plan(const AddArgs& args) {}\nExecutor plan(const name##Args& args)\nplan(const Args& args)"
        self.assertEqual(self.found("elementwise/add.cpp", text), {"elementwise": {"Add"}})

    def test_rows_of_a_table_by_their_form(self):
        text = "// ROW(TENSOR, Comment, x)\nROW(TENSOR_AND_S, Mul, kAny, mul(x, y))\nROW(OWN, Div, kAny, div(x, y))\n"
        self.assertEqual(self.found("elementwise/binary.def", text), {"elementwise": {"Mul", "Muls", "InplaceMul", "InplaceMuls"}})

    def test_generated_headers_do_not_count(self):
        self.assertEqual(self.found("args/elementwise.hpp", "plan(const AddArgs& args);"), {})


class Kinds(unittest.TestCase):
    def kind(self, c_type, name, kinds=None):
        return operator_sources.arg_type(ADD, c_type, name, kinds or {})

    def test_kinds_follow_from_the_declaration(self):
        self.assertEqual(self.kind("const aclTensor*", "self"), "InputArg")
        self.assertEqual(self.kind("aclTensor*", "anything"), "OutputArg")
        self.assertEqual(self.kind("const aclTensor*", "attentionOut"), "OutputArg")
        self.assertEqual(self.kind("const aclTensor*", "gradOut"), "InputArg")
        self.assertEqual(self.kind("aclTensor*", "selfRef"), "UpdatedArg")
        self.assertEqual(self.kind("const aclTensorList*", "tensors"), "InputListArg")
        self.assertEqual(self.kind("const int64_t", "dim"), "ValueArg<std::int64_t>")
        self.assertEqual(self.kind("char*", "mode"), "TextArg")

    def test_a_row_decides_where_the_declaration_does_not(self):
        self.assertEqual(self.kind("const aclTensor*", "softmaxLse", {("aclnnAdd", "softmaxLse"): "output"}), "OutputArg")


class Texts(unittest.TestCase):
    def test_a_struct_has_the_parameters_in_order(self):
        text = operator_sources.struct(ADD, {})
        for line in ('kOperator = "aclnnAdd"', "  InputArg self;\n  ScalarArg alpha;\n  ValueArg<bool> exact;\n  OutputArg out;\n",
                     "visit(self), visit(alpha), visit(exact), visit(out);", "plan(const AddArgs& args);"):
            self.assertIn(line, text)

    def test_both_phases_are_text(self):
        text = operator_sources.functions_of(ADD, [])
        self.assertIn("aclnnStatus aclnnAddGetWorkspaceSize(const aclTensor* self, const aclScalar* alpha, bool exact,", text)
        self.assertIn('AddArgs{{self, "self"}, {alpha, "alpha"}, {exact, "exact"}, {out, "out"}}', " ".join(text.split()))
        self.assertIn("aclnnStatus aclnnAdd(void* workspace, uint64_t workspaceSize,", text)

    def test_an_operator_without_a_signature_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "src" / "ops" / "index" / "take.cpp"
            path.parent.mkdir(parents=True)
            path.write_text("plan(const TakeArgs& args)", encoding="utf-8")
            with self.assertRaisesRegex(SystemExit, "Take"):
                operator_sources.files(pathlib.Path(folder), data(ADD), {})


if __name__ == "__main__":
    unittest.main()
