// acl/acl_rt_memory_soma.h: pools in stream order (runtime-semantics 7.5).

#include "runtime/pool/memory_pool.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "acl/acl_rt.h"
#include "acl/acl_rt_memory_soma.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/memory/memory_pool_use.hpp"

using namespace aclvk;
using namespace aclvk::api;

namespace {

void check_properties(const aclrtMemPoolProps& properties) {
  check(properties.allocType == ACL_MEM_ALLOCATION_TYPE_PINNED, Code::kInvalidParam,
        "allocType is {}; PINNED ({}) is expected.", static_cast<int>(properties.allocType),
        static_cast<int>(ACL_MEM_ALLOCATION_TYPE_PINNED));
  check(properties.handleType == ACL_MEM_HANDLE_TYPE_NONE, Code::kInvalidParam,
        "handleType is {}; NONE ({}) is expected, because pools are not shared.",
        static_cast<int>(properties.handleType), static_cast<int>(ACL_MEM_HANDLE_TYPE_NONE));
  check(properties.location.type == ACL_MEM_LOCATION_TYPE_DEVICE, Code::kInvalidParam,
        "location.type is {}; DEVICE ({}) is expected.", static_cast<int>(properties.location.type),
        static_cast<int>(ACL_MEM_LOCATION_TYPE_DEVICE));
  const bool zero = std::all_of(std::begin(properties.reserved), std::end(properties.reserved),
                                [](unsigned char byte) { return byte == 0; });
  check(zero, Code::kInvalidParam, "A byte of reserved is not 0; zeros are expected.");
}

runtime::MemoryPoolPtr pool_of(const void* handle) {
  require(handle, "memPool");
  runtime::MemoryPoolPtr pool = runtime::memory_pool_handles().find(handle);
  check(pool != nullptr, Code::kInvalidHandle, "memPool ({}) is not a live pool.", handle);
  return pool;
}

}  // namespace

aclError aclrtMemPoolCreate(aclrtMemPool* memPool, const aclrtMemPoolProps* poolProps) {
  return guard(__func__, [&] {
    require(memPool, "memPool");
    require(poolProps, "poolProps");
    check_properties(*poolProps);
    *memPool = runtime::create_memory_pool(static_cast<int32_t>(poolProps->location.id), poolProps->maxSize);
  });
}

aclError aclrtMemPoolDestroy(const aclrtMemPool memPool) {
  return guard(__func__, [&] {
    require(memPool, "memPool");
    runtime::destroy_memory_pool(memPool);
  });
}

// The value of a switch is an int, that of a size a uint64_t (docs/adr/0011).

aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value) {
  return guard(__func__, [&] {
    require(value, "value");
    const auto pool = pool_of(memPool);
    uint64_t number = 0;
    std::memcpy(&number, value, runtime::is_reuse_policy(attr) ? sizeof(int) : sizeof(number));
    runtime::set_attribute(pool, attr, number);
  });
}

aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value) {
  return guard(__func__, [&] {
    require(value, "value");
    const auto pool = pool_of(memPool);
    const size_t bytes = runtime::is_reuse_policy(attr) ? sizeof(int) : sizeof(uint64_t);
    const uint64_t number = runtime::attribute_of(pool, attr);
    std::memcpy(value, &number, bytes);
  });
}

// A size of 0 succeeds before any other check and leaves `ptr` as it is (runtime-semantics 7.5).
aclError aclrtMemPoolMallocAsync(void** ptr, size_t size, aclrtMemPool memPool, aclrtStream stream) {
  return guard(__func__, [&] {
    if (size == 0) return;
    require(ptr, "ptr");
    require(stream, "stream");
    const auto pool = pool_of(memPool);
    *ptr = runtime::allocate_in_stream(pool, *own_stream_of(stream), size);
  });
}

aclError aclrtMemPoolFreeAsync(void* ptr, aclrtStream stream) {
  return guard(__func__, [&] {
    require(ptr, "ptr");
    require(stream, "stream");
    runtime::free_in_stream(ptr, *own_stream_of(stream));
  });
}

aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep) {
  return guard(__func__, [&] { runtime::trim_memory_pool(pool_of(memPool), minBytesToKeep); });
}
