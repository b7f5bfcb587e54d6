#include "acl/acl.h"
#include "acl/acl_dump.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_prof.h"
#include "acl/acl_rt.h"
#include "acl/acl_tdt.h"
#include "acl/acl_tdt_queue.h"
#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_add.h"
// clang-format off: after the headers, as this style finds them
#include "../add.hpp"
// clang-format on

int main() { return add_on_device(); }
