#!/usr/bin/env python3
"""Tests of which declarations tools/check_names.py finds in a file, and which it takes for the same."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import check_names  # noqa: E402

HEADER = r'''
#define BODY { \
  }
namespace a::b {
struct Window;  // { in a comment
struct Window {
  int area() const { return 1; }
};
enum class Kind : int { kOne };
template <typename T>
struct Box {};
struct Box<int> {};
struct Window::State {
  char brace = '{';
};
constexpr const char* kText = "}";
inline std::vector<int> chunks_of(std::int64_t size, const std::string& name = "a, b") { return {}; }
std::size_t chunks_of(std::int64_t count, const std::string& label);
int chunks_of(int count);
class Base;
namespace {
struct Own {};
}  // namespace
}  // namespace a::b
'''


class Names(unittest.TestCase):
    def test_types_and_functions_of_namespaces(self):
        self.assertEqual(list(check_names.names(HEADER)),
                         ["a::b::Window", "a::b::Kind", "a::b::chunks_of(std::int64_t, conststd::string&)",
                          "a::b::chunks_of(std::int64_t, conststd::string&)", "a::b::chunks_of(int)"])

    def test_names_and_defaults_of_parameters_make_no_difference(self):
        self.assertEqual(check_names.parameters("int a, std::map<int, char> b = {}"), check_names.parameters("int, std::map<int, char>"))
        self.assertNotEqual(check_names.parameters("int a"), check_names.parameters("long a"))


if __name__ == "__main__":
    unittest.main()
