#!/usr/bin/env python3
"""Shows a recording of operators, or compares two (docs/recording.md).

    compare_record.py FOLDER                 a line for each tensor: shape, least and greatest value, mean, NaNs, infinities
    compare_record.py FOLDER OTHER           the tensors that differ; the calls of both are paired in their order

The exit status is 1 when something differs, 2 when a recording cannot be read. Needs nothing but Python.
"""

import argparse
import array
import ast
import json
import math
import pathlib
import struct
import sys

# descr of .npy files: the letter of array or struct, and how many numbers an element has.
FORMS = {
    "<f4": ("f", 1), "<f8": ("d", 1), "<c8": ("f", 2), "<c16": ("d", 2), "<f2": ("e", 1), "|b1": ("B", 1),
    "|i1": ("b", 1), "<i2": ("h", 1), "<i4": ("i", 1), "<i8": ("q", 1),
    "|u1": ("B", 1), "<u2": ("H", 1), "<u4": ("I", 1), "<u8": ("Q", 1),
}  # fmt: skip

# Relative and absolute tolerance by dtype, as torch.testing.assert_close has them; what is not here must be equal.
TOLERANCES = {
    "FLOAT": (1.3e-6, 1e-5), "COMPLEX64": (1.3e-6, 1e-5), "DOUBLE": (1e-7, 1e-7), "COMPLEX128": (1e-7, 1e-7),
    "FLOAT16": (1e-3, 1e-5), "COMPLEX32": (1e-3, 1e-5), "BF16": (1.6e-2, 1e-5),
}  # fmt: skip


class Unreadable(Exception):
    pass


def read_npy(path):
    """Returns the shape and the numbers of a file of format 1.0 in row-major order; complex numbers are two numbers each."""
    data = path.read_bytes()
    if data[:8] != b"\x93NUMPY\x01\x00":
        raise Unreadable(f"{path} is no .npy file of format 1.0")
    start = 10 + struct.unpack_from("<H", data, 8)[0]
    header = ast.literal_eval(data[10:start].decode("latin1"))
    letter, parts = FORMS[header["descr"]]
    count = math.prod(header["shape"]) * parts
    size = struct.calcsize(f"<{letter}")
    if len(data) != start + count * size:
        raise Unreadable(f"{path} has {len(data)} bytes; {start + count * size} are expected")
    if letter == "e":
        return header["shape"], struct.unpack_from(f"<{count}e", data, start)
    values = array.array(letter)
    values.frombytes(data[start:])
    if sys.byteorder == "big":
        values.byteswap()
    return header["shape"], values


def widen(values):
    """Returns the floats of BF16 numbers: BF16 is the upper half of a float32."""
    words = array.array("I", (value << 16 for value in values))
    return array.array("f", words.tobytes())


class Recording:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        lines = (self.folder / "calls.jsonl").read_text().splitlines()
        self.calls = sorted((json.loads(line) for line in lines), key=lambda call: call["sequence"])

    def values(self, kept):
        _, values = read_npy(self.folder / kept["file"])
        return widen(values) if kept.get("holds") == "bits of BF16" else values


def tensors_of(call):
    """Yields (label, entry) for each tensor of a call."""
    for argument in call["arguments"]:
        if "shape" in argument:
            yield argument["name"], argument
        for number, tensor in enumerate(argument.get("tensors", ())):
            yield f"{argument['name']}[{number}]", tensor


def kept_of(call):
    """Yields (label, "before" or "after", entry, what the recording has of it) for each recorded tensor."""
    for label, tensor in tensors_of(call):
        for when in ("before", "after"):
            if when in tensor:
                yield label, when, tensor, tensor[when]


def attributes_of(call):
    """Returns the arguments that are no tensors, as text."""
    values = {argument["name"]: argument["value"] for argument in call["arguments"] if argument.get("value") is not None}
    plain = {name: value["value"] if isinstance(value, dict) else value for name, value in values.items()}
    return ", ".join(f"{name}={json.dumps(value)}" for name, value in plain.items())


def summary(values):
    finite = [value for value in values if math.isfinite(value)]
    nans = sum(1 for value in values if math.isnan(value))
    text = "no finite values"
    if finite:
        text = f"min {min(finite):.6g}  max {max(finite):.6g}  mean {math.fsum(finite) / len(finite):.6g}"
    return f"{text}  nan {nans}  inf {len(values) - len(finite) - nans}"


