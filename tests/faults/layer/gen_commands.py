#!/usr/bin/env python3
"""Writes the list of the Vulkan commands that can fail: COMMAND(name, results that its specification allows).

Out of the registry (vk.xml), for the commands that the installed header has: so no command that the library may ever call
is missing. Those that make an instance or a device are CREATOR(name, results); the layer has functions of its own for them.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

DISPATCHABLE = ("VkInstance", "VkPhysicalDevice", "VkDevice", "VkQueue", "VkCommandBuffer")
CREATORS = ("vkCreateInstance", "vkCreateDevice")


def commands_of(registry):
    """Name -> element, aliases with the element of what they stand for."""
    elements = [element for element in registry.iter("command") if element.get("api", "vulkan") == "vulkan"]
    named = {element.findtext("proto/name"): element for element in elements if element.find("proto") is not None}
    aliases = {element.get("name"): element.get("alias") for element in elements if element.get("alias")}
    for name, target in aliases.items():
        while target in aliases:
            target = aliases[target]
        named[name] = named[target]
    return named


def lines(registry, header):
    declared = set(re.findall(r"\bPFN_(vk\w+)\)", header))
    known_results = set(re.findall(r"\bVK_ERROR_\w+", header))
    for name, command in sorted(commands_of(registry).items()):
        on_object = command.findtext("param/type") in DISPATCHABLE or name in CREATORS
        if name not in declared or command.findtext("proto/type") != "VkResult" or not on_object:
            continue
        results = [r for r in command.get("errorcodes", "").split(",") if r in known_results]
        yield f"{'CREATOR' if name in CREATORS else 'COMMAND'}({name}, {', '.join(results)})"


def main():
    registry, header, out = map(pathlib.Path, sys.argv[1:])
    out.write_text("\n".join(lines(ElementTree.parse(registry), header.read_text())) + "\n")


if __name__ == "__main__":
    main()
