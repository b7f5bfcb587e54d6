#!/usr/bin/env python3
"""Measures how readable the tree is as a whole: files, functions, comments, includes, folders, singletons, tests without a device.

Prints a Markdown table. The column "bar" is what well-kept libraries of this kind reach (Dawn, DXVK, IREE, MLX, ExecuTorch), the
column "limit" the figure of this tree when the limit was set; --check fails where a figure is worse than its limit. A change that
makes a figure better sets its limit anew. Generated sources count for names, folders and includes only.
"""

import argparse
import dataclasses
import pathlib
import re
import sys

import check_comments
import check_layers
from tree_figures import cases, cpp, graph

ROOT = pathlib.Path(__file__).resolve().parent.parent

SINGLETON = re.compile(r"\bstatic [^;(){}]*= \*?new\b")
THREAD_LOCAL = re.compile(r"\bthread_local\b")
UNTYPED = re.compile(r"\bconst void ?\*")
SCHEDULER = re.compile(r"\bScheduler::instance\(\)")
CODE_FOLDERS = ("src", "shaders", "tests", "bench", "cli", "tools", "samples")
CODE = {".cpp", ".hpp", ".c", ".h", ".cu", ".def", ".comp", ".glsl", ".py", ".sh", ".cmake"}
MOST_PARAMETERS, MOST_FILES, MOST_METHODS = 6, 40, 40

# A figure, the bar, and the limit: "<= n" or ">= n". Those of lines leave a margin for comments and for longer names.
FIGURES = {
    "lines a file, median": ("113-163", "<= 62"),
    "lines a file, p90": ("437-536", "<= 190"),
    "files over 400 lines": ("few", "<= 5"),
    "files over 500 lines": ("0", "<= 0"),
    "files under 30 lines": ("-", "<= 230"),
    "lines a function, median": ("7-17", "<= 6"),
    "lines a function, p90": ("42-60", "<= 17"),
    "lines a function, largest": ("60", "<= 60"),
    "parameters, median": ("-", "<= 2"),
    "parameters, p90": ("-", "<= 4"),
    "functions over 6 parameters": ("-", "<= 56"),
    "parameters, largest": ("-", "<= 10"),
    "comment lines, headers, %": ("15-40", ">= 22.0"),
    "comment lines, sources, %": ("5-12", ">= 4.6"),
    "includes upward between layers": ("0", "<= 0"),
    "folders in cycles, runtime": ("0", "<= 0"),
    "folders in cycles, ops": ("0", "<= 0"),
    "folders in cycles, other layers": ("0", "<= 0"),
    "includes upward in cycles": ("0", "<= 0"),
    "folders over 40 files": ("0", "<= 0"),
    "files of the largest folder": ("40", "<= 40"),
    "leaked singletons": ("few", "<= 8"),
    "thread_local": ("few", "<= 23"),
    "Scheduler::instance()": ("0", "<= 25"),
    "classes over 40 methods": ("0", "<= 0"),
    "methods of the largest class": ("40", "<= 40"),
    "test cases without a device, %": ("50", ">= 50.0"),
    "operators found by grep in src/api, %": ("100", ">= 100"),
    "`const void*` in src/ops": ("50", "<= 47"),
}


@dataclasses.dataclass
class Figure:
    value: float
    remark: str = ""


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] if values else 0


def median(values):
    return percentile(values, 0.5)


def share(part, whole):
    return round(100 * part / whole, 1) if whole else 0.0


def texts(root, folder, *suffixes):
    """Returns path -> text of the files below a folder, with paths relative to the root."""
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted((root / folder).rglob("*")) if path.suffix in suffixes}


def file_figures(sources):
    lines = {path: text.count("\n") for path, text in sources.items()}
    longest = sorted((path for path in lines if lines[path] > 400), key=lambda path: -lines[path])
    yield "lines a file, median", Figure(median(lines.values()))
    yield "lines a file, p90", Figure(percentile(lines.values(), 0.9))
    yield "files over 400 lines", Figure(len(longest), ", ".join(longest))
    yield "files over 500 lines", Figure(sum(count > 500 for count in lines.values()))
    yield "files under 30 lines", Figure(sum(count < 30 for count in lines.values()), f"of {len(lines)}")


def function_figures(readers):
    functions = [(function, path) for path, reader in readers.items() for function in reader.functions]
    sizes, counts = [function.size for function, _ in functions], [function.parameters for function, _ in functions]
    largest = max(functions, key=lambda entry: entry[0].size)
    widest = max(functions, key=lambda entry: entry[0].parameters)
    yield "lines a function, median", Figure(median(sizes), f"{len(functions)} functions; lines of code")
    yield "lines a function, p90", Figure(percentile(sizes, 0.9))
    yield "lines a function, largest", Figure(max(sizes), location_of(*largest))
    yield "parameters, median", Figure(median(counts))
    yield "parameters, p90", Figure(percentile(counts, 0.9))
    yield f"functions over {MOST_PARAMETERS} parameters", Figure(sum(count > MOST_PARAMETERS for count in counts))
    yield "parameters, largest", Figure(max(counts), location_of(*widest))


def location_of(function, path):
    return f"{function.name}, {path}:{function.start}"


def comment_figures(sources):
    for kind, suffix in (("headers", ".hpp"), ("sources", ".cpp")):
        counted = [cpp.comment_lines(text) for path, text in sources.items() if path.endswith(suffix)]
        comments, lines = (sum(column) for column in zip(*counted))
        yield f"comment lines, {kind}, %", Figure(share(comments, lines), f"{comments} of {lines}")


