#!/usr/bin/env python3
"""aclvk trace: several traces become one."""

import json
import unittest

from tool import BUILD, ToolTest


def event(pid, ts, **more):
    return {"name": "aclInit", "ph": "X", "pid": pid, "tid": 1, "ts": ts, "dur": 1, "args": {}, **more}


class Trace(ToolTest):
    def merged(self, *words):
        self.output("trace", "-o", "merged.json", *words)
        return json.loads((self.folder / "merged.json").read_text())["traceEvents"]

    def test_distinguishes_processes_of_the_same_number(self):
        one = self.write("one.json", {"traceEvents": [event(7, 10), event(10000000, 11)]})
        two = self.write("two.json", {"traceEvents": [event(7, 20), event(8, 21)]})
        events = self.merged(one, two)
        self.assertEqual([e["ts"] for e in events], [10, 11, 20, 21])
        self.assertEqual(len({e["pid"] for e in events}), 4)
        self.assertEqual([events[0]["pid"], events[1]["pid"], events[3]["pid"]], [7, 10000000, 8])

    def test_distinguishes_arrows(self):
        arrows = {"traceEvents": [event(7, 1, ph="s", id=1), event(7, 2, ph="f", id=1)]}
        events = self.merged(self.write("one.json", arrows), self.write("two.json", arrows))
        ids = [e["id"] for e in events]
        self.assertEqual(ids[0], ids[1])
        self.assertEqual(ids[2], ids[3])
        self.assertNotEqual(ids[0], ids[2])

    def test_lets_traces_begin_together(self):
        one = self.write("one.json", [event(1, 1000), event(1, 1005)])
        two = self.write("two.json", [event(2, 50000.5)])
        self.assertEqual([e["ts"] for e in self.merged("--align", one, two)], [0, 5, 0])

    def test_takes_what_a_killed_process_leaves(self):
        lines = '{"displayTimeUnit":"ns","traceEvents":[\n' + json.dumps(event(1, 1)) + ",\n" + json.dumps(event(1, 2)) + ",\n"
        half = self.write("half.json", lines + '{"name":"aclrtMal')
        self.assertEqual([e["ts"] for e in self.merged(half)], [1, 2])

    def test_takes_a_folder_of_real_traces(self):
        for _ in range(2):
            self.output("run", "--trace", "traces/", "--", BUILD / "samples" / "capture_replay")
        events = self.merged(self.folder / "traces")
        self.assertEqual(len({e["pid"] for e in events if e["name"] == "aclInit"}), 2)

    def test_names_the_models_of_dumps(self):
        events = self.merged(self.write("model.json", [event("12 aclGraph", 0)]))
        names = [e["args"]["name"] for e in events if e["name"] == "process_name"]
        self.assertEqual(names, ["12 aclGraph"])

    def test_refuses_what_is_no_trace(self):
        for content in ("", "no trace", "{}", '{"traceEvents": 3}', "[3]"):
            result = self.run_tool("trace", self.write("bad.json", content), status=1)
            self.assertIn("is no trace", result.stderr)
        empty = self.folder / "empty"
        empty.mkdir()
        self.assertIn("no file ends with .json", self.run_tool("trace", empty, status=1).stderr)


if __name__ == "__main__":
    unittest.main()
