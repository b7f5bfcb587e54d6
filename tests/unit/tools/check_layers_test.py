#!/usr/bin/env python3
"""Tests of which includes tools/check_layers.py refuses."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import check_layers  # noqa: E402


def included(name):
    return f'#include <vector>\n\n#include "{name}"\n'


class Rooms(unittest.TestCase):
    def complaints(self, layer, name):
        return list(check_layers.check_includes(None, included(name), layer))

    def test_lower_layers_are_included(self):
        self.assertEqual(self.complaints("ops", "runtime/stream/stream.hpp"), [])
        self.assertEqual(self.complaints("vk_device", "vulkan/vulkan.h"), [])

    def test_others_are_refused(self):
        for layer, name in (("runtime", "ops/tensor/tensor.hpp"), ("ops", "capture/graph/graph.hpp"), ("ops", "vk_device/memory/memory.hpp"),
                           ("runtime", "vulkan/vulkan.h")):
            self.assertEqual(len(self.complaints(layer, name)), 1, f"{layer} includes {name}")


class Folders(unittest.TestCase):
    def complaints(self, file, name):
        return list(check_layers.check_folders(file, included(name)))

    def test_lower_folders_are_included(self):
        for file, name in (("ops/kernel/copy.cpp", "ops/tensor/tensor.hpp"), ("ops/kernel/copy.cpp", "base/error.hpp"),
                           ("ops/create/fill.cpp", "ops/create/fill.hpp"), ("ops/create/fill.cpp", "ops/kernel/copy.hpp"),
                           ("ops/loss/ctc.cpp", "ops/linalg/matrices.hpp"), ("ops/dump/call_dump.cpp", "ops/matmul/formats/fractal.hpp"),
                           ("runtime/stream/stream.cpp", "runtime/event/event.hpp"), ("runtime/process/init.cpp", "runtime/dump/dump.hpp")):
            self.assertEqual(self.complaints(file, name), [], f"{file} includes {name}")

    def test_includes_that_run_upward_are_refused(self):
        for file, name in (("ops/executor/executor.cpp", "ops/dump/dump_call.hpp"), ("ops/kernel/copy.cpp", "ops/executor/executor.hpp"),
                           ("ops/create/fill.cpp", "ops/elementwise/tables.hpp"),
                           ("ops/reduction/norm.def", "ops/index/search.hpp"), ("ops/matmul/products/gemm.hpp", "ops/loss/nll.hpp"),
                           ("runtime/event/event.cpp", "runtime/stream/stream.hpp"), ("runtime/task/task.hpp", "runtime/device/device.hpp"),
                           ("runtime/dump/dump.cpp", "runtime/process/init.hpp")):
            self.assertEqual(len(self.complaints(file, name)), 1, f"{file} includes {name}")

    def test_a_complaint_names_both_sides(self):
        self.assertEqual(self.complaints("ops/scan/scan.cpp", "ops/index/search.hpp"),
                         ["ops/scan includes ops/index/search.hpp, which is not among the folders that it may include"])
        self.assertIn("ops/kernel includes ops/scan/scan.hpp", self.complaints("ops/kernel/staging.cpp", "ops/scan/scan.hpp")[0])

    def test_neighbours_that_the_table_does_not_join_are_refused(self):
        self.assertEqual(len(self.complaints("ops/softmax/softmax.cpp", "ops/scan/scan.hpp")), 1)

    def test_an_unknown_folder_is_refused(self):
        self.assertEqual(len(self.complaints("ops/new/new.cpp", "base/error.hpp")), 1)
        self.assertEqual(len(self.complaints("ops/new.cpp", "base/error.hpp")), 1)
        self.assertEqual(len(self.complaints("ops/scan/new/new.cpp", "base/error.hpp")), 1)
        self.assertEqual(len(self.complaints("ops/scan/scan.cpp", "ops/new/new.hpp")), 1)

    def test_layers_without_an_order_pass(self):
        self.assertEqual(self.complaints("comm/ring/ring.cpp", "comm/rank/rank.hpp"), [])


class Table(unittest.TestCase):
    def test_each_folder_may_include_those_before_it_only(self):
        for layer, order in check_layers.FOLDERS.items():
            before = set()
            for folder, lower in order.items():
                self.assertLessEqual(lower, before, f"{layer}: {folder}")
                before.add(folder)

    def test_the_folders_exist(self):
        for layer, order in check_layers.FOLDERS.items():
            for folder in order:
                self.assertTrue(folder == layer or (ROOT / "src" / layer / folder).is_dir(), f"{layer}: {folder}")


if __name__ == "__main__":
    unittest.main()
