#!/usr/bin/env python3
"""Refuses words that are no longer used, in identifiers and comments of src, shaders, tools and bench (docs/glossary.md).

tools/retired_words.tsv has a line for each: the word, how it is found, where, the replacement, and how often it may still occur. Kinds:

  part     a part of an identifier or a word of a comment: "turn" is in kTurnLimit, take_turn and "the turn", not in return
  code     the same, in identifiers outside of comments only
  name     a whole identifier, upper and lower case as they are
  path     a part of a file's path
  comment  words of a comment, in this order
  opening  words that a comment begins with

A word that occurs more often than its limit fails. --lower sets the limits that are too high to what is found.
"""

import argparse
import dataclasses
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

TABLE = "tools/retired_words.tsv"
FOLDERS = ("src", "shaders", "tools", "bench")
C_LIKE = {".cpp", ".hpp", ".def", ".comp", ".glsl", ".cu"}
OWN_FILES = {"tools/check_words.py", TABLE}

C_TOKEN = re.compile(r'(?P<comment>//[^\n]*|/\*.*?\*/)|R"(\w*)\(.*?\)\2"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
PY_TOKEN = re.compile(r'(?P<comment>^\s*"""(?:\\.|[^\\])*?"""|#[^\n]*)|"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
                      re.DOTALL | re.MULTILINE)
PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
MARKS = re.compile(r'^\s*(?:///?<?|/\*+|\*/?|#+|""")\s?', re.MULTILINE)


@dataclasses.dataclass
class Word:
    text: str
    kind: str
    places: tuple
    replacement: str
    limit: int


@dataclasses.dataclass
class Source:
    """Code without comments and literals, and the comments: each a run of lines."""

    path: str
    code: str
    comments: list

    @functools.cached_property
    def prose(self):
        return "\n".join(self.comments)

    @functools.cached_property
    def code_parts(self):
        return parts(self.code)

    @functools.cached_property
    def prose_parts(self):
        return parts(self.prose)


def read_table(root):
    lines = (root / TABLE).read_text(encoding="utf-8").splitlines()
    for line in lines[1:]:
        text, kind, places, replacement, limit = line.split("\t")
        yield Word(text, kind, tuple(places.split()), replacement, int(limit))


def write_table(root, words):
    rows = ["word\tkind\twhere\tsay\tlimit"]
    rows += ["\t".join((word.text, word.kind, " ".join(word.places), word.replacement, str(word.limit))) for word in words]
    (root / TABLE).write_text("\n".join(rows) + "\n", encoding="utf-8")


def read_source(path, text):
    token = C_TOKEN if pathlib.PurePath(path).suffix in C_LIKE else PY_TOKEN
    comments, end_of_last = [], -1
    for found in token.finditer(text):
        if found.group("comment") is None:
            continue
        own_line = not text[text.rfind("\n", 0, found.start()) + 1 : found.start()].strip()
        continues = own_line and end_of_last >= 0 and not text[end_of_last : found.start()].strip() \
            and text.count("\n", end_of_last, found.start()) == 1
        words = MARKS.sub("", found.group()).strip()
        if continues:
            comments[-1] += "\n" + words
        else:
            comments.append(words)
        end_of_last = found.end() if own_line else -1
    return Source(path, token.sub(" ", text), comments)


def sources(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in C_LIKE | {".py"} and name not in OWN_FILES:
                yield read_source(name, path.read_text(encoding="utf-8"))


def parts(text):
    """The words of a text, in lower case; identifiers are taken apart."""
    return [part.lower() for part in PARTS.findall(text)]


def occurrences(word, source):
    """How often a word is in a source."""
    if word.places != ("*",) and not source.path.startswith(word.places):
        return 0
    if word.kind == "opening":
        return sum(bool(re.match(rf"{word.text}\b", comment)) for comment in source.comments)
    if word.kind == "comment":
        pattern = rf"\b{re.escape(word.text)}\b".replace(r"\ ", r"\s+")
        return len(re.findall(pattern, source.prose, re.IGNORECASE))
    if word.kind == "name":
        return sum(len(re.findall(rf"\b{word.text}\b", text)) for text in (source.code, source.prose))
    searched = {"path": [parts(source.path)], "code": [source.code_parts], "part": [source.code_parts, source.prose_parts]}
    return sum(in_order(parts(word.text), found) for found in searched[word.kind])


def in_order(wanted, found):
    """How often the wanted parts follow each other."""
    if len(wanted) == 1:
        return found.count(wanted[0])
    return sum(found[at : at + len(wanted)] == wanted for at in range(len(found)))


def counts(words, tree):
    """For each word, how often it is in each file that has it."""
    tree = list(tree)
    return [{source.path: number for source in tree if (number := occurrences(word, source))} for word in words]


def complaints(words, found):
    for word, files in zip(words, found):
        total = sum(files.values())
        if total > word.limit:
            worst = ", ".join(f"{path} {number}" for path, number in sorted(files.items(), key=lambda entry: -entry[1])[:8])
            yield f'"{word.text}" ({word.kind}): {total}, the limit is {word.limit}; say {word.replacement}. {worst}'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("--lower", action="store_true", help="set limits that are too high to what is found")
    parser.add_argument("--list", metavar="WORD", help="print the files that have a word")
    options = parser.parse_args()
    words = list(read_table(options.root))
    found = counts(words, sources(options.root))
    if options.list:
        for word, files in zip(words, found):
            if word.text == options.list:
                print("\n".join(f"{path}: {number}" for path, number in files.items()))
        return 0
    if options.lower:
        for word, files in zip(words, found):
            word.limit = min(word.limit, sum(files.values()))
        write_table(options.root, words)
    lines = list(complaints(words, found))
    print("\n".join(lines) or "No retired word is used more often than before.")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
