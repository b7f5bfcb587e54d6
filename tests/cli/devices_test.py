#!/usr/bin/env python3
"""aclvk info, and npu-smi in its place."""

import json
import re
import unittest

from tool import ToolTest


class Info(ToolTest):
    def test_describes_each_device(self):
        text = self.output("info")
        self.assertRegex(text, r"^aclvk \d+\.\d+\.\d+ in /")
        self.assertRegex(text, r"(?m)^Device 0: \S")
        self.assertRegex(text, r"(?m)^  memory +[\d.]+ GiB, [\d.]+ GiB free$")
        self.assertRegex(text, r"(?m)^  dtypes +FLOAT ")

    def test_has_the_same_as_json(self):
        report = json.loads(self.output("info", "--json", ACLVK_DEVICES_PER_GPU="3"))
        self.assertEqual([device["id"] for device in report["devices"]], [0, 1, 2])
        for device in report["devices"]:
            self.assertIn("FLOAT", device["dtypes"])
            self.assertGreater(device["memory_bytes"], 0)
            self.assertLessEqual(device["free_bytes"], device["memory_bytes"])
            self.assertRegex(device["vulkan"], r"^1\.\d+\.\d+$")

    def test_fails_without_a_device(self):
        result = self.run_tool("info", status=1, ACLVK_DEVICE="no such device")
        self.assertIn("aclvk doctor", result.stderr)


class NpuSmi(ToolTest):
    def smi(self, *words, **options):
        return self.output(*words, program="npu-smi", ACLVK_DEVICES_PER_GPU="2", **options)

    def test_has_two_lines_for_each_device(self):
        table = self.smi("info")
        self.assertEqual(len(set(map(len, table.splitlines()))), 1, "a table has one width:\n" + table)
        self.assertEqual(re.findall(r"(?m)^\| (\d+)  +\S.*\| OK ", table), ["0", "1"])
        self.assertEqual(len(re.findall(r"(?m)^\| 0 .*\d+/ \d+ +\|$", table)), 2 + 0, table)

    def test_lists_numbers(self):
        text = self.smi("info", "-l")
        self.assertRegex(text, r"Total Count +: 2\n")
        self.assertEqual(re.findall(r"NPU ID +: (\d+)", text), ["0", "1"])

    def test_maps_chips(self):
        rows = [line.split()[:3] for line in self.smi("info", "-m").splitlines()[1:]]
        self.assertEqual(rows, [["0", "0", "0"], ["1", "0", "1"]])

    def test_refuses_what_only_a_board_knows(self):
        result = self.run_tool("info", "-t", "power", program="npu-smi", status=1)
        self.assertIn("does not know", result.stderr)


if __name__ == "__main__":
    unittest.main()
