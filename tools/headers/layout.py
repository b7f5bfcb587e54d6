"""Assigns each name to a header, orders the names of a header, and finds the includes that it needs."""

import collections
import fnmatch
import os
import re

SKIPPED = ("acl/ops/",)
BASE = "acl/acl_base_rt.h"


OPERATORS = "aclnnop/"


def is_beside_operators(header):
    """Returns whether it is a header of operators, which may also have functions of one phase (aclnn_files.py)."""
    return header.startswith(OPERATORS)


def is_public(header):
    return not header.startswith(SKIPPED)


class Layout:
    """The headers by path, each with its types, constants and functions in an order that compiles."""

    def __init__(self, tables):
        self.tables = tables
        self.types = {t.name: t for t in tables.types if is_public(t.header)}
        self.home_areas = collections.defaultdict(list)
        for area in tables.areas:
            self.home_areas[area.home].append(area)
        self.contents = collections.defaultdict(lambda: {"types": [], "constants": [], "functions": []})
        self.file_of_type = {}
        self._place()
        for path in self.contents:
            self.contents[path]["types"] = self._ordered(self.contents[path]["types"])

    def _place(self):
        for t in self.types.values():
            path = self.file_of(t.header, t.name)
            self.file_of_type[t.name] = path
            self.contents[path]["types"].append(t)
        for c in self.tables.constants:
            if is_public(c.header) and not c.kind.startswith("enum"):
                self.contents[self.file_of(c.header, c.name)]["constants"].append(c)
        for f in self.tables.functions:
            if is_public(f.header):
                self.contents[self.file_of(f.header, f.name)]["functions"].append(f)

    def file_of(self, home, name):
        """Returns the area whose names fit best: an exact name, else the longest pattern."""
        areas = self.home_areas.get(home)
        if not areas:
            return home
        fits = [((pattern == name, len(pattern)), area.file) for area in areas
                for pattern in area.names if fnmatch.fnmatchcase(name, pattern)]
        if not fits:
            raise SystemExit(f"interface/areas.tsv: no area of {home} takes {name}.")
        return max(fits)[1]

    def enum_values(self, name):
        return [c for c in self.tables.constants if c.kind.startswith("enum") and c.type == name]

    def _names_in(self, text):
        return {word for word in re.findall(r"\w+", text) if word in self.types}

    def _ordered(self, types):
        """Returns the types: enums first, then each type after those that it mentions."""
        here = {t.name: t for t in types}
        done, order = set(), []

        def visit(t):
            if t.name in done:
                return
            done.add(t.name)
            for name in sorted(self._names_in(t.fields) - {t.name}):
                if name in here:
                    visit(here[name])
            order.append(t)

        for t in sorted(types, key=lambda t: (t.kind != "enum", types.index(t))):
            visit(t)
        return order

    def needs(self, path):
        """Returns the other files whose types this one mentions."""
        content = self.contents[path]
        text = " ".join([t.fields for t in content["types"]]
                        + [f.returns + " " + f.parameters for f in content["functions"]])
        return sorted({self.file_of_type[name] for name in self._names_in(text)} - {path})

    def check_cycles(self):
        state = {}

        def visit(path, trail):
            if state.get(path) == "done":
                return
            if path in trail:
                raise SystemExit("include cycle: " + " -> ".join(trail[trail.index(path):] + [path]))
            for other in self.needs(path):
                visit(other, trail + [path])
            state[path] = "done"

        for path in list(self.contents):
            visit(path, [])


def include_line(source, target):
    return '"' + os.path.relpath(target, os.path.dirname(source)) + '"'
