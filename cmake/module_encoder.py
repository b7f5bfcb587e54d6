"""Encodes SPIR-V modules as bytes that zstd compresses well. src/vk_device/modules/module_decoder.cpp is the inverse.

The modules of a family (the variants of one source) have most of their code in common, but not the numbers of their ids, so equal
code is not equal bytes. Encoded instructions contain no ids: a result is the id after the previous result, a value is its distance
from there, a variable is its index in the function, a branch is a distance in blocks, and a declaration (a type, a constant, a
function) is its index in a table of the family. SMOL-V (Aras Pranckevicius) and MARK-V (SPIRV-Tools) encode ids as distances, too.

A family is

    the number of declarations, and each as an instruction without its result
    modules

and a module is

    the words of its header
    the numbers of declarations before the annotations, of declarations after them, of functions, and of annotations
    these declarations and functions: the index in the table as a distance from the index after the previous one, and the result
    annotations (entry points, execution modes, decorations): instructions, whose undeclared ids are distances from the previous one
    the number of instructions in functions, and these
    the checksum of all words

All numbers are varints: seven bits a byte, low bits first, bit 7 set in all but the last.
"""

import functools
import pathlib
import re
import struct

LAYOUTS = pathlib.Path(__file__).parents[1] / "src" / "vk_device" / "modules" / "instruction_layouts.def"
HEADER_WORDS = 5
ALL_BITS = 0xFFFFFFFF
VERBATIM, RESULT, FUNCTION, FIRST_LAYOUT = range(4)  # the first number of an instruction
DISTANCE, DECLARED, VARIABLE, PLAIN = range(4)  # the low bits of an id
OP_ENTRY_POINT, OP_EXECUTION_MODE, OP_DECORATE, OP_MEMBER_DECORATE = 15, 16, 71, 72
OP_FUNCTION, OP_FUNCTION_PARAMETER, OP_FUNCTION_END, OP_VARIABLE, OP_LABEL = 54, 55, 56, 59, 248
ANNOTATIONS = (OP_ENTRY_POINT, OP_EXECUTION_MODE, OP_DECORATE, OP_MEMBER_DECORATE)


def read_layouts():
    """The first number and the operands of each opcode in the table."""
    lines = re.findall(r'^LAYOUT\((\d+), \w+, "([^"]*)"\)$', LAYOUTS.read_text(), re.MULTILINE)
    return {int(opcode): (FIRST_LAYOUT + line, operands) for line, (opcode, operands) in enumerate(lines)}


LAYOUT_OF = read_layouts()


def is_variable_length(operands):
    return "+" in operands or "S" in operands


@functools.lru_cache(maxsize=None)
def expanded(operands, count):
    """A letter for each of `count` words, or None if the layout does not have that many. A string is one S."""
    fixed, _, repeated = operands.partition("+")
    rest = count - len(fixed)
    if rest == 0:
        return fixed
    if rest < 0 or not repeated or rest % len(repeated):
        return None
    return fixed + repeated * (rest // len(repeated))


def letters_of(instruction):
    """A letter for each operand of an instruction, or None if the table does not describe it."""
    layout = LAYOUT_OF.get(instruction[0] & 0xFFFF)
    if not layout:
        return None
    operands, count = layout[1], len(instruction) - 1
    if "S" in operands:  # ends at the first word with a zero in its last byte
        first = operands.index("S")
        end = next((at for at in range(first, count) if instruction[at + 1] >> 24 == 0), count)
        operands = operands.replace("S", "S" * (end - first + 1))
    return expanded(operands, count)


def result_of(instruction):
    """The id that an instruction defines, or None."""
    letters = letters_of(instruction)
    at = letters.find("R") if letters else -1
    return instruction[at + 1] if at >= 0 else None


def opcode_of(instruction):
    return instruction[0] & 0xFFFF


def instructions(words):
    at = HEADER_WORDS
    while at < len(words):
        length = words[at] >> 16
        if length == 0:
            raise ValueError(f"the instruction at word {at} has no length")
        yield words[at : at + length]
        at += length


def checksum(words):
    """FNV-1a (Fowler, Noll, Vo), a word at a time."""
    value = 2166136261
    for word in words:
        value = (value ^ word) * 16777619 & ALL_BITS
    return value


def put(out, number):
    """Appends a varint."""
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)


def zigzag(number):
    """Maps numbers of 32 bits close to 0, from above or below, to small ones."""
    number &= ALL_BITS
    return number << 1 if number < 1 << 31 else (ALL_BITS - number << 1) + 1


class Sections:
    """The instructions of a module: declarations, annotations, declarations, functions."""

    def __init__(self, words):
        every = list(instructions(words))
        opcodes = [opcode_of(instruction) for instruction in every]
        functions = opcodes.index(OP_FUNCTION) if OP_FUNCTION in opcodes else len(every)
        first = next((at for at in range(functions) if opcodes[at] in ANNOTATIONS), functions)
        last = next((at for at in range(first, functions) if opcodes[at] not in ANNOTATIONS), functions)
        self.before, self.annotations, self.after = every[:first], every[first:last], every[last:functions]
        self.code = every[functions:]

    def functions(self):
        """The instructions of each function."""
        starts = [at for at, instruction in enumerate(self.code) if opcode_of(instruction) == OP_FUNCTION]
        return [self.code[start:end] for start, end in zip(starts, [*starts[1:], len(self.code)])]


