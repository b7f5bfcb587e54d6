#!/usr/bin/env python3
"""Tests of which sources tools/tidy.py reads as one, and of what it does not read again."""

import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import joined_sources  # noqa: E402
import kept_results  # noqa: E402
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
            ("ARGUMENT_STRUCT(Sizes, SIZES)", "Sizes"),
            ("static_assert(sizeof(int) == 4)", None),
            ("<< 31", None),
        ):
            self.assertEqual(joined_sources.name_of(statement), name, statement)

    def test_of_a_file_are_its_own_or_shared(self):
        own, shared = joined_sources.names_of(source("int f() { return 1; }", "using Row = int;"))
        self.assertEqual(own, {"f": None, "Row": "using Row = int"})
        self.assertEqual(shared, {"shared"})

    def test_of_an_enum_without_a_scope_are_its_values_too(self):
        own, _ = joined_sources.names_of(source("enum Kind : int { kFirst = 1, kLast };", "enum class Other { kInside };"))
        self.assertEqual(own.keys(), {"Kind", "kFirst", "kLast", "Other"})

    def test_that_come_from_different_namespaces_are_distinguished(self):
        first, second = (joined_sources.names_of(f"using namespace {name};\n")[0] for name in ("aclvk::ops", "aclvk::api"))
        self.assertNotEqual(first["using namespace"], second["using namespace"])


class Batches(unittest.TestCase):
    def sources(self, **texts):
        texts = {name.replace("_", ".", 1): text for name, text in texts.items()}
        return [joined_sources.Source(path, texts) for path in texts if path.endswith(".cpp")]

    def batches(self, **texts):
        return [[each.path for each in batch] for batch in joined_sources.batches(self.sources(**texts))]

    def test_different_names_are_read_as_one(self):
        self.assertEqual(self.batches(a_cpp=source("int f();"), b_cpp=source("int g();")), [["a.cpp", "b.cpp"]])

    def test_equal_names_are_read_as_one_because_they_can_be_renamed(self):
        self.assertEqual(self.batches(a_cpp=source("int f();"), b_cpp=source("int f(int);")), [["a.cpp", "b.cpp"]])

    def test_names_that_members_have_too_are_not_renamed(self):
        member = source("int f(int);", "int g(Row row) { return row.f; }")
        self.assertEqual(self.batches(a_cpp=source("int f();"), b_cpp=member), [["a.cpp", "b.cpp"]])
        self.assertEqual(self.batches(a_cpp=member, b_cpp=member.replace("g", "h")), [["a.cpp"], ["b.cpp"]])

    def test_an_alias_may_be_repeated(self):
        first, second = self.sources(a_cpp=source("using Row = int;"), b_cpp=source("using Row = int;"))
        self.assertEqual(first.clashes(second), set())
        first, second = self.sources(a_cpp=source("using Row = int;"), b_cpp=source("using Row = char;"))
        self.assertEqual(first.clashes(second), {"Row"})

    def test_a_name_of_a_header_of_the_other_clashes(self):
        first, second = self.sources(a_cpp=source("int f();"), b_cpp='#include "b.hpp"\n' + source("int g();"),
                                     b_hpp="namespace aclvk {\nint f(char);\n}\n")
        self.assertEqual(first.clashes(second), {"f"})
        self.assertEqual(second.clashes(first), set())

    def test_a_function_of_libc_that_the_other_calls_clashes(self):
        first, second = self.sources(a_cpp=source("int read();"), b_cpp=source("int g() { return read(1, nullptr, 0); }"))
        self.assertEqual(first.clashes(second), {"read"})

    def test_a_function_that_a_header_of_the_other_calls_clashes(self):
        first, second = self.sources(a_cpp=source("int read();"), b_cpp='#include "b.hpp"\n',
                                     b_hpp="inline int g() { return read(1, nullptr, 0); }\n")
        self.assertEqual(first.clashes(second), {"read"})

    def test_macros_of_one_name_are_one_macro(self):
        self.assertEqual(self.batches(a_cpp="#define CHECK(x) x\n", b_cpp="int f() { return CHECK; }\n"), [["a.cpp"], ["b.cpp"]])
        self.assertEqual(self.batches(a_cpp="#define ROW(x) x\n#undef ROW\n", b_cpp="int f() { return ROW; }\n"), [["a.cpp", "b.cpp"]])
        headers = dict(a_hpp="#define CHECK(x) x\n", b_hpp="#define CHECK(x) 2 * x\n")
        self.assertEqual(self.batches(a_cpp='#include "a.hpp"\n', b_cpp='#include "b.hpp"\n', **headers), [["a.cpp"], ["b.cpp"]])
        self.assertEqual(self.batches(a_cpp='#include "a.hpp"\n', b_cpp='#include "a.hpp"\n', **headers), [["a.cpp", "b.cpp"]])

    def test_of_a_build_have_no_name_twice(self):
        texts = {"a.cpp": source("int f();"), "b.cpp": source("int f(int);"), "c.cpp": source("int g();")}
        sources = [joined_sources.Source(path, texts, renames=False) for path in texts]
        self.assertEqual([[each.path for each in batch] for batch in joined_sources.batches(sources)], [["a.cpp", "c.cpp"], ["b.cpp"]])

    def test_tests_have_names_of_their_own(self):
        self.assertEqual(self.batches(a_cpp=source("TEST(A, B) {}"), b_cpp=source("TEST(A, C) {}")), [["a.cpp", "b.cpp"]])

    def test_there_are_not_too_many(self):
        texts = {f"s{i}_cpp": source(f"int f{i}();") for i in range(joined_sources.LARGEST + 1)}
        self.assertEqual([len(batch) for batch in self.batches(**texts)], [joined_sources.LARGEST, 1])

    def test_those_that_do_not_compile_are_read_separately(self):
        batch = self.sources(a_cpp="", b_cpp="", c_cpp="", d_cpp="")
        first, others = joined_sources.in_parts(batch, "src/b.cpp:1:2: error: no\n", "error: ")
        self.assertEqual([each.path for each in first], ["b.cpp"])
        self.assertEqual([each.path for each in others], ["a.cpp", "c.cpp", "d.cpp"])
        first, others = joined_sources.in_parts(batch, "src/b.hpp:1:2: error: no\n", "error: ")
        self.assertEqual([len(first), len(others)], [2, 2])


