#!/usr/bin/env python3
"""Runs the command lines of a document: run_docs.py DOCUMENT --prefix PREFIX --build BUILD [--only KIND]

A comment stands before each block of commands and says where it runs:

<!-- run: here -->      in an empty folder, with the installation PREFIX; what blocks leave, later blocks find
<!-- run: build -->     takes a whole build: only looked at here, presets and scripts have to be there; scripts/test does it
<!-- run: root -->      installs into a system: only read by the shell here; scripts/test_clean_root does it
<!-- run: optional -->  as here, where the program is installed
<!-- file: NAME -->     no commands: the block is a file of the folder

After two spaces a line of an indented block says what the command does. Commands without such a comment are an error, and so
are lines "- run:" of a workflow that no block of the document has. For scripts/test_clean_root, --only root prints blocks instead of running any, and --files FOLDER only
writes the files.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
MARK = re.compile(r"^<!-- (run|file): (\S+) -->$")
KINDS = ("here", "build", "root", "optional")
COMMAND = re.compile(r"^(sudo )?([A-Z_]+=\S+ )*(\./|scripts/|tools/|build/|\. |(cmake|ctest|ninja|g\+\+|apt|apt-get|aclvk|"
                     r"aclvk-bench|npu-smi|dot|cpack|dpkg|export|source|git|tar|glslangValidator|dxc|slangc|debootstrap)\b)")


class Block:
    def __init__(self, mark, value, lines, line):
        self.mark, self.value, self.lines, self.line = mark, value, lines, line

    def commands(self):
        """Returns the lines; lines that a backslash continues are joined."""
        text = "\n".join(re.split(r"\s{2,}(?=\S)", line.rstrip())[0] for line in self.lines)
        return [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]


def blocks_of(text):
    """Returns the blocks of code, fenced or indented, with the comment before them if there is one."""
    lines, i, mark, found = text.splitlines(), 0, None, []
    while i < len(lines):
        line, start = lines[i], i + 1
        match = MARK.match(line)
        fence = re.match(r"^( *)```(\w*)", line)
        if match:
            mark = match
        elif fence:
            end = next(n for n in range(i + 1, len(lines)) if lines[n].strip() == "```")
            marked = mark or (fence[2] == "sh" and (None, "run", "unmarked"))
            if marked:
                found.append(Block(marked[1], marked[2], lines[i + 1:end], start))
            mark, i = None, end
        elif line.startswith("    ") and (i == 0 or not lines[i - 1].strip()):
            end = next((n for n in range(i, len(lines)) if not lines[n].startswith("    ")), len(lines))
            body = [one[4:] for one in lines[i:end]]
            if mark or COMMAND.match(body[0]):
                found.append(Block(mark[1] if mark else "run", mark[2] if mark else "unmarked", body, start))
            mark, i = None, end - 1
        elif line.strip() and mark:
            sys.exit(f"Line {start}: no block follows the comment {mark[0]}.")
        i += 1
    return found


def check_build_command(command, build):
    """Checks that the presets and scripts of a whole build exist."""
    words = command.split()
    presets = (ROOT / "CMakePresets.json").read_text()
    if "--preset" in words and f'"name": "{words[words.index("--preset") + 1]}"' not in presets:
        sys.exit(f'"{command}": CMakePresets.json has no such preset.')
    script = ROOT / words[0]
    if words[0].startswith(("scripts/", "tools/")):
        if not os.access(script, os.X_OK):
            sys.exit(f'"{command}": {script} is no program.')
    elif words[0].startswith("build/"):
        program = build / re.sub(r"^build/\w+/", "", words[0])
        if not program.exists():
            sys.exit(f'"{command}": {program} is not there.')
    elif not shutil.which(words[0], path=f"{build}/bin:{os.environ['PATH']}"):
        sys.exit(f'"{command}": there is no program {words[0]}.')


class Folder:
    """The folder in which commands run: with a program, its dumps, and the folders of the tree that documents name."""

    def __init__(self, path, prefix, build):
        self.path, self.prefix, self.build = path, prefix, build
        samples = build / "samples"
        shutil.copy(samples / "capture_trace", path / "program")
        subprocess.run([str(samples / "capture_graph"), "model.dot"], cwd=path, check=True, capture_output=True)
        for name in ("tools", "scripts"):
            (path / name).symlink_to(ROOT / name)
        (path / "docs" / "images").mkdir(parents=True)

    def run(self, block, optional):
        commands = [re.sub(r"\bbuild/(debug|release)\b", str(self.build), command) for command in block.commands()]
        if optional:
            commands = [one for one in commands if shutil.which(one.split()[0]) or print(f"not installed: {one}")]
        path = f"{self.prefix}/bin:{os.environ['PATH']}"
        environment = dict(os.environ, PREFIX=str(self.prefix), PATH=path, LD_LIBRARY_PATH=f"{self.prefix}/lib64")
        result = subprocess.run(["bash", "-euo", "pipefail", "-x", "-c", "\n".join(commands)], cwd=self.path,
                                env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(result.stdout)
        if result.returncode != 0:
            sys.exit(f"The block in line {block.line} ends with {result.returncode}.")


def check_workflows(text, blocks):
    known = {command for block in blocks if block.mark == "run" for command in block.commands()}
    for command in re.findall(r"^ *- run: (.+)$", text, re.MULTILINE):
        if command not in known:
            sys.exit(f'The workflow runs "{command}", which no block of commands has.')


def write_files(blocks, folder):
    for block in blocks:
        if block.mark == "file":
            (folder / block.value).write_text("\n".join(block.lines) + "\n")


def run_all(blocks, prefix, build):
    with tempfile.TemporaryDirectory() as name:
        folder = Folder(pathlib.Path(name), prefix, build)
        write_files(blocks, folder.path)
        for block in blocks:
            if block.mark == "file":
                continue
            if block.value in ("here", "optional"):
                folder.run(block, block.value == "optional")
            else:
                subprocess.run(["bash", "-n", "-c", "\n".join(block.commands())], check=True)
                for command in block.commands() if block.value == "build" else []:
                    check_build_command(command, build)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("--prefix", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--only", choices=KINDS)
    parser.add_argument("--files", type=pathlib.Path)
    options = parser.parse_args()
    text = options.document.read_text(encoding="utf-8")
    blocks = blocks_of(text)
    for block in blocks:
        if block.mark == "run" and block.value not in KINDS:
            sys.exit(f"{options.document.name}:{block.line}: no comment says where these commands run.")
    if options.only:
        wanted = [block for block in blocks if block.mark == "run" and block.value == options.only]
        print("\n".join(command for block in wanted for command in block.commands()))
        return
    if options.files:
        write_files(blocks, options.files)
        return
    check_workflows(text, blocks)
    run_all(blocks, options.prefix.resolve(), options.build.resolve())


if __name__ == "__main__":
    main()
