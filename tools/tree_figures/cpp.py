"""Functions and classes of C++ sources in the layout of clang-format, found without a preprocessor and without types.

Function bodies are one piece: lambdas and local classes belong to the function around them.
"""

import bisect
import dataclasses
import re

PLAIN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:\\\n|[^\n])*',
                   re.DOTALL | re.MULTILINE)
DIGITS = re.compile(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])")
# The attributes of src/base/thread_annotations.hpp.
ATTRIBUTE = re.compile(r"\b(?:(?:SCOPED_|ASSERT_|RETURN_)?CAPABILITY|(?:PT_)?GUARDED_BY|(?:REQUIRES|ACQUIRE|RELEASE)(?:_SHARED)?|EXCLUDES"
                       r"|TRY_ACQUIRE|NO_THREAD_SAFETY_ANALYSIS)\b(?:\((?:[^()]|\([^()]*\))*\))?")
OPENING, CLOSING = "([{", ")]}"
AFTER_PARAMETERS = re.compile(r"(?:\s|const|noexcept(?:\([^)]*\))?|override|final|try|&)*(?:->[^{;=]*)?"
                              r"(?::(?!:).*|=\s*(?:default|delete|0)\s*)?", re.DOTALL)
NO_NAMES = {"alignas", "decltype", "noexcept", "static_assert", "requires", "if", "for", "while", "switch", "return", "catch"}
TYPE = re.compile(r"(?:\s|\[\[[^\]]*\]\]|typedef\b|static\b|inline\b|template\s*<[^{]*?>(?=\s*(?:class|struct|union)\b))*"
                  r"(class|struct|union|enum)\b(?:\s|class\b|struct\b|alignas\([^)]*\))*([\w:]*)")
SCOPE = re.compile(r'\s*(?:inline\s+)?(?:namespace\b|extern\s*""\s*$)')


@dataclasses.dataclass
class Function:
    """A function with a body. `start` and `end` are lines, `size` those of them that hold code."""

    name: str
    start: int
    end: int
    size: int
    parameters: int


@dataclasses.dataclass
class Class:
    name: str
    start: int
    bases: str
    body: str
    methods: int = 0


class Text:
    """Code without comments, literals and preprocessor lines; positions and line ends are those of the source."""

    def __init__(self, source):
        source = DIGITS.sub("0", source)
        self.code = ATTRIBUTE.sub(spaces, PLAIN.sub(blank, source))
        self.ends = [found.start() for found in re.finditer("\n", source)]
        self.pairs = pairs(self.code)

    def line(self, at):
        return bisect.bisect_left(self.ends, at) + 1

    def size(self, start, end):
        """Returns how many lines between two positions hold code."""
        first = self.code.rfind("\n", 0, start) + 1
        return sum(1 for line in self.code[first:end].split("\n") if line.strip())


def spaces(found):
    return re.sub(r"[^\n]", " ", found.group())


def blank(found):
    """Returns spaces for a comment or directive, two quotes for a literal, so that positions stay."""
    text = spaces(found)
    return '""' + text[2:] if found.group()[0] in "\"'R" else text


def pairs(code):
    """Returns the closing bracket for each opening one; what does not match is left out."""
    result, stack = {}, []
    for found in re.finditer(r"[()\[\]{}]", code):
        if found.group() in OPENING:
            stack.append(found)
        elif stack and OPENING.index(stack[-1].group()) == CLOSING.index(found.group()):
            result[stack.pop().start()] = found.start()
    return result


def parameter_list(text, start, end):
    """Returns the brackets that hold the parameters of the function that a statement declares, or None."""
    at = start
    while at < end:
        closing = text.pairs.get(at)
        if closing is None or closing >= end:
            at += 1
            continue
        name = re.search(r"(operator\s*[^\w\s(]+|operator\s*\(\)|[~\w]+)\s*$", text.code[start:at])
        if (text.code[at] == "(" and name and name.group(1) not in NO_NAMES
                and AFTER_PARAMETERS.fullmatch(text.code[closing + 1:end])):
            return name, at, closing
        at = closing + 1
    return None


def is_value(head):
    """Returns whether what stands in front of a name assigns something: `auto x = f(`."""
    return "=" in without_templates(head)


