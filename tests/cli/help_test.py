#!/usr/bin/env python3
"""aclvk without a command that it knows."""

import unittest

from tool import ToolTest

COMMANDS = ("info", "run", "doctor", "graph", "trace", "support")


class Help(ToolTest):
    def test_tells_what_each_command_does(self):
        text = self.output("--help")
        for command in COMMANDS:
            self.assertRegex(text, rf"(?m)^  {command} +\S")

    def test_says_which_commands_there_are_instead_of_one_that_is_not(self):
        result = self.run_tool("bogus", status=1)
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, r"^aclvk has no command \"bogus\"\.\n")
        self.assertIn(f"There are: {' '.join(COMMANDS)}. \"aclvk --help\" tells what they do.\n", result.stderr)
        self.assertNotIn("Did you mean", result.stderr)

    def test_finds_the_command_that_was_misspelt(self):
        for given, meant in (("doctr", "doctor"), ("suport", "support"), ("rnu", "run")):
            self.assertIn(f"Did you mean \"aclvk {meant}\"?\n", self.run_tool(given, "x", status=1).stderr)

    def test_wants_a_command(self):
        self.assertIn("A subcommand is required", self.run_tool(status=106).stderr)


if __name__ == "__main__":
    unittest.main()
