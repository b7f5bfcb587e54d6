// acl/acl_rt_allocator.h: allocators that a program registers for a stream.
#include "runtime/memory/allocator.hpp"

#include "acl/acl_rt.h"
#include "acl/acl_rt_allocator.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"

using namespace aclvk;
using namespace aclvk::api;

namespace {

std::shared_ptr<runtime::AllocatorDescription> description_of(const void* handle) {
  require(handle, "allocatorDesc");
  auto description = runtime::allocator_handles().find(handle);
  check(description != nullptr, Code::kInvalidHandle, "allocatorDesc ({}) is not a live description.", handle);
  return description;
}

template <typename Value>
aclError set(const char* function, aclrtAllocatorDesc handle, Value runtime::Allocator::*member, Value value) {
  return guard_host(function, [&] {
    require(handle, "allocatorDesc");
    check(value != nullptr, Code::kInvalidParam, "{} is given NULL; an object or a function is expected.", function);
    description_of(handle)->allocator.*member = value;
  });
}

}  // namespace

aclrtAllocatorDesc aclrtAllocatorCreateDesc() {
  aclrtAllocatorDesc handle = nullptr;
  guard_host(__func__,
             [&] { handle = runtime::allocator_handles().insert(std::make_shared<runtime::AllocatorDescription>()); });
  return handle;
}

aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc) {
  return guard_host(__func__, [&] {
    description_of(allocatorDesc);
    runtime::allocator_handles().remove(allocatorDesc);
  });
}

aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocator allocator) {
  return set<void*>(__func__, allocatorDesc, &runtime::Allocator::object, allocator);
}

aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorAllocFunc func) {
  return set(__func__, allocatorDesc, &runtime::Allocator::allocate, func);
}

aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorFreeFunc func) {
  return set(__func__, allocatorDesc, &runtime::Allocator::free, func);
}

aclError aclrtAllocatorSetAllocAdviseFuncToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocatorAllocAdviseFunc func) {
  return set(__func__, allocatorDesc, &runtime::Allocator::allocate_at, func);
}

aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                     aclrtAllocatorGetAddrFromBlockFunc func) {
  return set(__func__, allocatorDesc, &runtime::Allocator::address_of, func);
}

// The description is copied: the program may change or destroy it afterwards.
aclError aclrtAllocatorRegister(aclrtStream stream, aclrtAllocatorDesc allocatorDesc) {
  return guard(__func__, [&] {
    require(stream, "stream");
    const auto description = description_of(allocatorDesc);
    runtime::register_allocator(stream_of(stream), {allocatorDesc, description->allocator});
  });
}

aclError aclrtAllocatorGetByStream(aclrtStream stream, aclrtAllocatorDesc* allocatorDesc, aclrtAllocator* allocator,
                                   aclrtAllocatorAllocFunc* allocFunc, aclrtAllocatorFreeFunc* freeFunc,
                                   aclrtAllocatorAllocAdviseFunc* allocAdviseFunc,
                                   aclrtAllocatorGetAddrFromBlockFunc* getAddrFromBlockFunc) {
  return guard(__func__, [&] {
    require(stream, "stream");
    require(allocatorDesc, "allocatorDesc");
    require(allocator, "allocator");
    require(allocFunc, "allocFunc");
    require(freeFunc, "freeFunc");
    require(allocAdviseFunc, "allocAdviseFunc");
    require(getAddrFromBlockFunc, "getAddrFromBlockFunc");
    const runtime::RegisteredAllocator registered = runtime::allocator_of(stream_of(stream));
    *allocatorDesc = registered.description;
    *allocator = registered.allocator.object;
    *allocFunc = registered.allocator.allocate;
    *freeFunc = registered.allocator.free;
    *allocAdviseFunc = registered.allocator.allocate_at;
    *getAddrFromBlockFunc = registered.allocator.address_of;
  });
}

aclError aclrtAllocatorUnregister(aclrtStream stream) {
  return guard(__func__, [&] {
    require(stream, "stream");
    // A stream that has ended has no allocator any more.
    if (const auto live = runtime::stream_handles().find(stream)) runtime::unregister_allocator(live);
  });
}
