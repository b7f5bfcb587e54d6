// acl/rt/memory_host.h: registration of host memory (runtime-semantics 7.3).
#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/rt/memory/memory_arguments.hpp"
#include "base/error.hpp"
#include "runtime/memory/host_registration.hpp"
#include "runtime/memory/memory_queries.hpp"

using namespace aclvk;
using namespace aclvk::api;

aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type, void** devPtr) {
  return guard(__func__, [&] {
    require(ptr, "ptr");
    require(devPtr, "devPtr");
    require_size(size);
    *devPtr = runtime::register_host(ptr, size, type);
  });
}

aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t flag) {
  return guard(__func__, [&] {
    require(ptr, "ptr");
    require_size(size);
    runtime::register_host_with_flags(ptr, size, flag);
  });
}

aclError aclrtHostUnregister(void* ptr) {
  return guard(__func__, [&] {
    require(ptr, "ptr");
    runtime::unregister_host(ptr);
  });
}

aclError aclrtHostGetDevicePointer(void* pHost, void** pDevice, uint32_t flag) {
  return guard(__func__, [&] {
    require(pHost, "pHost");
    require(pDevice, "pDevice");
    check(flag == 0, Code::kInvalidParam, "flag is {}; 0 is expected.", flag);
    *pDevice = runtime::device_pointer_of(pHost);
  });
}

aclError aclrtHostMemMapCapabilities(uint32_t deviceId, aclrtHacType hacType, aclrtHostMemMapCapability* capabilities) {
  return guard(__func__, [&] {
    require(capabilities, "capabilities");
    const bool reaches = runtime::unit_reaches_host(static_cast<int32_t>(deviceId), hacType);
    *capabilities = reaches ? ACL_RT_HOST_MEM_MAP_SUPPORTED : ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED;
  });
}
