#!/usr/bin/env python3
"""Packs the modules of the shaders of one source (a family) into a C++ array, which the generated embedded_shaders.cpp includes.

The inputs are outputs of compile_shader.py, as NAME=FILE. The modules are encoded (module_encoder.py) and compressed as one zstd
frame. The output defines a macro for each shader, ACLVK_SHADER_<name>, with which embedded_shaders.cpp lists it. What another build
has packed from the same files, and what the cache of compile_shader.py has, is not packed again.
"""

import argparse
import hashlib
import pathlib
import re
import struct
import subprocess

import compile_shader
import module_encoder

SCRIPTS = [pathlib.Path(module.__file__) for module in (compile_shader, module_encoder)]
DEPENDENCIES = [pathlib.Path(__file__), *SCRIPTS, module_encoder.LAYOUTS]


def identifier(name):
    return re.sub(r"\W", "_", name)


def array(symbol, data):
    """Numbers of 64 bits, because a compiler takes long over many small ones."""
    numbers = struct.unpack(f"<{-(-len(data) // 8)}Q", data + bytes(-len(data) % 8))
    lines = [", ".join(f"{number:#x}" for number in numbers[at : at + 8]) for at in range(0, len(numbers), 8)]
    return f"constexpr std::uint64_t {symbol}[] = {{\n" + ",\n".join(lines) + "};\n"


def compressed(zstd, data):
    return subprocess.run([zstd, "-19", "--quiet", "--stdout"], input=data, stdout=subprocess.PIPE, check=True).stdout


def packed(zstd, shaders):
    """The C++ text for shaders, which are names and lists of modules."""
    family = module_encoder.Family()
    for _, modules in shaders:
        for module in filter(None, modules):
            family.add(module)
    data, offsets = family.encoded()
    frame = compressed(zstd, data)
    array_name, family_name = (f"{prefix}_{identifier(shaders[0][0])}" for prefix in ("k_frame", "k_family"))
    text = array(array_name, frame)
    text += f"constexpr aclvk::vk::ShaderFamily {family_name} = {{{array_name}, {len(frame)}, {len(data)}}};\n"
    left = iter(offsets)
    for name, modules in shaders:
        counts = ", ".join(str(len(module) // 4) for module in modules)
        places = ", ".join(str(next(left) if module else 0) for module in modules)
        text += f'#define ACLVK_SHADER_{identifier(name)} {{"{name}", {{{counts}}}, {{{places}}}, &{family_name}}}\n'
    return text


def cached_file(names, files):
    digest = hashlib.sha256(b"pack\0" + "\0".join(names).encode())
    contents = [file.read_bytes() for file in DEPENDENCIES] + [file.read_bytes().split(b"\n", 1)[1] for file in files]
    for content in contents:
        digest.update(hashlib.sha256(content).digest())
    return compile_shader.CACHE / digest.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--zstd", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    out = pathlib.Path(options.out)
    names, files = zip(*(each.split("=", 1) for each in options.inputs))
    files = [pathlib.Path(file) for file in files]
    if compile_shader.is_newer(out, [*DEPENDENCIES, *files]):
        return

    cached = cached_file(names, files)
    if not cached.exists():
        shaders = [(name, compile_shader.read_modules(options.zstd, file)) for name, file in zip(names, files)]
        compile_shader.write(cached, packed(options.zstd, shaders).encode())
    compile_shader.write(out, compile_shader.command_line() + cached.read_bytes())


if __name__ == "__main__":
    main()
