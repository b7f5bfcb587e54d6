#!/usr/bin/env python3
"""Checks that a library exports the C interface and nothing else: check_exports.py LIBRARY"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
LOADED = ROOT / "interface" / "loaded.tsv"
BOUNDED = ROOT / "include" / "securec.h"


def check(library):
    command = ["nm", "-D", "--defined-only", str(library)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    names = [line.split()[-1].split("@")[0] for line in output.splitlines()]
    loaded = {line.split("\t")[0] for line in LOADED.read_text(encoding="utf-8").splitlines()[1:]}
    bounded = set(re.findall(r"\b(\w+_s)\(", BOUNDED.read_text(encoding="utf-8")))
    foreign = [name for name in names
               if not name.startswith(("acl", "Acl", "Hccl", "Hcom")) and name not in loaded | bounded]
    if not names:
        sys.exit(f"{library} exports nothing.")
    if bounded - set(names):
        sys.exit(f"{library} lacks functions of securec.h: {' '.join(sorted(bounded - set(names)))}")
    if foreign:
        sys.exit(f"{library} exports {len(foreign)} names that are not of the interface: {' '.join(foreign[:20])}")


if __name__ == "__main__":
    check(sys.argv[1])
