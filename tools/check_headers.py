#!/usr/bin/env python3
"""Checks that each header of src compiles without what other files include before it.

Usage: check_headers.py BUILD [CXX]. BUILD has a compile_commands.json. The build itself checks a header that is the first include
of a source; this compiles the rest. A precompiled header hides what is missing from the headers of its layer, except from those
whose includes lead to it: these have all that it brings along.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)
PRECOMPILED = re.compile(r"target_precompile_headers\(aclvk_(\w+) PRIVATE (\S+?)\)")
KEPT = re.compile(r"-(D|I|std=)")  # definitions, folders of includes, the language


def includes_of(files):
    """Returns the includes of each file in order, by its path below src."""
    return {name: INCLUDE.findall(text) for name, text in files.items()}


def reaches(includes, name, goal):
    """Returns whether the includes of a file lead to `goal`."""
    seen, waiting = set(), [name]
    while waiting:
        at = waiting.pop()
        if at == goal:
            return True
        if at not in seen:
            seen.add(at)
            waiting += includes.get(at, [])
    return False


def left_by_build(files, precompiled):
    """Returns the headers that a build does not check. `precompiled`: layer -> the header that precedes its sources."""
    includes = includes_of(files)
    first = {paths[0] for name, paths in includes.items() if name.endswith(".cpp") and paths}

    def checked(name):
        hidden = precompiled.get(name.split("/")[0])
        return name in first and (hidden is None or reaches(includes, name, hidden))

    return sorted(name for name in files if name.endswith(".hpp") and not checked(name))


def flags_of(commands):
    """Returns the definitions and folders of all sources of src: those of one layer do not disturb another."""
    flags = {}
    for entry in commands:
        words = shlex.split(entry["command"])
        if words[words.index("-o") + 1].startswith("src/"):
            flags.update((word, None) for word in words if KEPT.match(word))
            flags.update(((flag, word), None) for flag, word in zip(words, words[1:]) if flag == "-isystem")
    return [word for flag in flags for word in (flag if isinstance(flag, tuple) else (flag,))]


def faults(text):
    """Returns what a compiler says, without its remark that a header is no source."""
    return "\n".join(line for line in text.splitlines() if re.search(r"\berror: ", line))


def main():
    files = {path.relative_to(ROOT / "src").as_posix(): path.read_text(encoding="utf-8")
             for path in sorted((ROOT / "src").rglob("*.[ch]pp"))}
    precompiled = dict(PRECOMPILED.findall((ROOT / "src/CMakeLists.txt").read_text(encoding="utf-8")))
    names = left_by_build(files, precompiled)
    commands = json.loads((pathlib.Path(sys.argv[1]) / "compile_commands.json").read_text(encoding="utf-8"))
    compiler = [sys.argv[2] if len(sys.argv) > 2 else "c++", *flags_of(commands), "-fsyntax-only", "-x", "c++"]
    result = subprocess.run(compiler + names, cwd=ROOT / "src", text=True, stderr=subprocess.PIPE)
    if result.returncode:
        print(faults(result.stderr) or result.stderr)
        return 1
    headers = sum(name.endswith(".hpp") for name in files)
    print(f"{len(names)} of {headers} headers were compiled alone; the others are the first include of a source.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
