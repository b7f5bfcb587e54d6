#!/usr/bin/env python3
"""Builds and runs the program of README.md as it says: check_readme.py README PREFIX [FLAG]..."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile


def block(text, language):
    """Returns the first fenced block of a language."""
    return re.search(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[1]


def main():
    readme, prefix, *flags = sys.argv[1:]
    text = pathlib.Path(readme).read_text()
    commands = block(text, "sh")
    name = re.search(r"\S+\.cpp", commands)[0]
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / name).write_text(block(text, "cpp"))
        commands = commands.replace(" -o ", " " + " ".join([*flags, "-o "]))
        printed = subprocess.run(["bash", "-euc", commands], cwd=folder, env=dict(os.environ, PREFIX=prefix), check=True,
                                 stdout=subprocess.PIPE, text=True).stdout
    if printed != block(text, "text"):
        sys.exit(f"README.md promises\n{block(text, 'text')}and the program prints\n{printed}")


if __name__ == "__main__":
    main()
