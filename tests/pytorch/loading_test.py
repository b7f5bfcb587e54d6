#!/usr/bin/env python3
"""What libtorch_npu.so needs in order to load, without it: loading_test.py LIB64 TABLE [CXX]

A library of the test's own is linked with the same names as libtorch_npu.so, binds all symbols at once as that does, and names
each function of interface/torch_npu.tsv; a program opens it first of all, as Python does, and looks up what torch_npu looks up.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

NEEDED = ("hccl", "ascendcl", "acl_op_compiler", "ge_runner", "graph")
OPENED = ("ascend_hal", "profapi", "acl_rt_impl", "msprofiler", "ascend_dump", "runtime", "opapi", "hccl", "nnopbase")

EXTENSION = """
{declarations}
extern "C" int count_of_functions() {{
  void* const all[] = {{{addresses}}};
  int count = 0;
  for (void* each : all) count += each != nullptr;
  return count;
}}
"""

PROGRAM = """
#include <dlfcn.h>
#include <cstdio>
int main(int count, char** names) {
  void* extension = dlopen(names[1], RTLD_NOW | RTLD_GLOBAL);
  if (extension == nullptr) { std::puts(dlerror()); return 1; }
  auto* functions = reinterpret_cast<int (*)()>(dlsym(extension, "count_of_functions"));
  std::printf("%d\\n", functions());
  int failures = 0;
  for (int i = 2; i < count; ++i) {
    // A library by its name, or else a function of any that is open.
    const bool there = names[i][0] == 'l' && names[i][1] == 'i' && names[i][2] == 'b'
                           ? dlopen(names[i], RTLD_LAZY) != nullptr
                           : dlsym(RTLD_DEFAULT, names[i]) != nullptr;
    if (!there) { std::printf("%s is not there.\\n", names[i]); ++failures; }
  }
  return failures;
}
"""


def main():
    lib64, table = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    cxx = sys.argv[3] if len(sys.argv) > 3 else "c++"
    rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()[1:]]
    linked = [name for name, how in rows if how == "linked"]
    looked_up = [name for name, how in rows if how != "linked"]
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        declarations = "\n".join(f'extern "C" void {name}();' for name in linked)
        addresses = ", ".join(f"reinterpret_cast<void*>({name})" for name in linked)
        (place / "extension.cpp").write_text(EXTENSION.format(declarations=declarations, addresses=addresses))
        (place / "program.cpp").write_text(PROGRAM)
        # The libraries' own names stay those of the links, as where libtorch_npu.so was linked.
        stand_ins = []
        for name in NEEDED:
            library = place / f"lib{name}.so"
            functions = "\n".join(f'extern "C" void {each}() {{}}' for each in (linked if name == "ascendcl" else []))
            (place / f"{name}.cpp").write_text(functions)
            subprocess.run([cxx, "-shared", "-fPIC", f"-Wl,-soname,{library.name}", str(place / f"{name}.cpp"), "-o",
                            str(library)], check=True)
            stand_ins.append(f"-l{name}")
        extension = place / "other" / "extension.so"
        extension.parent.mkdir()
        subprocess.run([cxx, "-shared", "-fPIC", "-Wl,-z,now", "-Wl,--no-as-needed", str(place / "extension.cpp"), "-o",
                        str(extension), f"-L{place}", *stand_ins], check=True)
        subprocess.run([cxx, str(place / "program.cpp"), "-o", str(place / "program"), "-ldl"], check=True)
        result = subprocess.run([str(place / "program"), str(extension), *(f"lib{name}.so" for name in OPENED), *looked_up],
                                env={**os.environ, "LD_LIBRARY_PATH": str(lib64)}, capture_output=True, text=True)
    print(result.stdout + result.stderr)
    if result.returncode != 0 or result.stdout.split()[:1] != [str(len(linked))]:
        sys.exit(f"{len(linked)} functions and {len(looked_up)} others are expected.")


if __name__ == "__main__":
    main()
