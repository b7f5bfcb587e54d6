#!/usr/bin/env python3
"""Writes what the program aclvk knows about the interface, as JSON: gen_interface.py OUTPUT --cann VERSION

What is built it reads from the library itself.
"""

import argparse
import json
import pathlib

from coverage import always_refused
from gen_operators import accuracy, dtypes
from headers import inline_bodies, layout, tables
from headers.aclnn_files import has_signature, spelt

ROOT = pathlib.Path(__file__).resolve().parent.parent


def described(doc):
    if doc is None:
        return {}
    return {"brief": doc.brief, "rules": doc.rules.replace(" // ", " "), "vulkan": doc.vulkan,
            "errors": [[code, condition] for code, condition in doc.errors]}


def of_function(data, places, function):
    entry = {"header": places.file_of(function.header, function.name), **described(data.docs.get(function.name))}
    if always_refused(data, function.name):
        entry["refused"] = True
    return entry


def of_operator(data, operator):
    facts = operator.facts
    inputs, outputs = dtypes(facts.get("dtypes_in", "")), dtypes(facts.get("dtypes_out", ""))
    types = inputs if outputs in ("", inputs) else f"{inputs} -> {outputs}"
    return {"header": f"aclnnop/{operator.header}", "torch": facts.get("torch", "").split(";")[0], "dtypes": types,
            "accuracy": accuracy(facts.get("kernel_template", "")),
            **described(spelt(data.docs[operator.name], operator) if operator.name in data.docs else None)}


def interface(data):
    places = layout.Layout(data)
    constants = {constant.name: constant.value for constant in data.constants}
    number = f"{constants['ACL_MAJOR_VERSION']}.{constants['ACL_MINOR_VERSION']}"
    functions = {f.name: of_function(data, places, f) for f in data.functions
                 if layout.is_public(f.header) and f.name not in inline_bodies.BODIES}
    operators = {o.name: of_operator(data, o) for o in data.operators if has_signature(o)}
    return {"about": {"interface": number}, "functions": functions, "operators": operators}


def without_empty(entries):
    return {name: {key: value for key, value in entry.items() if value} for name, entry in entries.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--cann", required=True, help="the version of CANN that the interface belongs to")
    options = parser.parse_args()
    whole = interface(tables.load(ROOT / "interface"))
    whole["about"]["cann"] = options.cann
    for kind in ("functions", "operators"):
        whole[kind] = without_empty(whole[kind])
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
