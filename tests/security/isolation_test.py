"""What happens to one process is not felt by another: neither on the device nor in the files that they share."""

import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("ACLVK_BUILD", ROOT / "build" / "debug"))
PROGRAM = BUILD / "samples/capture_update"


class Isolation(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.environment = {**os.environ, "ACLVK_CACHE_DIR": temporary.name + "/cache", "MESA_SHADER_CACHE_DIR": temporary.name}
        self.expected = (ROOT / "samples/expected/capture_update.txt").read_text()

    def start(self, **variables):
        return subprocess.Popen([PROGRAM], env={**self.environment, **variables}, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def assert_works(self, process):
        output, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(output, self.expected)

    def test_killed_processes_disturb_no_other(self):
        moments = random.Random(20)
        alone = time.monotonic()
        self.assert_works(self.start())
        alone = time.monotonic() - alone
        for _ in range(8):
            victims = [self.start(), self.start()]
            others = [self.start(), self.start()]
            for victim in victims:
                time.sleep(alone * moments.uniform(0, 1))
                victim.send_signal(moments.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGABRT]))
            for process in others:
                self.assert_works(process)
            for victim in victims:
                victim.communicate(timeout=120)
        self.assert_works(self.start())  # also with what the killed ones have left in the caches

    def test_a_process_whose_kernels_fail_disturbs_no_other(self):
        failing = [self.start(ACLVK_FAIL_KERNEL="aclnn") for _ in range(2)]
        others = [self.start() for _ in range(2)]
        for process in others:
            self.assert_works(process)
        for process in failing:
            process.communicate(timeout=120)
            self.assertGreater(process.returncode, 0, "a failing kernel is an error of its program, no crash")


if __name__ == "__main__":
    unittest.main()
