#include "acl/acl_rt.h"
#include "api/guard.hpp"
#include "api/handles.hpp"
#include "api/memory_arguments.hpp"
#include "base/error.hpp"
#include "runtime/host_registration.hpp"

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
    check(flag == 0, Code::kInvalidParam, "flag {} is not 0.", flag);
    *pDevice = runtime::device_pointer_of(pHost);
  });
}
