#!/usr/bin/env python3
"""Runs a program in an empty folder and compares what it prints with a file, byte for byte.

check_program.py --expected FILE [--picture SVG] PROGRAM
check_program.py --expected FILE --prefix PREFIX [--flag FLAG]... SOURCE.cpp

--picture compares the graph that the program leaves with one that Graphviz has drawn.
The second form compiles the program against an installation first, with the command line that the documents give.
"""

import argparse
import difflib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import check_dot

LIBRARIES = ["-lascendcl", "-lnnopbase", "-lopapi"]


def compile_program(source, prefix, flags, folder):
    output = folder / source.stem
    command = ["g++", "-std=c++17", f"-I{prefix}/include", str(source), f"-L{prefix}/lib64", *LIBRARIES, *flags,
               "-o", str(output)]
    print("$", shlex.join(command), flush=True)
    subprocess.run(command, check=True)
    return output


def run(program, prefix, folder):
    environment = dict(os.environ)
    if prefix:
        environment["LD_LIBRARY_PATH"] = f"{prefix}/lib64"
    result = subprocess.run([str(program)], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, timeout=100)
    if result.returncode != 0:
        sys.exit(f"{program} ends with {result.returncode}; it printed:\n{result.stdout}")
    return result.stdout


def compare(expected, printed):
    if printed == expected.read_text():
        return
    lines = difflib.unified_diff(expected.read_text().splitlines(), printed.splitlines(), str(expected), "printed",
                                 lineterm="")
    sys.exit("The output differs.\n" + "\n".join(lines))


def check_traces(folder):
    """Checks JSON that a program writes: it has to be a Chrome trace."""
    for file in folder.glob("*.json"):
        for event in json.loads(file.read_text()):
            missing = {"name", "pid", "tid", "ts", "dur", "ph", "args"} - event.keys()
            if missing:
                sys.exit(f"{file.name}: {event} lacks {', '.join(sorted(missing))}.")


def check_graphs(folder, picture):
    """Checks DOT that a program writes: it has to be the graph of the picture."""
    files = list(folder.glob("*.dot"))
    if picture and not files:
        sys.exit("The program leaves no graph.")
    for file in files:
        try:
            graph = check_dot.check(file)
            if picture:
                check_dot.check_picture(graph, picture)
        except SyntaxError as error:
            sys.exit(f"{file.name}: {error}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--expected", type=pathlib.Path, required=True)
    parser.add_argument("--prefix", type=pathlib.Path)
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--picture", type=pathlib.Path)
    parser.add_argument("program", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = options.program.resolve()
        if options.prefix:
            program = compile_program(program, options.prefix, options.flag, folder)
        compare(options.expected, run(program, options.prefix, folder))
        check_traces(folder)
        check_graphs(folder, options.picture)


if __name__ == "__main__":
    main()
