#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "vk_device/gpu/physical_device.hpp"
#include "vk_device/gpu/vulkan_api.hpp"

namespace aclvk::vk {

/// The driver workarounds that apply to a device: one flag for each row of quirks.def.
struct Quirks {
#define QUIRK(member, applies, reason) bool member = false;
#include "vk_device/gpu/quirks.def"
#undef QUIRK
};

/// A VkDevice with its cached properties. Every object of vk_device holds a reference to its Gpu, so the VkDevice is
/// destroyed last.
class Gpu {
 public:
  explicit Gpu(std::size_t index);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const DeviceInfo& info() const { return info_; }
  const Features& features() const { return features_; }
  const Limits& limits() const { return limits_; }
  const Quirks& quirks() const { return quirks_; }
  const ::vk::raii::PhysicalDevice& physical() const { return physical_; }
  const ::vk::raii::Device& device() const { return device_; }
  const VulkanFunctions& functions() const { return *device_.getDispatcher(); }
  std::uint32_t queue_family() const { return queue_family_; }
  std::uint32_t queue_count() const { return queue_count_; }
  /// Returns the queue family that binds memory to sparse buffers, where the device has them. When it differs from
  /// queue_family(), the device has one queue of it.
  std::optional<std::uint32_t> sparse_family() const { return sparse_family_; }

  /// Returns a memory type among `bits` that has all `required` flags: the one with most of the `preferred` flags;
  /// among equals the driver's first.
  std::optional<std::uint32_t> find_memory_type(std::uint32_t bits, ::vk::MemoryPropertyFlags required,
                                                ::vk::MemoryPropertyFlags preferred) const;
  std::uint64_t heap_bytes(std::uint32_t memory_type) const;

  /// Returns true once a call has returned VK_ERROR_DEVICE_LOST.
  bool lost() const { return lost_.load(std::memory_order_relaxed); }
  /// Throws kDriverError when the device is lost.
  void check_not_lost() const;
  /// Marks the device as lost when `result` is VK_ERROR_DEVICE_LOST.
  void mark_lost_if(::vk::Result result) const;
  /// Calls mark_lost_if(), and throws for a failure. For results of calls that can lose the device.
  void expect(::vk::Result result, const char* doing) const;

  /// Waits until the device is idle (vkDeviceWaitIdle); a lost device counts as idle.
  void wait_idle() const noexcept;

  /// Counts a created pool, buffer or timeline for Device::created_objects().
  void count_created() const { created_.fetch_add(1, std::memory_order_relaxed); }
  std::uint64_t created() const { return created_.load(std::memory_order_relaxed); }

 private:
  const ::vk::raii::PhysicalDevice& physical_;
  DeviceInfo info_;
  Limits limits_;
  Quirks quirks_;
  Features features_;
  std::uint32_t queue_family_ = 0;
  std::uint32_t queue_count_ = 0;
  std::optional<std::uint32_t> sparse_family_;
  ::vk::PhysicalDeviceMemoryProperties memory_;
  ::vk::raii::Device device_{nullptr};
  mutable std::atomic<std::uint64_t> created_{0};
  mutable std::atomic<bool> lost_{false};
};

}  // namespace aclvk::vk
