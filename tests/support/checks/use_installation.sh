#!/bin/sh
# Usage: use_installation.sh ENV_FILE INCLUDE_DIR LIBRARY_DIR SOURCE [FLAG]...
#
# Sources a set_env script, then builds and runs a program with what it exports. The folders are relative to ASCEND_HOME_PATH.
# Runs under whatever shell it is given to: sh, bash.
set -eu
unset ASCEND_HOME_PATH ASCEND_TOOLKIT_HOME LD_LIBRARY_PATH || true

. "$1"
include="$ASCEND_HOME_PATH/$2"
library="$ASCEND_HOME_PATH/$3"
source="$4"
shift 4

test "$ASCEND_TOOLKIT_HOME" = "$ASCEND_HOME_PATH"
test -f "$ASCEND_HOME_PATH/version.info"
test -L "$library/libascendcl.so"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
g++ -std=c++17 "-I$include" "$source" "-L$library" -lascendcl -lnnopbase -lopapi "$@" -o "$folder/program"
"$folder/program"
