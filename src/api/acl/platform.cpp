// acl/acl_platform.h: properties of the platform as text, as far as a GPU has them.
#include <algorithm>
#include <string>

#include "acl/acl_platform.h"
#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/config.hpp"
#include "base/error.hpp"
#include "runtime/context/current.hpp"
#include "runtime/device/device_attributes.hpp"

using namespace aclvk;
using api::guard;
using api::require;

namespace {

/// Returns the thread's device, or device 0 for programs that ask before they set one.
int32_t device_asked_for() { return std::max(runtime::current_device_id(), 0); }

std::string number(aclrtDevAttr attribute) {
  return std::to_string(runtime::device_attribute(device_asked_for(), attribute));
}

std::string info_text(aclplatformDevInfo info) {
  switch (info) {
    case ACL_PLATFORM_AICORE_CNT: return number(ACL_DEV_ATTR_AICORE_CORE_NUM);
    case ACL_PLATFORM_AICORE_UB_SIZE: return number(ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE);
    case ACL_PLATFORM_CUBE_CORE_CNT: return number(ACL_DEV_ATTR_CUBE_CORE_NUM);
    case ACL_PLATFORM_VECTOR_CORE_CNT: return number(ACL_DEV_ATTR_VECTOR_CORE_NUM);
    case ACL_PLATFORM_L2_SIZE: return number(ACL_DEV_ATTR_L2_CACHE_SIZE);
    case ACL_PLATFORM_MEMORY_SIZE: return number(ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE);
    case ACL_PLATFORM_SOC_VERSION: return config().soc_name;
    default: break;
  }
  const bool known = info > ACL_PLATFORM_AICORE_CNT && info <= ACL_PLATFORM_MEMORY_TYPE;
  check(known, Code::kInvalidParam, "infoType is {}; 0 to 16 is expected.", static_cast<int>(info));
  fail(Code::kFeatureNotSupported, "infoType is {}, a property of NPU cores; a Vulkan device has none.",
       static_cast<int>(info));
}

}  // namespace

aclError aclplatformGetDeviceInfo(aclplatformDevInfo infoType, char* value, uint32_t maxLen) {
  return guard(__func__, [&] {
    require(value, "value");
    const std::string text = info_text(infoType);
    check(text.size() < maxLen, Code::kInvalidParam, "maxLen is {}; \"{}\" needs {} bytes.", maxLen, text,
          text.size() + 1);
    value[text.copy(value, text.size())] = '\0';
  });
}

aclError aclplatformGetInstructionInfo(aclplatformCoreType type, const char* instruction, char* value,
                                       uint32_t maxLen) {
  return guard(__func__, [&] {
    require(instruction, "instruction");
    require(value, "value");
    const bool known = type == ACL_PLATFORM_CORE_TYPE_AI_CORE || type == ACL_PLATFORM_CORE_TYPE_VECTOR_CORE;
    check(known, Code::kInvalidParam, "type is {}; 0 or 1 is expected.", static_cast<int>(type));
    check(maxLen > 0, Code::kInvalidParam, "maxLen is 0; room for one byte at least is expected.");
    fail(Code::kFeatureNotSupported, "Kernels here are made of SPIR-V; no device executes the NPU instruction \"{}\".",
         instruction);
  });
}
