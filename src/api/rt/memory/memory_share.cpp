// acl/rt/memory_ipc.h: device memory of other processes (runtime-semantics 7.6).
#include <cstring>

#include "acl/acl_rt.h"
#include "api/base/arrays.hpp"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/rt/share_arguments.hpp"
#include "base/error.hpp"
#include "runtime/memory/shared_memory.hpp"

using namespace aclvk;
using namespace aclvk::api;

aclError aclrtIpcMemGetExportKey(void* devPtr, size_t size, char* key, size_t len, uint64_t flags) {
  return guard(__func__, [&] {
    require(devPtr, "devPtr");
    require(key, "key");
    check(size != 0, Code::kParamInvalid, "size is 0; at least one byte is expected.");
    check(len == runtime::kKeyBytes, Code::kParamInvalid, "len is {}; a key has {} bytes.", len, runtime::kKeyBytes);
    check_share_flags(flags, ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
    const bool to_all = flags == ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION;
    std::strcpy(key, runtime::export_memory(devPtr, size, to_all).c_str());
  });
}

aclError aclrtIpcMemClose(const char* key) {
  return guard(__func__, [&] {
    require(key, "key");
    runtime::close_memory(key_of(key));
  });
}

aclError aclrtIpcMemImportByKey(void** devPtr, const char* key, uint64_t flags) {
  return guard(__func__, [&] {
    require(devPtr, "devPtr");
    require(key, "key");
    check_share_flags(flags, ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS);
    *devPtr = runtime::open_memory(key_of(key));
  });
}

aclError aclrtIpcMemSetImportPid(const char* key, int32_t* pid, size_t num) {
  return guard(__func__, [&] {
    require(key, "key");
    require(pid, "pid");
    check(num != 0, Code::kParamInvalid, "num is 0; at least one process is expected.");
    check_array(pid, num, "pid");
    runtime::allow_memory(key_of(key), {pid, pid + num});
  });
}

// The link between chips is a hint; all processes here use the memory of one device.
aclError aclrtIpcMemSetAttr(const char* key, aclrtIpcMemAttrType type, uint64_t attr) {
  return guard(__func__, [&] {
    require(key, "key");
    check(type == ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, Code::kParamInvalid, "type is {}; ACCESS_LINK (0) is expected.",
          static_cast<int>(type));
    check(attr <= ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH, Code::kParamInvalid,
          "attr is {}; a link from 0 to 3 is expected.", attr);
    runtime::check_memory_key(key_of(key));
  });
}

aclError aclrtIpcMemImportPidInterServer(const char* key, aclrtServerPid* serverPids, size_t num) {
  return guard(__func__, [&] {
    require(key, "key");
    require(serverPids, "serverPids");
    check(num != 0, Code::kParamInvalid, "num is 0; at least one process is expected.");
    refuse_other_servers();
  });
}