class Renaming(unittest.TestCase):
    def test_leaves_literals_includes_and_longer_names(self):
        text = '#include "ops/f.hpp"\nint f(int off) { return off ? f(0) : g("f"); }  // f\n'
        self.assertEqual(joined_sources.renamed(text, {"f"}, "_of_source_3"),
                         '#include "ops/f.hpp"\nint f_of_source_3(int off) { return off ? f_of_source_3(0) : g("f"); }  // f_of_source_3\n')

    def test_does_not_show_in_what_is_said(self):
        self.assertEqual(joined_sources.as_written(f"{ROOT}/src/a.cpp:1:2: error: f_of_source_12 is unused"),
                         "src/a.cpp:1:2: error: f is unused")


class Kept(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.sources = pathlib.Path(self.folder.name) / "sources"
        (self.sources / "joined").mkdir(parents=True)
        self.header = self.sources / "header.hpp"
        self.header.write_text("int f();  // NOLINT\n")
        self.source = self.sources / "joined" / "joined.cpp"
        self.source.write_text('#include "../header.hpp"\n')
        patch = mock.patch.object(kept_results, "CACHE", pathlib.Path(self.folder.name) / "cache")
        patch.start()
        self.addCleanup(patch.stop)

    def key(self, flags=(), about=()):
        kept_results.digests.clear()
        return kept_results.key_of("c++", "c++", list(flags), self.source, about)

    def test_is_what_has_found_nothing(self):
        key = self.key()
        self.assertFalse(kept_results.found_nothing(key))
        kept_results.keep(key)
        self.assertTrue(kept_results.found_nothing(self.key()))
        self.assertFalse(kept_results.found_nothing(None))

    def test_is_not_for_other_files_options_or_checks(self):
        key = self.key()
        self.assertNotEqual(key, self.key(flags=["-DA=1"]))
        self.assertNotEqual(key, self.key(about=["-checks"]))
        self.assertNotEqual(self.key(about=[self.header]), key)
        self.header.write_text("int f();\n")
        self.assertNotEqual(key, self.key())

    def test_is_nothing_that_does_not_compile(self):
        self.header.unlink()
        self.assertIsNone(self.key())


class Wanted(unittest.TestCase):
    def test_layers_and_files(self):
        texts = dict.fromkeys(("ops/a.cpp", "ops/b.cpp", "ops/b.hpp", "opsx/c.cpp"))
        self.assertEqual(tidy.wanted(texts, ["ops"]), ["ops/a.cpp", "ops/b.cpp"])
        self.assertEqual(tidy.wanted(texts, ["src/ops/b.cpp"]), ["ops/b.cpp"])
        self.assertEqual(tidy.wanted(texts, ["none"]), [])


if __name__ == "__main__":
    unittest.main()
