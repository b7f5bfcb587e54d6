#!/usr/bin/env python3
"""Divides sources into batches that a compiler can read as one, because no two of a batch define the same name.

Usage: join_sources.py [--largest N] [--known FILE] FILE...

Most of the time of a compiler goes into the headers of libraries, which it reads once a batch. Prints a line for each batch, its
files separated by semicolons; cmake/joined_sources.cmake makes unity builds of them, tools/tidy.py lets clang-tidy read them.
--known names a file that keeps the names of texts, by their hashes, for the next call.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re

import check_headers
import check_names

ROOT = pathlib.Path(__file__).resolve().parent.parent
LARGEST = 16  # more in a batch save little, and are compiled again when one of them changes
FOLDERS = ("src", "tests")  # includes are relative to one of them
MACROS = re.compile(r"(?:[A-Z][A-Z0-9]*_)*[A-Z][A-Z0-9]*\s*\(")  # TEST(...) defines a name that no other file has

CALL = re.compile(r"(?<![.>:\w])(\w+)\(")


def name_of(statement):
    """Returns the name that a declaration introduces, or nothing."""
    statement = re.sub(r"^template\s*<[^>]*(?:<[^>]*>[^>]*)*>\s*", "", re.sub(r"\[\[[^\]]*\]\]", "", statement))
    if MACROS.match(statement) or re.match(r"using\s+namespace\b|using\s+[\w:]+$|extern\b", statement):
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
    """Returns the names that a file defines for itself, each with its text if it is an alias, those that it shares, and those
    that look like functions it calls: of the system, maybe."""
    own, shared = {}, set()
    for namespace, statement, _ in check_names.declarations(text):
        name = name_of(statement)
        if check_names.ANONYMOUS in namespace or re.match(r"(?:static|constexpr|using|namespace)\b", statement):
            own[name] = statement if statement.startswith("using") else None
        else:
            shared.add(name)
    own.pop(None, None)
    return own, shared - {None}, set(CALL.findall(check_names.cpp.Text(text).code))


class Tree:
    """The texts of all sources and headers, by the path with which others include them, and the names in them."""

    def __init__(self, texts, known=None):
        """Takes names from the file `known`, where the text is the same, and keeps all names there."""
        self.texts = texts
        before = json.loads(known.read_text(encoding="utf-8")) if known and known.exists() else {}
        hashes = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in texts.items()}
        kept = {hashes[path]: before.get(hashes[path]) or [*map(self.plain, names_of(text))] for path, text in texts.items()}
        if known and kept != before:
            written = known.with_suffix(f".{os.getpid()}")  # others may read and write it now
            written.write_text(json.dumps(kept), encoding="utf-8")
            written.replace(known)
        self.names = {path: (kept[hashes[path]][0], *map(set, kept[hashes[path]][1:])) for path in texts}

    @classmethod
    def read(cls, known):
        """Returns that of the repository."""
        paths = {path.relative_to(ROOT / folder).as_posix(): path
                 for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.[ch]pp"))}
        return cls({name: path.read_text(encoding="utf-8") for name, path in paths.items()}, known)

    @staticmethod
    def plain(names):
        """Returns names as JSON can hold them."""
        return sorted(names) if isinstance(names, set) else names

    def batches(self, paths, largest):
        """Divides sources so that those of a batch can be read as one."""
        result = []
        for source in (Source(path, self) for path in paths):
            batch = next((batch for batch in result if len(batch) < largest and all(map(source.fits, batch))), None)
            if batch is None:
                result.append([source])
            else:
                batch.append(source)
        return [[source.path for source in batch] for batch in result]


class Source:
    """A source: the names that it defines for itself, and all others that it sees or calls."""

    def __init__(self, path, tree):
        self.path = path
        self.tree = tree
        self.own, self.seen = tree.names[path][0], set(tree.names[path][1])
        self.reached, waiting = {path}, [path]
        while waiting:
            for include in check_headers.INCLUDE.findall(tree.texts[waiting.pop()]):
                if include in tree.texts and include not in self.reached:
                    self.reached.add(include)
                    waiting.append(include)
                    self.seen |= set(tree.names[include][0]) | tree.names[include][1]

    def leaves_alone(self, other):
        """Returns whether no name that only this source defines means something else in the other, or in headers of the other alone."""
        names = self.own.keys() - other.own.keys()
        return not names & other.seen and not any(names & self.tree.names[path][2] for path in other.reached - self.reached)

    def fits(self, other):
        """Returns whether the two can be read as one: an alias may be repeated."""
        for name in self.own.keys() & other.own.keys():
            if self.own[name] is None or self.own[name] != other.own[name]:
                return False
        return self.leaves_alone(other) and other.leaves_alone(self)


def key_of(path):
    """Returns the path with which a file is included."""
    inside = pathlib.Path(path).resolve().relative_to(ROOT)
    return pathlib.PurePath(*inside.parts[1:]).as_posix()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--largest", type=int, default=LARGEST)
    parser.add_argument("--known", type=pathlib.Path)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    files = {key_of(path): path for path in arguments.files}
    for batch in Tree.read(arguments.known).batches(files, arguments.largest):
        print(";".join(files[path] for path in batch))


if __name__ == "__main__":
    main()
