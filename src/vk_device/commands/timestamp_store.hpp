#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/mutex.hpp"
#include "vk_device/commands/device_clock.hpp"
#include "vk_device/commands/timestamps.hpp"

namespace aclvk::vk {

/// A run of consecutive queries of a VkQueryPool.
struct QuerySlots {
  ::vk::QueryPool pool;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// Owns the query pools of a device. Queries are lent singly for events, and in blocks of 128 for profiles, and are
/// reused, so that repeated work creates no pools. Thread safe.
class TimestampStore {
 public:
  explicit TimestampStore(std::shared_ptr<const Gpu> gpu);

  DeviceClock& clock() { return clock_; }
  const DeviceClock& clock() const { return clock_; }
  const Gpu& gpu() const { return *gpu_; }

  /// Returns reset queries: one, or a block.
  QuerySlots take(bool in_blocks);
  /// Takes queries back. No pending submission may write them.
  void give_back(const QuerySlots& slots) noexcept;
  void reset(const QuerySlots& slots) const;

 private:
  void add_pool(bool in_blocks) REQUIRES(mutex_);

  std::shared_ptr<const Gpu> gpu_;
  DeviceClock clock_;
  Mutex mutex_;
  std::vector<::vk::raii::QueryPool> pools_ GUARDED_BY(mutex_);
  std::vector<QuerySlots> idle_[2] GUARDED_BY(mutex_);  // single queries, blocks
};

/// The implementation of Timestamps.
class VulkanTimestamps final : public Timestamps {
 public:
  /// `expected` selects single queries or blocks.
  VulkanTimestamps(std::shared_ptr<TimestampStore> store, std::size_t expected);
  ~VulkanTimestamps() override;
  VulkanTimestamps(const VulkanTimestamps&) = delete;
  VulkanTimestamps& operator=(const VulkanTimestamps&) = delete;

  std::size_t size() const override { return size_; }
  std::vector<std::int64_t> read() const override;
  void reset() override;
  /// Returns the raw values.
  std::vector<std::uint64_t> read_ticks() const;

  struct Slot {
    ::vk::QueryPool pool;
    std::uint32_t index;
  };
  /// Returns the query of one more timestamp.
  Slot add();

 private:
  std::shared_ptr<TimestampStore> store_;
  const bool in_blocks_;
  std::size_t size_ = 0;
  std::uint32_t used_ = 0;  // of the last QuerySlots
  QuerySlots first_;        // the only one for a list of one timestamp, which then allocates nothing else
  std::vector<QuerySlots> more_;
};

}  // namespace aclvk::vk
