#!/usr/bin/env python3
"""Stores the results of the tests on one driver, or compares them with stored results.

    tools/driver_results.py results.xml FILE --device NAME    compares with FILE; 1 when a test of it no longer does as well
    tools/driver_results.py results.xml FILE --device NAME --write
    tools/driver_results.py results.xml FILE --device NAME --write --part    keeps what FILE says of tests that were not run

The first argument is what `ctest --output-junit` wrote. FILE is JSON: the device, the names of the tests that passed and that
failed, and for each skipped one the reason that it gave. A suite of tests in one process passes although some of them were
skipped; those stand there as SUITE/TEST.
"""

import argparse
import json
import pathlib
import re
import sys
from xml.etree import ElementTree

REASON = re.compile(r": Skipped\n(.+?)\n", re.DOTALL)
LACKING = re.compile(r"(\[\d+\] .*which this driver does not have.*)")
SKIPPED_IN_SUITE = re.compile(r"^\[ RUN      \] (\S+)\n\S+: Skipped\n(.+)\n(?:.*\n){0,3}?\[  SKIPPED \] \1", re.MULTILINE)


def outcome(case):
    """Returns "passed", "failed", or the reason of a skipped test."""
    status = case.get("status")
    if status == "run":
        return "passed"
    if status == "fail":
        return "failed"
    output = case.findtext("system-out") or ""
    found = REASON.search(output) or LACKING.search(output)
    return "skipped: " + (found.group(1) if found else case.find("skipped").get("message", "no reason"))


def skipped_inside(case):
    """Returns name -> reason of the tests that were skipped in a suite that passed or failed."""
    output = case.findtext("system-out") or ""
    if case.get("status") not in ("run", "fail"):
        return {}
    return {f"{case.get('name')}/{name}": f"skipped: {reason}" for name, reason in SKIPPED_IN_SUITE.findall(output)}


def read_junit(path):
    outcomes = {}
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        outcomes |= {case.get("name"): outcome(case)} | skipped_inside(case)
    return outcomes


def to_json(device, outcomes):
    skipped = {name: what.removeprefix("skipped: ") for name, what in outcomes.items() if what.startswith("skipped: ")}
    return {
        "device": device,
        "passed": sorted(name for name, what in outcomes.items() if what == "passed"),
        "failed": sorted(name for name, what in outcomes.items() if what == "failed"),
        "skipped": dict(sorted(skipped.items())),
    }


def suite_of(name):
    """Returns the suite of a test. Names of suites contain no slash."""
    return name.partition("/")[0]


def rank(results, name):
    """Returns 0 for failed, 1 for skipped, 2 for passed; None for a test that the results lack. A suite stands for its tests."""
    for listed in (name, suite_of(name)):
        for value, key in enumerate(("failed", "skipped", "passed")):
            if listed in results[key]:
                return value
    return None


def regressions(before, now):
    """Returns the tests that did better before, and new ones that fail. A test that was not run this time is no regression."""
    worse = []
    for name in [*now["failed"], *now["skipped"]]:
        was = rank(before, name)
        if (was is None and name in now["failed"]) or (was is not None and rank(now, name) < was):
            worse.append(name)
    return worse


def merged(before, now):
    """Returns the new results, and the old ones of tests without a new result."""
    listed = {*now["passed"], *now["failed"], *now["skipped"]}

    def silent(name):  # a test in a suite is listed by its suite
        return name not in listed and suite_of(name) not in listed

    return {
        "device": now["device"],
        "passed": sorted({*now["passed"], *filter(silent, before["passed"])}),
        "failed": sorted({*now["failed"], *filter(silent, before["failed"])}),
        "skipped": dict(sorted({**{n: r for n, r in before["skipped"].items() if silent(n)}, **now["skipped"]}.items())),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("junit", type=pathlib.Path)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--device", required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--part", action="store_true")
    options = parser.parse_args()
    now = to_json(options.device, read_junit(options.junit))
    print(f"{options.device}: {len(now['passed'])} passed, {len(now['failed'])} failed, {len(now['skipped'])} skipped")
    if options.write:
        options.file.parent.mkdir(parents=True, exist_ok=True)
        if options.part and options.file.exists():
            now = merged(json.loads(options.file.read_text()), now)
        options.file.write_text(json.dumps(now, indent=1) + "\n")
        return 0
    if not options.file.exists():
        sys.exit(f"{options.file} does not exist; --write makes it.")
    worse = regressions(json.loads(options.file.read_text()), now)
    for name in worse:
        print(f"worse than in {options.file}: {name}")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
