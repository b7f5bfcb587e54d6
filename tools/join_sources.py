#!/usr/bin/env python3
"""Divides sources into batches that a compiler can read as one, because no two of a batch define the same name.

Usage: join_sources.py KNOWN FILE...

Prints a line for each batch, its files separated by semicolons; cmake/joined_sources.cmake makes unity builds of them. The folder
KNOWN keeps what was found in texts for the next call.
"""

import hashlib
import os
import pathlib
import pickle
import sys

import joined_sources

LARGEST = 16  # more in a batch save little, and are compiled again when one of them changes


def key_of(path):
    """Returns the folder of a file, src or tests, and the path with which it is included."""
    folder, *parts = pathlib.Path(path).resolve().relative_to(joined_sources.ROOT).parts
    return folder, pathlib.PurePath(*parts).as_posix()


class Known:
    """The results of a function of texts, which a file keeps."""

    def __init__(self, file, function):
        self.file, self.function, self.changed = file, function, False
        self.results = pickle.loads(file.read_bytes()) if file.exists() else {}

    def __call__(self, text):
        digest = hashlib.sha256(text.encode()).digest()
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
    known = pathlib.Path(sys.argv[1])
    joined_sources.names_of = names = Known(known / "names", joined_sources.names_of)
    joined_sources.calls_of = calls = Known(known / "calls", joined_sources.calls_of)
    keys = {path: key_of(path) for path in sys.argv[2:]}
    files = {key: path for path, (_, key) in keys.items()}
    folders = {folder for folder, _ in keys.values()}
    texts = joined_sources.all_of("src", *(folders - {"src"}))  # of two files with one path, tests see their own
    sources = [joined_sources.Source(path, texts, renames=False) for path in files]
    for batch in joined_sources.batches(sources, LARGEST):
        print(";".join(files[source.path] for source in batch))
    names.keep()
    calls.keep()


if __name__ == "__main__":
    main()
