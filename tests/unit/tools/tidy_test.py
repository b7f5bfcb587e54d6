#!/usr/bin/env python3
"""Tests of which sources tools/tidy.py reads as one."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import tidy  # noqa: E402


def source(*lines):
    return "namespace aclvk {\nnamespace {\n" + "\n".join(lines) + "\n}\nint shared() { return 1; }\n}\n"


class Names(unittest.TestCase):
    def test_of_declarations(self):
        for statement, name in (
            ("struct Case", "Case"),
            ("enum class Kind : int", "Kind"),
            ("constexpr std::size_t kMost = 5", "kMost"),
            ("constexpr DType kTypes[] =", "kTypes"),
            ("std::vector<int> made(const Tensor& tensor)", "made"),
            ("template <typename T, std::vector<int>> T& entry()", "entry"),
            ("[[noreturn]] void refuse(int)", "refuse"),
            ("using Row = std::vector<int>", "Row"),
            ("using namespace aclvk", None),
            ("using aclvk::fail", None),
            ("void Stream::launch(int)", None),
            ("extern const int kOther", None),
        ):
            self.assertEqual(tidy.name_of(statement), name, statement)

    def test_of_a_file_are_its_own_or_shared(self):
        own, shared = tidy.names_of(source("int f() { return 1; }", "using Row = int;"))
        self.assertEqual(own, {"f": None, "Row": "using Row = int"})
        self.assertEqual(shared, {"shared"})


class Batches(unittest.TestCase):
    def batches(self, **texts):
        texts = {name.replace("_", "."): text for name, text in texts.items()}
        names = {path: tidy.names_of(text) for path, text in texts.items()}
        return tidy.batches([tidy.Source(path, texts, names) for path in texts if path.endswith(".cpp")])

    def test_different_names_are_read_as_one(self):
        self.assertEqual(self.batches(a_cpp=source("int f();"), b_cpp=source("int g();")), [["a.cpp", "b.cpp"]])

    def test_equal_names_are_not(self):
        self.assertEqual(self.batches(a_cpp=source("int f();"), b_cpp=source("int f(int);"), c_cpp=source("int g();")),
                         [["a.cpp", "c.cpp"], ["b.cpp"]])

    def test_an_alias_may_be_repeated(self):
        self.assertEqual(self.batches(a_cpp=source("using Row = int;"), b_cpp=source("using Row = int;")), [["a.cpp", "b.cpp"]])
        self.assertEqual(len(self.batches(a_cpp=source("using Row = int;"), b_cpp=source("using Row = char;"))), 2)

    def test_a_name_of_a_header_of_the_other_is_not_read_with_it(self):
        self.assertEqual(self.batches(a_cpp=source("int f();"), b_cpp='#include "b.hpp"\n' + source("int g();"),
                                      b_hpp="namespace aclvk {\nint f(char);\n}\n"), [["a.cpp"], ["b.cpp"]])

    def test_there_are_not_too_many(self):
        texts = {f"s{i}_cpp": source(f"int f{i}();") for i in range(tidy.LARGEST + 1)}
        self.assertEqual([len(batch) for batch in self.batches(**texts)], [tidy.LARGEST, 1])


class Wanted(unittest.TestCase):
    def test_layers_and_files(self):
        texts = dict.fromkeys(("ops/a.cpp", "ops/b.cpp", "ops/b.hpp", "opsx/c.cpp"))
        self.assertEqual(tidy.wanted(texts, ["ops"]), ["ops/a.cpp", "ops/b.cpp"])
        self.assertEqual(tidy.wanted(texts, ["src/ops/b.cpp"]), ["ops/b.cpp"])
        self.assertEqual(tidy.wanted(texts, ["none"]), [])


if __name__ == "__main__":
    unittest.main()
