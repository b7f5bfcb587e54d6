// acl/rt/vmm.h: reserved addresses and physical memory (runtime-semantics 7.4).
#include "acl/acl_rt.h"
#include "api/base/arrays.hpp"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/rt/memory/memory_arguments.hpp"
#include "api/rt/memory/physical_arguments.hpp"
#include "base/error.hpp"
#include "runtime/memory/mapped_memory.hpp"

using namespace aclvk;
using namespace aclvk::api;

namespace {

int reserve(const char* function, void** virPtr, size_t size, size_t alignment, void* expectPtr, uint64_t flags) {
  return guard(function, [&] {
    require(virPtr, "virPtr");
    require_size(size);
    check(flags <= 1, Code::kInvalidParam, "flags is {}; 0 or 1 is expected.", flags);
    *virPtr = runtime::reserve_addresses(size, alignment, expectPtr);
  });
}

int map(const char* function, void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags,
        bool usable) {
  return guard(function, [&] {
    require(virPtr, "virPtr");
    require(handle, "handle");
    require_size(size);
    check(flags == 0, Code::kInvalidParam, "flags is {}; 0 is expected.", flags);
    runtime::map_memory(virPtr, size, offset, physical_of(handle), usable);
  });
}

}  // namespace

aclError aclrtReserveMemAddress(void** virPtr, size_t size, size_t alignment, void* expectPtr, uint64_t flags) {
  return reserve(__func__, virPtr, size, alignment, expectPtr, flags);
}

// Vulkan has no choice of the host's caching for reserved addresses, so both functions do the same.
aclError aclrtReserveMemAddressNoUCMemory(void** virPtr, size_t size, size_t alignment, void* expectPtr,
                                          uint64_t flags) {
  return reserve(__func__, virPtr, size, alignment, expectPtr, flags);
}

aclError aclrtReleaseMemAddress(void* virPtr) {
  return guard(__func__, [&] {
    require(virPtr, "virPtr");
    runtime::release_addresses(virPtr);
  });
}

aclError aclrtMallocPhysical(aclrtDrvMemHandle* handle, size_t size, const aclrtPhysicalMemProp* prop, uint64_t flags) {
  return guard(__func__, [&] {
    require(handle, "handle");
    require(prop, "prop");
    require_size(size);
    check(flags == 0, Code::kInvalidParam, "flags is {}; 0 is expected.", flags);
    *handle = runtime::allocate_physical(size, properties_of(*prop));
  });
}

aclError aclrtFreePhysical(aclrtDrvMemHandle handle) {
  return guard(__func__, [&] {
    require(handle, "handle");
    runtime::free_physical(handle);
  });
}

aclError aclrtMapMem(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags) {
  return map(__func__, virPtr, size, offset, handle, flags, true);
}

// The memory stays unusable until aclrtMemSetAccess.
aclError aclrtMemMapNoAccess(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags) {
  return map(__func__, virPtr, size, offset, handle, flags, false);
}

aclError aclrtUnmapMem(void* virPtr) {
  return guard(__func__, [&] {
    require(virPtr, "virPtr");
    runtime::unmap_memory(virPtr);
  });
}

aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp* prop, aclrtMemGranularityOptions option,
                                          size_t* granularity) {
  return guard(__func__, [&] {
    require(prop, "prop");
    require(granularity, "granularity");
    const bool known =
        option == ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM || option == ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED;
    check(known, Code::kParamInvalid, "option is {}; MINIMUM 0 or RECOMMENDED 1 is expected.",
          static_cast<int>(option));
    const runtime::PhysicalProperties properties = properties_of(*prop);
    runtime::check_properties(properties);
    *granularity = runtime::granularity_of(properties);
  });
}

aclError aclrtMemSetAccess(void* virPtr, size_t size, aclrtMemAccessDesc* desc, size_t count) {
  return guard(__func__, [&] {
    require(virPtr, "virPtr");
    require(desc, "desc");
    require_size(size);
    check(count != 0, Code::kInvalidParam, "count is 0; at least one access right is expected.");
    check_array(desc, count, "desc", Code::kInvalidParam);
    std::vector<runtime::AccessRight> rights;
    for (size_t i = 0; i < count; ++i) {
      rights.push_back({location_of(desc[i].location), static_cast<std::uint32_t>(desc[i].flags)});
    }
    runtime::set_access(virPtr, size, rights);
  });
}

aclError aclrtMemGetAccess(void* virPtr, aclrtMemLocation* location, uint64_t* flag) {
  return guard(__func__, [&] {
    require(virPtr, "virPtr");
    require(location, "location");
    require(flag, "flag");
    *flag = runtime::access_of(virPtr, location_of(*location));
  });
}

aclError aclrtMemRetainAllocationHandle(void* virPtr, aclrtDrvMemHandle* handle) {
  return guard(__func__, [&] {
    require(virPtr, "virPtr");
    require(handle, "handle");
    *handle = runtime::retain_physical(runtime::memory_at(virPtr));
  });
}

aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle, aclrtPhysicalMemProp* prop) {
  return guard(__func__, [&] {
    require(handle, "handle");
    require(prop, "prop");
    *prop = property_struct(physical_of(handle)->properties);
  });
}
