#!/usr/bin/env python3
"""Compiles one compute shader several times and writes the modules into a file for pack_shaders.py.

The variants are those of src/vk_device/modules/embedded_shaders.hpp: operands through descriptors or addresses, arguments in push
constants or in memory, 64-bit words or not. A wide variant that is no different is left out, as is the one with arguments
in memory; a source with the line "// arguments: in memory" has too many for push constants, and only variants for those.
The output is the command line, a line with the sizes of the modules in bytes, and a zstd frame of all modules. A depfile for ninja
is next to it. Builds of several kinds share the output, and ninja knows only of its own: so what another build has made from the
same files in the same way is left as it is.
Clones on a machine share a cache beside ccache's, whose keys are the contents of all files that a shader is made of.
"""

import argparse
import hashlib
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

VULKAN = "vulkan1.2"
SPIRV_HEADER_WORDS = 5
OP_DECORATE, OP_TYPE_FLOAT, OP_F_CONVERT, NO_CONTRACTION = 71, 22, 115, 42
IN_MEMORY = re.compile(r"^// arguments: in memory$", re.MULTILINE)
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "aclvk-shaders"


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")


def included(depfile):
    """The files that a depfile of one output names, escaped as they are."""
    return depfile.read_text().split(":", 1)[1].replace("\\\n", " ").split()


def instructions(words):
    """Where each instruction begins, and its opcode."""
    at = SPIRV_HEADER_WORDS
    while at < len(words):
        yield at, words[at] & 0xFFFF
        at += words[at] >> 16


def keep_rounding(code):
    """The same module with all conversions between floats decorated as NoContraction, if it has doubles. Mesa from about 25 on
    takes double to float to double for nothing to do, which loses the rounding; glslang's `precise` does not reach conversions.
    """
    words = struct.unpack(f"<{len(code) // 4}I", code)
    found = list(instructions(words))
    if not any(opcode == OP_TYPE_FLOAT and words[at + 2] == 64 for at, opcode in found):
        return code
    results = [words[at + 2] for at, opcode in found if opcode == OP_F_CONVERT]
    decorations = [word for result in results for word in (3 << 16 | OP_DECORATE, result, NO_CONTRACTION)]
    place = next(at for at, opcode in found if opcode == OP_DECORATE)
    return code[: 4 * place] + struct.pack(f"<{len(decorations)}I", *decorations) + code[4 * place :]


def compile_module(options, index, folder):
    """The SPIR-V of one variant. Names are stripped, so that it depends on the source only."""
    module = folder / f"{index}.spv"
    defines = [f"-DWIDE={index >> 2}", f"-DADDRESSES={index >> 1 & 1}", f"-DBLOCK={index & 1}"]
    if options.variant != "-":
        defines.append(f"-DVARIANT_{options.variant}=1")
    includes = [f"-I{path}" for path in options.include]
    run([options.glslang, "-V", "--target-env", VULKAN, "-g0", *defines, *includes, "-o", module, options.source])
    module.write_bytes(keep_rounding(module.read_bytes()))
    if options.validator and not options.validator.endswith("NOTFOUND"):
        run([options.validator, "--target-env", VULKAN, module])
    return module.read_bytes()


def compile_modules(options, folder):
    in_memory = IN_MEMORY.search(pathlib.Path(options.source).read_text()) is not None
    modules = 8 * [b""]
    for index in (1, 3) if in_memory else range(4):
        modules[index] = compile_module(options, index, folder)
    for index in (5, 7) if in_memory else (4, 6):
        wide = compile_module(options, index, folder)
        modules[index] = wide if wide != modules[index - 4] else b""
    return modules


def joined(zstd, modules):
    """The sizes of the modules, and all of them as one zstd frame. Only the build reads it, so it is compressed quickly."""
    frame = subprocess.run([zstd, "-3", "--quiet", "--stdout"], input=b"".join(modules), stdout=subprocess.PIPE, check=True).stdout
    return " ".join(str(len(module)) for module in modules).encode() + b"\n" + frame


def read_modules(zstd, path):
    """The modules of an output of this script: eight, of which those that do not exist are empty."""
    _, sizes, frame = path.read_bytes().split(b"\n", 2)
    code = subprocess.run([zstd, "--decompress", "--quiet", "--stdout"], input=frame, stdout=subprocess.PIPE, check=True).stdout
    modules, at = [], 0
    for size in map(int, sizes.split()):
        modules.append(code[at : at + size])
        at += size
    return modules


def reached(source, folders):
    """The source and each file that it includes, in whichever branch of a condition, with its content."""
    contents = {}
    left = [pathlib.Path(source)]
    while left:
        file = left.pop()
        if file in contents:
            continue
        contents[file] = file.read_bytes()
        for name in INCLUDE.findall(contents[file]):
            places = [file.parent, *map(pathlib.Path, folders)]
            left += [place / name.decode() for place in places if (place / name.decode()).is_file()][:1]
    return contents


def cached_file(options, contents):
    """Where the cache has the output for these contents, whether it is there or not."""
    version = subprocess.run([options.glslang, "--version"], stdout=subprocess.PIPE, check=True).stdout
    digest = hashlib.sha256(version)
    for part in (options.name, options.variant, VULKAN):
        digest.update(part.encode() + b"\0")
    for content in [pathlib.Path(__file__).read_bytes(), *contents.values()]:
        digest.update(hashlib.sha256(content).digest())
    return CACHE / digest.hexdigest()


def made(options):
    with tempfile.TemporaryDirectory() as name:
        return joined(options.zstd, compile_modules(options, pathlib.Path(name)))


def command_line():
    return ("// " + " ".join(sys.argv[1:]) + "\n").encode()


def is_newer(out, sources):
    """True if this command line has made the output from files as they are now."""
    if not out.exists():
        return False
    with out.open("rb") as file:
        if file.readline() != command_line():
            return False
    return all(source.exists() and source.stat().st_mtime < out.stat().st_mtime for source in sources)


def is_current(out, depfile):
    return depfile.exists() and is_newer(out, [pathlib.Path(name) for name in [__file__, *included(depfile)]])


def write(path, content):
    """At once, because two builds may write it at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_bytes(content)
    part.replace(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("--glslang", required=True)
    parser.add_argument("--zstd", required=True)
    parser.add_argument("--validator", default="")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--name", required=True)
    parser.add_argument("--variant", default="-")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    out = pathlib.Path(options.out)
    depfile = pathlib.Path(f"{out}.d")
    if is_current(out, depfile):
        return

    contents = reached(options.source, options.include)
    cached = cached_file(options, contents)
    if not cached.exists():
        write(cached, made(options))
    write(depfile, f"{out}: {' '.join(str(file) for file in sorted(contents))}\n".encode())
    write(out, command_line() + cached.read_bytes())


if __name__ == "__main__":
    main()
