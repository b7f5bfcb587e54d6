#!/usr/bin/env python3
"""Checks what aclvk-bench wrote: check_bench.py [--targets-for WORKLOAD,...] REPORT.json [REPORT.html]

Only whether the report is whole and agrees with itself; how fast anything was is not judged. --targets-for names
workloads whose lines must be in the table of targets, for the numbers of tasks that the report has.
"""

import argparse
import html.parser
import json
import pathlib
import re
import sys

# The targets of a workload in the table, and for which numbers of tasks; () where they do not depend on it.
TARGETS = {
    "chain": [
        ("replay over raw replay, end to end, {} tasks", (10, 100, 1000)),
        ("eager over raw record + submit, end to end, {} tasks", (1000,)),
        ("eager + synchronize over raw record + submit + wait, end to end, {} tasks", (1000,)),
    ],
    "execute": [("aclmdlRIExecuteAsync, {} tasks, host time", (10, 100, 1000, 10000))],
    "update": [
        ("20 group updates + execute, host time", ()),
        ("20 group updates + execute over 20 eager launches, host time", ()),
    ],
    "calls": [("aclnnAddGetWorkspaceSize + aclnnAdd", ()), ("aclmdlRICaptureGetInfo", ())],
    "lists": [
        ("one operator on lists of 1000 tensors over 1000 operators, end to end", ()),
        ("one operator on lists of 1000 tensors over 1000 operators, host time", ()),
    ],
    "capture": [
        ("aclmdlRICaptureBegin ... End, 1000 tasks", ()),
        ("aclmdlRIDestroy, 1000 tasks", ()),
        ("memory of a captured task", ()),
    ],
    "startup": [("aclInit ... first operator over raw vkCreateInstance ... first dispatch", ())],
    "bandwidth": [("aclnnAdd float32 at 16 Mi elements, speed over the best raw kernel", ())],  # and more operators
    "rows": [("aclnnSoftmax float32 at 8192 rows of 1024, speed over the best raw kernel", ())],
    "matmul": [("aclnnMm float32 at 512 x 512 x 512, speed over the best raw kernel", ())],
    "matvec": [("aclnnMv float32 at 4096 x 4096, speed over the best raw kernel", ())],
    "attention": [("aclnnFusedInferAttentionScore float32 at 4096 keys, speed over the best raw kernel", ())],
}
# The names of their targets end with the name of the raw kernel.
SPEEDS = ("bandwidth", "rows", "matmul", "matvec", "attention")
TEXTS = ("device", "driver", "vulkan", "LP_NUM_THREADS", "build", "mode", "date")


class Wrong(Exception):
    """The report is wrong; its text says why."""


def require(true, sentence):
    if not true:
        raise Wrong(sentence)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def get(where, name, kind, fields):
    """Returns the field `name` of an object; `where` names the object in the error."""
    require(isinstance(fields, dict), f"{where} is {fields!r}; expected an object.")
    require(name in fields, f"{where} has no field \"{name}\".")
    value = fields[name]
    right = is_number(value) if kind is float else isinstance(value, kind) and not (kind is int and value is True)
    require(right, f"{where} has {name} {value!r}; expected {kind.__name__}.")
    return value


def check_spread(where, name, fields):
    """Checks quartiles around a median above 0; JSON writes null for what is not a number."""
    spread = get(where, name, dict, fields)
    low, median, high = (get(f"{where}, {name}", part, float, spread) for part in ("low", "median", "high"))
    require(median > 0, f"{where} has a median of {median} in {name}; expected more than 0.")
    require(low <= median <= high, f"{where} has quartiles {low} and {high} around {median} in {name}.")


def check_setting(report):
    setting = get("The report", "setting", dict, report)
    for name in TEXTS:
        require(get("The setting", name, str, setting).strip(), f"The setting has an empty {name}.")
    require(setting["mode"] in ("quick", "full"), f"The mode is {setting['mode']}; expected quick or full.")
    require(get("The setting", "cores", int, setting) > 0, "The setting has no cores.")
    require(get("The report", "seconds", float, report) > 0, "The report took no time.")


def name_of(group):
    parts = [get("A group", "workload", str, group), get("A group", "operands", str, group)]
    tasks = get("A group", "tasks", int, group)
    width = get("A group", "width", int, group)
    return " ".join(filter(None, parts)) + f", {tasks} tasks, width {width}"


def check_contender(where, contender, names):
    require(get(where, "samples", int, contender) >= 1, f"{where} has no samples.")
    check_spread(where, "host_us", contender)
    if "task_us" in contender:
        check_spread(where, "task_us", contender)
    if "submissions" in contender:
        require(get(where, "submissions", float, contender) >= 0, f"{where} has fewer than 0 submissions.")
    require(("ratio" in contender) == ("baseline" in contender), f"{where} has a ratio or a baseline without the other.")
    if "ratio" not in contender:
        return
    check_spread(where, "ratio", contender)
    baseline = get(where, "baseline", str, contender)
    require(baseline in names, f"{where} names the baseline \"{baseline}\", which is not in its group.")
    require(baseline != contender["name"], f"{where} is its own baseline.")
    compared = get(where, "compared", str, contender)
    require(compared in ("host_us", "task_us") and compared in contender,
            f"{where} compares {compared}; expected host_us or task_us, and a value of it.")


