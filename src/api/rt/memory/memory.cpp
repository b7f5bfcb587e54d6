// acl/rt/memory.h: allocations (runtime-semantics 7.1).
#include "runtime/memory/memory.hpp"

#include <vector>

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/rt/memory/memory_arguments.hpp"

using namespace aclvk;
using namespace aclvk::api;

aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return guard(__func__, [&] {
    require(devPtr, "devPtr");
    *devPtr = runtime::allocate_by_policy(size, policy);
  });
}

aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy) {
  return guard(__func__, [&] {
    require(devPtr, "devPtr");
    *devPtr = runtime::allocate_device(size, runtime::Padding::kRoundUp);
  });
}

// Caches need no operations here (see aclrtMemFlush), so memory is the same with and without a cache.
aclError aclrtMallocCached(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return guard(__func__, [&] {
    require(devPtr, "devPtr");
    *devPtr = runtime::allocate_by_policy(size, policy);
  });
}

aclError aclrtMallocWithCfg(void** devPtr, size_t size, aclrtMemMallocPolicy, aclrtMallocConfig* cfg) {
  return guard(__func__, [&] {
    require(devPtr, "devPtr");
    require_size(size);
    runtime::check_attributes(attributes_of(cfg));
    *devPtr = runtime::allocate_device(size, runtime::Padding::kNone);
  });
}

aclError aclrtMallocForTaskScheduler(void** devPtr, size_t size, aclrtMemMallocPolicy, aclrtMallocConfig* cfg) {
  return guard(__func__, [&] {
    require(devPtr, "devPtr");
    require_size(size);
    runtime::check_attributes(attributes_of(cfg));
    *devPtr = runtime::allocate_device(size, runtime::Padding::kNone);
  });
}

aclError aclrtMallocHost(void** hostPtr, size_t size) {
  return guard(__func__, [&] {
    require(hostPtr, "hostPtr");
    *hostPtr = runtime::allocate_pinned(size);
  });
}

aclError aclrtMallocHostWithCfg(void** ptr, uint64_t size, aclrtMallocConfig* cfg) {
  return guard(__func__, [&] {
    require(ptr, "ptr");
    require_size(size);
    runtime::check_attributes(attributes_of(cfg));
    *ptr = runtime::allocate_pinned(size);
  });
}

aclError aclrtFree(void* devPtr) {
  return guard(__func__, [&] {
    require(devPtr, "devPtr");
    runtime::free_device(devPtr);
  });
}

aclError aclrtFreeHost(void* hostPtr) {
  return guard(__func__, [&] {
    require(hostPtr, "hostPtr");
    runtime::free_pinned(hostPtr);
  });
}

// aclrtFree never waits: the bytes are used again when the work before it has completed. These two wait first.
aclError aclrtFreeWithDevSync(void* devPtr) {
  return guard(__func__, [&] {
    require(devPtr, "devPtr");
    runtime::synchronize_and_free_device(devPtr);
  });
}

aclError aclrtFreeHostWithDevSync(void* hostPtr) {
  return guard(__func__, [&] {
    require(hostPtr, "hostPtr");
    runtime::synchronize_and_free_pinned(hostPtr);
  });
}

// Mapped device memory is coherent and other memory is copied through a queue, so there is no cache to flush or to
// invalidate: these functions check the pointer only.

aclError aclrtMemFlush(void* devPtr, size_t size) {
  return guard(__func__, [&] {
    require(devPtr, "devPtr");
    require_size(size);
    runtime::check_live(devPtr, size);
  });
}

aclError aclrtMemInvalidate(void* devPtr, size_t size) {
  return guard(__func__, [&] {
    require(devPtr, "devPtr");
    require_size(size);
    runtime::check_live(devPtr, size);
  });
}
