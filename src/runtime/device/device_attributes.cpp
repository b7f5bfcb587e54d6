#include "runtime/device/device_attributes.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "runtime/device/device.hpp"

namespace aclvk::runtime {
namespace {

// aclrtDevAttr
enum Attribute : int {
  kAiCpuNumber = 1,
  kAiCoreNumber = 101,
  kCubeCoreNumber = 102,
  kVectorCoreNumber = 201,
  kWarpSize = 202,
  kLocalMemory = 204,
  kGridX = 205,
  kGridZ = 207,
  kBlocksPerGrid = 208,
  kThreadsPerBlock = 209,
  kBlockX = 210,
  kBlockZ = 212,
  kTotalMemory = 301,
  kPhysicalChipId = 402,
  kIsVirtual = 501,
};

// Attributes of aclrtDevAttr that Vulkan does not report: resident threads, the cache, and the position of an NPU in a
// larger machine.
constexpr std::array kUnknownToVulkan = {203, 302, 401, 403, 404, 405, 406, 407, 408, 409, 601};

// Saturates: drivers may report up to 2^32 - 1 workgroups in each of three dimensions.
std::int64_t product(const std::array<std::uint32_t, 3>& numbers) {
  std::int64_t result = 1;
  for (const std::uint32_t number : numbers) {
    if (__builtin_mul_overflow(result, static_cast<std::int64_t>(number), &result)) return INT64_MAX;
  }
  return result;
}

}  // namespace

std::int64_t device_attribute(std::int32_t device_id, int attribute) {
  const vk::DeviceInfo& info = device_info(device_id);
  if (attribute >= kGridX && attribute <= kGridZ) return info.group_count.at(attribute - kGridX);
  if (attribute >= kBlockX && attribute <= kBlockZ) return info.group_size.at(attribute - kBlockX);
  switch (attribute) {
    case kAiCpuNumber: return 0;  // processors for AICPU kernels exist on NPUs only
    case kAiCoreNumber:
    case kCubeCoreNumber:
    case kVectorCoreNumber: return info.compute_units;  // a GPU has one kind of core
    case kWarpSize: return info.subgroup_size;
    case kLocalMemory: return info.shared_bytes_per_group;
    case kBlocksPerGrid: return product(info.group_count);
    case kThreadsPerBlock: return info.threads_per_group;
    case kTotalMemory: return static_cast<std::int64_t>(info.memory_bytes);
    case kPhysicalChipId: return logical_id(device_id);
    case kIsVirtual: return info.kind == vk::DeviceKind::kVirtual ? 1 : 0;
    default: break;
  }
  const bool exists = std::find(kUnknownToVulkan.begin(), kUnknownToVulkan.end(), attribute) != kUnknownToVulkan.end();
  check(exists, Code::kParamInvalid, "Device attribute {} does not exist.", attribute);
  fail(Code::kFeatureNotSupported, "Device attribute {} cannot be found out through Vulkan.", attribute);
}

std::int32_t feature_of_device(std::int32_t device_id, int feature) {
  constexpr int kUpdatesKernelTasks = 1;
  constexpr int kQueueEventsAcrossDevices = 21;
  check_device_id(device_id);
  const bool known = feature == kUpdatesKernelTasks || feature == kQueueEventsAcrossDevices;
  check(known, Code::kParamInvalid, "Device feature {} does not exist; 1 or 21 is expected.", feature);
  return feature == kUpdatesKernelTasks ? 1 : 0;
}

std::uint32_t core_count(std::int32_t device_id, int kind) {
  const vk::DeviceInfo& info = device_info(device_id);
  check(kind == 0 || kind == 1, Code::kParamInvalid, "The kind of cores is {}; 0 (cube) or 1 (vector) is expected.",
        kind);
  return info.compute_units;
}

}  // namespace aclvk::runtime
