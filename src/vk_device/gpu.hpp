#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "vk_device/physical_device.hpp"
#include "vk_device/vulkan_api.hpp"

namespace aclvk::vk {

/// Which rows of quirks.def apply to a device.
struct Quirks {
#define QUIRK(member, applies, reason) bool member = false;
#include "vk_device/quirks.def"
#undef QUIRK
};

/// A VkDevice with what was asked about it once. Every Vulkan object of the room holds a reference to its Gpu, so the
/// VkDevice goes last, whoever that is.
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
  /// The family of the queue for sparse buffers, where these exist; one queue is there if it is another family.
  std::optional<std::uint32_t> sparse_family() const { return sparse_family_; }

  /// A memory type among `bits` with all `required` flags: the one with most of the `preferred` flags, the driver's
  /// order deciding between equals.
  std::optional<std::uint32_t> find_memory_type(std::uint32_t bits, ::vk::MemoryPropertyFlags required,
                                                ::vk::MemoryPropertyFlags preferred) const;
  std::uint64_t heap_bytes(std::uint32_t memory_type) const;

  /// The driver has given the device up: it does nothing more, and no call brings it back.
  bool lost() const { return lost_.load(std::memory_order_relaxed); }
  /// Throws kDriverError then.
  void check_not_lost() const;
  /// Remembers it, when that is what the result says.
  void mark_lost_if(::vk::Result result) const;
  /// Both of what is to be done with the result of a call that can find it out: mark_lost_if(), and throws for a
  /// failure.
  void expect(::vk::Result result, const char* doing) const;

  /// Waits until nothing runs on the device.
  void wait_idle() const noexcept;

  /// Counts an object of those that work needs while it is recorded and run: pools, buffers, timelines.
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
