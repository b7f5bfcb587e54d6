#!/usr/bin/env python3
"""Checks that each chapter that a comment refers to, such as `runtime-semantics 7.5`, is in docs/spec.

A reference is the name of a text and the numbers that follow it: "capture-semantics 4 and 9.1", "capture-semantics, section 5". A
chapter is a heading of the text, or an item that begins with a number in bold: "* **5.3.9 IPC events**".
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

FOLDERS = ("src", "shaders", "tests", "bench", "cli", "tools")
SUFFIXES = {".cpp", ".hpp", ".def", ".comp", ".glsl", ".py", ".cmake"}
NUMBER = r"E?\d+(?:\.\d+)*"
REFERENCE = re.compile(rf"\b(\w+-semantics)[,\s]+(?:sections?\s+)?({NUMBER}(?:(?:,\s*|\s+and\s+|\s+to\s+){NUMBER})*)")
CHAPTER = re.compile(rf"^(?:#+ |\* \*\*)({NUMBER})", re.MULTILINE)
NEXT_LINE = re.compile(r"\n\s*(?:///?|#|\*)?<?[ \t]*")


def references(text):
    """Yields the name of the text, the number, and the line of each reference."""
    for found in REFERENCE.finditer(joined(text)):
        line = joined(text)[: found.start()].count("\f") + 1
        for number in re.findall(NUMBER, found.group(2)):
            yield found.group(1), number, line


def joined(text):
    """Returns the text with the comment marks between lines replaced by form feeds, which count as spaces."""
    return NEXT_LINE.sub("\f", text)


def chapters(text):
    return set(CHAPTER.findall(text))


def problems(root):
    known = {path.stem: chapters(path.read_text(encoding="utf-8")) for path in (root / "docs" / "spec").glob("*.md")}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES or path.name.startswith("check_references"):
                continue
            for name, number, line in references(path.read_text(encoding="utf-8")):
                if number not in known.get(name, ()):
                    yield f"{path.relative_to(root)}:{line}: docs/spec has no {name} {number}."


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    lines = list(problems(parser.parse_args().root))
    print("\n".join(lines) or "Each reference has a chapter.")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
