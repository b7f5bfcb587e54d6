#!/usr/bin/env python3
"""Checks that files are graphs in the language of Graphviz: check_dot.py FILE...

The grammar is that of https://graphviz.org/doc/info/lang.html, as far as aclvk uses it: names and quoted strings, no
HTML strings, no ports. Where the program dot is installed, it has to read the file, too, without a word.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

TOKEN = re.compile(r'\s*(?:(->|[{}\[\];,=])|([A-Za-z_]\w*|-?\d+(?:\.\d+)?)|("(?:[^"\\]|\\.)*"))')
PUNCTUATION, WORD, STRING = 1, 2, 3
# Characters that may follow a backslash in a label: https://graphviz.org/docs/attr-types/escString.
ESCAPES = set('"\\nlrNGETHL')
ENTITY = re.compile(r"&(?!(?:[A-Za-z]+|#\d+);)")


class Graph:
    """Parses the statements of one digraph: nodes with their attributes, edges as pairs."""

    def __init__(self, text):
        self.text, self.at = text, 0
        self.nodes, self.edges, self.clusters = {}, [], []
        self.expect("digraph")
        self.name()
        self.body()
        if self.text[self.at:].strip():
            self.refuse("nothing behind the graph")
        unknown = {end for edge in self.edges for end in edge} - self.nodes.keys()
        if unknown:
            raise SyntaxError(f"edges lead to {', '.join(sorted(unknown))}, which no statement describes")

    def refuse(self, expected):
        line = self.text.count("\n", 0, self.at) + 1
        raise SyntaxError(f"line {line}: expected {expected} at {self.text[self.at:self.at + 40].strip()!r}")

    def look(self):
        token = TOKEN.match(self.text, self.at)
        return token or self.refuse("a token")

    def take(self):
        token = self.look()
        self.at = token.end()
        return token[token.lastindex]

    def accept(self, word):
        return self.take() if self.look()[self.look().lastindex] == word else None

    def expect(self, word):
        return self.accept(word) or self.refuse(word)

    def name(self):
        token = self.look()
        if token.lastindex == PUNCTUATION:
            self.refuse("a name")
        if token.lastindex == STRING and set(re.findall(r"\\(.)", token[STRING])) - ESCAPES:
            self.refuse("known escapes")
        if token.lastindex == STRING and (ENTITY.search(token[STRING]) or "\n" in token[STRING]):
            self.refuse("a string of one line without a bare &")
        return self.take()

    def body(self):
        self.expect("{")
        while not self.accept("}"):
            self.statement()

    def statement(self):
        if self.accept("subgraph"):
            self.clusters.append(self.name())
            return self.body()
        ends = [self.name()]
        if self.accept("="):
            self.name()
        else:
            while self.accept("->"):
                ends.append(self.name())
            attributes = self.attributes()
            self.edges += zip(ends, ends[1:])
            if len(ends) == 1 and ends[0] not in ("node", "edge", "graph"):
                self.nodes[ends[0]] = attributes
        return self.expect(";")

    def attributes(self):
        found = {}
        if not self.accept("["):
            return found
        while not self.accept("]"):
            name = self.name()
            self.expect("=")
            found[name] = self.name()
            self.accept(",")
        return found


def check(path):
    graph = Graph(path.read_text(encoding="utf-8"))
    if shutil.which("dot"):
        result = subprocess.run(["dot", "-Tsvg", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if result.returncode != 0 or result.stderr:
            raise SyntaxError(f"dot ends with {result.returncode}: {result.stderr}")
    return graph


def described(graph):
    """Returns the content of a picture of the graph: the lines of each node's label, and the edges."""
    replaced = {r"\"": '"', r"\\": "\\", "&amp;": "&"}
    lines = {}
    for node, attributes in graph.nodes.items():
        parts = re.split(r"(\\.|&amp;)", attributes["label"].strip('"'))
        lines[node] = "".join(replaced.get(part, "\n" if part == r"\n" else part) for part in parts).split("\n")
    return lines, sorted(f"{tail}->{head}" for tail, head in graph.edges)


def drawn(picture):
    """Returns the content of a picture, read from an SVG file of dot."""
    svg = "{http://www.w3.org/2000/svg}"
    lines, edges = {}, []
    for group in xml.etree.ElementTree.parse(picture).iter(svg + "g"):
        title = group.findtext(svg + "title")
        if group.get("class") == "node":
            lines[title] = [text.text for text in group.iter(svg + "text")]
        elif group.get("class") == "edge":
            edges.append(title)
    return lines, sorted(edges)


def check_picture(graph, picture):
    if described(graph) != drawn(picture):
        raise SyntaxError(f"{picture} shows another graph")


def main():
    for name in sys.argv[1:]:
        try:
            graph = check(pathlib.Path(name))
        except SyntaxError as error:
            sys.exit(f"{name}: {error}.")
        print(f"{name}: {len(graph.nodes)} nodes, {len(graph.edges)} edges, {len(graph.clusters)} clusters")


if __name__ == "__main__":
    main()
