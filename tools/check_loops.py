#!/usr/bin/env python3
"""Checks that no loop of a shader can be longer than a driver takes (shaders/common/bounded_loop.glsl).

A loop is fine if it is unrolled, if its bound is a constant, or if it is LOOP_OVER. Of others a comment on the line says what
keeps them short: "iterations: ...". A macro says so for all of its loops.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

FOLDERS = ("shaders", "bench/shaders")
LOOP = re.compile(r"\b(for|while|do)\s*[({]")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
REASON = re.compile(r"iterations: \S")
# Literals, kNames of constants, NAMES of macros, and arithmetic on them.
ATOM = r"(?:\d+u?|0x[0-9A-Fa-f]+u?|k[A-Z]\w*|[A-Z][A-Z0-9_]*)"
CONSTANT = rf"\(?{ATOM}(?:\s*[-+*/]\s*{ATOM})*\)?"
BELOW = re.compile(rf"^\w+\s*<=?\s*{CONSTANT}$")
ABOVE = re.compile(r"^\w+(?:--)?\s*>\s*\d+u?$")
FROM_CONSTANT = re.compile(rf"=\s*{CONSTANT}$")


def without_comments(text):
    """Replaces comments by spaces; lines and columns stay."""
    return COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def in_brackets(code, start):
    """Returns the text in the brackets that open at `start`."""
    depth = 0
    for at in range(start, len(code)):
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        if depth == 0:
            return code[start + 1 : at]
    return ""


def is_short(code, loop):
    """Returns whether a `for` has a constant bound: it counts up to one, or down from one."""
    if loop.group(1) != "for":
        return False
    if re.search(r"(?:\[\[unroll\]\]|EACH_LANE)\s*$", code[: loop.start()]):
        return True
    parts = in_brackets(code, loop.end() - 1).split(";")
    if len(parts) != 3:
        return False
    for condition in parts[1].split("&&"):
        if BELOW.match(condition.strip()):
            return True
        if ABOVE.match(condition.strip()) and FROM_CONSTANT.search(parts[0].strip()):
            return True
    return False


def reasons_of(text, number):
    """Returns the text of a line; for a line of a macro, that of all lines of the macro."""
    lines = text.split("\n")
    first = last = number
    while first > 0 and lines[first - 1].endswith("\\"):
        first -= 1
    while lines[last].endswith("\\"):
        last += 1
    return "\n".join(lines[first : last + 1])


def faults_in(text):
    """Yields the number and the text of each line with a loop that may be long."""
    code = without_comments(text)
    for loop in LOOP.finditer(code):
        number = code.count("\n", 0, loop.start())
        if not is_short(code, loop) and not REASON.search(reasons_of(text, number)):
            yield number + 1, text.split("\n")[number].strip()


def main():
    faults = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".comp", ".glsl"):
                continue
            faults += [f"{path.relative_to(ROOT)}:{number}: {line}" for number, line in faults_in(path.read_text())]
    for fault in faults:
        print(f"{fault}\n    a driver may end this loop early; see shaders/common/bounded_loop.glsl")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
