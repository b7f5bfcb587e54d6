#!/usr/bin/env python3
"""aclvk graph: dumped models as pictures."""

import subprocess
import unittest
import xml.etree.ElementTree

from tool import BUILD, ToolTest  # first: it makes the next one visible

import check_dot

SVG = "{http://www.w3.org/2000/svg}"
SAMPLE = BUILD / "samples"


class Graph(ToolTest):
    def drawn(self, path):
        self.output("graph", path, "-o", "picture.svg")
        return xml.etree.ElementTree.parse(self.folder / "picture.svg")

    def groups(self, tree, kind):
        return [group for group in tree.iter(SVG + "g") if group.get("class") == kind]

    def test_shows_tasks_and_edges_of_a_graph(self):
        subprocess.run([str(SAMPLE / "capture_graph"), "graph.dot"], cwd=self.folder, check=True, capture_output=True)
        self.assertIn("graph.svg: 14 tasks", self.output("graph", "graph.dot"))
        graph = check_dot.check(self.folder / "graph.dot")
        check_dot.check_picture(graph, self.folder / "graph.svg")

    def test_puts_tasks_below_those_before_them_and_beside_each_other(self):
        subprocess.run([str(SAMPLE / "capture_graph"), "graph.dot"], cwd=self.folder, check=True, capture_output=True)
        tree = self.drawn("graph.dot")
        places = {}
        for node in self.groups(tree, "node"):
            text = node.find(SVG + "text")
            places[node.findtext(SVG + "title")] = (float(text.get("x")), float(text.get("y")))
        self.assertEqual(len(set(places.values())), len(places), "no two tasks at one place")
        for edge in self.groups(tree, "edge"):
            tail, head = edge.findtext(SVG + "title").split("->")
            self.assertLess(places[tail][1], places[head][1], f"{tail} comes before {head}")
        width, height = (float(tree.getroot().get(name)) for name in ("width", "height"))
        self.assertTrue(all(0 < x < width and 0 < y < height for x, y in places.values()))

    def test_shows_the_trace_of_a_model(self):
        subprocess.run([str(SAMPLE / "capture_trace"), "model.json"], cwd=self.folder, check=True, capture_output=True)
        tree = self.drawn("model.json")
        names = [node.find(SVG + "text").text for node in self.groups(tree, "node")]
        self.assertEqual(names, ["MEMCPY_ASYNC", "aclnnInplaceAdd", "MEMCPY_ASYNC"])
        self.assertEqual(len(self.groups(tree, "edge")), 2)

    def test_joins_records_and_waits_of_a_trace(self):
        def task(name, stream, number):
            return {"name": name, "ph": "X", "tid": stream, "ts": number, "dur": 1, "args": {"Task Id": number}}
        path = self.write("model.json", [task("EVENT_RECORD_3", "stream1", 0), task("EVENT_WAIT_3", "stream2", 1),
                                         task("EVENT_WAIT_4", "stream2", 2)])
        edges = [edge.findtext(SVG + "title") for edge in self.groups(self.drawn(path), "edge")]
        self.assertEqual(sorted(edges), ["task0->task1", "task1->task2"])

    def test_draws_circles_escapes_and_nothing(self):
        dot = r'''digraph "m" { label="a < b & \"c\"";
          subgraph cluster_a { label="stream 1"; a [label="one\ntwo", shape=box]; subgraph cluster_empty { label=x; } }
          a -> b -> c -> a [style=dotted]; d; }'''
        tree = self.drawn(self.write("circle.dot", dot))
        self.assertEqual(len(self.groups(tree, "node")), 4)
        self.assertEqual([text.text for text in self.groups(tree, "node")[0].iter(SVG + "text")], ["one", "two"])
        self.assertEqual(tree.getroot().find(SVG + "g").findtext(SVG + "title"), 'a < b & "c"')
        self.assertEqual(self.groups(self.drawn(self.write("none.dot", "digraph none {}")), "node"), [])

    def test_draws_a_long_stream(self):
        edges = "".join(f"t{i} -> t{i + 1};\n" for i in range(20000))
        tree = self.drawn(self.write("long.dot", "digraph long {\n" + edges + "}\n"))
        self.assertEqual(len(self.groups(tree, "node")), 20001)

    def test_says_where_a_file_makes_no_sense(self):
        result = self.run_tool("graph", self.write("bad.dot", "digraph g {\n a -> ;\n}"), status=1)
        self.assertIn("bad.dot is no dumped model: line 2: expected a name", result.stderr)
        for content in ("", "digraph g { a [label=\"x", "[3]", '[{"ph": "X", "name": "a"}]', "{}"):
            self.assertIn("is no dumped model", self.run_tool("graph", self.write("bad", content), status=1).stderr)


if __name__ == "__main__":
    unittest.main()
