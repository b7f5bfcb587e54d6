#!/usr/bin/env python3
"""Refuses a type that two files of src define in one namespace, and a function with the same parameters that two headers declare.

A linker does not: it keeps one of two inline functions with the same name, or one of two instantiations of a template for types
with the same name, and calls of the other compute nonsense (the one-definition rule).
"""

import collections
import pathlib
import re
import sys

from tree_figures import cpp

ROOT = pathlib.Path(__file__).resolve().parent.parent

NAMESPACE = re.compile(r"(?:inline\s+)?namespace(?:\s+([\w:]+))?\s*$")
TYPE = re.compile(r"^(?:struct|class|union|enum(?:\s+class)?)\s+(\w+)\b(?!\s*(?:<|::))[^;()=]*$")
FUNCTION = re.compile(r"(\w+)\s*\((.*)\)\s*(?:const|noexcept|->[^;{]*|\s)*$", re.DOTALL)
NOT_A_FUNCTION = re.compile(r"^\s*(?:using|typedef|extern|friend|static_assert|template|struct|class|enum|union)\b|=")
ANONYMOUS = "(anonymous)"
PARAMETER = re.compile(r"^(.*[\w>&*\]]\s*[\s&*])\w+$", re.DOTALL)


def declarations(text):
    """Yields (namespace, statement, whether a body follows) for each declaration at the level of a namespace."""
    text = cpp.Text(text).code
    namespaces, depth, begin = [], 0, 0
    for match in re.finditer(r"[{};]", text):
        statement, token = text[begin : match.start()].strip(), match.group()
        if token == "{":
            space = NAMESPACE.search(statement)
            if depth == 0 and space:
                namespaces.append(space.group(1) or ANONYMOUS)
                begin = match.end()
                continue
            if depth == 0:
                yield "::".join(namespaces), statement, True
            depth += 1
        elif token == "}":
            if depth == 0:
                namespaces.pop()
            else:
                depth -= 1
        elif depth == 0 and statement:
            yield "::".join(namespaces), statement, False
        if depth == 0:
            begin = match.end()


def parameters(text):
    """Returns the types of a list of parameters, without names and defaults."""
    types, depth, part = [], 0, ""
    for letter in text + ",":
        depth += (letter in "<({[") - (letter in ">)}]")
        if letter == "," and depth == 0:
            named = PARAMETER.match(part.split("=")[0].strip())
            kind = named.group(1) if named else part.split("=")[0]
            types.append(re.sub(r"\s+", "", re.sub(r"\bconst\b(?=\s*\w+\s*$)", "", kind)))
            part = ""
        else:
            part += letter
    return ", ".join(types)


def names(text):
    """Yields the names that a file declares for others: types that it defines, and functions."""
    for namespace, statement, body in declarations(text):
        if ANONYMOUS in namespace:
            continue
        kind = TYPE.match(statement)
        if kind and body:
            yield f"{namespace}::{kind.group(1)}"
            continue
        function = FUNCTION.search(statement)
        if function and not NOT_A_FUNCTION.search(statement.split("(")[0]):
            yield f"{namespace}::{function.group(1)}({parameters(function.group(2))})"


def main(root=ROOT):
    found = collections.defaultdict(set)
    for path in sorted((root / "src").rglob("*.[ch]pp")):
        for name in names(path.read_text(encoding="utf-8")):
            # A source defines the functions that its header declares; its types are its own.
            if path.suffix == ".hpp" or not name.endswith(")"):
                found[name].add(path.relative_to(root).as_posix())
    twice = {name: files for name, files in found.items() if len(files) > 1}
    for name, files in sorted(twice.items()):
        print(f"{name} is declared by {' and '.join(sorted(files))}; one of them needs another name.")
    if not twice:
        print(f"No two files declare the same name; there are {len(found)}.")
    return 1 if twice else 0


if __name__ == "__main__":
    sys.exit(main())
