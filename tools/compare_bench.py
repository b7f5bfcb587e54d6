#!/usr/bin/env python3
"""Compares reports of aclvk-bench of two states that ran in turn: compare_bench.py --old JSON... --new JSON...

A figure is worse when its median has moved in the wrong direction by more than the noise (twice the larger of the two sides'
spreads, the distance of their quartiles, and at least --least, 5 %), and no run of one side is among those of the other.
Exit status 1 when one is worse.
"""

import argparse
import json
import pathlib
import statistics
import sys


def figures_of(report):
    """Returns name -> (value, whether more is better). Ratios to a contender of the same run come first: noise cancels out."""
    found = {}
    for target in report.get("targets", []):
        found[target["name"]] = (target["value"], target["bound"] == ">=")
    for figure in report.get("figures", []):
        found.setdefault(f"{figure['name']} [{figure['unit']}]", (figure["value"]["median"], False))
    for group in report.get("groups", []):
        place = f"{group['workload']} {group['operands']}, {group['tasks']} tasks, width {group['width']}"
        for row in group["contenders"]:
            if "ratio" in row:
                found[f"{place}: {row['name']} over {row['baseline']}"] = (row["ratio"]["median"], False)
    return found


def spread(values):
    """Returns the distance of the quartiles."""
    if len(values) < 2:
        return 0.0
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return high - low


class Change:
    """A figure of both sides: the medians over their reports, and the change from old to new."""

    def __init__(self, name, old, new, more_is_better, least):
        self.name = name
        self.old = statistics.median(old)
        self.new = statistics.median(new)
        self.noise = max(2 * max(spread(old), spread(new)), least * abs(self.old))
        moved = self.old - self.new if more_is_better else self.new - self.old
        separated = max(old) < min(new) or max(new) < min(old)
        self.worse = separated and moved > self.noise
        self.better = separated and -moved > self.noise

    def line(self):
        percent = f"{(self.new / self.old - 1) * 100:+.0f} %" if self.old else "from 0"
        return f"{self.name}: {self.old:.4g} -> {self.new:.4g} ({percent}, noise {self.noise:.2g})"


def changes(old, new, least):
    """Returns the changes of the figures that all reports have, in the order of the first report."""
    old, new = [figures_of(report) for report in old], [figures_of(report) for report in new]
    result = []
    for name, (_, more_is_better) in old[0].items():
        if all(name in report for report in old + new):
            sides = [[report[name][0] for report in reports] for reports in (old, new)]
            result.append(Change(name, *sides, more_is_better, least))
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--old", nargs="+", type=pathlib.Path, required=True)
    parser.add_argument("--new", nargs="+", type=pathlib.Path, required=True)
    parser.add_argument("--least", type=float, default=0.05, help="what never counts: a part of the old value")
    options = parser.parse_args()
    sides = [[json.loads(path.read_text(encoding="utf-8")) for path in paths] for paths in (options.old, options.new)]
    found = changes(*sides, options.least)
    if not found:
        print("compare_bench: the reports have no figure in common.", file=sys.stderr)
        return 2
    worse = [change for change in found if change.worse]
    better = [change for change in found if change.better]
    for title, some in (("Worse", worse), ("Better", better)):
        if some:
            print(f"{title}:")
            for change in some:
                print("  " + change.line())
    print(f"{len(found)} figures: {len(worse)} worse, {len(better)} better, the rest within noise.")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
