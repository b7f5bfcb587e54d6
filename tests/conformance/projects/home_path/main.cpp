#include "../add.hpp"
#include "acl/acl.h"
#include "acl_meta.h"
#include "aclnnop/aclnn_add.h"

int main() { return add_on_device(); }
