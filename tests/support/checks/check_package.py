#!/usr/bin/env python3
"""Checks packages that cpack has made: check_package.py FOLDER PART

control    the Debian package needs what the library is linked with, and what it opens by name
contents   where its files are; nothing that a program does not need
tree       unpacked somewhere else, it builds and runs a program
tarball    the same for the tarball, in a folder with a space in its name, through set_env.sh
"""

import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

import check_exports

ROOT = pathlib.Path(__file__).resolve().parents[3]
CONSUMER = ROOT / "tests" / "conformance" / "consumer" / "main.cpp"
NEEDED = ("libc6", "libstdc++6", "libspdlog", "libfmt", "libzstd1", "libvulkan1")
THERE = (
    "./opt/aclvk/include/acl/acl.h",
    "./opt/aclvk/include/aclnnop/level2/aclnn_add.h",
    "./opt/aclvk/lib64/libaclvk.so.0 -> libaclvk.so.0.1.0",
    "./opt/aclvk/lib64/libascendcl.so -> libaclvk.so",
    "./opt/aclvk/lib64/stub/libascendcl.so -> ../libaclvk.so",
    "./opt/aclvk/runtime/lib64 -> ../lib64",
    "./opt/aclvk/bin/npu-smi -> aclvk",
    "./opt/aclvk/share/aclvk/interface.json",
    "./opt/aclvk/set_env.sh",
    "./opt/aclvk/version.info",
    "./opt/aclvk/opp/version.info -> ../version.info",
    f"./opt/aclvk/{platform.machine()}-linux/ascend_toolkit_install.info",
    "./usr/bin/aclvk -> /opt/aclvk/bin/aclvk",
    "./usr/share/doc/aclvk/copyright",
    "./etc/ld.so.conf.d/aclvk.conf",
)


def output(*command, **options):
    return subprocess.run([*map(str, command)], check=True, capture_output=True, text=True, **options).stdout


def only(folder, pattern):
    found = list(folder.glob(pattern))
    if len(found) != 1:
        sys.exit(f"{folder} has {len(found)} files {pattern}; 1 is expected.")
    return found[0].resolve()


def field(package, name):
    return output("dpkg-deb", "-f", package, name).strip()


def control(folder):
    package = only(folder, "*.deb")
    missing = [name for name in NEEDED if not re.search(rf"(^|, ){re.escape(name)}", field(package, "Depends"))]
    if missing:
        sys.exit(f"Depends is \"{field(package, 'Depends')}\"; it lacks {', '.join(missing)}.")
    if "mesa-vulkan-drivers" not in field(package, "Recommends"):
        sys.exit("The package recommends no Vulkan driver.")
    name = f"aclvk_{field(package, 'Version')}_{field(package, 'Architecture')}.deb"
    if package.name != name:
        sys.exit(f"The package is called {package.name}; by what it holds it is {name}.")
    parts = output("dpkg-deb", "--ctrl-tarfile", package, errors="replace")
    for part in ("postinst", "prerm", "triggers", "conffiles"):
        if f"./{part}" not in parts and part not in parts:
            sys.exit(f"The package has no {part}.")


def contents(folder):
    listing = output("dpkg-deb", "-c", only(folder, "*.deb"))
    files = {line.split(maxsplit=5)[5] for line in listing.splitlines()}
    missing = [file for file in THERE if file not in files]
    if missing:
        sys.exit(f"The package lacks {', '.join(missing)}.")
    strange = [file for file in files if re.search(r"gtest|gmock|\.a$|_tests?$|/home/|/root/", file)]
    if strange:
        sys.exit(f"The package has {', '.join(strange)}.")
    writable = [line for line in listing.splitlines() if line[0] != "l" and "w" in line[5] + line[8]]
    if writable:
        sys.exit("Others may write to\n" + "\n".join(writable))


def use(home, folder, shell_line):
    """Builds and runs a program in a shell whose environment is set by one line."""
    build = f"g++ -std=c++17 -I\"$ASCEND_HOME_PATH/include\" '{CONSUMER}' -L\"$ASCEND_HOME_PATH/lib64\"" \
            " -lascendcl -lnnopbase -lopapi -o program"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ASCEND_HOME", "LD_LIB"))}
    # Frameworks search for the folder of operators and the version.
    checks = "test -d \"$ASCEND_OPP_PATH\"\ntest \"$ACL_OP_INIT_MODE\" = 2\n" \
           "grep -q '^version=[0-9]' \"$ASCEND_TOOLKIT_HOME/$(uname -m)-linux/ascend_toolkit_install.info\""
    script = f"{shell_line}\ntest \"$ASCEND_HOME_PATH\" = '{home}'\n{checks}\n{build}\n./program\naclvk doctor ./program\n" \
             "aclvk info"
    text = output("bash", "-euo", "pipefail", "-c", script, cwd=folder, env=environment)
    for expected in ("functions of ACL that it names are built", f"in {home}", "Device 0: "):
        if expected not in text:
            sys.exit(f"\"{expected}\" is missing in\n{text}")


def check_library(library):
    check_exports.check(library)
    if ".debug_info" in output("readelf", "-S", "-W", library):
        sys.exit(f"{library} has debug information.")
    dynamic = output("readelf", "-d", "-W", library)
    if "Library soname: [libaclvk.so.0]" not in dynamic:
        sys.exit(f"{library} calls itself otherwise than libaclvk.so.0:\n{dynamic}")
    if "RUNPATH" in dynamic or "RPATH" in dynamic:
        sys.exit(f"{library} looks for others in folders of the machine that built it.")


def tree(folder):
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name).resolve()
        subprocess.run(["dpkg-deb", "-x", str(only(folder, "*.deb")), name], check=True)
        home = root / "opt" / "aclvk"
        check_library(home / "lib64" / "libaclvk.so")
        use(home, root, f"source '{home}/set_env.sh'")


def tarball(folder):
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name).resolve() / "a place"
        place.mkdir()
        subprocess.run(["tar", "-xf", str(only(folder, "*.tar.gz")), "-C", str(place)], check=True)
        home = only(place, "*")
        if not (home / "set_env.sh").exists():
            sys.exit(f"The tree does not begin in {home.name}: {sorted(home.iterdir())}.")
        if "_CPack_Packages" in (home / "set_env.sh").read_text():
            sys.exit("set_env.sh names a folder of the machine that packed it.")
        use(home, place, f"source '{home}/bin/setenv.bash'")


def main():
    parts = {"control": control, "contents": contents, "tree": tree, "tarball": tarball}
    parts[sys.argv[2]](pathlib.Path(sys.argv[1]))


if __name__ == "__main__":
    main()
