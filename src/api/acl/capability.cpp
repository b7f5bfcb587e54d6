// acl/acl_base_rt.h: capabilities of this build and of a device.
#include <algorithm>
#include <array>

#include "acl/acl_base.h"
#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/device_attributes.hpp"

using namespace aclvk;
using api::guard;
using api::guard_host;
using api::require;

namespace {

// Kernels keep infinities and NaN, and compute with bf16. They are compiled when the library is built, so JIT_COMPILE
// is the one attribute that is missing.
constexpr std::array kAttributes = {ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16};

aclrtDevAttr attribute_of(aclDeviceInfo info) {
  switch (info) {
    case ACL_DEVICE_INFO_AI_CORE_NUM: return ACL_DEV_ATTR_AICORE_CORE_NUM;
    case ACL_DEVICE_INFO_VECTOR_CORE_NUM: return ACL_DEV_ATTR_VECTOR_CORE_NUM;
    case ACL_DEVICE_INFO_L2_SIZE: return ACL_DEV_ATTR_L2_CACHE_SIZE;
    default: break;
  }
  fail(Code::kInvalidParam, "deviceInfo is {}; 0 to 2 is expected.", static_cast<int>(info));
}

}  // namespace

aclError aclGetCannAttributeList(const aclCannAttr** cannAttrList, size_t* num) {
  return guard_host(__func__, [&] {
    require(cannAttrList, "cannAttrList");
    require(num, "num");
    *cannAttrList = kAttributes.data();
    *num = kAttributes.size();
  });
}

aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t* value) {
  return guard_host(__func__, [&] {
    require(value, "value");
    const bool known = cannAttr >= ACL_CANN_ATTR_INF_NAN && cannAttr <= ACL_CANN_ATTR_JIT_COMPILE;
    check(known, Code::kInvalidParam, "cannAttr is {}; 0 to 2 is expected.", static_cast<int>(cannAttr));
    *value = std::find(kAttributes.begin(), kAttributes.end(), cannAttr) != kAttributes.end() ? 1 : 0;
  });
}

aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t* value) {
  return guard(__func__, [&] {
    require(value, "value");
    const uint32_t count = runtime::device_count();
    check(deviceId < count, Code::kInvalidParam, "deviceId is {}; {} devices are visible.", deviceId, count);
    *value = runtime::device_attribute(static_cast<int32_t>(deviceId), attribute_of(deviceInfo));
  });
}
