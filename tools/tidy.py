#!/usr/bin/env python3
"""Runs clang-tidy with the checks of .clang-tidy over src.

Usage: tidy.py [--clang-tidy PROGRAM] BUILD LAYER...|FILE...

Most of its time goes into the headers of libraries, so it reads up to 40 sources of a layer as one, of which no two define the
same name. BUILD has a compile_commands.json.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import check_headers
import check_names

ROOT = pathlib.Path(__file__).resolve().parent.parent
LARGEST = 40  # sources that clang-tidy reads as one, which saves parsing their common headers again
JOINED = "-bugprone-suspicious-include"  # a file that joins sources includes them


def name_of(statement):
    """Returns the name that a declaration introduces, or nothing."""
    statement = re.sub(r"^template\s*<[^>]*(?:<[^>]*>[^>]*)*>\s*", "", re.sub(r"\[\[[^\]]*\]\]", "", statement))
    if re.match(r"using\s+namespace\b|using\s+[\w:]+$|extern\b", statement):
        return None
    kind = re.match(r"(?:struct|class|union|enum(?:\s+class)?|using)\s+(\w+)", statement)
    if kind:
        return kind.group(1)
    before = re.split(r"[=(]", statement)[0].strip()
    if "::" in before.split(" ")[-1]:
        return None
    found = re.search(r"(\w+)(?:\s*\[[^\]]*\])*$", before)
    return found.group(1) if found else None


def names_of(text):
    """Returns the names that a file defines for itself, each with its text if it is an alias, and those that it shares."""
    own, shared = {}, set()
    for namespace, statement, _ in check_names.declarations(text):
        name = name_of(statement)
        if check_names.ANONYMOUS in namespace or re.match(r"(?:static|constexpr|using|namespace)\b", statement):
            own[name] = statement if statement.startswith("using") else None
        else:
            shared.add(name)
    own.pop(None, None)
    return own, shared - {None}


class Source:
    """A source: the names that it defines for itself, and all others that it sees."""

    def __init__(self, path, texts, names):
        self.path = path
        self.own, self.seen = names[path][0], set(names[path][1])
        reached, waiting = {path}, [path]
        while waiting:
            for include in check_headers.INCLUDE.findall(texts[waiting.pop()]):
                if include in texts and include not in reached:
                    reached.add(include)
                    waiting.append(include)
                    self.seen |= set(names[include][0]) | names[include][1]

    def fits(self, other):
        """Returns whether the two can be read as one: an alias may be repeated."""
        for name in self.own.keys() & other.own.keys():
            if self.own[name] is None or self.own[name] != other.own[name]:
                return False
        return not (self.own.keys() - other.own.keys()) & other.seen and not (other.own.keys() - self.own.keys()) & self.seen


def batches(sources):
    """Divides sources so that those of a batch can be read as one."""
    result = []
    for source in sources:
        batch = next((batch for batch in result if len(batch) < LARGEST and all(map(source.fits, batch))), None)
        if batch is None:
            result.append([source])
        else:
            batch.append(source)
    return [[source.path for source in batch] for batch in result]


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
    texts = {path.relative_to(ROOT / "src").as_posix(): path.read_text(encoding="utf-8")
             for path in sorted((ROOT / "src").rglob("*.[ch]pp"))}
    names = {path: names_of(text) for path, text in texts.items()}
    commands = json.loads((arguments.build / "compile_commands.json").read_text(encoding="utf-8"))
    flags = check_headers.flags_of(commands)
    sources = wanted(texts, arguments.names)
    groups = batches([Source(path, texts, names) for path in sources])
    remarks = {}
    for group in groups:
        remarks.update(dict.fromkeys(run(arguments.clang_tidy, flags, group)))
    print("\n".join(remarks))
    print(f"{len(sources)} sources in {len(groups)} batches, {len(remarks)} remarks.")
    return 1 if remarks or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
