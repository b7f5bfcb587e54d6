// acl/rt/resource_limit.h: how many cores work is divided among (runtime/context/resource_limit.hpp).
#include "runtime/context/resource_limit.hpp"

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"

using namespace aclvk;
using api::guard;
using api::require;
using api::stream_of;

aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t* value) {
  return guard(__func__, [&] {
    require(value, "value");
    *value = runtime::device_core_limit(deviceId, type);
  });
}

aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value) {
  return guard(__func__, [&] { runtime::set_device_core_limit(deviceId, type, value); });
}

aclError aclrtResetDeviceResLimit(int32_t deviceId) {
  return guard(__func__, [&] { runtime::reset_device_core_limits(deviceId); });
}

aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t* value) {
  return guard(__func__, [&] {
    require(value, "value");
    *value = runtime::stream_core_limit(*stream_of(stream), type);
  });
}

aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value) {
  return guard(__func__, [&] { runtime::set_stream_core_limit(*stream_of(stream), type, value); });
}

aclError aclrtResetStreamResLimit(aclrtStream stream) {
  return guard(__func__, [&] { stream_of(stream)->core_limits.reset(); });
}

aclError aclrtUseStreamResInCurrentThread(aclrtStream stream) {
  return guard(__func__, [&] { runtime::use_core_limits_of(*stream_of(stream)); });
}

aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream) {
  return guard(__func__, [&] {
    stream_of(stream);
    runtime::use_core_limits_of_device();
  });
}

aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t* value) {
  return guard(__func__, [&] {
    require(value, "value");
    *value = runtime::thread_core_limit(type);
  });
}
