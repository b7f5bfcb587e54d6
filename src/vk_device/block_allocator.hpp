#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace aclvk::vk {

/// Cuts pieces from [0, capacity): first fit, neighbours are joined when they come back. Knows offsets, no memory. Not
/// thread safe.
class BlockAllocator {
 public:
  static constexpr std::uint64_t kGranularity = 512;

  explicit BlockAllocator(std::uint64_t capacity) : capacity_(capacity) { free_[0] = capacity; }

  /// The offset of `bytes` free bytes, a multiple of kGranularity.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes);
  /// Gives back what begins here. Needs no memory.
  void release(std::uint64_t offset) noexcept;

  bool empty() const { return free_.size() == 1 && free_.begin()->second == capacity_; }

 private:
  std::uint64_t capacity_;
  std::map<std::uint64_t, std::uint64_t> free_;  // offset -> size
  std::map<std::uint64_t, std::uint64_t> used_;  // what is handed out
};

}  // namespace aclvk::vk
