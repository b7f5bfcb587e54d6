// acl/rt/task.h: what programs say about captured tasks.
#include "acl/acl_rt.h"
#include "api/guard.hpp"
#include "api/handles.hpp"
#include "capture/attribution.hpp"

using aclvk::api::guard;
using aclvk::api::require;

aclError aclrtCacheLastTaskOpInfo(const void* const infoPtr, const size_t infoSize) {
  return guard(__func__, [&] {
    require(infoPtr, "infoPtr");
    aclvk::capture::keep_op_info(infoPtr, infoSize);
  });
}

aclError aclrtCacheLastTaskExtendInfo(const char* const extendInfoPtr, const size_t infoSize) {
  return guard(__func__, [&] {
    require(extendInfoPtr, "extendInfoPtr");
    aclvk::capture::keep_extend_info(extendInfoPtr, infoSize);
  });
}
