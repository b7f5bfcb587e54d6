#!/usr/bin/env python3
"""Tests that cmake/module_encoder.py loses nothing: an inverse of its own decodes what it has encoded.

With paths of SPIR-V files as arguments, encodes these as one family and compares.
"""

import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "cmake"))

import module_encoder as encoder  # noqa: E402

OPERANDS = {line: (opcode, operands) for opcode, (line, operands) in encoder.LAYOUT_OF.items()}


def unzigzag(number):
    return (number >> 1 ^ (encoder.ALL_BITS if number & 1 else 0)) & encoder.ALL_BITS


class Reader:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def number(self):
        value, shift = 0, 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value


class Decoder:
    """Decodes modules of a family, as src/vk_device/modules/module_decoder.cpp does."""

    def __init__(self, data):
        self.data = data
        reader = Reader(data)
        self.table = []
        for _ in range(reader.number()):
            self.table.append((reader.at, self.skip(reader)))

    @staticmethod
    def skip(reader):
        """Reads past a declaration, and returns whether it has a result."""
        line = reader.number()
        if line == encoder.FUNCTION:
            return True
        if line == encoder.VERBATIM:
            numbers, result = (reader.number() >> 16) - 1, False
        else:
            operands = OPERANDS[line][1]
            result = "R" in operands
            numbers = (reader.number() if encoder.is_variable_length(operands) else len(operands)) - result
        for _ in range(numbers):
            reader.number()
        return result

    def module(self, offset):
        reader = self.reader = Reader(self.data, offset)
        self.out = [reader.number() for _ in range(encoder.HEADER_WORDS)]
        before, after, functions, annotations = (reader.number() for _ in range(4))
        self.ids, self.last, self.variables, self.labels, self.branches = {}, 0, [], [], []
        listed = self.read_listed(before + after + functions)
        self.functions = iter(listed[before + after :])
        self.put_declarations(listed[:before])
        last, self.last = self.last, 0
        for _ in range(annotations):
            self.put_instruction(reader, "annotation", None)
        self.last = last
        self.put_declarations(listed[before : before + after])
        for _ in range(reader.number()):
            self.put_instruction(reader, "function", None)
        self.leave_function()
        assert reader.number() == encoder.checksum(self.out)
        return struct.pack(f"<{len(self.out)}I", *self.out)

    def read_listed(self, count):
        listed, expected = [], 0
        for _ in range(count):
            number = self.reader.number()
            index = expected + unzigzag(number >> 1) & encoder.ALL_BITS
            if self.table[index][1]:
                self.last += 1 + (unzigzag(self.reader.number()) if number & 1 else 0)
                self.last &= encoder.ALL_BITS
                self.ids[index] = self.last
            listed.append(index)
            expected = index + 1
        return listed

    def put_declarations(self, listed):
        for index in listed:
            self.put_instruction(Reader(self.data, self.table[index][0]), "declaration", self.ids.get(index))

    def put_instruction(self, reader, section, result):
        line = reader.number()
        if section == "function":
            result = self.last + 1
        if line == encoder.RESULT:
            result = result + unzigzag(reader.number()) & encoder.ALL_BITS
            line = reader.number()
        if line == encoder.VERBATIM:
            self.out.append(reader.number())
            self.out += [reader.number() for _ in range((self.out[-1] >> 16) - 1)]
            return
        opcode, operands = OPERANDS[line]
        count = reader.number() if encoder.is_variable_length(operands) else len(operands)
        if opcode == encoder.OP_FUNCTION:
            self.leave_function()
            self.variables, self.labels = [], []
            result = self.ids[next(self.functions)]
        self.out.append(count + 1 << 16 | opcode)
        self.put_operands(reader, section, operands, count, result)
        if section == "function" and "R" in operands:
            self.define(opcode, result)

    def put_operands(self, reader, section, operands, count, result):
        fixed, _, repeated = operands.partition("+")
        letters = list(fixed)
        for _ in range(count):
            letters = letters or list(repeated)
            letter = letters.pop(0)
            if letter == "R":
                self.out.append(result)
            elif letter in "TI":
                self.out.append(self.read_id(reader, section))
            elif letter == "B":
                self.put_label(reader.number())
            else:
                self.out.append(reader.number())
                if letter == "S" and self.out[-1] >> 24:
                    letters.insert(0, "S")

    def read_id(self, reader, section):
        number = reader.number()
        kind, value = number & 3, number >> 2
        if kind == encoder.PLAIN:
            return value
        if kind != encoder.DISTANCE:
            return self.ids[value] if kind == encoder.DECLARED else self.variables[value]
        if section == "annotation":
            self.last = self.last + unzigzag(value) & encoder.ALL_BITS
            return self.last
        return self.last - unzigzag(value) & encoder.ALL_BITS

    def put_label(self, number):
        if not number & 1:
            self.branches.append(len(self.out))
        self.out.append(number >> 1 if number & 1 else len(self.labels) + unzigzag(number >> 1) & encoder.ALL_BITS)

    def leave_function(self):
        for at in self.branches:
            self.out[at] = self.labels[self.out[at]]
        self.branches = []

    def define(self, opcode, result):
        if opcode == encoder.OP_FUNCTION:
            return
        self.last = result
        if opcode in (encoder.OP_VARIABLE, encoder.OP_FUNCTION_PARAMETER):
            self.variables.append(result)
        if opcode == encoder.OP_LABEL:
            self.labels.append(result)


