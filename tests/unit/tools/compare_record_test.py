#!/usr/bin/env python3
"""Tests of tools/compare_record.py on recordings that are written here."""

import contextlib
import io
import json
import pathlib
import struct
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import compare_record  # noqa: E402

LETTERS = {"FLOAT": ("<f4", "f"), "BF16": ("<u2", "H"), "INT32": ("<i4", "i"), "FLOAT16": ("<f2", "e")}


def npy(descr, shape, data):
    header = repr({"descr": descr, "fortran_order": False, "shape": tuple(shape)})
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


temporaries = []


def tearDownModule():
    for temporary in temporaries:
        temporary.cleanup()


class Folder:
    """A recording: add calls, then run the tool on it."""

    def __init__(self):
        temporaries.append(tempfile.TemporaryDirectory())
        self.path = pathlib.Path(temporaries[-1].name)
        self.lines = []

    def add(self, values, dtype="FLOAT", operator="aclnnAdd", shape=None, **attributes):
        sequence = len(self.lines) + 1
        descr, letter = LETTERS[dtype]
        shape = [len(values)] if shape is None else shape
        name = f"{sequence}.npy"
        (self.path / name).write_bytes(npy(descr, shape, struct.pack(f"<{len(values)}{letter}", *values)))
        kept = {"file": name, **({"holds": "bits of BF16"} if dtype == "BF16" else {})}
        out = {"name": "out", "kind": "tensor", "role": "output", "dtype": dtype, "shape": shape, "after": kept}
        plain = [{"name": key, "kind": "int", "value": value} for key, value in attributes.items()]
        call = {"sequence": sequence, "operator": operator, "device": 0, "stream": 1, "captured": False}
        self.lines.append({**call, "arguments": plain + [out]})
        return self

    def write(self):
        # Streams write when they are done, not in the order of the calls.
        text = "".join(json.dumps(line) + "\n" for line in reversed(self.lines))
        (self.path / "calls.jsonl").write_text(text)
        return str(self.path)


def run(*arguments):
    """The exit status and what is printed."""
    output = io.StringIO()
    with mock.patch.object(sys, "argv", ["compare_record.py", *map(str, arguments)]):
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            status = compare_record.main()
    return status, output.getvalue()


class Show(unittest.TestCase):
    def test_each_tensor_has_its_figures(self):
        folder = Folder().add([1.0, float("nan"), -3.0, float("inf")], mode=2)
        status, text = run(folder.write())
        self.assertEqual(status, 0)
        self.assertIn("aclnnAdd(mode=2)", text)
        self.assertIn("out after  FLOAT 4  min -3  max 1  mean -1  nan 1  inf 1", text)

    def test_calls_are_in_their_order(self):
        folder = Folder().add([1.0], operator="first").add([1.0], operator="second")
        text = run(folder.write())[1]
        self.assertLess(text.index("first"), text.index("second"))

    def test_bf16_is_shown_as_numbers(self):
        text = run(Folder().add([0x3F80, 0xC000], dtype="BF16").write())[1]
        self.assertIn("min -2  max 1", text)

    def test_without_finite_values_there_are_none(self):
        text = run(Folder().add([float("nan")]).write())[1]
        self.assertIn("no finite values  nan 1  inf 0", text)

    def test_failures_missing_values_and_statistics_are_shown(self):
        folder = Folder().add([1.0]).add([2.0])
        folder.lines[0]["error"] = {"code": 361001, "sentence": "why"}
        folder.lines[0]["arguments"][-1]["after"] = {"missing": "freed"}
        folder.lines[1]["arguments"][-1]["after"] = {"statistics": {"Max": 2.0}}
        text = run(folder.write())[1]
        self.assertIn("failed with 361001: why", text)
        self.assertIn("missing: freed", text)
        self.assertIn("Max 2.0", text)

    def test_no_recording_is_2(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(run(folder)[0], 2)

    def test_a_cut_file_is_2(self):
        folder = Folder().add([1.0, 2.0])
        path = folder.path / "1.npy"
        path.write_bytes(path.read_bytes()[:-1])
        self.assertEqual(run(folder.write())[0], 2)


class Compare(unittest.TestCase):
    def compare(self, first, second, *options):
        return run(first.write(), second.write(), *options)

    def test_equal_recordings(self):
        status, text = self.compare(Folder().add([1.0, float("nan")]), Folder().add([1.0, float("nan")]))
        self.assertEqual((status, text), (0, "1 calls, no difference.\n"))

    def test_a_difference_is_1_and_says_where(self):
        status, text = self.compare(Folder().add([1.0, 2.0, 3.0]), Folder().add([1.0, 2.5, 3.0]))
        self.assertEqual(status, 1)
        self.assertIn("1 of 3 values differ, by up to 0.5; number 1 is 2.0 and 2.5", text)

    def test_tolerances_are_those_of_the_dtype(self):
        self.assertEqual(self.compare(Folder().add([1.0]), Folder().add([1.000001]))[0], 0)
        self.assertEqual(self.compare(Folder().add([1.0]), Folder().add([1.001]))[0], 1)
        half = [Folder().add([value], dtype="FLOAT16") for value in (1.0, 1.0009765625)]
        self.assertEqual(self.compare(*half)[0], 0)
        whole = [Folder().add([value], dtype="INT32") for value in (1000000, 1000001)]
        self.assertEqual(self.compare(*whole)[0], 1)

    def test_tolerances_can_be_given(self):
        self.assertEqual(self.compare(Folder().add([1.0]), Folder().add([1.4]), "--atol", "0.5")[0], 0)
        self.assertEqual(self.compare(Folder().add([1.0]), Folder().add([1.000001]), "--rtol", "0", "--atol", "0")[0], 1)

    def test_nan_and_infinity_are_equal_to_themselves_only(self):
        nan, inf = float("nan"), float("inf")
        self.assertEqual(self.compare(Folder().add([nan, inf]), Folder().add([nan, inf]))[0], 0)
        for other in ([1.0, inf], [nan, 1.0], [nan, -inf]):
            self.assertEqual(self.compare(Folder().add([nan, inf]), Folder().add(other))[0], 1)
            self.assertEqual(self.compare(Folder().add(other), Folder().add([nan, inf]))[0], 1)

    def test_another_operator_ends_the_comparison(self):
        status, text = self.compare(Folder().add([1.0]), Folder().add([1.0], operator="aclnnMul"))
        self.assertEqual(status, 1)
        self.assertIn("aclnnAdd and aclnnMul: the recordings part here", text)

    def test_shapes_attributes_and_numbers_of_calls_count(self):
        self.assertIn("shape [2] and [2, 1]", self.compare(Folder().add([1, 2]), Folder().add([1, 2], shape=[2, 1]))[1])
        self.assertIn("mode=1 and mode=2", self.compare(Folder().add([1], mode=1), Folder().add([1], mode=2))[1])
        self.assertIn("1 and 2 calls", self.compare(Folder().add([1]), Folder().add([1]).add([1]))[1])


if __name__ == "__main__":
    unittest.main()
