#pragma once

#include <cstdint>
#include <optional>

#include "vk_device/gpu/device_selection.hpp"
#include "vk_device/gpu/vulkan_api.hpp"

namespace aclvk::vk {

/// The limits of a device that vk_device respects, and optional properties that it uses.
struct Limits {
  std::uint64_t max_storage_buffer_range = 0;  ///< maxStorageBufferRange: bytes of one descriptor
  std::uint64_t storage_buffer_alignment = 1;  ///< minStorageBufferOffsetAlignment, at least 16
  std::uint32_t max_storage_buffers = 0;       ///< maxPerStageDescriptorStorageBuffers
  std::uint32_t max_groups[3] = {};            ///< maxComputeWorkGroupCount
  std::uint32_t max_local_size[3] = {};        ///< maxComputeWorkGroupSize
  std::uint32_t max_threads = 0;               ///< maxComputeWorkGroupInvocations
  std::uint32_t max_shared_bytes = 0;          ///< maxComputeSharedMemorySize
  std::uint64_t max_allocation = 0;            ///< maxMemoryAllocationSize
  std::uint64_t max_buffer = UINT64_MAX;       ///< maxBufferSize
  std::uint64_t host_import_alignment = 0;     ///< minImportedHostPointerAlignment; 0: no import
  std::uint32_t timestamp_bits = 0;            ///< timestampValidBits of the compute queues; 0: no timestamps
  double timestamp_period = 1;                 ///< nanoseconds per tick
  bool calibrated_timestamps = false;          ///< the device's and the host's clock can be read together
  bool exports_buffers = false;                ///< memory of buffers can be exported to other processes
  std::uint64_t sparse_space = 0;              ///< sparseAddressSpaceSize; 0: no sparse buffers
  ::vk::BufferCreateFlags sparse_flags;        ///< create flags of sparse buffers
  bool exports_sparse = false;                 ///< memory of sparse buffers can be exported
};

/// The feature structs for vkGetPhysicalDeviceFeatures2 and vkCreateDevice, chained.
using FeatureChain =
    ::vk::StructureChain<::vk::PhysicalDeviceFeatures2, ::vk::PhysicalDeviceVulkan11Features,
                         ::vk::PhysicalDeviceVulkan12Features, ::vk::PhysicalDeviceSynchronization2Features>;

/// The usage flags of every buffer.
constexpr ::vk::BufferUsageFlags kBufferUsage =
    ::vk::BufferUsageFlagBits::eStorageBuffer | ::vk::BufferUsageFlagBits::eTransferSrc |
    ::vk::BufferUsageFlagBits::eTransferDst | ::vk::BufferUsageFlagBits::eIndirectBuffer |
    ::vk::BufferUsageFlagBits::eShaderDeviceAddress;

bool has_extension(const ::vk::raii::PhysicalDevice& device, const char* name);

DeviceProfile profile_of(const ::vk::raii::PhysicalDevice& device);
Limits limits_of(const ::vk::raii::PhysicalDevice& device);
void add_clock_limits(const ::vk::raii::PhysicalDevice& device, Limits& limits);

/// Returns the features to enable: those that kernels and vk_device use, as far as the device has them.
FeatureChain wanted_features(const ::vk::raii::PhysicalDevice& device);
Features shader_features(const FeatureChain& chain);
/// Returns the VkSubgroupFeatureFlags of compute shaders; 0 when they have none.
std::uint32_t subgroup_operations(const ::vk::raii::PhysicalDevice& device);

/// Returns the compute queue family with the most queues: streams are distributed over the queues of one family.
std::uint32_t compute_family(const ::vk::raii::PhysicalDevice& device);
/// Returns the queue family that binds memory to sparse buffers: the compute family if it can.
std::optional<std::uint32_t> sparse_family(const ::vk::raii::PhysicalDevice& device);

}  // namespace aclvk::vk
