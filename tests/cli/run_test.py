#!/usr/bin/env python3
"""aclvk run: the environment of a program, and its messages about what the program will miss."""

import os
import subprocess
import unittest

from tool import BUILD, CALLS_OPERATOR, LIB64, ToolTest, operator_that_is_not_built

SAMPLE = BUILD / "samples" / "capture_replay"


class Run(ToolTest):
    def test_runs_a_program(self):
        alone = subprocess.run([str(SAMPLE)], capture_output=True, text=True, check=True, cwd=self.folder).stdout
        result = self.run_tool("run", "--", SAMPLE)
        self.assertEqual(result.stdout, alone)
        self.assertNotIn("needs what this installation lacks", result.stderr)

    def test_gives_options_to_the_library(self):
        text = self.output("run", "--devices", 4, "--compatibility", "strict", "--log", 2, "--visible", "0,1", "--", "sh", "-c",
                           "echo $ACLVK_DEVICES_PER_GPU $ACLVK_COMPATIBILITY $ASCEND_GLOBAL_LOG_LEVEL"
                           " $ASCEND_RT_VISIBLE_DEVICES $ASCEND_HOME_PATH")
        self.assertEqual(text.split(), ["4", "strict", "2", "0,1", str(BUILD.resolve())])

    def test_names_a_folder_of_operators_that_is_there(self):
        self.assertEqual(self.output("run", "--", "sh", "-c", 'test -d "$ASCEND_OPP_PATH" && echo $ACL_OP_INIT_MODE'), "2\n")
        self.assertIn("export ACL_OP_INIT_MODE='2'\n", self.output("run", "--print", "--", "true"))

    def test_puts_the_library_in_front(self):
        text = self.output("run", "--", "sh", "-c", "echo $LD_LIBRARY_PATH", LD_LIBRARY_PATH="/other_library")
        self.assertEqual(text.strip(), f"{LIB64.resolve()}:/other_library")

    def test_leaves_the_programs_options_and_code_alone(self):
        self.assertEqual(self.output("run", "--", "echo", "--devices", "-h"), "--devices -h\n")
        self.run_tool("run", "--", "sh", "-c", "exit 42", status=42)

    def test_traces_and_records(self):
        self.output("run", "--trace", "trace.json", "--record", "calls", "--", SAMPLE)
        self.assertIn("traceEvents", (self.folder / "trace.json").read_text())
        self.assertTrue((self.folder / "calls" / "calls.jsonl").exists())

    def test_prints_what_a_shell_would_set(self):
        text = self.output("run", "--print", "--devices", 2, "--", "true")
        shell = subprocess.run(["sh", "-c", text + "echo $ACLVK_DEVICES_PER_GPU"], capture_output=True, text=True, check=True)
        self.assertEqual(shell.stdout, "2\n")

    def test_prints_paths_as_a_shell_takes_them(self):
        folder = self.folder / "a programmer's traces"
        text = self.output("run", "--print", "--trace", f"{folder}/", "--", "true")
        shell = subprocess.run(["sh", "-c", text + "echo $ACLVK_TRACE"], capture_output=True, text=True, check=True)
        self.assertEqual(shell.stdout, f"{folder}/\n")

    def test_refuses_bad_words(self):
        self.assertIn("No program", self.run_tool("run", status=1).stderr)
        self.assertIn("is not there", self.run_tool("run", "--", "./nothing", status=1).stderr)
        self.run_tool("run", "--compatibility", "loose", "--", "true", status=105)
        self.run_tool("run", "--devices", "0", "--", "true", status=105)


class MissingOperators(ToolTest):
    """A program that was linked other_library calls an operator that is not built."""

    def program(self, name):
        other_library = self.compile("libopapi.so", f'extern "C" int {name}GetWorkspaceSize() {{ return 0; }}', "-shared", "-fPIC",
                                 "-Wl,-soname,libopapi.so")
        return self.compile("program", CALLS_OPERATOR.format(name=name), str(other_library), f"-L{LIB64}", "-lascendcl",
                            "-Wl,-z,now")

    def test_the_loader_refuses_it_alone(self):
        result = subprocess.run([str(self.program(operator_that_is_not_built()))], capture_output=True,
                                env={**os.environ, "LD_LIBRARY_PATH": str(LIB64)}, check=False)
        self.assertEqual(result.returncode, 127, "else the other tests here prove nothing")

    def test_it_gets_an_answer_and_a_sentence(self):
        name = operator_that_is_not_built()
        result = self.run_tool("run", "--log", 3, "--", self.program(name))
        self.assertEqual(result.stdout, "207000\n")
        self.assertIn(f"program needs what this installation lacks: {name}.", result.stderr)
        self.assertIn(f"{name}GetWorkspaceSize is not built in aclvk", result.stderr)

    def test_of_no_table_is_named_before_the_loader_stops(self):
        result = self.run_tool("run", "--", self.program("aclnnOfAYearToCome"), status=127)
        self.assertEqual(result.stdout, "")
        self.assertIn("needs what this installation lacks: aclnnOfAYearToCome.", result.stderr)


if __name__ == "__main__":
    unittest.main()
