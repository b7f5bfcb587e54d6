// acl/rt/cache.h: operations on caches. runtime/memory/cache.hpp says why they do nothing.
#include "runtime/memory/cache.hpp"

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/rt/memory/memory_arguments.hpp"
#include "base/error.hpp"

using namespace aclvk;
using namespace aclvk::api;

namespace {

void operate(void* src, size_t size, aclrtCmoType type, aclrtStream stream) {
  require(src, "src");
  require_size(size);
  own_stream_of(stream);
  runtime::operate_on_cache(type, src, size);
}

}  // namespace

aclError aclrtCmoAsync(void* src, size_t size, aclrtCmoType cmoType, aclrtStream stream) {
  return guard(__func__, [&] { operate(src, size, cmoType, stream); });
}

aclError aclrtCmoAsyncWithBarrier(void* src, size_t size, aclrtCmoType cmoType, uint32_t, aclrtStream stream) {
  return guard(__func__, [&] { operate(src, size, cmoType, stream); });
}

aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo* taskInfo, aclrtStream stream, uint32_t flag) {
  return guard(__func__, [&] {
    require(taskInfo, "taskInfo");
    own_stream_of(stream);
    check(flag == 0, Code::kParamInvalid, "flag is {}; 0 is expected.", flag);
    check(taskInfo->barrierNum > 0 && taskInfo->barrierNum <= ACL_RT_CMO_MAX_BARRIER_NUM, Code::kParamInvalid,
          "barrierNum is {}; expected 1 to {}.", taskInfo->barrierNum, ACL_RT_CMO_MAX_BARRIER_NUM);
    for (size_t i = 0; i < taskInfo->barrierNum; ++i) runtime::check_cache_operation(taskInfo->cmoInfo[i].cmoType);
  });
}

aclError aclrtCmoGetDescSize(size_t* size) {
  return guard(__func__, [&] {
    require(size, "size");
    *size = sizeof(runtime::CacheDescription);
  });
}

aclError aclrtCmoSetDesc(void* cmoDesc, void* src, size_t size) {
  return guard(__func__, [&] {
    require(cmoDesc, "cmoDesc");
    require(src, "src");
    require_size(size);
    runtime::write_cache_description(cmoDesc, src, size);
  });
}

aclError aclrtCmoAsyncWithDesc(void* cmoDesc, aclrtCmoType cmoType, aclrtStream stream, const void* reserve) {
  return guard(__func__, [&] {
    require(cmoDesc, "cmoDesc");
    check(reserve == nullptr, Code::kInvalidParam, "reserve is {}; NULL is expected.", reserve);
    own_stream_of(stream);
    runtime::operate_on_cache(cmoType, cmoDesc, sizeof(runtime::CacheDescription));
  });
}
