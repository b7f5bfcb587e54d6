#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "vk_device/device_clock.hpp"
#include "vk_device/timestamps.hpp"

namespace aclvk::vk {

/// Some consecutive slots of a query pool.
struct QuerySlots {
  ::vk::QueryPool pool;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// The query pools of a device. Slots are lent one at a time, for events, or many, for profiles, and come back to be
/// used again, so work that repeats itself creates nothing. Thread safe.
class TimestampStore {
 public:
  explicit TimestampStore(std::shared_ptr<const Gpu> gpu);

  DeviceClock& clock() { return clock_; }
  const DeviceClock& clock() const { return clock_; }
  const Gpu& gpu() const { return *gpu_; }

  /// Slots that may be written.
  QuerySlots take(bool in_blocks);
  /// Takes slots back that nothing in flight writes any more.
  void give_back(const QuerySlots& slots) noexcept;
  void reset(const QuerySlots& slots) const;

 private:
  void add_pool(bool in_blocks);

  std::shared_ptr<const Gpu> gpu_;
  DeviceClock clock_;
  std::mutex mutex_;
  std::vector<::vk::raii::QueryPool> pools_;
  std::vector<QuerySlots> idle_[2];  // single ones, many
};

class VulkanTimestamps final : public Timestamps {
 public:
  /// `expected` only decides how slots are taken.
  VulkanTimestamps(std::shared_ptr<TimestampStore> store, std::size_t expected);
  ~VulkanTimestamps() override;
  VulkanTimestamps(const VulkanTimestamps&) = delete;
  VulkanTimestamps& operator=(const VulkanTimestamps&) = delete;

  std::size_t size() const override { return size_; }
  std::vector<std::int64_t> read() const override;
  void reset() override;
  /// The moments as the device counts them.
  std::vector<std::uint64_t> read_ticks() const;

  struct Slot {
    ::vk::QueryPool pool;
    std::uint32_t index;
  };
  /// The slot of one more moment.
  Slot add();

 private:
  std::shared_ptr<TimestampStore> store_;
  const bool in_blocks_;
  std::size_t size_ = 0;
  std::uint32_t used_ = 0;  // of the last slots
  QuerySlots first_;        // of a list of one moment these are all: no memory but the list itself
  std::vector<QuerySlots> more_;
};

}  // namespace aclvk::vk