def layer_of(path):
    return path.split("/")[1]


def include_figures(sources):
    upward = [complaint for path, text in sources.items()
              for complaint in check_layers.check_includes(path, text, layer_of(path))]
    yield "includes upward between layers", Figure(len(upward), "; ".join(upward))
    total, in_other_layers = 0, []
    for layer in sorted(check_layers.LAYERS):
        members, upward, remark = cycles_of(layer, sources)
        total += upward
        if layer in ("runtime", "ops"):
            yield f"folders in cycles, {layer}", Figure(members, remark)
        elif members:
            in_other_layers.append((members, f"{layer}: {remark}"))
    yield "folders in cycles, other layers", Figure(sum(count for count, _ in in_other_layers),
                                                   "; ".join(remark for _, remark in in_other_layers))
    yield "includes upward in cycles", Figure(total, "in the orders above, which have the fewest")


def cycles_of(layer, sources):
    """Returns the number of folders in cycles, of includes that run upward in them, and a remark that names both."""
    prefix = f"src/{layer}/"
    edges = graph.folder_edges(layer, {path[len(prefix):]: text for path, text in sources.items() if path.startswith(prefix)})
    members, count, remarks = 0, 0, []
    for component in graph.components(edges):
        order = graph.best_order(component, edges)
        upward = graph.upward_edges(order, edges)
        members, count = members + len(component), count + sum(upward.values())
        listed = ", ".join(f"{low} -> {high} {number}" for (low, high), number in upward.items())
        remarks.append(f"{' < '.join(order)}; {sum(upward.values())} of {graph.edges_within(component, edges)} includes "
                       f"run upward: {listed}")
    return members, count, "; ".join(remarks)


def folder_figures(root):
    counts = {}
    for folder in CODE_FOLDERS:
        for path in (root / folder).rglob("*"):
            if path.suffix in CODE:
                name = path.parent.relative_to(root).as_posix()
                counts[name] = counts.get(name, 0) + 1
    large = sorted((name for name in counts if counts[name] > MOST_FILES), key=lambda name: -counts[name])
    yield f"folders over {MOST_FILES} files", Figure(len(large), ", ".join(f"{name} {counts[name]}" for name in large))
    yield "files of the largest folder", Figure(max(counts.values()))


def global_figures(readers):
    code = "\n".join(reader.text.code for reader in readers.values())
    yield "leaked singletons", Figure(len(SINGLETON.findall(code)), "`static ... = new`")
    yield "thread_local", Figure(len(THREAD_LOCAL.findall(code)))
    yield "Scheduler::instance()", Figure(len(SCHEDULER.findall(code)))


def class_figures(readers):
    classes = sorted((entry for reader in readers.values() for entry in reader.classes), key=lambda entry: -entry.methods)
    large = [entry for entry in classes if entry.methods > MOST_METHODS]
    yield f"classes over {MOST_METHODS} methods", Figure(len(large), ", ".join(f"{entry.name} {entry.methods}" for entry in large))
    yield "methods of the largest class", Figure(classes[0].methods)


def test_figures(root):
    sources = [cases.read(path, text) for path, text in texts(root, "tests", ".cpp", ".hpp").items()]
    free, total = cases.without_device(sources, cases.on_null_device(root))
    yield "test cases without a device, %", Figure(share(free, total), f"{free} of {total}; tools/tree_figures/cases.py says how counted")


def name_figures(root, sources):
    words = {word for path, text in sources.items() if path.startswith("src/api/") for word in re.findall(r"\w+", text)}
    names = check_comments.built(root)
    found = sum(name in words for name in names)
    yield "operators found by grep in src/api, %", Figure(share(found, len(names)), f"{found} of {len(names)}")


def handle_figures(sources):
    counts = {path: len(UNTYPED.findall(cpp.Text(text).code)) for path, text in sources.items() if path.startswith("src/ops/")}
    yield "`const void*` in src/ops", Figure(sum(counts.values()), "handles without a type; src/ops/executor/args.hpp has the types")


def measure(root):
    sources = texts(root, "src", ".cpp", ".hpp")
    written = {path: text for path, text in sources.items() if not text.startswith(check_layers.GENERATED)}
    readers = {path: cpp.Reader(text) for path, text in written.items()}
    found = dict(pair for pairs in (file_figures(written), function_figures(readers), comment_figures(written),
                                    include_figures(sources), folder_figures(root), global_figures(readers),
                                    class_figures(readers), test_figures(root), name_figures(root, sources),
                                    handle_figures(sources)) for pair in pairs)
    return {name: found[name] for name in FIGURES}


def is_worse(value, limit):
    direction, number = limit.split()
    return value > float(number) if direction == "<=" else value < float(number)


def table(figures):
    yield "| figure | bar | limit | here | |"
    yield "|---|---|---|---|---|"
    for name, figure in figures.items():
        bar, limit = FIGURES[name]
        yield f"| {name} | {bar} | {limit} | {figure.value} | {figure.remark} |"


def worse(figures):
    for name, figure in figures.items():
        if is_worse(figure.value, FIGURES[name][1]):
            yield f"{name}: {figure.value}; the limit is {FIGURES[name][1]}. {figure.remark}".rstrip()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("--check", action="store_true", help="print what is worse than its limit, and fail")
    options = parser.parse_args()
    figures = measure(options.root)
    lines = list(worse(figures) if options.check else table(figures))
    print("\n".join(lines) or "No figure is worse than its limit.")
    return 1 if options.check and lines else 0


if __name__ == "__main__":
    sys.exit(main())
