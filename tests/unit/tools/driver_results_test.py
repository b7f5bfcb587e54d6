#!/usr/bin/env python3
"""Tests of tools/driver_results.py on results that are written here."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import driver_results  # noqa: E402

SKIPPED = """<testcase name="{}" status="notrun"><skipped message="SKIP_RETURN_CODE"/>
<system-out>tests/some_test.cpp:7: Skipped
{}

[  SKIPPED ] Some.Test (0 ms)</system-out></testcase>"""

SUITE = """<testcase name="ops.Add" status="run">
<system-out>[ RUN      ] Add.Floats
[       OK ] Add.Floats (1 ms)
[ RUN      ] Add.Longs
tests/support/op_fixture.hpp:169: Skipped
Kernel add needs int64, which this driver does not have: A GPU.

[  SKIPPED ] Add.Longs (3 ms)
[ RUN      ] Add.Ints
[       OK ] Add.Ints (1 ms)</system-out></testcase>"""


def junit(passed=(), failed=(), skipped=()):
    cases = [f'<testcase name="{name}" status="run"/>' for name in passed]
    cases += [f'<testcase name="{name}" status="fail"><failure message=""/></testcase>' for name in failed]
    cases += [SKIPPED.format(name, reason) for name, reason in skipped]
    return f"<testsuite>{''.join(cases)}</testsuite>"


class Results(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_tool(self, text, *options):
        """The exit status and what it printed."""
        xml = self.folder / "results.xml"
        xml.write_text(text)
        arguments = ["driver_results.py", str(xml), str(self.folder / "driver.json"), "--device", "A GPU", *options]
        with mock.patch.object(sys, "argv", arguments), contextlib.redirect_stdout(io.StringIO()) as out:
            return driver_results.main(), out.getvalue()

    def test_writes_names_and_reasons(self):
        text = junit(passed=["b", "a"], failed=["c"], skipped=[("d", "no timestamps")])
        self.assertEqual(self.run_tool(text, "--write"), (0, "A GPU: 2 passed, 1 failed, 1 skipped\n"))
        written = json.loads((self.folder / "driver.json").read_text())
        self.assertEqual(
            written, {"device": "A GPU", "passed": ["a", "b"], "failed": ["c"], "skipped": {"d": "no timestamps"}}
        )

    def test_tells_what_a_suite_skipped(self):
        self.run_tool(f"<testsuite>{SUITE}</testsuite>", "--write")
        written = json.loads((self.folder / "driver.json").read_text())
        self.assertEqual(written["passed"], ["ops.Add"])
        reason = "Kernel add needs int64, which this driver does not have: A GPU."
        self.assertEqual(written["skipped"], {"ops.Add/Add.Longs": reason})

    def test_a_part_keeps_what_was_not_run(self):
        self.run_tool(junit(passed=["a", "c"], failed=["b"], skipped=[("a/All/A.x/0", "why"), ("d", "why")]), "--write")
        self.run_tool(junit(passed=["a", "b"]), "--write", "--part")
        written = json.loads((self.folder / "driver.json").read_text())
        self.assertEqual(
            written, {"device": "A GPU", "passed": ["a", "b", "c"], "failed": [], "skipped": {"d": "why"}}
        )

    def test_the_same_again_is_no_regression(self):
        text = junit(passed=["a"], failed=["c"], skipped=[("d", "no timestamps")])
        self.run_tool(text, "--write")
        self.assertEqual(self.run_tool(text)[0], 0)

    def test_worse_than_before_is_one(self):
        self.run_tool(junit(passed=["a", "b"], skipped=[("d", "why")]), "--write")
        status, printed = self.run_tool(junit(failed=["a", "d"], skipped=[("b", "new")]))
        self.assertEqual(status, 1)
        for name in "abd":
            self.assertIn(f"driver.json: {name}\n", printed)

    def test_a_test_that_a_suite_skips_from_now_on_is_one(self):
        self.run_tool(junit(passed=["ops.Add"]), "--write")
        status, printed = self.run_tool(f"<testsuite>{SUITE}</testsuite>")
        self.assertEqual(status, 1)
        self.assertIn("driver.json: ops.Add/Add.Longs\n", printed)
        self.run_tool(f"<testsuite>{SUITE}</testsuite>", "--write")
        self.assertEqual(self.run_tool(f"<testsuite>{SUITE}</testsuite>")[0], 0)

    def test_a_new_test_that_fails_is_one(self):
        self.run_tool(junit(passed=["a"]), "--write")
        self.assertEqual(self.run_tool(junit(passed=["a"], failed=["new"]))[0], 1)
        self.assertEqual(self.run_tool(junit(passed=["a", "new"], skipped=[("other", "why")]))[0], 0)

    def test_better_and_missing_tests_are_none(self):
        self.run_tool(junit(passed=["a", "gone"], failed=["b"]), "--write")
        self.assertEqual(self.run_tool(junit(passed=["a", "b"]))[0], 0)


if __name__ == "__main__":
    unittest.main()
