#!/usr/bin/env python3
"""Sources that a compiler reads as one, because most of its time goes into the headers of libraries.

Usage: joined_sources.py KNOWN FILE...

Two files that define the same name for themselves can be read as one when one of them calls it differently: it is renamed in a
copy, which an overlay of the compiler's file system puts in the place of the file. tidy.py and check_locks read sources so. For a
build nothing is renamed: the command prints a line for each batch, its files separated by semicolons, of which
cmake/joined_sources.cmake makes unity builds. The folder KNOWN keeps what was found in texts for the next call.
"""

import functools
import hashlib
import json
import os
import pathlib
import pickle
import re
import sys

import check_headers
import check_names

ROOT = pathlib.Path(__file__).resolve().parent.parent
LARGEST = 150  # sources that are read as one
LARGEST_OF_BUILD = 16  # more in a batch save little, and are compiled again when one of them changes
SUFFIX = "_of_source_"
CALL = re.compile(r"(?<![.>:\w])(\w+)\(")
ENUM = re.compile(r"\benum\b(?!\s+(?:class|struct)\b)[^{};()]*\{([^}]*)\}")
ENUMERATOR = re.compile(r"(\w+)\s*(?:=[^,]*)?(?:,|$)")
TABLE = re.compile(r'^#include "([^"]+\.def)"', re.MULTILINE)
LITERAL = r'R"(?:\w*)\(.*?\)\w*"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#[ \t]*include[^\n]*'


def name_of(statement):
    """Returns the name that a declaration introduces, or nothing."""
    statement = re.sub(r"^template\s*<[^>]*(?:<[^>]*>[^>]*)*>\s*", "", re.sub(r"\[\[[^\]]*\]\]", "", statement))
    if re.match(r"[A-Z][A-Z0-9_]*(?<!_STRUCT)\(|[<).]|using\s+namespace\b|using\s+[\w:]+$|(?:extern|static_assert|catch)\b", statement):
        return None
    kind = re.match(r"(?:struct|class|union|enum(?:\s+class)?|using)\s+(\w+)|[A-Z]+_STRUCT\((\w+)", statement)
    if kind:
        return kind.group(1) or kind.group(2)
    before = re.split(r"[=(]", statement)[0].strip()
    if "::" in before.split(" ")[-1]:
        return None
    found = re.search(r"(\w+)(?:\s*\[[^\]]*\])*$", before)
    return found.group(1) if found else None


@functools.lru_cache(maxsize=None)
def names_of(text):
    """Returns the names that a file defines for itself, each with its text if it is an alias, and those that it shares."""
    enumerators = ENUMERATOR.findall(",".join(ENUM.findall(re.sub(r"//[^\n]*", "", text))))
    own, shared = dict.fromkeys(enumerators), set()
    for namespace, statement, _ in check_names.declarations(text):
        name = name_of(statement)
        used = re.match(r"using\s+(?:(namespace) .*|[\w:]+::(\w+))$", statement)
        if used:
            key = f"using {used.group(1) or used.group(2)}"
            own[key] = own.get(key, "") + statement.replace("aclvk::", "")
        if check_names.ANONYMOUS in namespace or re.match(r"(?:static|constexpr|using|namespace)\b", statement):
            own[name] = statement if statement.startswith("using") else None
        else:
            shared.add(name)
    own.pop(None, None)
    return own, shared - {None}


def renamed(text, names, suffix):
    """Returns the text with another name for each of these, except in literals and includes."""
    if not names:
        return text
    pattern = re.compile(rf"{LITERAL}|\b(?:{'|'.join(map(re.escape, sorted(names)))})\b", re.DOTALL | re.MULTILINE)
    return pattern.sub(lambda found: f"{found.group()}{suffix}" if found.group() in names else found.group(), text)


def words_of_tables(text):
    """Returns the words of the tables that a text includes, and of those that they include."""
    words = set()
    for name in TABLE.findall(text):
        table = (ROOT / "src" / name).read_text(encoding="utf-8")
        words |= set(re.findall(r"\w+", table)) | words_of_tables(table)
    return words


@functools.lru_cache(maxsize=None)
def macros_of(text):
    """Returns the macros that a text leaves defined."""
    last = {name: word for word, name in re.findall(r"^#\s*(define|undef)\s+(\w+)", text, re.MULTILINE)}
    return {name for name, word in last.items() if word == "define"}


@functools.lru_cache(maxsize=None)
def calls_of(text):
    """Returns the names of functions that a text seems to call, of libc among them."""
    return set(CALL.findall(check_names.cpp.Text(text).code))


