#!/usr/bin/env python3
"""Checks that each operator that is built has a comment in interface/docs: what it does, what it becomes in Vulkan, and when it
answers 161001 and 161002. Built is what docs/operators.md lists.
"""

import argparse
import pathlib
import re
import sys

from headers import aclnn_files, tables

ROOT = pathlib.Path(__file__).resolve().parent.parent
CODES = (161001, 161002)


def built(root):
    text = (root / "docs" / "operators.md").read_text(encoding="utf-8")
    return re.findall(r"^\| (aclnn\w+) \|", text, re.MULTILINE)


def lacks(doc, operator):
    """Returns the parts that a comment lacks."""
    if doc is None:
        return ["row"]
    codes = {code for code, _ in aclnn_files.spelt(doc, operator).errors}
    parts = {"brief": doc.brief, "vulkan": doc.vulkan}
    return [part for part, text in parts.items() if not text] + [str(code) for code in CODES if code not in codes]


def problems(data, names):
    operators = {operator.name: operator for operator in data.operators}
    return [f"{name}: interface/docs has no {part}." for name in names
            for part in lacks(data.docs.get(name), operators[name])]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    root = parser.parse_args().root
    lines = problems(tables.load(root / "interface"), built(root))
    for line in lines:
        print(line)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