def without_templates(head):
    """Returns a declaration without its `template <...>`, whose parameters may have defaults."""
    found = re.search(r"\btemplate\s*<", head)
    if not found:
        return head
    depth, at = 1, found.end()
    while at < len(head) and depth:
        depth += {"<": 1, ">": -1}.get(head[at], 0)
        at += 1
    return head[:found.start()] + without_templates(head[at:])


def parameter_count(inner):
    """Returns the parts between the commas outside of any brackets."""
    inner = inner.strip()
    if not inner or inner == "void":
        return 0
    depth, count = 0, 1
    for at, letter in enumerate(inner):
        if letter in "([{<":
            depth += 1
        elif letter in ")]}" or (letter == ">" and inner[at - 1] != "-"):
            depth -= 1
        elif letter == "," and depth == 0:
            count += 1
    return count


def is_body(text, start, at):
    """Returns whether the brace at `at` opens a function's body, and not a member's value in front of one."""
    before = text.code[start:at].rstrip()
    if not re.search(r"\)\s*(?:noexcept\s*)?:(?!:)", before):
        return True
    return before[-1] in ")}"


class Reader:
    """Walks over the statements of namespaces and classes."""

    def __init__(self, source):
        self.text = Text(source)
        self.functions, self.classes = [], []
        self.scope(0, len(self.text.code), None)

    def scope(self, at, end, owner):
        start = at
        while at < end:
            letter = self.text.code[at]
            if letter == "{":
                at, start = self.brace(start, at, owner)
            elif letter in "([":
                at = self.text.pairs.get(at, at) + 1
            elif letter == ";":
                self.declaration(start, at, owner)
                at = start = at + 1
            elif letter == ":" and re.fullmatch(r"\s*(?:public|protected|private)\s*", self.text.code[start:at]):
                at = start = at + 1
            else:
                at += 1

    def brace(self, start, at, owner):
        """Reads what a brace opens; returns the position after it, and where the statement there began."""
        closing = self.text.pairs.get(at, len(self.text.code) - 1)
        head = self.text.code[start:at]
        kind = TYPE.match(head)
        if SCOPE.match(head):
            self.scope(at + 1, closing, None)
            return closing + 1, closing + 1
        if kind and "(" not in re.sub(r"alignas\([^)]*\)", "", head[kind.end():]):
            self.type(kind, start, at, closing)
            return closing + 1, start
        found = parameter_list(self.text, start, at)
        if re.match(r"\s*catch\b", head):
            return closing + 1, closing + 1
        if not found or is_value(head[:found[0].start()]):
            return closing + 1, start
        if not is_body(self.text, start, at):
            return closing + 1, start
        self.function(start, found, closing, owner)
        return closing + 1, closing + 1

    def type(self, kind, start, at, closing):
        if kind.group(1) == "enum":
            return
        head = self.text.code[start:at]
        bases = re.search(r"(?<!:):(?!:)(.*)", head[kind.end():], re.DOTALL)
        entry = Class(kind.group(2), self.text.line(start + kind.start(1)), bases.group(1) if bases else "",
                      self.text.code[at:closing])
        self.classes.append(entry)
        self.scope(at + 1, closing, entry)

    def function(self, start, found, closing, owner):
        name, opening, shut = found
        first = start + name.start()
        self.functions.append(Function(re.sub(r"\s", "", name.group(1)), self.text.line(first), self.text.line(closing),
                                       self.text.size(first, closing + 1),
                                       parameter_count(self.text.code[opening + 1:shut])))
        if owner:
            owner.methods += 1

    def declaration(self, start, at, owner):
        head = self.text.code[start:at]
        if owner and not re.match(r"\s*(?:using|friend|typedef|static_assert)\b", head):
            found = parameter_list(self.text, start, at)
            if found and not is_value(head[:found[0].start()]):
                owner.methods += 1


def comment_lines(source):
    """Returns the lines that hold nothing but a comment, and those that hold anything."""
    in_block, comments, lines = False, 0, 0
    for line in source.split("\n"):
        line = line.strip()
        if not line:
            continue
        lines += 1
        if in_block or line.startswith(("//", "/*")):
            comments += 1
            in_block = "*/" not in line and (in_block or line.startswith("/*"))
    return comments, lines
