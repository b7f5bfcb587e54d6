#!/usr/bin/env python3
"""Tests of which sources tools/join_sources.py joins."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import join_sources  # noqa: E402


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
            self.assertEqual(join_sources.name_of(statement), name, statement)

    def test_of_a_file_are_its_own_or_shared(self):
        own, shared, called = join_sources.names_of(source("int f() { return g(1) + x.h(2); }", "using Row = int;"))
        self.assertEqual(own, {"f": None, "Row": "using Row = int"})
        self.assertEqual(shared, {"shared"})
        self.assertEqual(called, {"f", "g", "shared"})


class Batches(unittest.TestCase):
    def batches(self, **texts):
        texts = {name.replace("_", "."): text for name, text in texts.items()}
        return join_sources.Tree(texts).batches([path for path in texts if path.endswith(".cpp")], 16)

    def test_different_names_are_read_as_one(self):
        self.assertEqual(self.batches(a_cpp=source("int f();"), b_cpp=source("int g();")), [["a.cpp", "b.cpp"]])

    def test_equal_names_are_not(self):
        self.assertEqual(self.batches(a_cpp=source("int f();"), b_cpp=source("int f(int);"), c_cpp=source("int g();")),
                         [["a.cpp", "c.cpp"], ["b.cpp"]])

    def test_a_name_that_the_other_calls_is_not_read_with_it(self):
        self.assertEqual(len(self.batches(a_cpp=source("int read(int);"), b_cpp=source("int g() { return ::read(1) + read(2); }"))), 2)
        self.assertEqual(len(self.batches(a_cpp=source("int read(int);"), b_cpp=source("int g() { return ::read(1); }"))), 1)

    def test_an_alias_may_be_repeated(self):
        self.assertEqual(self.batches(a_cpp=source("using Row = int;"), b_cpp=source("using Row = int;")), [["a.cpp", "b.cpp"]])
        self.assertEqual(len(self.batches(a_cpp=source("using Row = int;"), b_cpp=source("using Row = char;"))), 2)

    def test_a_name_of_a_header_of_the_other_is_not_read_with_it(self):
        self.assertEqual(self.batches(a_cpp=source("int f();"), b_cpp='#include "b.hpp"\n' + source("int g();"),
                                      b_hpp="namespace aclvk {\nint f(char);\n}\n"), [["a.cpp"], ["b.cpp"]])

    def test_there_are_not_too_many(self):
        texts = {f"s{i}_cpp": source(f"int f{i}();") for i in range(17)}
        self.assertEqual([len(batch) for batch in self.batches(**texts)], [16, 1])


if __name__ == "__main__":
    unittest.main()
