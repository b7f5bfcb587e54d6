"""One small header an operator, under include/aclnnop."""

import collections

from . import ctext

LAUNCH = "void * workspace, uint64_t workspaceSize, aclOpExecutor * executor, aclrtStream stream"


def files(tables):
    by_header = collections.defaultdict(list)
    for operator in tables.operators:
        by_header[operator.header].append(operator)
    result = {}
    for header, operators in by_header.items():
        path = f"aclnnop/{header}"
        result[path] = header_text(path, operators, tables.docs)
        level2 = f"aclnnop/level2/{header}"
        result[level2] = ctext.header_file(level2, "The older place of this header", [],
                                           [f'#include "../{header}"', ""], extern_c=False)
    return result


def has_signature(operator):
    return bool(operator.parameters.strip())


def header_text(path, operators, docs):
    body = []
    for operator in operators:
        body += operator_lines(operator, docs.get(operator.name)) + [""]
    title = "Operators: " + ", ".join(operator.name for operator in operators)
    if len(title) > ctext.WIDTH - 8:
        title = f"Operators: {operators[0].name} and {len(operators) - 1} relatives"
    return ctext.header_file(path, title, ['"../aclnn/aclnn_base.h"'], body)


def operator_lines(operator, doc):
    if not has_signature(operator):
        return [f"/* {operator.name}: its parameters are not in the tables, so it is not declared. */"]
    launch = f"Runs the plan of {operator.name}GetWorkspaceSize on a stream."
    plan_prototype = ctext.prototype("aclnnStatus", operator.name + "GetWorkspaceSize",
                                     operator.parameters, "ACL_FUNC_VISIBILITY ")
    run_prototype = ctext.prototype("aclnnStatus", operator.name, LAUNCH, "ACL_FUNC_VISIBILITY ")
    return (ctext.comment(facts(operator) + described(doc)) + [plan_prototype, ""]
            + ctext.comment([launch]) + [run_prototype])


def described(doc):
    """What api/docs says: brief, Vulkan, codes."""
    if not doc:
        return []
    lines = [doc.brief, "Vulkan: " + doc.vulkan if doc.vulkan else ""]
    return lines + [(f"- {code}: {condition}", "  ") for code, condition in doc.errors]


def facts(operator):
    """What the tables know, as short sentences."""
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
