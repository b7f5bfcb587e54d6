#include <acl/acl.h>
#include <aclnn/aclnn_base.h>
#include <aclnnop/level2/aclnn_add.h>
// clang-format off: after the headers, as this style finds them
#include "../add.hpp"
// clang-format on

int main() { return add_on_device(); }
