#!/usr/bin/env python3
"""Tests of which declarations of arguments and constants tools/check_kernels.py refuses."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import check_kernels  # noqa: E402


def lines_of_shader(text, name="shaders/create/fill.comp"):
    return [number for number, _ in check_kernels.faults_of_shader(name, text)]


def lines_of_source(text):
    return [number for number, _ in check_kernels.faults_of_source(text)]


class Shaders(unittest.TestCase):
    def test_lists_are_fine(self):
        text = """#include "create/fill.args.h"
#define OPERANDS 2
#define OWN_ARGUMENTS FILL_ARGUMENTS
#include "common/strided.glsl"
layout(local_size_x = 64) in;
ACLVK_CONSTANTS(FILL_CONSTANTS)
"""
        self.assertEqual(lines_of_shader(text), [])
        self.assertEqual(lines_of_shader("#define OWN_ARGUMENTS(ARGUMENT, ARRAY) A(ARGUMENT, ARRAY) B(ARGUMENT, ARRAY)\n"), [])

    def test_numbered_constants_are_refused(self):
        for line in (
            "layout(constant_id = 3) const uint kLanes = 8;",
            "layout(constant_id = FIRST_CONSTANT + 1) const bool kDivides = false;",
            "layout(local_size_x_id = 0) in;",
            "ACLVK_CONSTANT(3, uint, kLanes, 8)",
            "ACLVK_LOCAL_SIZE(0)",
        ):
            self.assertEqual(lines_of_shader("#version 460\n" + line), [2], line)

    def test_blocks_are_refused(self):
        for text in (
            "#define ARGUMENTS uint rows; uint columns;",
            "#define OWN_ARGUMENTS uint rows; float scale[2];",
            "#define OWN_ARGUMENTS \\\n  uint rows; \\\n  int before;",
        ):
            self.assertEqual(lines_of_shader(text), [1], text)

    def test_a_frame_has_a_block_of_its_own(self):
        self.assertEqual(lines_of_shader("#define ARGUMENTS ACLVK_ARGUMENTS(ROWS_ARGUMENTS) uint dims[9];", "shaders/common/rows.glsl"), [])

    def test_comments_are_no_declarations(self):
        self.assertEqual(lines_of_shader("// layout(constant_id = 3)\n/* #define ARGUMENTS uint x; */\n"), [])


class Sources(unittest.TestCase):
    def test_names_are_fine(self):
        for text in (
            "constants.kLanes = 8;",
            "arguments.low = {words[0], words[1]};",
            "add_constants(call, constants);",
            "FillArguments arguments;",
            "call.constants.clear();",
            "runtime::Kernel merge_kernel(const Slices& slices);",
            "for (const runtime::Kernel& kernel : kernels) run(kernel);",
        ):
            self.assertEqual(lines_of_source(text), [], text)

    def test_positions_are_refused(self):
        for text in (
            "kernel.constants = {plan.threads, plan.lanes};",
            "call.constants.push_back(1);",
            "call.arguments = {word(rows),\n  word(columns)};",
            "call.arguments.push_back(0);",
            "runtime::Kernel kernel;",
        ):
            self.assertEqual(lines_of_source(text), [1], text)


class Lists(unittest.TestCase):
    def test_both_sides_use_a_list(self):
        lists = [("FILL_ARGUMENTS", "shaders/create/fill.args.h")]
        shader, source = "#define OWN_ARGUMENTS FILL_ARGUMENTS", "ARGUMENT_STRUCT(FillArguments, FILL_ARGUMENTS);"
        self.assertEqual(list(check_kernels.faults_of_lists(lists, [shader], [source])), [])
        self.assertEqual(len(list(check_kernels.faults_of_lists(lists, [shader], []))), 1)
        self.assertEqual(len(list(check_kernels.faults_of_lists(lists, ["#define OWN_ARGUMENTS FILL_ARGUMENTS_2"], [source]))), 1)


class Tree(unittest.TestCase):
    def test_nothing_is_declared_by_hand(self):
        self.assertEqual(check_kernels.BY_HAND, set())


if __name__ == "__main__":
    unittest.main()
