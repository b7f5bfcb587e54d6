"""The headers under include/acl, include/aclnn and include/base."""

import re

from . import ctext, inline_bodies
from .layout import BASE, include_line, is_beside_operators

TITLES = {
    "acl/acl_base_rt.h": "Basic types, error codes and helpers",
    "acl/acl_base_mdl.h": "Tensor descriptions",
    "acl/acl_rt.h": "The runtime; the parts are under rt/",
    "acl/acl_rt_allocator.h": "Allocators supplied by the program",
    "acl/acl_rt_memory_soma.h": "Memory pools in stream order",
    "acl/acl_rt_compile.h": "Compilation of kernels at run time",
    "acl/acl_mdl.h": "Offline models; the parts are under mdl/",
    "acl/acl_op.h": "Single operators by name",
    "acl/acl_op_compiler.h": "Compilation of single operators",
    "acl/acl_prof.h": "Profiling",
    "acl/acl_dump.h": "Dump of data for debugging",
    "acl/acl_tdt.h": "Channels for tensor data",
    "acl/acl_tdt_queue.h": "Queues for tensor data",
    "acl/acl_platform.h": "Facts about the chip",
    "acl/error_codes/rt_error_codes.h": "Error codes of the runtime",
    "acl/error_codes/ge_error_codes.h": "Error codes of offline models",
    "aclnn/acl_meta.h": "Tensors, scalars, arrays and executors of the operators",
    "aclnn/aclnn_base.h": "Set-up of the operator library",
    "aclnn/opdev/op_errno.h": "Error codes of the operator library",
    "hccl/hccl_types.h": "Types and numbers of collectives",
    "hccl/hccl_comm.h": "Communicators: create, ask, configure, destroy; groups of calls; registered memory",
    "hccl/hccl.h": "Collectives in stream order",
    "hccl/hcom.h": "Groups by name",
    "base/acl_log.h": "Log records",
    "base/log_types.h": "Levels and sources of log records",
}

# Includes of these files, in place of those that their types need.
EXTRA_INCLUDES = {
    BASE: ["<stdbool.h>", "<stddef.h>", "<stdint.h>", '"error_codes/rt_error_codes.h"', '"error_codes/ge_error_codes.h"'],
    "base/acl_log.h": ["<stdarg.h>", "<stddef.h>", "<stdint.h>", '"log_types.h"'],
    "base/log_types.h": ["<stddef.h>", "<stdint.h>"],
    "aclnn/acl_meta.h": ['"../acl/acl_base.h"'],
    "aclnn/aclnn_base.h": ['"acl_meta.h"'],
    "acl/acl_op.h": ['"acl_base.h"', '"acl_mdl.h"'],
    "hccl/hccl_comm.h": ["<string.h>", '"hccl_types.h"', '"../acl/acl_base_rt.h"', '"../acl/rt/vmm.h"'],
    "hccl/hccl.h": ['"hccl_comm.h"', '"hccl_types.h"', '"../acl/acl_base_rt.h"'],
    "acl/acl_op_compiler.h": ['"acl_base.h"', '"acl_op.h"'],
}

# Types of constants that are declared as they are; others are int.
FIXED_WIDTHS = ("uint32_t", "int32_t")

ERROR_CODES = "acl/error_codes/"
NO_BASE = (ERROR_CODES, "aclnn/opdev/")

# Headers that only include others: path -> (title, targets).
UMBRELLAS = {
    "acl/acl.h": ("The whole interface that a program usually needs",
                  ["acl/acl_base.h", "acl/acl_rt.h", "acl/acl_rt_allocator.h",
                   "acl/acl_rt_memory_soma.h", "acl/acl_op.h", "acl/acl_mdl.h"]),
    "acl/acl_base.h": ("Basic types, error codes and tensor descriptions",
                       ["acl/acl_base_rt.h", "acl/acl_base_mdl.h"]),
}

MACRO_WRAP = "#ifndef {name}\n#define {name} {value}\n#endif"


