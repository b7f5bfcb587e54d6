#include "acl/acl_rt.h"
#include "api/guard.hpp"
#include "api/handles.hpp"
#include "api/memory_arguments.hpp"
#include "base/error.hpp"
#include "runtime/memory.hpp"

using namespace aclvk;
using namespace aclvk::api;

aclError aclrtMemAllocManaged(void** ptr, uint64_t size, uint32_t flag) {
  return guard(__func__, [&] {
    require(ptr, "ptr");
    check(flag == ACL_RT_MEM_ATTACH_GLOBAL, Code::kInvalidParam, "flag {} is not ATTACH_GLOBAL ({}).", flag,
          ACL_RT_MEM_ATTACH_GLOBAL);
    *ptr = runtime::allocate_managed(size);
  });
}
