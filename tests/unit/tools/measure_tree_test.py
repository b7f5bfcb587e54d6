#!/usr/bin/env python3
"""Tests of what tools/measure_tree.py finds in sources."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import measure_tree  # noqa: E402
from tree_figures import cases, cpp, graph  # noqa: E402

SOURCE = """
#define BODY(x) { return x; }
namespace a {
// int hidden() { return 0; }
const std::vector<int> kValues = make({1, 2});
template <typename T, typename = std::enable_if_t<(sizeof(T) > 4)>>
auto pair(std::map<int, T> map, int (*take)(int, int)) -> std::pair<int, T> { return {1, map[0]}; }
class Box final : public Base {
 public:
  explicit Box(int size) : size_{size}, text_("}") {
    run([](int a, int b) {
      if (a) return b;
    });
  }
  ~Box() override = default;
  bool operator()(int x) const noexcept;
  static constexpr int kSize = count(3);

 private:
  int size_{0};
};
int Box::run(
    int one,
    int two) const try {
  // a comment
  return one + two;
} catch (const Error& error) {
  throw;
}
}  // namespace a
extern "C" {
int exported(void) { return '{'; }
}
"""


class Sources(unittest.TestCase):
    def setUp(self):
        self.reader = cpp.Reader(SOURCE)

    def test_functions_have_bodies(self):
        found = [(function.name, function.parameters) for function in self.reader.functions]
        self.assertEqual(found, [("pair", 2), ("Box", 1), ("run", 2), ("exported", 0)])

    def test_lines_are_those_of_code(self):
        run = self.reader.functions[2]
        self.assertEqual((run.start, run.end, run.size), (22, 27, 5))

    def test_methods_are_declared_or_defined(self):
        self.assertEqual([(entry.name, entry.methods) for entry in self.reader.classes], [("Box", 3)])

    def test_locks_of_functions_and_fields_are_no_methods(self):
        source = "class CAPABILITY(\"mutex\") Box {\n int size() const REQUIRES(!(mutex()));\n int size_ GUARDED_BY(mutex_) = 0;\n};\n"
        found = [(entry.name, entry.methods) for entry in cpp.Reader(source).classes]
        self.assertEqual(found, [("Box", 1)])

    def test_comment_lines(self):
        self.assertEqual(cpp.comment_lines("// a\n\nint a;  // b\n/* c\n d */\n"), (3, 4))


class Cycles(unittest.TestCase):
    EDGES = {("a", "b"): 5, ("b", "a"): 1, ("b", "c"): 4, ("c", "a"): 1, ("d", "a"): 1}

    def test_members(self):
        self.assertEqual(graph.components(self.EDGES), [("a", "b", "c")])

    def test_the_order_has_the_fewest_includes_that_run_upward(self):
        order = graph.best_order(("a", "b", "c"), self.EDGES)
        self.assertEqual(order, ["c", "b", "a"])
        self.assertEqual(graph.upward_edges(order, self.EDGES), {("b", "a"): 1, ("c", "a"): 1})

    def test_files_of_the_layer_itself_are_a_folder(self):
        edges = graph.folder_edges("layer", {"one.cpp": '#include "layer/x/two.hpp"\n#include "other/y.hpp"\n'})
        self.assertEqual(dict(edges), {("layer", "x"): 1})


class Cases(unittest.TestCase):
    FIXTURES = "class Opens : public testing::Test {\n  void SetUp() { aclrtSetDevice(0); }\n};\nclass Closed : public testing::Test {};\n"

    def count(self, text, null_device=()):
        sources = [cases.read("fixtures.hpp", self.FIXTURES), cases.read("test.cpp", text)]
        return cases.without_device(sources, null_device)

    def test_a_fixture_or_its_base_opens(self):
        text = "class More : public Opens {};\nTEST_F(More, a) {\n}\nTEST_F(Closed, b) {\n}\nTEST(Suite, c) {\n}\n"
        self.assertEqual(self.count(text), (2, 3))

    def test_a_body_opens(self):
        self.assertEqual(self.count("TEST(Suite, a) {\n  aclrtSetDevice(0);\n}\nTEST(Suite, b) {\n}\n"), (1, 2))

    def test_a_function_of_the_file_opens(self):
        self.assertEqual(self.count("void open() { aclrtSetDevice(0); }\nTEST(Suite, b) {\n}\n"), (0, 1))

    def test_a_source_on_the_list_of_the_null_device_needs_none(self):
        self.assertEqual(self.count("TEST_F(Opens, a) {\n}\n", {"test.cpp"}), (1, 1))

    def test_the_list_of_the_null_device_names_sources(self):
        names = cases.on_null_device(ROOT)
        self.assertIn("tests/api/rt/stream_test.cpp", names)
        self.assertTrue(all((ROOT / name).exists() for name in names))

    def test_an_alias_is_the_class_it_names(self):
        self.assertEqual(self.count("using Other = Opens;\nTEST_F(Other, b) {\n}\n"), (0, 1))


class Limits(unittest.TestCase):
    def test_directions(self):
        self.assertTrue(measure_tree.is_worse(3, "<= 2"))
        self.assertFalse(measure_tree.is_worse(2, "<= 2"))
        self.assertTrue(measure_tree.is_worse(1, ">= 1.5"))
        self.assertFalse(measure_tree.is_worse(1.5, ">= 1.5"))


if __name__ == "__main__":
    unittest.main()
