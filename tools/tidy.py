#!/usr/bin/env python3
"""Runs clang-tidy with the checks of .clang-tidy over src.

Usage: tidy.py [--clang-tidy PROGRAM] BUILD LAYER...|FILE...

Most of its time goes into the headers of libraries, so it reads up to 40 sources of a layer as one (join_sources.py). BUILD has a compile_commands.json.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import check_headers
import join_sources

ROOT = pathlib.Path(__file__).resolve().parent.parent
LARGEST = 40  # sources that clang-tidy reads as one, which saves parsing their common headers again
JOINED = "-bugprone-suspicious-include"  # a file that joins sources includes them


def run(program, flags, paths):
    """Returns the remarks of clang-tidy on sources that it reads as one."""
    with tempfile.TemporaryDirectory() as folder:
        joined = pathlib.Path(folder) / "joined.cpp"
        joined.write_text("".join(f'#include "{path}"\n' for path in paths), encoding="utf-8")
        result = subprocess.run([program, "--quiet", f"--config-file={ROOT / '.clang-tidy'}", f"--checks={JOINED}", str(joined), "--",
                                 *flags], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    remarks = result.stdout.replace(f"{ROOT}/", "")
    if "[clang-diagnostic-error" in remarks and len(paths) > 1:
        half = len(paths) // 2
        return run(program, flags, paths[:half]) + run(program, flags, paths[half:])
    if result.returncode and not remarks:
        return [result.stderr]
    return [found.group() for found in re.finditer(r"^\S+: (?:error|warning): .*(?:\n(?!\S+: (?:error|warning): ).*)*", remarks, re.M)]


def wanted(files, names):
    """Returns the sources that the command line names: those of a layer, or files."""
    sources = [path for path in files if path.endswith(".cpp")]
    found = []
    for name in names:
        path = name.removeprefix("src/")
        found += [source for source in sources if source == path or source.startswith(f"{path.rstrip('/')}/")]
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clang-tidy", default="clang-tidy")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("names", nargs="+")
    arguments = parser.parse_args()
    tree = join_sources.Tree.read(arguments.build / "names.json")
    commands = json.loads((arguments.build / "compile_commands.json").read_text(encoding="utf-8"))
    flags = check_headers.flags_of(commands)
    files = sorted(path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*.cpp"))
    sources = wanted(files, arguments.names)
    groups = tree.batches(sources, LARGEST)
    remarks = {}
    for group in groups:
        remarks.update(dict.fromkeys(run(arguments.clang_tidy, flags, group)))
    print("\n".join(remarks))
    print(f"{len(sources)} sources in {len(groups)} batches, {len(remarks)} remarks.")
    return 1 if remarks or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
