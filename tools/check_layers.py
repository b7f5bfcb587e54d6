#!/usr/bin/env python3
"""Checks what a compiler does not: includes between layers and between the folders of ops and runtime, uses of Vulkan and of the
environment, lengths of files."""

import pathlib
import re
import sys

from tree_figures import graph

ROOT = pathlib.Path(__file__).resolve().parent.parent

# A layer, and the layers that it may include.
LAYERS = {
    "base": set(),
    "vk_device": {"base"},
    "runtime": {"base", "vk_device"},
    "capture": {"base", "vk_device", "runtime"},
    "ops": {"base", "runtime"},
    "comm": {"base", "runtime"},
    "api": {"base", "vk_device", "runtime", "capture", "ops", "comm"},
    "securec": set(),
}
# Tensors, the frames of kernels, executors: all operators include these.
OPS_CORE = {"tensor", "kernel", "executor"}
# Most families of operators are made of these, fills, pointwise kernels, views and copies, sums.
OPS_BASICS = OPS_CORE | {"create", "elementwise", "shape", "reduction"}
# The folders that streams are made of.
BELOW_STREAMS = {"host", "task", "device", "kernel", "failure", "event", "pool"}
# The layers whose folders have an order: their folders, the lowest first, and the folders of the layer that each may include. The
# files that are in the layer itself are one folder more, named like the layer.
FOLDERS = {
    "vk_device": {
        "gpu": set(),
        "buffers": {"gpu"},
        "modules": {"gpu", "buffers"},
        "pipelines": {"gpu", "buffers", "modules"},
        "commands": {"gpu", "buffers", "pipelines"},
        "submission": {"gpu", "buffers", "commands"},
        "memory": {"gpu", "buffers", "submission"},
        "device": {"gpu", "buffers", "pipelines", "commands", "submission", "memory"},
    },
    "capture": {
        "graph": set(),
        "model": {"graph"},
        "captured": {"graph", "model"},
        "built": {"model", "captured"},
        "inspect": {"graph", "model", "built"},
    },
    "ops": {
        "tensor": set(),
        "kernel": {"tensor"},
        "executor": {"tensor", "kernel"},
        "builtin": OPS_CORE,
        "create": OPS_CORE,
        "elementwise": OPS_CORE | {"create"},
        "shape": OPS_CORE | {"create", "elementwise"},
        "reduction": OPS_CORE | {"create", "elementwise", "shape"},
        "foreach": OPS_BASICS,
        "norm": OPS_BASICS,
        "quant": OPS_BASICS,
        "scan": OPS_BASICS,
        "softmax": OPS_BASICS,
        "optimizer": OPS_BASICS | {"foreach"},
        "index": OPS_BASICS | {"quant", "scan"},
        "sort": OPS_BASICS | {"scan", "index"},
        "random": OPS_BASICS | {"scan", "sort"},
        "resample": OPS_BASICS | {"index"},
        "glu": OPS_BASICS | {"index"},
        "matmul/formats": OPS_BASICS,
        "matmul/products": OPS_BASICS | {"matmul/formats"},
        "matmul/quantised": OPS_BASICS | {"quant", "matmul/formats", "matmul/products"},
        "convolution": OPS_BASICS | {"matmul/products", "matmul/quantised"},
        "pooling": OPS_BASICS | {"index", "resample", "matmul/products"},
        "linalg": OPS_BASICS | {"matmul/products"},
        "attention": OPS_BASICS | {"quant", "index", "matmul/formats", "matmul/quantised"},
        "rnn": OPS_BASICS | {"norm", "index", "matmul/products"},
        "loss": OPS_BASICS | {"softmax", "index", "matmul/products", "linalg"},
        "dump": OPS_BASICS | {"matmul/formats"},
    },
    "api": {
        "base": set(),
        "rt": {"base"},
        "rt/memory": {"base", "rt"},
        "rt/kernel": {"base"},
        "rt/model": {"base", "rt/kernel"},
        "aclnn": {"base"},
        "acl": {"base", "aclnn"},
        "prof": {"base"},
        "tdt": {"base"},
        "hccl": {"base"},
        "loaded": {"base"},
    },
    "runtime": {
        "runtime": set(),
        "host": set(),
        "task": set(),
        "device": {"host", "task"},
        "share": {"host", "device"},
        "kernel": {"task", "device"},
        "failure": {"task", "device", "kernel"},
        "event": {"host", "task", "device"},
        "pool": {"task", "device"},
        "stream": BELOW_STREAMS,
        "context": BELOW_STREAMS | {"stream"},
        "memory": BELOW_STREAMS | {"share", "stream", "context"},
        "signal": BELOW_STREAMS | {"share", "stream", "context", "memory"},
        "profile": BELOW_STREAMS | {"runtime", "stream", "context"},
        "dump": {"runtime"},
        "queue": {"host", "device", "share", "memory"},
        "process": {"runtime", "device", "failure", "stream", "context", "profile", "dump"},
    },
}
VULKAN_LAYER = "vk_device"
ENVIRONMENT = {"getenv": ("base/config.cpp",), "setenv": ("vk_device/",), "putenv": ()}
LONGEST_FILE = 500

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def sources(folder, *suffixes):
    return [path for path in sorted((ROOT / folder).rglob("*")) if path.suffix in suffixes]