def family_of(modules):
    family = encoder.Family()
    for module in modules:
        family.add(module)
    return family.encoded()


def decoded(data, offsets):
    decoder = Decoder(data)
    return [decoder.module(offset) for offset in offsets]


def instruction(opcode, *operands):
    return [len(operands) + 1 << 16 | opcode, *operands]


def module(*parts, bound=100):
    words = [0x07230203, 0x00010500, 0x0008000B, bound, 0, *(word for part in parts for word in part)]
    return struct.pack(f"<{len(words)}I", *words)


TEXT = struct.unpack("<4I", b"GLSL.std.450\0\0\0\0")
MAIN = struct.unpack("<2I", b"main\0\0\0\0")
VOID, TYPE, BOOL = instruction(19, 2), instruction(33, 3, 2), instruction(20, 6)


def sample(first=30):
    """A module with branches, a phi, a switch, variables, calls, a forward pointer, and ids in no order."""
    return module(
        instruction(17, 1), instruction(11, 1, *TEXT), instruction(14, 0, 1),
        instruction(15, 5, 4, *MAIN, 9), instruction(16, 4, 17, 64, 1, 1),
        instruction(71, 9, 11, 28), instruction(71, first + 3, 42), instruction(72, 10, 0, 35, 0),
        VOID, TYPE, BOOL, instruction(21, 7, 32, 0), instruction(39, 8, 5349), instruction(30, 10, 8, 7),
        instruction(32, 8, 5349, 10), instruction(32, 11, 7, 7), instruction(32, 13, 1, 7), instruction(59, 13, 9, 1),
        instruction(43, 7, 12, 0xFFFFFFFF), instruction(52, 7, 14, 128, 12, 12), instruction(52, 7, 15, 128, 12, 12),
        instruction(33, 16, 7, 11),
        instruction(54, 2, 4, 0, 3), instruction(248, 5), instruction(59, 11, first, 7), instruction(61, 7, first + 1, 9, 2, 4),
        instruction(62, first, first + 1), instruction(170, 6, first + 2, first + 1, 14), instruction(247, first + 8, 0),
        instruction(250, first + 2, first + 7, first + 8), instruction(248, first + 7),
        instruction(57, 7, first + 3, 20, first), instruction(251, first + 3, first + 8, 1, first + 8, 2, first + 7),
        instruction(248, first + 8), instruction(245, 7, first + 9, first + 1, 5, first + 3, first + 7),
        instruction(12, 7, first + 10, 1, 38, first + 9, first + 3), instruction(8, 1, 2, 3), instruction(253), instruction(56),
        instruction(54, 7, 20, 0, 16), instruction(55, 11, 21), instruction(248, 22), instruction(61, 7, 23, 21),
        instruction(254, 23), instruction(56),
    )  # fmt: skip


class RoundTrip(unittest.TestCase):
    def check(self, modules):
        self.assertEqual(decoded(*family_of(modules)), modules)

    def test_modules_of_a_family(self):
        self.check([sample(), sample(40), sample()])

    def test_equal_modules_take_the_bytes_of_one_and_few_more(self):
        one, _ = family_of([sample()])
        _, offsets = family_of([sample(), sample(40)])
        self.assertLess(len(family_of(2 * [sample()])[0]) - len(one), len(sample()) / 3)
        self.assertEqual(len(offsets), 2)

    def test_a_module_without_instructions(self):
        self.check([module()])

    def test_instructions_that_the_table_lacks(self):
        self.check([module(instruction(65535, 1, 2, encoder.ALL_BITS), instruction(5, 4, *MAIN), VOID, instruction(65534))])

    def test_known_opcodes_with_another_number_of_operands(self):
        self.check([module(instruction(19), TYPE, instruction(20, 6, 7), instruction(54, 2, 4, 0, 3), instruction(128, 7))])

    def test_a_string_without_an_end(self):
        self.check([module(instruction(11, 1, encoder.ALL_BITS), instruction(15, 5, 4, encoder.ALL_BITS))])

    def test_ids_of_all_sizes(self):
        for first in (1, 0x7F, 0x80, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0):
            self.check([sample(first)])

    def test_labels_and_variables_outside_of_functions(self):
        self.check([module(instruction(248, 5), instruction(249, 5), instruction(59, 6, 7, 7), instruction(62, 7, 5))])

    def test_an_instruction_without_a_length_is_refused(self):
        with self.assertRaises(ValueError):
            family_of([module([0])])

    def test_compiled_shaders(self):
        glslang = shutil.which("glslangValidator")
        if not glslang:
            self.skipTest("glslangValidator is not installed")
        source = ROOT / "tests" / "unit" / "vk_device" / "saxpy.comp"
        with tempfile.TemporaryDirectory() as folder:
            modules = []
            for index in range(4):
                out = pathlib.Path(folder) / f"{index}.spv"
                defines = ["-DWIDE=0", f"-DADDRESSES={index >> 1}", f"-DBLOCK={index & 1}"]
                command = [glslang, "-V", "--target-env", "vulkan1.2", "-g0", *defines, "-o", out, source]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                modules.append(out.read_bytes())
        self.check(modules)


if __name__ == "__main__":
    files = sys.argv[1:]
    if files:
        contents = [pathlib.Path(file).read_bytes() for file in files]
        sys.exit(decoded(*family_of(contents)) != contents)
    unittest.main()