class Family:
    """Modules that share a table of declarations."""

    def __init__(self):
        self._indices = {}  # of the declarations, by content and by how often the module has had this content before
        self._declarations = bytearray()
        self._modules = []

    def add(self, module):
        self._modules.append(_Module(self, struct.unpack(f"<{len(module) // 4}I", module)).encoded())

    def encoded(self):
        """The bytes of the family, and the offset of each module in them."""
        out = bytearray()
        put(out, len(self._indices))
        out += self._declarations
        offsets = []
        for module in self._modules:
            offsets.append(len(out))
            out += module
        return bytes(out), offsets

    def index(self, content, occurrence, encoded):
        """The index of a declaration, which is added if it is new."""
        new = len(self._indices)
        index = self._indices.setdefault((content, occurrence), new)
        if index == new:
            self._declarations += encoded
        return index


class _Module:
    def __init__(self, family, words):
        self.family, self.words = family, words
        self.sections = Sections(words)
        self.occurrences = {}
        self.declared = {}  # id -> index in the family's table
        self.variables = {}  # id -> index in the function
        self.labels = {}  # id -> index in the function
        self.labels_defined = 0
        self.last = 0  # result
        self.listed = [self.declare(each) for each in self.sections.before + self.sections.after]
        functions = [self.declare_function(each) for each in self.sections.functions()]
        self.declared.update({result: index for index, result in functions})
        self.listed += functions

    def encoded(self):
        out = bytearray()
        sections, functions = self.sections, self.sections.functions()
        counts = len(sections.before), len(sections.after), len(functions), len(sections.annotations)
        for number in (*self.words[:HEADER_WORDS], *counts):
            put(out, number)
        self.put_listed(out)
        result, self.last = self.last, 0
        for instruction in sections.annotations:
            self.put_instruction(out, instruction, self.put_annotated_id)
        self.last = result
        put(out, len(sections.code))
        for function in functions:
            self.enter(function)
            for instruction in function:
                self.put_result(out, instruction)
                self.put_instruction(out, instruction, self.put_id)
                self.define(instruction)
        put(out, checksum(self.words))
        return out

    def index(self, content, encoded):
        self.occurrences[content] = self.occurrences.get(content, -1) + 1
        return self.family.index(content, self.occurrences[content], encoded)

    def declare(self, instruction):
        """The index of the declaration, and its result."""
        content = bytearray()
        self.put_instruction(content, instruction, self.put_declared_id)
        result = result_of(instruction)
        index = self.index(bytes(content), content)
        if result is not None:
            self.declared[result] = index
        return index, result

    def declare_function(self, function):
        """The index of the function, which it has in common with functions of the same code except for what they call."""
        content = []
        for instruction in function:
            letters = letters_of(instruction) or ""
            known = [self.declared.get(word) if letter in "TI" else None for letter, word in zip(letters, instruction[1:])]
            content.append((instruction[0], *known))
        return self.index(tuple(content), bytes([FUNCTION])), function[0][2]

    def put_listed(self, out):
        expected = 0
        for index, result in self.listed:
            unexpected = result is not None and result != self.last + 1
            put(out, zigzag(index - expected) << 1 | unexpected)
            if unexpected:
                put(out, zigzag(result - self.last - 1))
            if result is not None:
                self.last = result
            expected = index + 1

    def enter(self, function):
        labels = [each[1] for each in function if opcode_of(each) == OP_LABEL and letters_of(each)]
        self.variables, self.labels_defined = {}, 0
        self.labels = {label: at for at, label in enumerate(labels)}

    def put_result(self, out, instruction):
        """The result, if it is neither the next one nor listed."""
        result = result_of(instruction)
        if result is None or opcode_of(instruction) == OP_FUNCTION or result == self.last + 1:
            return
        put(out, RESULT)
        put(out, zigzag(result - self.last - 1))

    def define(self, instruction):
        result, opcode = result_of(instruction), opcode_of(instruction)
        if result is None or opcode == OP_FUNCTION:
            return
        self.last = result
        if opcode in (OP_VARIABLE, OP_FUNCTION_PARAMETER):
            self.variables[result] = len(self.variables)
        if opcode == OP_LABEL:
            self.labels_defined += 1

    def put_instruction(self, out, instruction, put_id):
        letters = letters_of(instruction)
        if letters is None:
            put(out, VERBATIM)
            for word in instruction:
                put(out, word)
            return
        line, operands = LAYOUT_OF[opcode_of(instruction)]
        put(out, line)
        if is_variable_length(operands):
            put(out, len(instruction) - 1)
        for letter, word in zip(letters, instruction[1:]):
            if letter in "LS":
                put(out, word)
            elif letter in "TI":
                put_id(out, word)
            elif letter == "B":
                label = self.labels.get(word)
                put(out, word << 1 | 1 if label is None else zigzag(label - self.labels_defined) << 1)

    def put_declared_id(self, out, word):
        index = self.declared.get(word)
        put(out, word << 2 | PLAIN if index is None else index << 2 | DECLARED)

    def put_annotated_id(self, out, word):
        if word in self.declared:
            put(out, self.declared[word] << 2 | DECLARED)
        else:
            put(out, zigzag(word - self.last) << 2 | DISTANCE)
            self.last = word

    def put_id(self, out, word):
        if word in self.declared:
            put(out, self.declared[word] << 2 | DECLARED)
        elif word in self.variables:
            put(out, self.variables[word] << 2 | VARIABLE)
        else:
            put(out, zigzag(self.last - word) << 2 | DISTANCE)