def check_group(group):
    where = f"The group \"{name_of(group)}\""
    contenders = get(where, "contenders", list, group)
    if "left_out" in group:
        require(get(where, "left_out", str, group).strip(), f"{where} is left out without a reason.")
    require(bool(contenders) != ("left_out" in group), f"{where} must have either contenders or a reason to be left out.")
    names = [get(f"A contender of {where}", "name", str, contender) for contender in contenders]
    require(len(set(names)) == len(names), f"{where} has two contenders of one name: {', '.join(names)}.")
    for contender in contenders:
        check_contender(f"\"{contender['name']}\" in the group \"{name_of(group)}\"", contender, names)
    if contenders:
        require(any("ratio" in contender for contender in contenders), f"{where} compares nothing.")


def check_figure(figure):
    where = f"The figure \"{get('A figure', 'name', str, figure)}\""
    require(get(where, "unit", str, figure), f"{where} has no unit.")
    require(get(where, "samples", int, figure) >= 1, f"{where} has no samples.")
    check_spread(where, "value", figure)


def check_target(target):
    where = f"The target \"{get('A target', 'name', str, target)}\""
    require(target["name"].strip(), "A target has an empty name.")
    value, limit = get(where, "value", float, target), get(where, "target", float, target)
    bound, met = get(where, "bound", str, target), get(where, "met", bool, target)
    require(get(where, "samples", int, target) >= 1, f"{where} has no samples.")
    require(bound in ("<=", ">="), f"{where} has the bound \"{bound}\"; expected <= or >=.")
    holds = value <= limit if bound == "<=" else value >= limit
    require(met == holds, f"{where} says met: {met}, but {value} {bound} {limit} is {holds}.")


def sizes_of(report, workload):
    """Returns the numbers of tasks with which a workload was measured; the names of "execute" contain them."""
    groups = [group for group in report["groups"] if group["workload"] == workload and group["contenders"]]
    if workload == "execute":
        names = [contender["name"] for group in groups for contender in group["contenders"]]
        return {int(number) for name in names for number in re.findall(r"(\d+) tasks$", name)}
    return {group["tasks"] for group in groups if group["operands"] in ("", "tiny") and group["width"] == 1}


def check_targets_for(report, workload):
    require(workload in TARGETS, f"There are no targets for \"{workload}\"; expected one of {', '.join(TARGETS)}.")
    names = [target["name"] for target in report["targets"]]
    expected = 0
    for title, sizes in TARGETS[workload]:
        wanted = [title.format(size) for size in sizes if size in sizes_of(report, workload)] if sizes else [title]
        expected += len(wanted)
        for name in wanted:
            found = any(name in given for given in names) if workload in SPEEDS else name in names
            require(found, f"The table of targets lacks \"{name}\" of the workload \"{workload}\".")
    require(expected > 0, f"The workload \"{workload}\" was measured in no size that has a target.")


def check_json(report):
    require(isinstance(report, dict), "The report is no object.")
    last = next(reversed(report), "")
    require(last == "targets", f"The last key of the report is \"{last}\"; expected targets.")
    check_setting(report)
    for name, check in (("groups", check_group), ("figures", check_figure), ("targets", check_target)):
        for item in get("The report", name, list, report):
            check(item)
    require(report["groups"] or report["figures"], "The report has neither groups nor figures.")


class Page(html.parser.HTMLParser):
    """Collects the scripts of a page and all addresses that it would load."""

    def __init__(self):
        super().__init__()
        self.scripts, self.report, self.loads, self.styles = "", None, [], ""
        self.inside = None

    def handle_starttag(self, tag, attributes):
        fields = dict(attributes)
        self.loads += [fields[name] or "" for name in ("src", "href", "srcset", "data", "xlink:href") if name in fields]
        self.styles += fields.get("style") or ""
        if tag == "script" and fields.get("id") == "report":
            require(self.report is None, "The page has two elements with the id \"report\".")
            self.report = ""
        self.inside = ("report" if fields.get("id") == "report" else tag) if tag in ("script", "style") else None

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == "report":
            self.report += data
        elif self.inside == "script":
            self.scripts += data
        elif self.inside == "style":
            self.styles += data


def check_page(text, report):
    page = Page()
    page.feed(text)
    page.close()
    require(page.report is not None, "The page has no script element with the id \"report\".")
    try:
        embedded = json.loads(page.report)
    except ValueError as error:
        raise Wrong(f"The report in the page is no JSON: {error}.") from error
    require(embedded == report, "The report in the page differs from the JSON file.")
    for load in page.loads:
        require(load.startswith(("#", "data:")), f"The page loads \"{load}\"; it must need nothing else.")
    for load in re.findall(r"@import[^;]*|url\([^)]*\)", page.styles):
        require("data:" in load, f"The style sheet loads {load}; the page must need nothing else.")
    call = re.search(r"\b(?:fetch|import|XMLHttpRequest|WebSocket)\s*\(|\.(?:src|href)\s*=|(?:src|href)=[\"']?https?:",
                     page.scripts)
    require(call is None, f"The script loads something: {call and call[0]}.")
    draws = "<svg" in page.scripts or ("createElementNS(" in page.scripts and '"svg"' in page.scripts)
    require(draws, "The script creates no svg element, so there are no plots.")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("json", type=pathlib.Path)
    parser.add_argument("html", type=pathlib.Path, nargs="?")
    parser.add_argument("--targets-for", default="")
    options = parser.parse_args()
    try:
        report = json.loads(options.json.read_text(encoding="utf-8"))
        check_json(report)
        for workload in filter(None, options.targets_for.split(",")):
            check_targets_for(report, workload)
        if options.html:
            check_page(options.html.read_text(encoding="utf-8"), report)
    except (Wrong, OSError, ValueError) as error:
        sys.exit(f"check_bench: {error}")


if __name__ == "__main__":
    main()
