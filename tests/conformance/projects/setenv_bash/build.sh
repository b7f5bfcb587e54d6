#!/bin/bash
# Sources bin/setenv.bash of the toolkit whose folder it is told, and links the stubs of the runtime.
set -eu
source "$ASCEND_HOME_PATH/bin/setenv.bash"
test -n "$DDK_PATH" && test -n "$NPU_HOST_LIB"
g++ -std=c++17 ${CXXFLAGS:-} -I"$DDK_PATH/runtime/include" main.cpp -o main \
  -L"$DDK_PATH/runtime/lib64/stub" -L"$DDK_PATH/compiler/lib64" -L"$NPU_HOST_LIB" \
  -Wl,--no-as-needed -lacl_rt -lruntime -lascendcl -lopapi_math -lnnopbase ${LDFLAGS:-}
