"""The headers under include/aclnnop: one for each operator, and one that includes them all."""

import collections
import dataclasses
import re

from . import acl_files, ctext
from .layout import OPERATORS, is_beside_operators

COLLECTING = "aclnn_ops_nn_custom.h"
LAUNCH = "void * workspace, uint64_t workspaceSize, aclOpExecutor * executor, aclrtStream stream"


def files(tables):
    by_header = collections.defaultdict(list)
    for operator in tables.operators:
        by_header[operator.header].append(operator)
    helpers = collections.defaultdict(list)
    for function in tables.functions:
        if is_beside_operators(function.header):
            helpers[function.header.removeprefix(OPERATORS)].append(function)
    result = {}
    comments = Comments(tables)
    for header in [*by_header, *(name for name in helpers if name not in by_header)]:
        path = f"aclnnop/{header}"
        result[path] = header_text(path, by_header[header], helpers[header], comments)
    result[f"aclnnop/{COLLECTING}"] = collecting_text(result)
    return result


def collecting_text(paths):
    """Returns the header with which programs include all operators at once."""
    includes = [f'"{path.removeprefix("aclnnop/")}"' for path in sorted(paths)]
    return ctext.header_file(f"aclnnop/{COLLECTING}", "All operators", includes, [])


def has_signature(operator):
    return bool(operator.parameters.strip())


class Comments:
    """The comment of the first phase of an operator: facts of the tables and, once it is built, its row in interface/docs."""

    def __init__(self, tables):
        self.docs = tables.docs
        self.code_names = acl_files.error_names(tables.constants)

    def of_helper(self, function):
        doc = self.docs.get(function.name)
        return ctext.comment(acl_files.doc_paragraphs(doc, self.code_names)) if doc else []

    def of(self, operator):
        doc = self.docs.get(operator.name)
        described = acl_files.doc_paragraphs(spelt(doc, operator), self.code_names) if doc else []
        return ctext.comment(facts(operator) + described)


def spelt(doc, operator):
    """Returns the comment with the operator's own parameters in place of {pointers}, {tensors}, {inputs} and {out}."""
    words = parameter_words(operator)

    def word(match):
        if match[1] not in words:
            raise SystemExit(f"interface/docs: {operator.name} has no words for {match[0]}.")
        return words[match[1]]

    def fill(text):
        return re.sub(r"\{(\w+)\}", word, text)
    return dataclasses.replace(doc, brief=fill(doc.brief), rules=fill(doc.rules), vulkan=fill(doc.vulkan),
                               errors=[(code, fill(condition)) for code, condition in doc.errors])


def parameter_words(operator):
    """Returns the texts for the placeholders of comments. {pointers}: "a, b", which must not be NULL. {tensors}: "a, b or c".
    {out}: the last tensor, or the first one for an operator in place, which also reads it. {inputs}: "a and b"."""
    pairs = [(text, ctext.parameter_name(text)) for text in ctext.parameters(operator.parameters)[:-2]]
    required = [name for text, name in pairs if "*" in text and not name.endswith("Optional")]
    tensors = [name for text, name in pairs if re.search(r"\baclTensor(List)?\b", text)]
    in_place = operator.name.startswith("aclnnInplace")
    inputs, out = (tensors, tensors[:1]) if in_place else (tensors[:-1], tensors[-1:])
    return {"pointers": ", ".join(required), "tensors": spoken(tensors, "or"), "inputs": spoken(inputs, "and"),
            "out": "".join(out)}


def spoken(names, word):
    return f" {word} ".join([", ".join(names[:-1])] * (len(names) > 1) + names[-1:])


def header_text(path, operators, helpers, comments):
    """Returns the text of a header: its operators, and its functions of one phase."""
    body = []
    for operator in operators:
        body += operator_lines(operator, comments) + [""]
    for function in helpers:
        body += comments.of_helper(function)
        body += [ctext.prototype(function.returns, function.name, function.parameters, "ACL_FUNC_VISIBILITY "), ""]
    named = operators or helpers
    title = "Operators: " + ", ".join(operator.name for operator in named)
    if len(title) > ctext.WIDTH - 8:
        title = f"Operators: {named[0].name} and {len(named) - 1} relatives"
    return ctext.header_file(path, title, ['"../aclnn/aclnn_base.h"'], body)


def operator_lines(operator, comments):
    if not has_signature(operator):
        return [f"/* {operator.name}: its parameters are not in the tables, so it is not declared. */"]
    launch = f"Runs the plan of {operator.name}GetWorkspaceSize on a stream."
    plan_prototype = ctext.prototype("aclnnStatus", operator.name + "GetWorkspaceSize",
                                     operator.parameters, "ACL_FUNC_VISIBILITY ")
    run_prototype = ctext.prototype("aclnnStatus", operator.name, LAUNCH, "ACL_FUNC_VISIBILITY ")
    return (comments.of(operator) + [plan_prototype, ""]
            + ctext.comment([launch]) + [run_prototype])


def facts(operator):
    """Returns the facts of the tables, as short sentences."""
    f = operator.facts
    family = f.get("family") or operator.category
    lines = [f"Plans {operator.name} ({family}): checks the operands and tells the workspace size."]
    if f.get("torch"):
        lines.append("PyTorch: " + f["torch"].replace(";", ", "))
    if f.get("dtypes_in"):
        lines.append("Inputs: " + f["dtypes_in"].replace(",", ", "))
    if f.get("dtypes_out") and f["dtypes_out"] != f.get("dtypes_in"):
        lines.append("Outputs: " + f["dtypes_out"].replace(",", ", "))
    if f.get("attrs"):
        lines.append("Attributes: " + f["attrs"].replace(";", ", "))
    if f.get("inplace") == "1":
        lines.append("The first operand is also the result.")
    return lines
