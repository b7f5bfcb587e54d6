#!/usr/bin/env python3
"""Checks that lib64/ serves CANN's library names.

Usage: split_libraries_test.py LIB64 INCLUDE [CXX]. It links and runs small programs that call only functions which work
without a device.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

LINKED = """
#include "acl/acl.h"
#include "aclnn/acl_meta.h"
int main() {
  if (aclDataTypeSize(ACL_FLOAT) != 4) return 1;
  return aclDestroyTensor(nullptr) == 0 ? 0 : 2;
}
"""

LOADED = """
#include <dlfcn.h>
#include <cstring>
#include <cstdio>
int main(int count, char** names) {
  void* first = nullptr;
  for (int i = 1; i < count; ++i) {
    void* handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) { std::puts(dlerror()); return 1; }
    if (dlsym(handle, "aclInit") == nullptr || dlsym(handle, "aclCreateTensor") == nullptr) return 2;
    if (first != nullptr && first != handle) { std::printf("%s has a state of its own.\\n", names[i]); return 3; }
    first = handle;
  }
  return 0;
}
"""

BOUNDED = """
#include "securec.h"
int main(void) {
  char text[8];
  return strcpy_s(text, sizeof(text), "long enough") == ERANGE_AND_RESET && sprintf_s(text, sizeof(text), "%d", 7) == 1 ? 0 : 1;
}
"""

FOREIGN = "extern \"C\" int {name}() {{ return -1; }}"
CALLS_FOREIGN = """
extern "C" unsigned long aclDataTypeSize(int); extern "C" int aclDestroyTensor(const void*);
int main() { return aclDataTypeSize(0) == 4 && aclDestroyTensor(nullptr) == 0 ? 0 : 1; }
"""


class Bench:
    def __init__(self, folder, lib64, include, cxx):
        self.folder, self.lib64, self.include, self.cxx = folder, lib64, include, cxx

    def build(self, name, source, *options, language="c++17"):
        path = self.folder / f"{name}.cpp"
        path.write_text(source)
        output = self.folder / name
        subprocess.run([self.cxx, "-x", language[:-2], f"-std={language}", str(path), "-x", "none", "-o", str(output), f"-I{self.include}", *options],
                       check=True)
        return output

    def run(self, program, *arguments):
        environment = dict(os.environ, LD_LIBRARY_PATH=str(self.lib64))
        result = subprocess.run([str(program), *arguments], env=environment)
        print(f"{program.name}: {'ok' if result.returncode == 0 else result.returncode}")
        return result.returncode == 0


def test_link(bench):
    """The usual link line works."""
    program = bench.build("linked", LINKED, f"-L{bench.lib64}", "-lascendcl", "-lnnopbase", "-lopapi")
    return bench.run(program)


def test_bounded(bench):
    """securec.h in old and new C and in C++; its library alone."""
    options = ("-pedantic", "-Wall", "-Werror", f"-L{bench.lib64}", "-lc_sec")
    return all(bench.run(bench.build(f"bounded_{language}", BOUNDED, *options, language=language))
               for language in ("c89", "c99", "c11", "c++17"))


def test_foreign(bench):
    """A program linked against separate libraries of the same names runs with ours."""
    options = []
    for library, function in (("ascendcl", "aclDataTypeSize"), ("nnopbase", "aclDestroyTensor")):
        bench.build(f"lib{library}.so", FOREIGN.format(name=function), "-shared", "-fPIC",
                    f"-Wl,-soname,lib{library}.so")
        options.append(f"-l{library}")
    return bench.run(bench.build("foreign", CALLS_FOREIGN, f"-L{bench.folder}", *options))


def test_load(bench):
    """Every name opens, has every symbol, and is one and the same library."""
    names = sorted(path.name for path in pathlib.Path(bench.lib64).glob("lib*.so") if "stand_ins" not in path.name)
    return bench.run(bench.build("loaded", LOADED, "-ldl"), *names)


def main():
    lib64, include = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    cxx = sys.argv[3] if len(sys.argv) > 3 else "c++"
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(pathlib.Path(folder), lib64, include, cxx)
        results = [test(bench) for test in (test_link, test_bounded, test_foreign, test_load)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
