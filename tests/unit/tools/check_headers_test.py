#!/usr/bin/env python3
"""Tests of which headers tools/check_headers.py compiles, and with which flags."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import check_headers  # noqa: E402


class LeftByBuild(unittest.TestCase):
    def left(self, precompiled=None, **files):
        texts = {name.replace("__", "/").replace("_cpp", ".cpp").replace("_hpp", ".hpp"): text for name, text in files.items()}
        return check_headers.left_by_build(texts, precompiled or {})

    def test_the_first_include_of_a_source_is_checked_by_the_build(self):
        self.assertEqual(self.left(a_hpp="", a_cpp='#include "a.hpp"\n'), [])

    def test_a_header_without_a_source_is_left(self):
        self.assertEqual(self.left(a_hpp="", b_hpp="", a_cpp='#include "a.hpp"\n#include "b.hpp"\n'), ["b.hpp"])

    def test_the_first_include_of_a_header_is_left(self):
        self.assertEqual(self.left(a_hpp="", b_hpp='#include "a.hpp"\n'), ["a.hpp", "b.hpp"])

    def test_a_precompiled_header_hides_what_is_missing(self):
        files = {"x__a_hpp": "", "x__a_cpp": '#include "x/a.hpp"\n'}
        self.assertEqual(self.left(**files), [])
        self.assertEqual(self.left({"x": "x/all.hpp"}, **files), ["x/a.hpp"])
        self.assertEqual(self.left({"y": "y/all.hpp"}, **files), [])

    def test_includes_that_lead_to_the_precompiled_header_have_all_of_it(self):
        files = {"x__a_hpp": '#include "x/b.hpp"\n', "x__a_cpp": '#include "x/a.hpp"\n', "x__b_hpp": '#include "x/all.hpp"\n',
                 "x__b_cpp": '#include "x/b.hpp"\n'}
        self.assertEqual(self.left({"x": "x/all.hpp"}, **files), [])


class Flags(unittest.TestCase):
    def test_definitions_and_folders_of_all_sources_are_kept(self):
        commands = [{"command": "c++ -DX=1 -Isrc -isystem include -std=c++17 -Werror -o src/a.o -c a.cpp"},
                    {"command": "c++ -DX=1 -DY -include pch.hxx -o src/b.o -c b.cpp"},
                    {"command": "c++ -DZ -o tests/c.o -c c.cpp"}]
        self.assertEqual(check_headers.flags_of(commands), ["-DX=1", "-Isrc", "-std=c++17", "-isystem", "include", "-DY"])

    def test_remarks_on_headers_as_sources_are_no_faults(self):
        self.assertEqual(check_headers.faults("a.hpp:1:9: warning: #pragma once in main file\n"), "")
        self.assertEqual(check_headers.faults("a.hpp:3:1: error: x\n  3 | x\n"), "a.hpp:3:1: error: x")

    def test_the_precompiled_header_of_the_tree_is_found(self):
        text = (ROOT / "src/CMakeLists.txt").read_text(encoding="utf-8")
        self.assertEqual(dict(check_headers.PRECOMPILED.findall(text)), {"vk_device": "vk_device/gpu/vulkan_api.hpp"})


if __name__ == "__main__":
    unittest.main()
