#!/bin/bash
# Usage: check_default_root.sh PREFIX
#
# aclvk-default-root makes links, keeps what belongs to others, and takes only its own links away again.
set -euo pipefail

prefix=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir "$root/acllib"

"$prefix/bin/aclvk-default-root" "$root" 2>"$root/log"
grep -q "acllib is there already" "$root/log"
test ! -L "$root/acllib"
test -f "$root/ascend-toolkit/latest/include/acl/acl.h"
test -e "$root/runtime/lib64/stub/libascendcl.so"

# The script beside the tree finds the tree.
home=$(. "$root/ascend-toolkit/set_env.sh" && echo "$ASCEND_HOME_PATH")
test "$home" = "$(readlink -f "$prefix")"

"$prefix/bin/aclvk-default-root" "$root" 2>"$root/log"  # a second time: nothing is in the way
test "$(grep -c already "$root/log")" = 1
"$prefix/bin/aclvk-default-root" --remove "$root"
test -d "$root/acllib"
test ! -e "$root/latest" && test ! -e "$root/ascend-toolkit"
