#!/usr/bin/env python3
"""Writes into README.md how much is built, from the headings of docs/support.md; with --check, fails when it differs."""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
SUPPORT = ROOT / "docs/support.md"
MARK = "<!-- counts, from docs/support.md -->"


def counts():
    """Returns a sentence with the counts, from headings such as "## Functions: 12 of 34"."""
    rows = re.findall(r"^## (\w+): (\d+ of \d+)", SUPPORT.read_text(), re.MULTILINE)
    return "Built: " + ", ".join(f"{count} {title.lower()}" for title, count in rows) + "."


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    text = README.read_text()
    wanted = re.sub(rf"^{re.escape(MARK)}\n.*$", f"{MARK}\n{counts()}", text, flags=re.MULTILINE)
    if not parser.parse_args().check:
        README.write_text(wanted)
    elif wanted != text:
        sys.exit(f'README.md should say "{counts()}"; run tools/readme_counts.py.')


if __name__ == "__main__":
    main()
