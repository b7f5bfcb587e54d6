"""The tables of interface/, as objects."""

import csv
import dataclasses
import pathlib
import re


@dataclasses.dataclass
class Function:
    name: str
    returns: str
    parameters: str
    header: str
    group: str
    library: str


@dataclasses.dataclass
class Constant:
    name: str
    value: str
    type: str
    header: str
    kind: str


@dataclasses.dataclass
class Type:
    name: str
    kind: str
    header: str
    fields: str
    size: str


@dataclasses.dataclass
class Operator:
    name: str
    parameters: str
    header: str
    include: str
    category: str
    source: str
    facts: dict


@dataclasses.dataclass
class Area:
    home: str
    file: str
    title: str
    names: list


@dataclasses.dataclass
class Doc:
    brief: str
    vulkan: str
    errors: list  # of (code, condition)
    rules: str = ""  # what holds for the whole family; " // " begins a new paragraph


@dataclasses.dataclass
class Tables:
    functions: list
    constants: list
    types: list
    operators: list
    areas: list
    docs: dict


def read_tsv(path):
    """Returns the rows of a table without its heading; short rows are padded."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    width = len(rows[0])
    return [row + [""] * (width - len(row)) for row in rows[1:] if row]


def load(api_dir):
    api = pathlib.Path(api_dir)
    tables = Tables(
        functions=[Function(*row) for row in read_tsv(api / "functions.tsv")],
        constants=[Constant(*row) for row in read_tsv(api / "enums.tsv")],
        types=[Type(*row) for row in read_tsv(api / "types.tsv")],
        operators=load_operators(api),
        areas=[Area(*row[:3], row[3].split()) for row in read_tsv(api / "areas.tsv")],
        docs=load_docs(api / "docs"),
    )
    apply_corrections(tables, api / "corrections.tsv")
    return tables


def load_operators(api):
    with open(api / "operators.tsv", newline="", encoding="utf-8") as file:
        facts = {row["op"]: row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
    operators = [Operator(*row, facts.get(row[0], {})) for row in read_tsv(api / "aclnn.tsv")]
    for operator in operators:
        operator.header = operator.header.strip("()?")
    return operators


def apply_corrections(tables, path):
    """Overwrites single cells; every row must hit something, so that a stale row is noticed."""
    lists = {"functions": tables.functions, "enums": tables.constants, "types": tables.types,
             "aclnn": tables.operators, "operators": tables.operators}
    column_of = {"constant": "name"}
    renamed = {}
    for table, key, column, value, _ in read_tsv(path):
        wanted = renamed.get(key, key)
        row = next((row for row in lists[table] if row.name == wanted), None)
        if row is None:
            raise SystemExit(f"{path}: {key} is not in the table {table}.")
        if table == "operators":
            row.facts[column] = value
        else:
            setattr(row, column_of.get(column, column), value)
        renamed[key] = row.name


# Files in the folder of the comments that comments refer to.
ERROR_SETS = "error_sets.tsv"
FAMILIES = "families.tsv"
IN_PLACE = "_inplace"


def load_docs(folder):
    """Returns the comments by name. A row may describe several names, separated by spaces."""
    sets = {row[0]: row[1] for row in read_if_there(folder / ERROR_SETS)}
    families = {row[0]: row[1:] for row in read_if_there(folder / FAMILIES)}
    docs = {}
    for path in sorted(folder.glob("*.tsv")):
        if path.name in (ERROR_SETS, FAMILIES):
            continue
        for names, brief, vulkan, errors in read_tsv(path):
            for name in names.split():
                where = f"{path}: {name}"
                if name in docs:
                    raise SystemExit(f"{where} is described twice.")
                rules, text, codes = in_family(name, vulkan, errors, families, where)
                docs[name] = Doc(brief, text, parse_errors(codes, sets, where), rules)
    return docs


def read_if_there(path):
    return read_tsv(path) if path.exists() else []


def in_family(name, vulkan, errors, families, where):
    """Returns rules, Vulkan and errors of a row. "@family" in place of Vulkan takes those of a family; the row's own errors
    replace @row in them, or follow them. For operators in place, the family with the suffix _inplace precedes."""
    if not vulkan.startswith("@"):
        return "", vulkan, errors
    family = vulkan[1:]
    if name.startswith("aclnnInplace") and family + IN_PLACE in families:
        family += IN_PLACE
    if family not in families:
        raise SystemExit(f"{where}: no family {vulkan}.")
    rules, text, codes = families[family]
    return rules, text, codes.replace("@row", errors) if "@row" in codes else f"{codes}; {errors}"


def parse_errors(text, sets, where):
    """Splits "code condition; @set; code condition" and opens the sets."""
    result = []
    for item in (part.strip() for part in text.split(";")):
        if not item:
            continue
        if item.startswith("@"):
            if item[1:] not in sets:
                raise SystemExit(f"{where}: no error set {item}.")
            result += parse_errors(sets[item[1:]], sets, where)
            continue
        match = re.fullmatch(r"(\d+) (.+)", item)
        if not match:
            raise SystemExit(f"{where}: '{item}' is not 'code condition'.")
        result.append((int(match.group(1)), match.group(2)))
    return result
