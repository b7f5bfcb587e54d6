#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace aclvk::vk {

enum class DeviceKind { kDiscrete, kIntegrated, kVirtual, kCpu, kOther };

struct DeviceInfo {
  std::string name;
  std::string driver;  ///< name and version
  std::array<std::uint8_t, 16> uuid{};
  DeviceKind kind = DeviceKind::kOther;
  std::uint32_t api_version = 0;
  /// Workgroups that run concurrently where the driver reports it (streaming multiprocessors, compute units), else CPU
  /// cores.
  std::uint32_t compute_units = 0;
  std::uint64_t memory_bytes = 0;
  std::string pci_address;  ///< "0000:01:00.0"; empty where the driver does not report it
  std::uint32_t subgroup_size = 0;
  bool subgroup_shuffle = false;  ///< kernels can use subgroupShuffle
  std::uint32_t threads_per_group = 0;
  std::uint32_t shared_bytes_per_group = 0;
  std::array<std::uint32_t, 3> group_size{};   ///< maxComputeWorkGroupSize
  std::array<std::uint32_t, 3> group_count{};  ///< maxComputeWorkGroupCount
};

/// Optional shader features. An operator checks them before it launches a kernel that needs one.
struct Features {
  bool int64 = false;
  bool int16 = false;
  bool int8 = false;
  bool float64 = false;
  bool float16 = false;
  bool storage16 = false;
  bool storage8 = false;
  // Used by kernels of programs only.
  bool uniform_storage16 = false;
  bool uniform_storage8 = false;
  bool int64_atomics = false;
  bool variable_pointers_buffer = false;
  bool variable_pointers = false;
  bool memory_model = false;
  bool memory_model_device_scope = false;
  bool scalar_block_layout = false;
  std::uint32_t subgroup_operations = 0;  ///< VkSubgroupFeatureFlags of compute shaders
};

/// Returns the usable devices, best first: discrete, integrated, virtual, CPU; in the driver's order within a kind.
/// ACLVK_DEVICE filters them by name. Devices without Vulkan 1.2, timeline semaphores, buffer device addresses or
/// synchronization2 are not usable. Empty when there is no Vulkan loader or driver.
const std::vector<DeviceInfo>& list_devices();

/// Returns how many validation messages of severity error the process has received. Tests expect 0
/// (ACLVK_VALIDATION=1).
std::uint64_t validation_errors();

}  // namespace aclvk::vk
