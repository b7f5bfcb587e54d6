#include <acl/acl.h>
#include <aclnn/aclnn_base.h>
#include <aclnnop/level2/aclnn_add.h>

#include "../add.hpp"

int main() { return add_on_device(); }
