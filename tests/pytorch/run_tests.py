#!/usr/bin/env python3
"""Runs the tests of this folder, a process a file, and writes a line of JSON for each: run_tests.py OUTPUT"""

import json
import os
import pathlib
import subprocess
import sys
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent


class Lines(unittest.TextTestResult):
    """Also writes what each test came to."""

    def note(self, test, status, what=""):
        with open(os.environ["ACLVK_TEST_LINES"], "a", encoding="utf-8") as file:
            name = test.id().split(".", 1)[-1] if not test.id().startswith("__main__") else test.id()[9:]
            print(json.dumps({"name": name, "status": status, "what": what}), file=file)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.note(test, "pass")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.note(test, "fail", str(err[1]).strip().splitlines()[-1][:200] if str(err[1]).strip() else "")

    def addError(self, test, err):
        super().addError(test, err)
        lines = str(err[1]).strip().splitlines() or [err[0].__name__]
        self.note(test, "error", lines[0][:200])

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.note(test, "skip", reason)


def main():
    if sys.argv[1] == "--file":
        suite = unittest.defaultTestLoader.loadTestsFromName(sys.argv[2])
        return 0 if unittest.TextTestRunner(resultclass=Lines, verbosity=2).run(suite).wasSuccessful() else 1
    output = pathlib.Path(sys.argv[1])
    failed = 0
    for path in sorted(FOLDER.glob("test_*.py")):
        result = subprocess.run([sys.executable, __file__, "--file", path.stem], cwd=FOLDER,
                                env={**os.environ, "ACLVK_TEST_LINES": str(output.resolve())})
        failed += result.returncode != 0
        if result.returncode not in (0, 1):
            with open(output, "a", encoding="utf-8") as file:
                print(json.dumps({"name": path.stem, "status": "crash", "what": f"ends with {result.returncode}"}), file=file)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
