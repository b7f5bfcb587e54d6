#!/usr/bin/env python3
"""Tests of what tools/compare_bench.py calls worse."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tools"))

import compare_bench  # noqa: E402


def reports(values, bound="<="):
    return [{"targets": [{"name": "a figure", "value": value, "bound": bound}]} for value in values]


def change(old, new, bound="<="):
    (found,) = compare_bench.changes(reports(old, bound), reports(new, bound), 0.05)
    return "worse" if found.worse else "better" if found.better else "same"


class Changes(unittest.TestCase):
    def test_more_than_the_noise_is_a_change(self):
        self.assertEqual(change([1.0, 1.01, 0.99], [1.2, 1.21, 1.19]), "worse")
        self.assertEqual(change([1.2, 1.21, 1.19], [1.0, 1.01, 0.99]), "better")

    def test_of_speeds_more_is_better(self):
        self.assertEqual(change([1.0, 1.01, 0.99], [1.2, 1.21, 1.19], ">="), "better")
        self.assertEqual(change([1.0, 1.01, 0.99], [0.8, 0.81, 0.79], ">="), "worse")

    def test_what_runs_of_one_side_differ_by_is_noise(self):
        self.assertEqual(change([1.0, 1.5, 0.8, 1.2, 0.9], [1.3, 1.2, 1.25, 1.3, 1.28]), "same")

    def test_runs_that_lie_among_each_other_are_noise(self):
        self.assertEqual(change([1.0, 1.0, 1.0, 1.0, 1.3], [1.2, 1.2, 1.2, 1.2, 1.2]), "same")

    def test_little_is_nothing(self):
        self.assertEqual(change([1.0, 1.0, 1.0], [1.04, 1.04, 1.04]), "same")

    def test_one_bad_run_changes_nothing(self):
        self.assertEqual(change([1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 9.0, 1.0, 1.0]), "same")

    def test_figures_that_one_side_lacks_are_left_out(self):
        self.assertEqual(compare_bench.changes(reports([1]), [{"targets": []}], 0.05), [])


class Figures(unittest.TestCase):
    def test_of_groups_are_ratios_to_their_baselines(self):
        group = {"workload": "chain", "operands": "tiny", "tasks": 10, "width": 1, "contenders": [
            {"name": "raw", "host_us": {"median": 5}},
            {"name": "replay", "baseline": "raw", "ratio": {"median": 1.25}}]}
        figures = {"figures": [{"name": "start", "unit": "s", "value": {"median": 2}}], "groups": [group]}
        self.assertEqual(compare_bench.figures_of(figures),
                         {"start [s]": (2, False), "chain tiny, 10 tasks, width 1: replay over raw": (1.25, False)})


if __name__ == "__main__":
    unittest.main()
