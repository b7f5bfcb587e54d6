// acl/rt/vmm_share.h: physical memory of other processes (runtime-semantics 7.4).
#include "acl/acl_rt.h"
#include "api/base/arrays.hpp"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/rt/memory/physical_arguments.hpp"
#include "api/rt/share_arguments.hpp"
#include "base/error.hpp"
#include "runtime/memory/physical_memory.hpp"

using namespace aclvk;
using namespace aclvk::api;

namespace {

void check_type(aclrtMemSharedHandleType type) {
  check(type != ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, Code::kFeatureNotSupported,
        "FABRIC handles reach across servers; Vulkan shares memory between processes of one machine. Use DEFAULT.");
  check(type == ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, Code::kParamInvalid,
        "shareType is {}; DEFAULT 1 or FABRIC 2 is expected.", static_cast<int>(type));
}

uint64_t export_memory(aclrtDrvMemHandle handle, uint64_t flags) {
  check_share_flags(flags, ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
  return runtime::export_physical(*physical_of(handle), flags == ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
}

void allow(uint64_t number, const int32_t* pid, size_t count) {
  check(count != 0, Code::kInvalidParam, "pidNum is 0; at least one process is expected.");
  check_array(pid, count, "pid", Code::kInvalidParam);
  runtime::allow_physical(number, {pid, pid + count});
}

}  // namespace

aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType, uint64_t flags,
                                         uint64_t* shareableHandle) {
  return guard(__func__, [&] {
    require(handle, "handle");
    require(shareableHandle, "shareableHandle");
    check(handleType == ACL_MEM_HANDLE_TYPE_NONE, Code::kInvalidParam, "handleType is {}; NONE (0) is expected.",
          static_cast<int>(handleType));
    *shareableHandle = export_memory(handle, flags);
  });
}

aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle, uint64_t flags, aclrtMemSharedHandleType shareType,
                                           void* shareableHandle) {
  return guard(__func__, [&] {
    require(handle, "handle");
    require(shareableHandle, "shareableHandle");
    check_type(shareType);
    *static_cast<uint64_t*>(shareableHandle) = export_memory(handle, flags);
  });
}

aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId, aclrtDrvMemHandle* handle) {
  return guard(__func__, [&] {
    require(handle, "handle");
    *handle = runtime::open_physical(shareableHandle, deviceId);
  });
}

aclError aclrtMemImportFromShareableHandleV2(void* shareableHandle, aclrtMemSharedHandleType shareType, uint64_t flags,
                                             aclrtDrvMemHandle* handle) {
  return guard(__func__, [&] {
    require(shareableHandle, "shareableHandle");
    require(handle, "handle");
    check_type(shareType);
    check(flags == 0, Code::kParamInvalid, "flags is {}; 0 is expected.", flags);
    const auto device = static_cast<int32_t>(runtime::current_context()->device().id);
    *handle = runtime::open_physical(*static_cast<const uint64_t*>(shareableHandle), device);
  });
}

aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t* pid, size_t pidNum) {
  return guard(__func__, [&] {
    require(pid, "pid");
    allow(shareableHandle, pid, pidNum);
  });
}

aclError aclrtMemSetPidToShareableHandleV2(void* shareableHandle, aclrtMemSharedHandleType shareType, int32_t* pid,
                                           size_t pidNum) {
  return guard(__func__, [&] {
    require(shareableHandle, "shareableHandle");
    require(pid, "pid");
    check_type(shareType);
    allow(*static_cast<const uint64_t*>(shareableHandle), pid, pidNum);
  });
}
