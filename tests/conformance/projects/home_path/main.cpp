#include "acl/acl.h"
#include "acl_meta.h"
#include "aclnnop/aclnn_add.h"
// clang-format off: after the headers, as this style finds them
#include "../add.hpp"
// clang-format on

int main() { return add_on_device(); }
