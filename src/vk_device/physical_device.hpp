#pragma once

#include <cstdint>
#include <optional>

#include "vk_device/device_selection.hpp"
#include "vk_device/vulkan_api.hpp"

namespace aclvk::vk {

/// The numbers of a device that this room keeps to.
struct Limits {
  std::uint64_t storage_buffer_range = 0;      ///< bytes of one storage-buffer descriptor
  std::uint64_t storage_buffer_alignment = 1;  ///< of a descriptor's offset, at least 16
  std::uint32_t storage_buffers = 0;           ///< descriptors of a shader
  std::uint32_t groups[3] = {};                ///< of a dispatch
  std::uint32_t local_size[3] = {};            ///< threads of a group in each dimension
  std::uint32_t threads = 0;                   ///< of a group
  std::uint32_t shared_bytes = 0;              ///< shared memory of a group
  std::uint64_t allocation = 0;                ///< bytes of one VkDeviceMemory
  std::uint64_t buffer = UINT64_MAX;           ///< bytes of one VkBuffer
  std::uint64_t host_import_alignment = 0;     ///< of imported host memory; 0: no import
  std::uint32_t timestamp_bits = 0;            ///< of our queues' timestamps; 0: the device has none
  double timestamp_period = 1;                 ///< nanoseconds a tick
  bool calibrated_timestamps = false;          ///< the clocks of device and host can be read at once
  bool exports_buffers = false;                ///< their memory as files, for other processes
  std::uint64_t sparse_space = 0;              ///< bytes of all sparse buffers together; 0: there are none
  ::vk::BufferCreateFlags sparse_flags;        ///< of such a buffer
  bool exports_sparse = false;                 ///< what is behind them as files
};

/// The feature structs that we look at, linked for vkGetPhysicalDeviceFeatures2 and vkCreateDevice.
using FeatureChain =
    ::vk::StructureChain<::vk::PhysicalDeviceFeatures2, ::vk::PhysicalDeviceVulkan11Features,
                         ::vk::PhysicalDeviceVulkan12Features, ::vk::PhysicalDeviceSynchronization2Features>;

/// What every buffer can be used for.
constexpr ::vk::BufferUsageFlags kBufferUsage =
    ::vk::BufferUsageFlagBits::eStorageBuffer | ::vk::BufferUsageFlagBits::eTransferSrc |
    ::vk::BufferUsageFlagBits::eTransferDst | ::vk::BufferUsageFlagBits::eIndirectBuffer |
    ::vk::BufferUsageFlagBits::eShaderDeviceAddress;

bool has_extension(const ::vk::raii::PhysicalDevice& device, const char* name);

DeviceProfile profile_of(const ::vk::raii::PhysicalDevice& device);
Limits limits_of(const ::vk::raii::PhysicalDevice& device);
void add_clock_limits(const ::vk::raii::PhysicalDevice& device, Limits& limits);

/// What vkCreateDevice is asked to enable: of the features that kernels and this room use, those that the device has.
FeatureChain wanted_features(const ::vk::raii::PhysicalDevice& device);
Features shader_features(const FeatureChain& chain);
/// VkSubgroupFeatureFlags of compute shaders; 0 when they have none.
std::uint32_t subgroup_operations(const ::vk::raii::PhysicalDevice& device);

/// The family whose queues we use: computes, and has the most queues.
std::uint32_t compute_family(const ::vk::raii::PhysicalDevice& device);
/// The family whose queues put memory behind sparse buffers: the same one if it can.
std::optional<std::uint32_t> sparse_family(const ::vk::raii::PhysicalDevice& device);

}  // namespace aclvk::vk