class Source:
    """A source: the names that it defines for itself, those of them that may be renamed, and all others that it sees."""

    def __init__(self, path, texts, renames=True):
        self.path = path
        self.texts = texts
        self.words = set(re.findall(r"[A-Za-z_]\w*", texts[path]))
        self.text = texts[path]
        self.own, shared = names_of(self.text)
        self.seen = set(shared)
        self.reached, waiting = {path}, [path]
        while waiting:
            for include in check_headers.INCLUDE.findall(texts[waiting.pop()]):
                if include in texts and include not in self.reached:
                    self.reached.add(include)
                    waiting.append(include)
                    own, shared = names_of(texts[include])
                    self.seen |= own.keys() | shared
        self.macros = {name: header for header in sorted(self.reached) for name in macros_of(texts[header])}
        self.macros.update(dict.fromkeys(macros_of(self.text), path))
        # Such a name may also be that of a member of a class, of an overload in a header, or stand in a table that is included.
        others = set(re.findall(r"(?:\.|->|::)\s*(\w+)", self.text)) | {name for name in self.own if " " in name}
        self.free = self.own.keys() - self.seen - others - words_of_tables(self.text) if renames else set()

    def clashes(self, other):
        """Returns the names of this source that the other cannot be read with: an alias may be repeated."""
        both = {name for name in self.own.keys() & other.own.keys()
                if self.own[name] is None or self.own[name] != other.own[name]}
        only_here = self.own.keys() - other.own.keys()
        called = {name for path in other.reached - self.reached for name in only_here & calls_of(self.texts[path])}
        return both | called | (only_here & other.seen)

    def shares_macros(self, other):
        """Returns whether no macro of this source has another definition or meaning in the other."""
        return all(other.macros.get(name) == path if name in other.macros else name not in other.words
                   for name, path in self.macros.items())

    def fits(self, other):
        """Returns whether the two can be read as one, if names that may be renamed are."""
        if not (self.shares_macros(other) and other.shares_macros(self)):
            return False
        ours, theirs = self.clashes(other), other.clashes(self)
        return all(name in self.free or (name in theirs and name in other.free) for name in ours) and all(
            name in other.free or (name in ours and name in self.free) for name in theirs)


def batches(sources, largest=LARGEST):
    """Divides sources so that those of a batch can be read as one."""
    result = []
    for source in sources:
        batch = next((batch for batch in result if len(batch) < largest and all(map(source.fits, batch))), None)
        if batch is None:
            result.append([source])
        else:
            batch.append(source)
    return result


def all_of(*folders):
    """Returns the text of each file of folders by the path with which others include it."""
    return {path.relative_to(ROOT / folder).as_posix(): path.read_text(encoding="utf-8")
            for folder in folders for path in sorted((ROOT / folder).rglob("*.[ch]pp"))}


def write(folder, batch):
    """Writes a file that includes the sources of a batch, and the overlay with the copies of some. Returns the paths of the two."""
    joined, overlay, copies = folder / "joined.cpp", folder / "overlay.json", []
    joined.write_text("".join(f'#include "{source.path}"\n' for source in batch), encoding="utf-8")
    for number, source in enumerate(batch):
        clashes = {name for other in batch if other is not source for name in source.clashes(other)} & source.free
        if clashes:
            copy = folder / f"{number}.cpp"
            copy.write_text(renamed(source.text, clashes, f"{SUFFIX}{number}"), encoding="utf-8")
            copies.append({"type": "file", "name": str(ROOT / "src" / source.path), "external-contents": str(copy)})
    overlay.write_text(json.dumps({"version": 0, "use-external-names": False, "roots": copies}), encoding="utf-8")
    return joined, overlay


def as_written(text):
    """Returns what a compiler says with the names and the paths of the sources."""
    return re.sub(rf"{SUFFIX}\d+\b", "", text).replace(f"{ROOT}/", "")


def in_parts(batch, output, error):
    """Returns two parts of a batch that does not compile as one: the sources of which `error` finds one in the output of the
    compiler, and the others."""
    wrong = set(re.findall(rf"^src/(\S+?):\d+:\d+: {error}", output, re.MULTILINE))
    first = [source for source in batch if source.path in wrong]
    if not 0 < len(first) < len(batch):
        first = batch[: len(batch) // 2]
    return first, [source for source in batch if source not in first]


def key_of(path):
    """Returns the folder of a file, src or tests, and the path with which it is included."""
    folder, *parts = pathlib.Path(path).resolve().relative_to(ROOT).parts
    return folder, pathlib.PurePath(*parts).as_posix()


class Known:
    """The results of a function of texts, which a file keeps for the same texts and tools."""

    def __init__(self, file, function):
        self.file, self.function, self.changed = file, function, False
        tools = sorted((ROOT / "tools").rglob("*.py"))
        self.tools = hashlib.sha256(b"".join(tool.read_bytes() for tool in tools)).digest()
        self.results = pickle.loads(file.read_bytes()) if file.exists() else {}

    def __call__(self, text):
        digest = hashlib.sha256(self.tools + text.encode()).digest()
        if digest not in self.results:
            self.results[digest] = self.function(text)
            self.changed = True
        return self.results[digest]

    def keep(self):
        if self.changed:
            written = self.file.with_suffix(f".{os.getpid()}")
            written.write_bytes(pickle.dumps(self.results))
            written.replace(self.file)


def main():
    global names_of, calls_of
    known = pathlib.Path(sys.argv[1])
    names_of, calls_of = Known(known / "names", names_of), Known(known / "calls", calls_of)
    keys = {path: key_of(path) for path in sys.argv[2:]}
    files = {key: path for path, (_, key) in keys.items()}
    folders = {folder for folder, _ in keys.values()}
    texts = all_of("src", *(folders - {"src"}))  # of two files with one path, tests see their own
    sources = [Source(path, texts, renames=False) for path in files]
    for batch in batches(sources, LARGEST_OF_BUILD):
        print(";".join(files[source.path] for source in batch))
    names_of.keep()
    calls_of.keep()


if __name__ == "__main__":
    main()
