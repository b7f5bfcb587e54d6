#include "runtime/device_facts.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "runtime/device.hpp"

namespace aclvk::runtime {
namespace {

enum Attribute : int {
  kAiCoreNumber = 101,
  kCubeCoreNumber = 102,
  kVectorCoreNumber = 201,
  kTotalMemory = 301,
  kPhysicalChipId = 402,
  kIsVirtual = 501,
};

// Attributes that exist and that Vulkan knows nothing about.
constexpr std::array kUnknownToVulkan = {1,   202, 203, 204, 205, 206, 207, 208, 209, 210, 211,
                                         212, 302, 401, 403, 404, 405, 406, 407, 408, 409, 601};

}  // namespace

std::int64_t device_fact(std::int32_t device_id, int attribute) {
  const vk::DeviceInfo& info = device_info(device_id);
  switch (attribute) {
    case kAiCoreNumber:
    case kCubeCoreNumber:
    case kVectorCoreNumber: return info.compute_units;
    case kTotalMemory: return static_cast<std::int64_t>(info.memory_bytes);
    case kPhysicalChipId: return logical_id(device_id);
    case kIsVirtual: return info.kind == vk::DeviceKind::kVirtual ? 1 : 0;
    default: break;
  }
  const bool exists = std::find(kUnknownToVulkan.begin(), kUnknownToVulkan.end(), attribute) != kUnknownToVulkan.end();
  check(exists, Code::kParamInvalid, "Device attribute {} does not exist.", attribute);
  fail(Code::kFeatureNotSupported, "Device attribute {} cannot be found out through Vulkan.", attribute);
}

std::uint32_t core_count(std::int32_t device_id, int kind) {
  const vk::DeviceInfo& info = device_info(device_id);
  check(kind == 0 || kind == 1, Code::kParamInvalid, "The kind of cores is {}; 0 (cube) or 1 (vector) is expected.",
        kind);
  return info.compute_units;
}

}  // namespace aclvk::runtime
