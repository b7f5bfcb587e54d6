#!/usr/bin/env python3
"""Checks that each public header can be included alone, and twice, in C99 and in C++17; also after and before copies of the
files of error codes that have guards and spellings of their own.

Usage: headers_alone_test.py INCLUDE [CC [CXX]]. The headers of operators are inputs of a few calls of the compiler, which reads each
of them as a file of its own; a process for each would take minutes.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

FLAGS = ["-fsyntax-only", "-pedantic", "-Wall", "-Wextra", "-Werror"]
BATCH = 100  # headers that one call of the compiler reads


def compiles(compiler, language, include, names):
    """What the compiler says about a file that includes these; a name of several lines is the text of a header itself."""
    text = "".join(name if "\n" in name else f'#include "{name}"\n' for name in names)
    text += "int main(void) { return 0; }\n"
    result = subprocess.run([*compiler, *FLAGS, f"-I{include}", "-x", language, "-"], input=text, text=True,
                            stderr=subprocess.PIPE)
    return result.stderr if result.returncode else ""


def each_compiles(compiler, language, include, names):
    """What the compiler says about these headers, each of which is an input of its own."""
    result = subprocess.run([*compiler, *FLAGS, "-I.", "-x", language, *names], cwd=include, text=True, stderr=subprocess.PIPE)
    return result.stderr if result.returncode else ""


def operators_of(include):
    """The headers of operators, in each folder from which programs include them. One of macros alone is no source in ISO C, and
    not among them."""
    names = {path.name for path in include.glob("aclnnop/*.h") if "#include" in path.read_text(encoding="utf-8")}
    found = (path.relative_to(include) for path in include.rglob("*.h") if path.name in names)
    return {path.as_posix() for path in found if path.parent.as_posix() in (".", "aclnnop", "aclnnop/level2")}


def files(include, operators):
    """Name of a file -> the headers that it includes."""
    every = sorted(path.relative_to(include).as_posix() for path in include.rglob("*.h"))
    result = {f"{name} alone and twice": [name, name] for name in every if name not in operators}
    result["all of aclnnop, twice"] = sorted(operators) * 2
    return result


def copies(include):
    """What a program may bring along and how -> what it includes, for each file of error codes."""
    result = {}
    for path in sorted(include.glob("acl/error_codes/*.h")):
        values = re.findall(r"^\s*#define (ACL_\w+) (\d+)$", path.read_text(encoding="utf-8"), re.M)
        if len(values) < 30:
            sys.exit(f"{path} has {len(values)} values that a copy can be made of.")
        first, number = values[0]
        texts = {"macros": [f"#define {name} {value}" for name, value in values],
                 "other macros": [f"#define {name} {value}U" for name, value in values],
                 "constants": [f"static const int {name} = {value};" for name, value in values]}
        copy = {kind: "\n".join(["#ifndef COPY_OF_CODES", "#define COPY_OF_CODES", *lines, "#endif", ""])
                for kind, lines in texts.items()}
        used = f"int first_is_right[{first} == {number} ? 1 : -1];\n"
        checked = {"constants": f"static int first(void) {{ return {first}; }}\nint (*get_first)(void) = first;\n"}
        for kind, text in copy.items():
            result[f"{path.name}, {kind} in front"] = [text, "acl/acl.h", checked.get(kind, used)]
        result[f"{path.name}, macros behind"] = ["acl/acl.h", copy["macros"], used]
    return result


def main():
    include = pathlib.Path(sys.argv[1]).resolve()
    compilers = [("c", [sys.argv[2] if len(sys.argv) > 2 else "cc", "-std=c99"]),
                 ("c++", [sys.argv[3] if len(sys.argv) > 3 else "c++", "-std=c++17"])]
    operators = operators_of(include)
    wanted = files(include, operators)
    if len(wanted) < 50 or len(operators) < 3000:
        sys.exit(f"{include} has {len(wanted)} headers and {len(operators)} of operators only.")
    wanted.update(copies(include))
    jobs = [(what, compiles, names, *compiler) for what, names in wanted.items() for compiler in compilers]
    for first in range(0, len(operators), BATCH):
        names = sorted(operators)[first : first + BATCH]
        jobs += [(f"one of {names[0]} to {names[-1]} alone", each_compiles, names, *compiler) for compiler in compilers]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(lambda job: job[1](job[4], job[3], include, job[2]), jobs))
    for (what, _, _, language, _), answer in zip(jobs, answers):
        if answer:
            print(f"{what} ({language}):\n{answer[:2000]}")
    print(f"{len(jobs)} calls, {sum(map(bool, answers))} do not compile.")
    return 1 if any(answers) else 0


if __name__ == "__main__":
    sys.exit(main())
