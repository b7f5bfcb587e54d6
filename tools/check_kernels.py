#!/usr/bin/env python3
"""Checks that a shader's arguments and specialization constants are declared in a list that its host reads, too.

Lists are macros in shaders/<stem>.args.h (shaders/common/declare.glsl, src/ops/kernel/declare.hpp). A shader that numbers a constant, sets
its local size by one, or writes members of its argument block itself is refused, as is a list that no shader or no source uses, and a
source that fills the constants or arguments of a kernel by position, or makes one without a KernelBuilder. BY_HAND has the files that still do; it may only shrink.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The files that expand the lists.
MACROS = {"shaders/common/declare.glsl", "shaders/common/operand_dtypes.glsl"}
# The number of kUnpacksHalves is set by the device, not by an operator.
OF_THE_DEVICE = {"shaders/common/dtype.glsl"}
# Frames, whose blocks end with arrays that are as long as the call has operands and dims.
FRAMES = {"shaders/common/kernel.glsl", "shaders/common/strided.glsl", "shaders/common/rows.glsl", "shaders/matmul/products/matrices.glsl"}
# The source that writes the words of the structs.
BUILDER = "src/ops/kernel/kernel_builder.hpp"
# Files that declare by hand. None: a line here needs a reason in its commit.
BY_HAND: set[str] = set()

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
NUMBERED = re.compile(r"\b(constant_id|local_size_[xyz]_id)\b|\bACLVK_(?:CONSTANT|LOCAL_SIZE)\(")
BLOCK = re.compile(r"^\s*#\s*define\s+ARGUMENTS\b", re.MULTILINE)
OWN = re.compile(r"^\s*#\s*define\s+OWN_ARGUMENTS\b((?:[^\n\\]|\\\n|\\)*)", re.MULTILINE)
MEMBER = re.compile(r"\b(?:uint|int|float)\s+\w+\s*(?:\[[^\]]*\])?\s*;")
LIST = re.compile(r"^#define (\w+)\((?:ARGUMENT, ARRAY|CONSTANT, LOCAL_SIZE)\)", re.MULTILINE)
RAW_KERNEL = re.compile(r"\bruntime::Kernel\s+\w+\s*(?:;|\{)")
BY_POSITION = re.compile(r"\b(?:constants|arguments)(?:\s*=\s*\{\s*[^\s}]|\.push_back\()")


def without_comments(text):
    """Replaces comments by spaces; lines stay."""
    return COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def line_of(code, at):
    return code.count("\n", 0, at) + 1


def faults_of_shader(name, text):
    """Yields the lines of a shader, named by its path, that declare by hand, each with what it should use."""
    code = without_comments(text)
    if name not in MACROS | OF_THE_DEVICE:
        for found in NUMBERED.finditer(code):
            yield line_of(code, found.start()), "a constant is a line of a list; ACLVK_CONSTANTS declares them"
    if name not in FRAMES:
        for found in BLOCK.finditer(code):
            yield line_of(code, found.start()), "only frames define ARGUMENTS; a shader defines OWN_ARGUMENTS as a list"
    for found in OWN.finditer(code):
        if MEMBER.search(found.group(1)):
            yield line_of(code, found.start()), "an argument is a line of a list"


def faults_of_source(text):
    """Yields the lines of a source of operators that give constants or arguments by position, or make a kernel without a
    KernelBuilder."""
    code = without_comments(text)
    for found in BY_POSITION.finditer(code):
        yield line_of(code, found.start()), "constants and arguments are assigned by name: declare.hpp"
    for found in RAW_KERNEL.finditer(code):
        yield line_of(code, found.start()), "a KernelBuilder makes kernels"


def faults_of_lists(lists, shaders, sources):
    """Yields the lists, a name and the path of its file each, that one side does not use."""
    for name, path in lists:
        used = re.compile(rf"\b{name}\b")
        for side, texts in (("shader", shaders), ("source", sources)):
            if not any(used.search(text) for text in texts):
                yield f"{path}: no {side} uses {name}"


def read(folder, *suffixes):
    paths = sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes)
    return {path.relative_to(ROOT).as_posix(): path.read_text() for path in paths}


def main():
    shaders = read("shaders", ".comp", ".glsl")
    headers = {name: text for name, text in read("shaders", ".h").items() if name.endswith(".args.h")}
    sources = read("src/ops", ".cpp", ".hpp")
    faults = {name: list(faults_of_shader(name, text)) for name, text in shaders.items()}
    faults |= {name: list(faults_of_source(text)) for name, text in sources.items() if name != BUILDER}
    lines = [f"{name}:{number}: {advice}" for name in faults if name not in BY_HAND for number, advice in faults[name]]
    lines += [f"{name}: declares by name; remove it from BY_HAND" for name in sorted(BY_HAND) if not faults.get(name)]
    lists = [(found, name) for name, text in headers.items() for found in LIST.findall(text)]
    lines += faults_of_lists(lists, shaders.values(), sources.values())
    print("\n".join(lines) or f"{len(lists)} lists of arguments and constants are read by both sides.")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
