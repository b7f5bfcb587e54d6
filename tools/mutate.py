#!/usr/bin/env python3
"""Changes single places of src, and notes which tests notice.

Usage: mutate.py list [--seed N] [--count N] > MUTANTS
       mutate.py run BUILD MUTANTS > RESULTS
       mutate.py compare RESULTS RESULTS

Mutants are of three kinds: a lock that is not taken, a comparison that is another one (< and <=, == and !=), and a launch size
that is one group or element less. `list` chooses COUNT of each kind at random. `run` changes one place at a time in the tree that
BUILD is a build of, builds it, and runs STAGES, from the cheapest to the dearest, until one fails; the tree is as before
afterwards. A mutant is named by its file and the text of its line, so that `compare` finds it in the results of another commit: it
prints those that were noticed before and are not now.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("base", "runtime", "capture", "vk_device", "ops")

LOCK = re.compile(r"^\s*(?:const )?(?:std::)?(?:LockGuard|SchedulerLock|UniqueLock|lock_guard|unique_lock|scoped_lock)(?:<[^>]*>)? lock\b.*;$")
COMPARISON = re.compile(r"(?<=[\w)\]] )(<=|>=|<|>|==|!=)(?= [\w(*-])")
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
ROUNDED_UP = re.compile(r" \+ \w[\w.]* - 1\) / ")
LAUNCH = re.compile(r"\b(?:groups|workgroups|threads|count|rows|elements)\b = [^;{]*(?=;)")

# Stages in this order: the clang analysis of locks, then entries of ctest by label.
STAGES = ("locks", "unit", "null_device", "api", "conformance", "ops")


def code_lines(path):
    """Yields (number, line) of the lines of a source that are code."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        if not re.match(r"\s*(?://|#|template|using|static_assert|///)", line):
            yield number, line.split("  //")[0]


def mutants_of(line):
    """Yields (kind, changed line) for each change of a line."""
    if LOCK.match(line):
        yield "lock", ""
        return
    for found in COMPARISON.finditer(line):
        yield "comparison", line[: found.start()] + OTHER[found.group()] + line[found.end() :]
    if ROUNDED_UP.search(line):
        yield "launch", ROUNDED_UP.sub(") / ", line)
    elif LAUNCH.search(line):
        yield "launch", LAUNCH.sub(r"\g<0> - 1", line)


def all_mutants():
    for folder in FOLDERS:
        for path in sorted((ROOT / "src" / folder).rglob("*.cpp")):
            for _, line in code_lines(path):
                for kind, changed in mutants_of(line):
                    yield {"kind": kind, "file": path.relative_to(ROOT).as_posix(), "line": line, "changed": changed}


def choose(seed, count):
    kinds = collections.defaultdict(list)
    for mutant in all_mutants():
        kinds[mutant["kind"]].append(mutant)
    source = random.Random(seed)
    return [mutant for kind in sorted(kinds) for mutant in source.sample(kinds[kind], min(count, len(kinds[kind])))]


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False, **options)


def ops_suites(file):
    """The entries of ctest for a source of ops: those of the same family."""
    family = file.split("/")[2]
    suites = {match for path in (ROOT / "tests/ops" / family).rglob("*_test.cpp")
              for match in re.findall(r"^TEST\w*\((\w+),", path.read_text(encoding="utf-8"), re.MULTILINE)}
    return "^aclvk_ops_tests.*[./](?:" + "|".join(sorted(suites)) + r")\b" if suites else "^aclvk_ops_tests[.](Copy|Rows|Binary)"


def notices(stage, build, mutant):
    """Returns the first entry of a stage that fails, or nothing."""
    if stage == "locks":
        if mutant["kind"] != "lock" or not (ROOT / "scripts/check_locks").exists():
            return None
        return "check_locks" if run(["scripts/check_locks", build, mutant["file"]], cwd=ROOT).returncode else None
    command = ["ctest", "--test-dir", str(build), "-j2", "--timeout", "120", "--stop-on-failure"]
    if stage == "ops":
        family = "/ops/" in mutant["file"]
        command += ["-R", ops_suites(mutant["file"]) if family else "^aclvk_ops_tests[.](Copy|Matmul|Launches)"]
    else:
        command += ["-L", f"^{stage}$"]
    done = run(command)
    failed = re.search(r"Test\s+#\d+: (\S+) .*(?:\*\*\*|Failed|Subprocess)", done.stdout)
    return (failed.group(1) if failed else "ctest") if done.returncode else None


def verdict(build, mutant, targets):
    if run(["cmake", "--build", build, "--target", *targets]).returncode:
        return "compiler"
    for stage in STAGES:
        noticed = notices(stage, build, mutant)
        if noticed:
            return f"{stage}: {noticed}"
    return "-"


def changed_text(text, mutant):
    """Returns the text with the first line that the mutant names changed; nothing if there is none."""
    lines = text.split("\n")
    at = next((i for i, line in enumerate(lines) if line.split("  //")[0] == mutant["line"]), None)
    if at is None:
        return None
    lines[at] = mutant["changed"]
    return "\n".join(lines)


def run_all(build, mutants, targets):
    for mutant in mutants:
        path = ROOT / mutant["file"]
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        changed = changed_text(text, mutant)
        if changed is None:
            result = "gone"
        else:
            path.write_text(changed, encoding="utf-8")
            try:
                result = verdict(build, mutant, targets)
            finally:
                path.write_text(text, encoding="utf-8")
        print(json.dumps({**mutant, "noticed": result}), flush=True)


def read(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines()]


def compare(before, after):
    """Prints mutants that are noticed no more; returns their number."""
    now = {(m["kind"], m["line"], m["changed"]): m["noticed"] for m in after}
    lost = 0
    for mutant in before:
        noticed = now.get((mutant["kind"], mutant["line"], mutant["changed"]), "gone")
        if noticed == "-" and mutant["noticed"] not in ("-", "gone"):
            lost += 1
            print(f"{mutant['file']}: {mutant['line'].strip()} -> {mutant['changed'].strip()}: was noticed by {mutant['noticed']}")
    kinds = collections.Counter((m["kind"], "survived" if m["noticed"] == "-" else "noticed") for m in after if m["noticed"] != "gone")
    for (kind, result), count in sorted(kinds.items()):
        print(f"{kind}: {count} {result}")
    print(f"{lost} of {len(before)} mutants are noticed no more.")
    return lost


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    chosen = commands.add_parser("list")
    chosen.add_argument("--seed", type=int, default=1)
    chosen.add_argument("--count", type=int, default=10)
    runs = commands.add_parser("run")
    runs.add_argument("build")
    runs.add_argument("mutants")
    runs.add_argument("--target", nargs="+", default=["all"])
    compared = commands.add_parser("compare")
    compared.add_argument("before")
    compared.add_argument("after")
    options = parser.parse_args()
    if options.command == "list":
        for mutant in choose(options.seed, options.count):
            print(json.dumps(mutant))
    elif options.command == "run":
        run_all(pathlib.Path(options.build).resolve(), read(options.mutants), options.target)
    else:
        return 1 if compare(read(options.before), read(options.after)) else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
