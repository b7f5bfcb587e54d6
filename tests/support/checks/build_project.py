#!/usr/bin/env python3
"""Builds a project as its author would, and runs it: build_project.py PROJECT PREFIX [--default-root] [VARIABLE=VALUE]...

PROJECT is a folder of tests/conformance/projects with a build.sh that leaves the program "main". Of the environment the
build sees the compiler's part and the VARIABLEs; {} in a value stands for PREFIX. With --default-root the installation is
at CANN's usual place, /usr/local/Ascend, in a mount namespace of its own; exits with 77 where the machine allows none.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

KEPT = ("HOME", "TMPDIR", "CXXFLAGS", "LDFLAGS", "CCACHE_DIR")
NO_NAMESPACE = 77
# A new /usr/local with the folders that were in it, so that another one can be made there.
NAMESPACE = """
set -e
hidden=$(mktemp -d)
mount --rbind /usr/local "$hidden"
mount -t tmpfs none /usr/local
for entry in "$hidden"/*; do
  place="/usr/local/${entry##*/}"
  if [ -d "$entry" ] && [ ! -L "$entry" ] && [ "$place" != /usr/local/Ascend ]; then
    mkdir "$place" && mount --rbind "$entry" "$place"
  elif [ -L "$entry" ]; then
    cp -P "$entry" "$place"
  fi
done
"$1/bin/aclvk-default-root"
cd "$2"
bash build.sh
"""


def environment(prefix, settings):
    path = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {**path, **kept, **dict(one.replace("{}", str(prefix)).split("=", 1) for one in settings)}


def build_command(prefix, folder, default_root):
    if not default_root:
        return ["bash", "build.sh"]
    namespace = ["unshare", "--mount", "--map-root-user"]
    if subprocess.run([*namespace, "true"], stderr=subprocess.DEVNULL).returncode != 0:
        print("Mount namespaces are not allowed here, so nothing can be put at /usr/local/Ascend.")
        sys.exit(NO_NAMESPACE)
    return [*namespace, "bash", "-c", NAMESPACE, "_", str(prefix), str(folder)]


def main():
    project, prefix = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    default_root = "--default-root" in sys.argv
    settings = [one for one in sys.argv[3:] if not one.startswith("--")]
    with tempfile.TemporaryDirectory() as name:
        projects = pathlib.Path(name) / "projects"
        shutil.copytree(project.parent, projects)
        folder = projects / project.name
        subprocess.run(build_command(prefix, folder, default_root), cwd=folder, env=environment(prefix, settings),
                       check=True)
        subprocess.run([str(folder / "main")], cwd=folder, check=True, timeout=200,
                       env=dict(os.environ, LD_LIBRARY_PATH=f"{prefix}/lib64"))


if __name__ == "__main__":
    main()
