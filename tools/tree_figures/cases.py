"""Test cases, and which of them open no device.

A case is a TEST, TEST_F, TEST_P or TYPED_TEST in a source of tests/. It counts as one that opens a device if a call that does so
stands in its body, in a function of its file outside of classes and cases, or in its fixture or a base of that; fixtures are found by
their names, first in the file and then in all of tests/. So the count is an estimate: a helper in a header is not followed.
Cases that also run on a null device (tests/null_device/sources.cmake) need no device either.
"""

import dataclasses
import re

from . import cpp

CASE = re.compile(r"^(TEST|TEST_F|TEST_P|TYPED_TEST)\(\s*(\w+)\s*,\s*(\w+)\s*\)\s*\{", re.MULTILINE)
ALIAS = re.compile(r"\busing\s+(\w+)\s*=\s*([^;]+);")
NULL_DEVICE_SOURCE = re.compile(r"^ +((?:api|unit)/\S+\.cpp)", re.MULTILINE)
# Calls of a program that find or open a device, and those of the layers.
OPENS = re.compile(r"\b(?:aclrtSetDevice|aclrtCreateContext|aclrtGetDeviceCount|aclrtGetDeviceInfo|aclmdlRICaptureBegin"
                   r"|HcclCommInit\w*|Device::open|list_devices)\b")


@dataclasses.dataclass
class Source:
    name: str
    text: cpp.Text
    classes: dict
    cases: list
    rest: str


def read(name, code):
    reader = cpp.Reader(code)
    text = reader.text
    classes = {entry.name: (entry.bases, entry.body) for entry in reader.classes}
    for alias, meaning in ALIAS.findall(text.code):
        classes.setdefault(alias, (meaning, ""))
    cases, spans = [], []
    for found in CASE.finditer(text.code):
        end = text.pairs.get(found.end() - 1, len(text.code))
        cases.append((found.group(1), found.group(2), text.code[found.end():end]))
        spans.append((found.start(), end))
    return Source(name, text, classes, cases, outside(text.code, spans, classes))


def outside(code, spans, classes):
    """Returns the code of a file outside of its cases and classes."""
    kept, at = "", 0
    for start, end in spans:
        kept, at = kept + code[at:start], end
    kept += code[at:]
    for _, body in classes.values():
        kept = kept.replace(body, "") if body else kept
    return kept


def opens(source, fixture, everywhere, seen=()):
    """Returns whether a fixture or one of its bases opens a device."""
    name = fixture.split("::")[-1]
    if name in seen:
        return False
    bases, body = source.classes.get(name) or everywhere.get(name) or ("", "")
    if OPENS.search(body):
        return True
    return any(opens(source, base, everywhere, (*seen, name)) for base in re.findall(r"[\w:]+", bases))


def on_null_device(root):
    """Returns the names of the sources whose cases run on a null device, too."""
    folder = root / "tests" / "null_device"
    listed = NULL_DEVICE_SOURCE.findall((folder / "sources.cmake").read_text())
    return {f"tests/{name}" for name in listed} | {path.relative_to(root).as_posix() for path in folder.glob("*.cpp")}


def without_device(sources, null_device=()):
    """Counts all cases, and those that need no device."""
    everywhere = {name: entry for source in sources for name, entry in source.classes.items()}
    total = free = 0
    for source in sources:
        shared = bool(OPENS.search(source.rest))
        for _, fixture, body in source.cases:
            total += 1
            opens_one = shared or OPENS.search(body) or opens(source, fixture, everywhere)
            free += source.name in null_device or not opens_one
    return free, total