class Writer:
    def __init__(self, layout):
        self.layout = layout
        self.docs = layout.tables.docs
        self.code_names = error_names(layout.tables.constants)
        self.result_names = error_names(layout.tables.constants, ("HcclResult",))

    def files(self):
        """Returns all headers: path -> text."""
        self.layout.check_cycles()
        result = {}
        titles = {area.file: area.title for area in self.layout.tables.areas}
        for path in self.layout.contents:
            if is_beside_operators(path):
                continue
            title = titles.get(path) or TITLES[path]
            result[path] = ctext.header_file(path, title, self.includes(path), self.body(path),
                                             self.needs_extern_c(path))
        for home, areas in self.layout.home_areas.items():
            parts = [BASE] + list(dict.fromkeys(area.file for area in areas))
            result[home] = self.umbrella(home, TITLES[home], parts)
        for path, (title, parts) in UMBRELLAS.items():
            result[path] = self.umbrella(path, title, parts)
        return result

    @staticmethod
    def umbrella(path, title, parts):
        lines = [f"#include {include_line(path, part)}" for part in parts] + [""]
        return ctext.header_file(path, title, [], lines, extern_c=False)

    def needs_extern_c(self, path):
        return bool(self.layout.contents[path]["functions"])

    def includes(self, path):
        if path in EXTRA_INCLUDES:
            return EXTRA_INCLUDES[path]
        needs = self.layout.needs(path)
        if not path.startswith(NO_BASE):
            needs = [BASE] + [n for n in needs if n != BASE]
        return [include_line(path, n) for n in needs]

    def body(self, path):
        content = self.layout.contents[path]
        lines = []
        early = [c for c in content["constants"] if c.kind != "static const"]
        if path in self.docs:
            lines += self.doc_lines(self.docs[path]) + [""]
        lines += self.constants(early)
        for t in content["types"]:
            lines += self.type(t) + [""]
        lines += self.constants([c for c in content["constants"] if c.kind == "static const"])
        for f in content["functions"]:
            lines += self.function(f) + [""]
        return lines

    def constants(self, constants):
        """Returns macros and constants, with a blank line where the kind of value changes."""
        lines, previous = [], None
        for c in constants:
            if previous is not None and c.type != previous:
                lines.append("")
            if c.type != previous and c.type and " " in c.type and not c.type.startswith("const"):
                lines.append(f"/* {c.type[0].upper() + c.type[1:]} */")
            lines += self.constant(c)
            previous = c.type
        return lines + [""] * bool(lines)

    @staticmethod
    def constant(c):
        # Programs bring copies of these files along, with guards of their own: what is defined stays as it is.
        if c.header.startswith(ERROR_CODES):
            return MACRO_WRAP.format(name=c.name, value=ctext.number(c)).split("\n")
        if c.kind == "static const":
            base = "aclnnStatus" if "aclnnStatus" in c.type else c.type if c.type in FIXED_WIDTHS else "int"
            suffix = "U" if base == "uint32_t" else ""
            return [f"static const {base} {c.name} = {c.value}{suffix};"]
        if c.value.startswith("__attribute__") and "(" not in c.name:
            return MACRO_WRAP.format(name=c.name, value=c.value).split("\n")
        return [f"#define {c.name} {ctext.number(c)}"]

    def type(self, t):
        doc = self.docs.get(t.name)
        head = self.doc_lines(doc) if doc else []
        return head + TYPE_FORMS[t.kind](self, t)

    def enum(self, t):
        lines = [f"typedef enum {t.name} {{"]
        lines += [f"    {c.name} = {c.value}," + " /* deprecated */" * c.kind.endswith("deprecated")
                  for c in self.layout.enum_values(t.name)]
        return lines + [f"}} {t.name};"]

    @staticmethod
    def struct(_, t):
        lines = [f"typedef {t.kind} {t.name} {{"]
        return lines + fields(t.fields, "    ") + [f"}} {t.name};"]

    def function(self, f):
        doc = self.docs.get(f.name)
        names = self.result_names if f.returns == "HcclResult" else self.code_names
        lines = self.doc_lines(doc, names) if doc else []
        if f.name in inline_bodies.BODIES:
            return lines + inline_bodies.definition(f)
        return lines + [ctext.prototype(f.returns, f.name, f.parameters, "ACL_FUNC_VISIBILITY "
                                        if not f.header.startswith("base/") else "LOG_FUNC_VISIBILITY ")]

    def doc_lines(self, doc, names=None):
        return ctext.comment(doc_paragraphs(doc, names or self.code_names))


def doc_paragraphs(doc, code_names):
    """Returns the brief, the family's rules, Vulkan, and the errors, with the conditions of a code in one item."""
    paragraphs = [doc.brief, *doc.rules.split(" // "), "Vulkan: " + doc.vulkan if doc.vulkan else ""]
    conditions = {}
    for code, condition in doc.errors:
        conditions.setdefault(code, []).append(condition)
    for code, texts in conditions.items():
        if code not in code_names:
            raise SystemExit(f"interface/docs: {code} ({texts[0]}) is not an error code.")
        paragraphs.append((f"- {code_names[code]} ({code}): {'; '.join(texts)}", "  "))
    return paragraphs


def fields(text, indent):
    """Returns the members of a struct, one a line, with those of nested unions."""
    lines = []
    for field in ctext.split_top(text, ";"):
        match = re.fullmatch(r"((?:union|struct)(?: \w+)?) ?\{(.*)\}\s*(\w*)", field)
        if match:
            head, inner, name = match.groups()
            # Unnamed unions are of C11; __extension__ lets GCC and Clang take them in C99 without a warning.
            extension = "" if name else "__extension__ "
            lines += [f"{indent}{extension}{head} {{"] + fields(inner, indent + "    ")
            lines.append(f"{indent}}}{' ' + name if name else ''};")
        else:
            lines.append(f"{indent}{ctext.tidy(field)};")
    return lines


TYPE_FORMS = {
    "enum": Writer.enum,
    "struct": lambda w, t: Writer.struct(w, t),
    "union": lambda w, t: Writer.struct(w, t),
    "opaque struct": lambda w, t: [f"typedef struct {t.name} {t.name};"],
    "opaque handle (void *)": lambda w, t: [f"typedef void *{t.name};"],
    "typedef": lambda w, t: [f"typedef {t.fields} {t.name};"],
    "callback typedef": lambda w, t: [ctext.typedef_callback(t.name, t.fields)],
}


def error_names(constants, types=("aclError", "aclnnStatus")):
    """Returns code -> name; of several names of a code, that of the runtime."""
    names = {}
    for c in constants:
        if c.type in types and re.fullmatch(r"\d+", c.value):
            names.setdefault(int(c.value), c.name)
    return names
