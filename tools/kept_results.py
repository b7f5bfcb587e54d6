"""Remembers which checks of sources have found nothing, so that they do not run again.

A key is made of all that a check reads: the text that the preprocessor makes of its sources, each file that this text comes from,
the program and its options, and the tools of this folder. Clones on a machine share the folder, beside ccache's.
"""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "aclvk-checks"
MARKER = re.compile(rb'^# \d+ "([^"<]+)"', re.MULTILINE)
DAYS = 60  # that a result is kept after its last use
digests = {}


def digest_of(path):
    """Returns a digest of the content of a file, which is read once."""
    if path not in digests:
        digests[path] = hashlib.sha256(path.read_bytes()).digest()
    return digests[path]


def same_everywhere(content, folder):
    """Returns a text without the folder of this clone and without a temporary one."""
    return content.replace(f"{ROOT}/".encode(), b"").replace(f"{folder}/".encode(), b"")


def identity(program):
    """Returns the version of a program, and the times at which its file and the libraries beside it were made."""
    file = pathlib.Path(shutil.which(program) or program).resolve()
    version = subprocess.run([str(file), "--version"], stdout=subprocess.PIPE, check=True).stdout
    libraries = sorted(path for path in file.parent.parent.glob("lib/lib*.so*") if path.exists())
    return version + "".join(f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}\n" for path in [file, *libraries]).encode()


def key_of(program, compiler, flags, source, about=()):
    """Returns the key of a check of a source by a program, or nothing if it cannot be preprocessed. `compiler` is a clang of the
    same version; `about` are the options of the check, and files that it reads besides, as paths."""
    read = subprocess.run([compiler, *flags, "-E", "-CC", "-dD", str(source)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if read.returncode:
        return None
    folder = source.parent
    result = hashlib.sha256(identity(program))
    for part in [*flags, *about]:
        result.update(digest_of(part) if isinstance(part, pathlib.Path) else same_everywhere(part.encode(), folder) + b"\0")
    for tool in sorted((ROOT / "tools").glob("*.py")):
        result.update(digest_of(tool))
    result.update(hashlib.sha256(same_everywhere(read.stdout, folder)).digest())
    for name in sorted(set(MARKER.findall(read.stdout))):
        path = pathlib.Path(name.decode())
        if path.parent != folder:
            result.update(same_everywhere(name, folder) + b"\0" + digest_of(path))
    return result.hexdigest()


def found_nothing(key):
    """Returns whether the check of this key has found nothing before."""
    kept = CACHE / (key or "none")
    if not key or not kept.exists():
        return False
    kept.touch()
    return True


def keep(key):
    """Remembers that the check of this key has found nothing."""
    if key:
        CACHE.mkdir(parents=True, exist_ok=True)
        for kept in CACHE.iterdir():
            if kept.stat().st_mtime < time.time() - DAYS * 24 * 3600:
                kept.unlink(missing_ok=True)
        (CACHE / key).touch()
