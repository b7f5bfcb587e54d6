"""What the tests of the program aclvk share."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests" / "support" / "checks")]

BUILD = pathlib.Path(os.environ.get("ACLVK_BUILD", ROOT / "build" / "debug"))
LIB64 = BUILD / "lib64"


class ToolTest(unittest.TestCase):
    """Runs the program of the build folder, in an empty folder."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def run_tool(self, *words, status=0, program="aclvk", home=BUILD, **variables):
        result = subprocess.run([str(home / "bin" / program), *map(str, words)], cwd=self.folder, capture_output=True,
                                text=True, env={**os.environ, **variables}, timeout=200)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result

    def output(self, *words, **options):
        return self.run_tool(*words, **options).stdout

    def compile(self, name, source, *options):
        path = self.folder / f"{name}.cpp"
        path.write_text(source)
        command = ["g++", "-std=c++17", f"-I{ROOT}/include", str(path), "-o", str(self.folder / name), *options]
        subprocess.run(command, check=True)
        return self.folder / name

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path


def operator_that_is_not_built():
    from coverage import operator_built, symbols
    from headers import tables
    from headers.aclnn_files import has_signature
    found = symbols(LIB64 / "libaclvk.so")
    missing = [operator.name for operator in tables.load(ROOT / "interface").operators
               if has_signature(operator) and not operator_built(found, operator.name)]
    if not missing:
        raise unittest.SkipTest("Every operator of the interface is built.")
    return missing[0]


# Calls an operator whatever its parameters are; nothing of the library is declared, so that it links without one.
CALLS_OPERATOR = """
#include <cstdio>
extern "C" int aclInit(const char*);
extern "C" int {name}GetWorkspaceSize(...);
int main() {{
  aclInit(nullptr);
  std::printf("%d\\n", {name}GetWorkspaceSize(0));
}}
"""