def check_includes(path, text, layer):
    for name in INCLUDE.findall(text):
        first = name.split("/")[0]
        if first in LAYERS and first != layer and first not in LAYERS[layer]:
            yield f"{layer} includes {name}, which is not below it"
        if first in ("vulkan", "vk_video") and layer != VULKAN_LAYER:
            yield f"{layer} includes {name}; only {VULKAN_LAYER} sees Vulkan"


def check_folders(name, text):
    """`name` is the path of a file below src. Layers without an order of their folders pass."""
    layer, _, rest = name.partition("/")
    order = FOLDERS.get(layer)
    if order is None:
        return
    folder = graph.folder_of(layer, rest)
    if folder not in order:
        yield f"{folder} is no folder of {layer} in the table of tools/check_layers.py"
        return
    for include in INCLUDE.findall(text):
        other, _, file = include.partition("/")
        target = graph.folder_of(layer, file)
        if other == layer and target != folder and target not in order[folder]:
            yield f"{folder_name(layer, folder)} includes {include}, which is not among the folders that it may include"


def folder_name(layer, folder):
    return layer if folder == layer else f"{layer}/{folder}"


def check_environment(path, text):
    name = path.relative_to(ROOT / "src").as_posix()
    code = COMMENT.sub("", text)
    for function, places in ENVIRONMENT.items():
        if re.search(rf"\b(secure_)?{function}\s*\(", code) and not name.startswith(places or ("-",)):
            allowed = ", ".join(places) or "no file"
            yield f"calls {function}; only {allowed} may use the environment"


def check_source(path):
    text = path.read_text()
    layer = path.relative_to(ROOT / "src").parts[0]
    if layer not in LAYERS:
        yield f"{layer} is not a layer of ARCHITECTURE.md"
        return
    yield from check_includes(path, text, layer)
    yield from check_folders(path.relative_to(ROOT / "src").as_posix(), text)
    yield from check_environment(path, text)


def check_benchmark(path):
    for name in INCLUDE.findall(path.read_text()):
        if name.split("/")[0] in ("vulkan", "vk_video") and path.parent != ROOT / "bench" / "raw":
            yield f"includes {name}; only bench/raw, the floor, sees Vulkan"


def check_tool(path):
    for name in INCLUDE.findall(path.read_text()):
        if name.split("/")[0] in {*LAYERS, "vulkan", "vk_video"}:
            yield f"includes {name}; the program sees the public interface only"


def check_public_header(path):
    for name in INCLUDE.findall(path.read_text()):
        if name.split("/")[0] in LAYERS and not (path.parent / name).exists() and not (ROOT / "include" / name).exists():
            yield f"a public header includes {name}"


def check_length(path):
    lines = path.read_text().count("\n")
    if lines > LONGEST_FILE:
        yield f"has {lines} lines; the limit is {LONGEST_FILE}"


def main():
    code, bench = sources("src", ".cpp", ".hpp"), sources("bench", ".cpp", ".hpp", ".cu", ".comp")
    tool = sources("cli", ".cpp", ".hpp")
    checks = [(check_source, code + sources("src", ".def")), (check_public_header, sources("include", ".h")),
              (check_benchmark, bench), (check_tool, tool),
              (check_length, code + bench + tool + sources("tools", ".py") + sources("shaders", ".comp", ".glsl"))]
    complaints = [f"{path.relative_to(ROOT)}: {complaint}" for check, paths in checks for path in paths
                  for complaint in check(path)]
    print("\n".join(complaints) or "The layers are as planned.")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
