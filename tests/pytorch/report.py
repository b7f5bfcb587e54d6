#!/usr/bin/env python3
"""Reports what PyTorch's tests and its database of operators came to: report.py TESTS OPERATORS [--write PAGE | --compare PAGE]

With --write, the part of the page after the line "<!-- results -->" is written anew. With --compare, fewer entries that pass than on the
page are a failure. A wrong value, a crash or an entry that takes too long is one in any case.
"""

import argparse
import collections
import json
import pathlib
import re
import sys
import textwrap

from op_database import ORDER

MARK = "<!-- results -->\n"
NEVER = ("wrong", "crash", "timeout")
PASSING = re.compile(r"^\| (\d+) \| pass \|$", re.MULTILINE)
TAKEN = re.compile(r"^Of (\d+) entries of torch's database", re.MULTILINE)


def rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def missing(entries):
    """Operators that entries lack, those of most entries first."""
    names = collections.Counter(entry["operator"] for entry in entries if entry.get("operator"))
    return sorted(names.items(), key=lambda item: (-item[1], item[0]))


def problems(entries, page=""):
    """Returns sentences on what may not be: entries of NEVER, and fewer that pass than in the text of a page of all entries."""
    found = [f"{entry['name']}: {entry['status']} {entry.get('what', '')}".rstrip() for entry in entries if entry["status"] in NEVER]
    passed = sum(entry["status"] == "pass" for entry in entries)
    wanted, taken = PASSING.search(page), TAKEN.search(page)
    if page and not (wanted and taken):
        found.append("The page has no number of entries that pass.")
    elif page and (passed < int(wanted[1]) or len(entries) < int(taken[1])):
        found.append(f"{passed} of {len(entries)} entries pass; the page has {wanted[1]} of {taken[1]}.")
    return found


def report(tests, entries):
    counts = collections.Counter(entry["status"] for entry in entries)
    passed = sum(test["status"] == "pass" for test in tests)
    lines = [f"Of {len(tests)} tests in tests/pytorch {passed} pass.", ""]
    failures = [test for test in tests if test["status"] not in ("pass", "skip")]
    if failures:
        lines += ["| test | answer |", "|---|---|"]
        lines += [f"| {test['name']} | {test['what'].replace('|', '/')} |" for test in failures] + [""]
    lines += [f"Of {len(entries)} entries of torch's database of operators (float32, forward and backward, compared with the CPU):", "",
              "| entries | |", "|---|---|"]
    lines += [f"| {counts[status]} | {status} |" for status in ORDER if counts[status]] + [""]
    able = len(entries) - counts["fallback"] - counts["own way"]
    lines += [f"Of the {able} entries that torch_npu gives to operators, {counts['pass']} pass ({counts['pass'] / max(able, 1):.1%}).", ""]
    wanted = missing(entries)
    if wanted:
        lines += ["Missing operators, with the number of entries:", "",
                  ", ".join(f"{name} ({number})" for name, number in wanted) + ".", ""]
    for status in ("wrong", "refused", "crash", "timeout"):
        names = [entry["name"] for entry in entries if entry["status"] == status]
        if names:
            lines += [f"{status[0].upper()}{status[1:]}: " + ", ".join(names) + ".", ""]
    own = collections.defaultdict(list)
    for entry in entries:
        if entry["status"] == "own way":
            own[textwrap.shorten(entry["what"].replace("|", "/"), 120)].append(entry["name"])
    if own:
        lines += ["Entries where torch_npu itself decides, not an operator of aclvk:", "", "| what | entries |", "|---|---|"]
        lines += [f"| {what} | {', '.join(names)} |" for what, names in sorted(own.items())] + [""]
    return "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", type=pathlib.Path)
    parser.add_argument("operators", type=pathlib.Path)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--write", type=pathlib.Path)
    mode.add_argument("--compare", type=pathlib.Path)
    options = parser.parse_args()
    entries = rows(options.operators)
    text = report(rows(options.tests), entries)
    print(text)
    if options.write:
        head = options.write.read_text(encoding="utf-8").partition(MARK)[0]
        options.write.write_text(head + MARK + "\n" + text, encoding="utf-8")
    found = problems(entries, options.compare.read_text(encoding="utf-8") if options.compare else "")
    for sentence in found:
        print(sentence, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
