// acl/rt/cache.h. Vulkan has no commands for caches and needs none: what a batch has written is visible to all that
// comes after it, so data are where a write-back or an invalidation would bring them, and a prefetch is a hint. The
// checks are all there is to do, on captured streams too.
#include "acl/acl_rt.h"
#include "api/guard.hpp"
#include "api/handles.hpp"
#include "api/memory_arguments.hpp"
#include "base/error.hpp"
#include "runtime/context.hpp"
#include "runtime/copy.hpp"
#include "runtime/memory.hpp"

using namespace aclvk;
using namespace aclvk::api;

namespace {

/// What aclrtCmoSetDesc writes, and programs keep in device memory.
struct CacheDescription {
  uint64_t address;
  uint64_t size;
};

void check_type(aclrtCmoType type) {
  check(type >= ACL_RT_CMO_TYPE_PREFETCH && type <= ACL_RT_CMO_TYPE_FLUSH, Code::kParamInvalid,
        "Cache operation {} is unknown; expected PREFETCH (0), WRITEBACK (1), INVALID (2) or FLUSH (3).",
        static_cast<int>(type));
}

void check_operation(const void* src, size_t size, aclrtCmoType type, aclrtStream stream) {
  require(src, "src");
  require_size(size);
  own_stream_of(stream);
  check_type(type);
  runtime::check_live(src, size);
}

}  // namespace

aclError aclrtCmoAsync(void* src, size_t size, aclrtCmoType cmoType, aclrtStream stream) {
  return guard(__func__, [&] { check_operation(src, size, cmoType, stream); });
}

aclError aclrtCmoAsyncWithBarrier(void* src, size_t size, aclrtCmoType cmoType, uint32_t, aclrtStream stream) {
  return guard(__func__, [&] { check_operation(src, size, cmoType, stream); });
}

// The operations are over when they have been issued, so there is nothing to wait for.
aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo* taskInfo, aclrtStream stream, uint32_t flag) {
  return guard(__func__, [&] {
    require(taskInfo, "taskInfo");
    own_stream_of(stream);
    check(flag == 0, Code::kParamInvalid, "flag {} is not 0, the only one.", flag);
    check(taskInfo->barrierNum > 0 && taskInfo->barrierNum <= ACL_RT_CMO_MAX_BARRIER_NUM, Code::kParamInvalid,
          "barrierNum is {}; expected 1 to {}.", taskInfo->barrierNum, ACL_RT_CMO_MAX_BARRIER_NUM);
    for (size_t i = 0; i < taskInfo->barrierNum; ++i) check_type(taskInfo->cmoInfo[i].cmoType);
  });
}

aclError aclrtCmoGetDescSize(size_t* size) {
  return guard(__func__, [&] {
    require(size, "size");
    *size = sizeof(CacheDescription);
  });
}

aclError aclrtCmoSetDesc(void* cmoDesc, void* src, size_t size) {
  return guard(__func__, [&] {
    require(cmoDesc, "cmoDesc");
    require(src, "src");
    require_size(size);
    runtime::current_context()->captures.check_synchronous_call("aclrtCmoSetDesc");
    runtime::check_live(src, size);
    const CacheDescription description{reinterpret_cast<uintptr_t>(src), size};
    runtime::copy_now(cmoDesc, &description, sizeof(description));
  });
}

aclError aclrtCmoAsyncWithDesc(void* cmoDesc, aclrtCmoType cmoType, aclrtStream stream, const void* reserve) {
  return guard(__func__, [&] {
    require(cmoDesc, "cmoDesc");
    check(reserve == nullptr, Code::kInvalidParam, "reserve {} is not NULL.", reserve);
    own_stream_of(stream);
    check_type(cmoType);
    runtime::check_live(cmoDesc, sizeof(CacheDescription));
  });
}
