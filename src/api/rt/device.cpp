// acl/rt/device.h, acl/rt/peer.h: devices and access to each other (runtime-semantics 2).

#include "runtime/device/device.hpp"

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/rt/timeouts.hpp"
#include "base/error.hpp"
#include "runtime/context/peer.hpp"
#include "runtime/context/task_abort.hpp"
#include "runtime/device/device_attributes.hpp"

using namespace aclvk;
using api::guard;
using api::guard_quiet;
using api::require;

aclError aclrtSetDevice(int32_t deviceId) {
  return guard(__func__, [&] { runtime::set_device(deviceId); });
}

aclError aclrtResetDevice(int32_t deviceId) {
  return guard(__func__, [&] { runtime::reset_device(deviceId, false); });
}

aclError aclrtResetDeviceForce(int32_t deviceId) {
  return guard(__func__, [&] { runtime::reset_device(deviceId, true); });
}

// The answer "no device" is not stored as the last error (runtime-semantics 2.5).
aclError aclrtGetDevice(int32_t* deviceId) {
  return guard_quiet(__func__, [&] {
    require(deviceId, "deviceId");
    const int32_t id = runtime::current_device_id();
    check(id >= 0, Code::kContextNull,
          "This thread has no context; aclrtSetDevice or aclrtSetCurrentContext gives it one.");
    *deviceId = id;
  });
}

aclError aclrtGetDeviceCount(uint32_t* count) {
  return guard(__func__, [&] {
    require(count, "count");
    *count = runtime::device_count();
  });
}

aclError aclrtGetRunMode(aclrtRunMode* runMode) {
  return guard(__func__, [&] {
    require(runMode, "runMode");
    *runMode = ACL_HOST;
  });
}

// Task schedulers of an NPU have no counterpart in Vulkan; the argument is checked and has no effect.
aclError aclrtSetTsDevice(aclrtTsId tsId) {
  return guard(__func__, [&] {
    const bool known = tsId == ACL_TS_ID_AICORE || tsId == ACL_TS_ID_AIVECTOR;
    check(known, Code::kInvalidParam, "tsId is {}; 0 or 1 is expected.", static_cast<int>(tsId));
  });
}

// Waits for the streams of the current context only (runtime-semantics 2.7).
aclError aclrtSynchronizeDevice() {
  return guard(__func__, [] { runtime::current_context()->synchronize(); });
}

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
  return guard(__func__, [&] {
    api::check_timeout_range(timeout);
    const runtime::Timeout limit = api::timeout_of(timeout);
    runtime::current_context()->synchronize(limit);
  });
}

aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus* deviceStatus) {
  return guard(__func__, [&] {
    require(deviceStatus, "deviceStatus");
    const bool responds = runtime::device(deviceId)->responds();
    *deviceStatus = responds ? ACL_RT_DEVICE_STATUS_NORMAL : ACL_RT_DEVICE_STATUS_ABNORMAL;
  });
}

aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo* utilizationInfo) {
  return guard(__func__, [&] {
    require(utilizationInfo, "utilizationInfo");
    check(!utilizationInfo->utilizationExtend, Code::kInvalidParam,
          "utilizationExtend is {}; it is reserved, NULL is expected.",
          static_cast<const void*>(utilizationInfo->utilizationExtend));
    runtime::check_device_id(deviceId);
    *utilizationInfo = {-1, -1, -1, -1, nullptr};  // Vulkan has no such query; -1 is "unknown"
  });
}

aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value) {
  return guard(__func__, [&] {
    require(value, "value");
    *value = runtime::device_attribute(static_cast<int32_t>(deviceId), attr);
  });
}

aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority, int32_t* greatestPriority) {
  return guard(__func__, [&] {
    if (leastPriority) *leastPriority = runtime::kLeastPriority;
    if (greatestPriority) *greatestPriority = runtime::kGreatestPriority;
  });
}

// Wrong devices are refused before a NULL result, which is 107000 (runtime-semantics 2.10).
aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId) {
  return guard(__func__, [&] {
    const bool can = runtime::can_access_peer(deviceId, peerDeviceId);
    check(canAccessPeer, Code::kParamInvalid, "canAccessPeer is NULL.");
    *canAccessPeer = can ? 1 : 0;
  });
}

aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags) {
  return guard(__func__, [&] {
    check(flags == 0, Code::kFeatureUnsupported, "flags are {}; 0 is expected.", flags);
    runtime::enable_peer_access(peerDeviceId);
  });
}

aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId) {
  return guard(__func__, [&] { runtime::disable_peer_access(peerDeviceId); });
}

aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t* status) {
  return guard(__func__, [&] {
    require(status, "status");
    *status = runtime::peer_access_enabled(deviceId, peerDeviceId) ? 1 : 0;
  });
}

aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout) {
  return guard(__func__, [&] { runtime::abort_tasks(deviceId, timeout); });
}
