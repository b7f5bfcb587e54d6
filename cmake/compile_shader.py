#!/usr/bin/env python3
"""Compiles one compute shader several times and writes the modules as C++ arrays.

The variants are those of src/vk_device/embedded_shaders.hpp: operands through descriptors or addresses, arguments in push
constants or in memory, 64-bit words or not. A wide variant that is no different is left out, as is the one with arguments
in memory. The output is included by the generated embedded_shaders.cpp.
"""

import argparse
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

VULKAN = "vulkan1.2"


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")


def compile_module(options, index, folder):
    """The SPIR-V words of one variant. Names are stripped, so that the words depend on the source only."""
    module = pathlib.Path(folder) / f"{index}.spv"
    defines = [f"-DWIDE={index >> 2}", f"-DADDRESSES={index >> 1 & 1}", f"-DBLOCK={index & 1}"]
    if options.variant != "-":
        defines.append(f"-DVARIANT_{options.variant}=1")
    includes = [f"-I{path}" for path in options.include]
    run([options.glslang, "-V", "--target-env", VULKAN, "-g0", *defines, *includes, "-o", module, options.source])
    if options.validator and not options.validator.endswith("NOTFOUND"):
        run([options.validator, "--target-env", VULKAN, module])
    code = module.read_bytes()
    return struct.unpack(f"<{len(code) // 4}I", code)


def compile_modules(options, folder):
    modules = [compile_module(options, index, folder) for index in range(4)] + 4 * [()]
    for index in (4, 6):
        wide = compile_module(options, index, folder)
        modules[index] = wide if wide != modules[index - 4] else ()
    return modules


def array(symbol, words):
    lines = [", ".join(f"{word:#x}" for word in words[at : at + 16]) for at in range(0, len(words), 16)]
    return f"constexpr std::uint32_t {symbol}[] = {{\n" + ",\n".join(lines) + "};\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("--glslang", required=True)
    parser.add_argument("--validator", default="")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--name", required=True)
    parser.add_argument("--variant", default="-")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()

    symbol = re.sub(r"\W", "_", options.name)
    with tempfile.TemporaryDirectory() as folder:
        modules = compile_modules(options, folder)
    text = "".join(array(f"k_{symbol}_{index}", words) for index, words in enumerate(modules) if words)
    variants = ", ".join(
        f"{{k_{symbol}_{index}, {len(words)}}}" if words else "{nullptr, 0}" for index, words in enumerate(modules)
    )
    text += f'#define ACLVK_SHADER_{symbol} {{"{options.name}", {{{variants}}}}}\n'
    out = pathlib.Path(options.out)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text)


if __name__ == "__main__":
    main()
