# The same as set_env.sh, under the name that scripts look for in bin/.
. "$(dirname "${BASH_SOURCE[0]}")/../set_env.sh"