def describe(recording, kept):
    if "file" in kept:
        return summary(recording.values(kept))
    if "statistics" in kept:
        figures = kept["statistics"] or {}
        return "  ".join(f"{name} {value}" for name, value in figures.items())
    return f"missing: {kept['missing']}"


def show(recording):
    for call in recording.calls:
        title = f"{call['sequence']:>6} {call['operator']}({attributes_of(call)})"
        where = f"device {call['device']} stream {call['stream']}"
        if "replay" in call:
            where += f" replay {call['replay']} of {call['captured_as']}"
        print(f"{title}  {where}{'  ' + call['values'] if 'values' in call else ''}")
        if "error" in call:
            print(f"         failed with {call['error']['code']}: {call['error']['sentence']}")
        for label, when, tensor, kept in kept_of(call):
            shape = "x".join(map(str, tensor["shape"])) or "scalar"
            print(f"         {label} {when}  {tensor['dtype']} {shape}  {describe(recording, kept)}")


def is_close(got, expected, relative, absolute):
    if math.isnan(expected):
        return math.isnan(got)
    if got == expected:
        return True
    return math.isfinite(expected) and abs(got - expected) <= absolute + relative * abs(expected)


def difference(first, second, dtype, options):
    """Returns a sentence about the largest difference, or None when all values are close."""
    if len(first) != len(second):
        return f"{len(first)} and {len(second)} values"
    relative, absolute = TOLERANCES.get(dtype, (0, 0))
    relative = relative if options.rtol is None else options.rtol
    absolute = absolute if options.atol is None else options.atol
    far = [i for i, (a, b) in enumerate(zip(first, second)) if not is_close(a, b, relative, absolute)]
    if not far:
        return None
    greatest = max((abs(first[i] - second[i]) for i in far if math.isfinite(first[i] - second[i])), default=math.inf)
    at = far[0]
    return f"{len(far)} of {len(first)} values differ, by up to {greatest:.6g}; number {at} is {first[at]} and {second[at]}"


def compare_tensor(label, when, pair, recordings, options):
    """Returns a sentence about the first difference of a tensor, or None. `pair` is an entry of each recording."""
    first, second = pair
    for fact in ("dtype", "shape"):
        if first[fact] != second[fact]:
            return f"{label} has {fact} {first[fact]} and {second[fact]}"
    kept = [tensor.get(when) for tensor in pair]
    if not all(entry and "file" in entry for entry in kept):
        return None
    values = [recording.values(entry) for recording, entry in zip(recordings, kept)]
    text = difference(*values, first["dtype"], options)
    return text and f"{label} {when}: {text}"


def compare_call(calls, recordings, options):
    tensors = [list(tensors_of(call)) for call in calls]
    moments = ("before", "after") if options.inputs else ("after",)
    for (label, first), (_, second) in zip(*tensors):
        for when in moments:
            text = compare_tensor(label, when, (first, second), recordings, options)
            if text:
                yield text
    if attributes_of(calls[0]) != attributes_of(calls[1]):
        yield f"attributes {attributes_of(calls[0])} and {attributes_of(calls[1])}"


def compare(recordings, options):
    """Prints the differences. Returns True when there are none."""
    calls = [[call for call in recording.calls if any(kept_of(call))] for recording in recordings]
    same = True
    for first, second in zip(*calls):
        names = f"{first['sequence']} and {second['sequence']}"
        if first["operator"] != second["operator"]:
            print(f"Calls {names} are {first['operator']} and {second['operator']}: the recordings part here.")
            return False
        for text in compare_call((first, second), recordings, options):
            print(f"{first['operator']} (calls {names}): {text}")
            same = False
    if len(calls[0]) != len(calls[1]):
        print(f"The recordings have {len(calls[0])} and {len(calls[1])} calls with values.")
        same = False
    if same:
        print(f"{len(calls[0])} calls, no difference.")
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="a folder with a calls.jsonl")
    parser.add_argument("other", nargs="?", help="the recording to compare with, which is taken to be right")
    parser.add_argument("--rtol", type=float, help="relative tolerance; by default that of torch.testing for each dtype")
    parser.add_argument("--atol", type=float, help="absolute tolerance")
    parser.add_argument("--inputs", action="store_true", help="compare the tensors before operators as well")
    options = parser.parse_args()
    try:
        recordings = [Recording(folder) for folder in (options.folder, options.other) if folder]
        if len(recordings) == 2:
            return 0 if compare(recordings, options) else 1
        show(recordings[0])
        return 0
    except (Unreadable, OSError, KeyError, ValueError) as error:
        print(f"compare_record.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
