// Limits of a device's cores, and how it treats overflow: what can be answered honestly for a GPU.
#include "acl/acl_rt.h"
#include "api/guard.hpp"
#include "api/handles.hpp"
#include "base/error.hpp"
#include "runtime/device_facts.hpp"

using namespace aclvk;
using api::guard;
using api::require;

aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t* value) {
  return guard(__func__, [&] {
    require(value, "value");
    *value = runtime::core_count(deviceId, type);
  });
}

aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value) {
  return guard(__func__, [&] {
    const uint32_t cores = runtime::core_count(deviceId, type);
    check(value <= cores, Code::kParamInvalid, "value is {}; device {} has {} cores.", value, deviceId, cores);
    check(value == cores, Code::kFeatureNotSupported, "Vulkan cannot use {} of {} cores only.", value, cores);
  });
}

aclError aclrtResetDeviceResLimit(int32_t deviceId) {
  return guard(__func__, [&] { runtime::core_count(deviceId, ACL_RT_DEV_RES_CUBE_CORE); });
}

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode) {
  return guard(__func__, [&] {
    const bool known = mode == ACL_RT_OVERFLOW_MODE_SATURATION || mode == ACL_RT_OVERFLOW_MODE_INFNAN;
    check(known, Code::kParamInvalid, "mode is {}; 0 (saturation) or 1 (Inf and NaN) is expected.",
          static_cast<int>(mode));
    check(mode == ACL_RT_OVERFLOW_MODE_INFNAN, Code::kFeatureNotSupported,
          "GPUs compute with Inf and NaN; saturation is not built in aclvk.");
  });
}

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode) {
  return guard(__func__, [&] {
    require(mode, "mode");
    *mode = ACL_RT_OVERFLOW_MODE_INFNAN;
  });
}
