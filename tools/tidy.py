#!/usr/bin/env python3
"""Runs clang-tidy with the checks of .clang-tidy over src.

Usage: tidy.py [--clang-tidy PROGRAM] BUILD LAYER...|FILE...

Most of its time goes into the headers of libraries, so it reads up to 150 sources of a layer as one (joined_sources.py), and not
again what has not changed since it found nothing (kept_results.py). BUILD has a compile_commands.json.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import check_headers
import joined_sources
import kept_results

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONFIGURATION = ROOT / ".clang-tidy"
JOINED = "-bugprone-suspicious-include"  # a file that joins sources includes them


def read_as_one(program, flags, folder, batch):
    """Returns what clang-tidy says about sources that it reads as one: nothing if it has said nothing about them before."""
    joined, overlay = joined_sources.write(folder, batch)
    clang = pathlib.Path(shutil.which(program) or program).resolve().parent / "clang++"
    seen = [*flags, "-ivfsoverlay", str(overlay)]
    key = kept_results.key_of(program, clang, seen, joined, [JOINED, CONFIGURATION]) if clang.exists() else None
    if kept_results.found_nothing(key):
        return ""
    result = subprocess.run([program, "--quiet", f"--config-file={CONFIGURATION}", f"--checks={JOINED}", f"--vfsoverlay={overlay}",
                             str(joined), "--", *flags], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if result.returncode == 0 and not result.stdout:
        kept_results.keep(key)
    return joined_sources.as_written(result.stdout) or (result.stderr if result.returncode else "")


def run(program, flags, batch):
    """Returns the remarks of clang-tidy on sources. Those that do not compile as one are read in two parts."""
    with tempfile.TemporaryDirectory() as folder:
        remarks = read_as_one(program, flags, pathlib.Path(folder), batch)
    if "[clang-diagnostic-error" in remarks and len(batch) > 1:
        parts = joined_sources.in_parts(batch, remarks, r"error: .*\[clang-diagnostic-error")
        return [remark for part in parts for remark in run(program, flags, part)]
    found = re.finditer(r"^\S+: (?:error|warning): .*(?:\n(?!\S+: (?:error|warning): ).*)*", remarks, re.M)
    return [remark.group() for remark in found] or [remarks] * bool(remarks)


def wanted(texts, names):
    """Returns the sources that the command line names: those of a layer, or files."""
    sources = [path for path in texts if path.endswith(".cpp")]
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
    texts = joined_sources.all_of("src")
    commands = json.loads((arguments.build / "compile_commands.json").read_text(encoding="utf-8"))
    flags = check_headers.flags_of(commands)
    sources = wanted(texts, arguments.names)
    groups = joined_sources.batches([joined_sources.Source(path, texts) for path in sources])
    remarks = {}
    for group in groups:
        remarks.update(dict.fromkeys(run(arguments.clang_tidy, flags, group)))
    print("\n".join(remarks))
    print(f"{len(sources)} sources in {len(groups)} batches, {len(remarks)} remarks.")
    return 1 if remarks or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
