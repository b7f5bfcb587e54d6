#!/usr/bin/env python3
"""aclvk doctor: the machine, and programs."""

import shutil
import subprocess
import unittest

from tool import BUILD, CALLS_OPERATOR, LIB64, ToolTest, operator_that_is_not_built


class Machine(ToolTest):
    def test_finds_nothing_missing_here(self):
        text = self.output("doctor")
        self.assertRegex(text, r"(?m)^ok +Device 0 computes correctly")
        self.assertNotIn("missing", text)

    def test_finds_a_driver_list_that_leads_nowhere(self):
        text = self.output("doctor", status=1, VK_DRIVER_FILES="/nowhere/driver.json")
        self.assertRegex(text, r"(?m)^missing +VK_DRIVER_FILES names /nowhere/driver.json")

    def test_finds_a_filter_that_no_device_passes(self):
        text = self.output("doctor", status=1, ACLVK_DEVICE="no such device")
        self.assertRegex(text, r"(?m)^missing +No device can be used")
        self.assertIn("unset ACLVK_DEVICE", text)

    def test_finds_another_installation_in_front(self):
        (self.folder / "libascendcl.so").write_text("")
        text = self.output("doctor", LD_LIBRARY_PATH=str(self.folder))
        self.assertRegex(text, rf"(?m)^note +Programs take {self.folder}/libascendcl.so")

    def test_says_the_apt_line_for_a_library_that_is_not_installed(self):
        home = self.folder / "home"
        for part in ("bin", "lib64"):
            (home / part).mkdir(parents=True)
        shutil.copy(BUILD / "bin" / "aclvk", home / "bin" / "aclvk")
        (self.folder / "empty.cpp").write_text("")
        logger = self.folder / "libspdlog.so.9.99"
        subprocess.run(["g++", "-shared", "-fPIC", "empty.cpp", "-o", logger, f"-Wl,-soname,{logger.name}"], cwd=self.folder,
                       check=True)
        subprocess.run(["g++", "-shared", "-fPIC", "empty.cpp", "-Wl,--no-as-needed", logger, "-o",
                        home / "lib64" / "libaclvk.so"], cwd=self.folder, check=True)
        logger.unlink()
        text = self.output("doctor", status=1, home=home)
        self.assertRegex(text, r"(?m)^missing +The library does not open: .*libspdlog.so.9.99")
        self.assertIn("apt-get install libspdlog", text)


class Program(ToolTest):
    def test_finds_nothing_missing_in_a_sample(self):
        self.assertRegex(self.output("doctor", BUILD / "samples" / "capture_replay"), r"all of the \d\d functions of ACL")

    def test_sorts_what_is_missing(self):
        missing = operator_that_is_not_built()
        source = CALLS_OPERATOR.format(name=missing) + """
            extern "C" int aclnnOfAYearToCome(...);
            int more() { return aclnnOfAYearToCome(0); }"""
        program = self.compile("program", source, "-shared", "-fPIC", "-Wl,--no-as-needed", f"-L{LIB64}", "-lopapi")
        text = self.output("doctor", program, status=1)
        sections = text.split(":\n")
        self.assertRegex(sections[1], rf"^    {missing}\n")
        self.assertRegex(sections[2], r"^    aclnnOfAYearToCome\n")
        self.assertIn("aclvk run --", text)

    def test_names_libraries_that_nothing_stands_for(self):
        subprocess.run(["g++", "-shared", "-o", self.folder / "libatb.so", "-x", "c++", "/dev/null"], check=True)
        (self.folder / "sub").mkdir()
        program = self.compile("sub/program", "int main() {}", "-Wl,--no-as-needed", f"-L{self.folder}", "-latb",
                               "-Wl,-soname,x")
        self.assertIn("    libatb.so\n", self.output("doctor", program, status=1))

    def test_refuses_what_is_no_program(self):
        self.assertIn("is not there", self.run_tool("doctor", "./nothing", status=1).stderr)
        script = self.write("script", "#!/bin/sh\n")
        self.assertIn("no program or library", self.run_tool("doctor", script, status=1).stderr)

    def test_refuses_a_file_that_is_cut_off(self):
        program = self.folder / "half"
        program.write_bytes((BUILD / "samples" / "capture_replay").read_bytes()[:4096])
        self.assertIn("is cut off", self.run_tool("doctor", program, status=1).stderr)


if __name__ == "__main__":
    unittest.main()
