"""Which files a program with the library opens, as strace sees it: what docs/reliability.md promises about them."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("ACLVK_BUILD", ROOT / "build" / "debug"))

# Calls that make, change or remove something that has a name, and the place of that name among the arguments.
WRITES = {"mkdir": 0, "mkdirat": 1, "rename": 1, "renameat": 3, "renameat2": 3, "unlink": 0, "unlinkat": 1, "symlink": 1,
          "symlinkat": 2, "link": 1, "linkat": 3, "mknod": 0, "mknodat": 1, "truncate": 0, "chmod": 0, "fchmodat": 1}
OPENS = {"open": 0, "openat": 1, "creat": 0}
LINE = re.compile(r'^(?:\d+ +)?(\w+)\((.*)\) += (-?\d+|\?)')
FOLDER = re.compile(r'^(?:AT_FDCWD|\d+)<([^>]*)>$')


class Opened:
    """Returns the call in a line of strace's output."""

    def __init__(self, call, arguments, result):
        names = OPENS if call in OPENS else WRITES
        words = [word.strip() for word in arguments.split(", ")]
        place = names[call]
        self.given = words[place].strip('"')
        at = FOLDER.match(words[place - 1]) if place else None
        self.path = os.path.normpath(os.path.join(at.group(1) if at else "/?", self.given))
        self.done = int(result) >= 0 if result != "?" else False
        self.writes = call not in OPENS or call == "creat" or bool(re.search(r"O_(WRONLY|RDWR|CREAT)", arguments))


def traces():
    if not shutil.which("strace"):
        return False
    return subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, check=False).returncode == 0


@unittest.skipUnless(traces(), "strace is not installed, or this system does not let it look at programs")
class Files(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name).resolve()
        for name in ("home", "work", "tmp"):
            (self.folder / name).mkdir()

    def opened(self, **variables):
        """Runs a sample in an empty folder; what it opened, the driver's own cache being off."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("ACLVK_", "ASCEND_", "XDG_"))}
        environment |= {"HOME": str(self.folder / "home"), "TMPDIR": str(self.folder / "tmp"), "MESA_SHADER_CACHE_DISABLE": "1",
                        "LP_NUM_THREADS": "0"}
        log = self.folder / "strace.log"
        calls = ",".join("?" + call for call in [*OPENS, *WRITES])
        subprocess.run(["strace", "-f", "-y", "-s", "4096", "-e", f"trace={calls}", "-o", log, BUILD / "samples/capture_replay"],
                       cwd=self.folder / "work", env=environment | variables, check=True, stdout=subprocess.DEVNULL)
        found = [match.groups() for match in map(LINE.match, log.read_text().splitlines()) if match]
        self.assertGreater(len(found), 20, "the loader alone opens more")
        return [Opened(*groups) for groups in found if groups[0] in OPENS or groups[0] in WRITES]

    def written(self, **variables):
        return sorted({entry.path for entry in self.opened(**variables)
                       if entry.writes and entry.done and not entry.path.startswith(("/dev/", "/proc/", "/memfd:"))})

    def outside(self, paths, *folders):
        return [path for path in paths if not any(path == folder or path.startswith(folder + "/") for folder in folders)]

    def test_nothing_is_written_but_the_cache(self):
        cache = str(self.folder / "home/.cache")
        self.assertEqual(self.outside(self.written(), cache, cache + "/aclvk"), [])

    def test_nothing_is_written_without_the_cache(self):
        self.assertEqual(self.written(ACLVK_PIPELINE_CACHE="0"), [])

    def test_what_is_asked_for_is_written_where_it_is_asked_for(self):
        places = {"ACLVK_TRACE": "trace", "ACLVK_RECORD": "record", "ASCEND_PROCESS_LOG_PATH": "log", "ACLVK_CACHE_DIR": "cache"}
        for place in places.values():
            (self.folder / place).mkdir()
        variables = {name: str(self.folder / place) for name, place in places.items()}
        written = self.written(ASCEND_GLOBAL_LOG_LEVEL="1", **variables)
        self.assertEqual(self.outside(written, *variables.values()), [])
        for name in ("ACLVK_TRACE", "ACLVK_RECORD", "ASCEND_PROCESS_LOG_PATH"):
            self.assertNotEqual(self.outside(written, *[variables[other] for other in variables if other != name]), [], name)

    def test_nothing_is_looked_for_in_the_current_folder(self):
        names = {entry.path for entry in self.opened() if entry.path.startswith(str(self.folder / "work"))}
        names.discard(str(self.folder / "work" / "SwiftShader.ini"))  # that driver's own
        self.assertEqual(names, set())

    def test_variables_load_nothing(self):
        """Names of files in variables of the library are no libraries and no programs to it."""
        bait = self.folder / "bait"
        bait.mkdir()
        (bait / "libbait.so").write_text("no library")
        settings = re.findall(r'^OPTION\(\w+, Text, "([A-Z_]+)"', (ROOT / "src/base/config.def").read_text(), re.MULTILINE)
        self.assertIn("ACLVK_SOC_NAME", settings)
        others = {"ACLVK_DEVICE", "ACLVK_COMPATIBILITY", "ACLVK_RESERVED_ADDRESSES"}  # refused, being no device or no known word
        ours = [name for name in settings if name.startswith("ACLVK_") and name not in others]
        variables = {name: str(bait / "libbait.so") for name in ours}
        read = [entry.path for entry in self.opened(**variables) if entry.done and not entry.writes]
        self.assertNotIn(str(bait / "libbait.so"), read)


if __name__ == "__main__":
    unittest.main()
