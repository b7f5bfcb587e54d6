"""The counts of docs/support.md, taken anew from the library."""

import re

import tool


def counts():
    import coverage
    from headers import tables
    text = coverage.report(tables.load(tool.ROOT / "interface"), coverage.symbols(tool.LIB64 / "libaclvk.so"))
    return re.findall(r"(?m)^## \w+: (\d+ of \d+)$", text)
