// acl/rt/event_ipc.h, and the functions of acl/rt/notify.h for other processes.
#include <cstring>

#include "acl/acl_rt.h"
#include "api/base/arrays.hpp"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/rt/share_arguments.hpp"
#include "base/error.hpp"
#include "runtime/signal/shared_event.hpp"

using namespace aclvk;
using namespace aclvk::api;

static_assert(sizeof(aclrtIpcEventHandle) == runtime::ShareKey::kTextSize);

aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle* handle) {
  return guard(__func__, [&] {
    require(event, "event");
    require(handle, "handle");
    const std::string key = runtime::export_event(event_of(event));
    std::memcpy(handle->reserved, key.data(), sizeof(handle->reserved));
  });
}

aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent* event) {
  return guard(__func__, [&] {
    require(event, "event");
    *event = runtime::open_event(key_of(handle.reserved));
  });
}

aclError aclrtNotifyGetExportKey(aclrtNotify notify, char* key, size_t len, uint64_t flags) {
  return guard(__func__, [&] {
    require(notify, "notify");
    require(key, "key");
    constexpr std::size_t kNeeded = runtime::ShareKey::kTextSize + 1;
    check(len >= kNeeded, Code::kParamInvalid, "len is {}; a key has {} bytes.", len, kNeeded);
    check_share_flags(flags, ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION);
    const bool to_all = flags == ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION;
    std::strcpy(key, runtime::export_notify(*notify_of(notify), to_all).c_str());
  });
}

aclError aclrtNotifyImportByKey(aclrtNotify* notify, const char* key, uint64_t flags) {
  return guard(__func__, [&] {
    require(notify, "notify");
    require(key, "key");
    check_share_flags(flags, ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS);
    *notify = runtime::open_notify(key_of(key));
  });
}

aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t* pid, size_t num) {
  return guard(__func__, [&] {
    require(notify, "notify");
    require(pid, "pid");
    check(num != 0, Code::kParamInvalid, "num is 0; at least one process is expected.");
    check_array(pid, num, "pid");
    runtime::allow_notify(*notify_of(notify), {pid, pid + num});
  });
}

aclError aclrtNotifySetImportPidInterServer(aclrtNotify notify, aclrtServerPid* serverPids, size_t num) {
  return guard(__func__, [&] {
    require(notify, "notify");
    require(serverPids, "serverPids");
    check(num != 0, Code::kParamInvalid, "num is 0; at least one process is expected.");
    notify_of(notify);
    refuse_other_servers();
  });
}
