#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace aclvk::vk {

/// A first-fit allocator of ranges in [0, capacity) that joins adjacent free ranges. It works on offsets alone;
/// BufferPool gives them memory. Not thread safe.
class BlockAllocator {
 public:
  static constexpr std::uint64_t kGranularity = 512;

  explicit BlockAllocator(std::uint64_t capacity) : capacity_(capacity) { free_[0] = capacity; }

  /// Returns the offset of a free range of `bytes`, a multiple of kGranularity, or nothing when none is large enough.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes);
  /// Frees the range that starts at `offset`. Allocates no memory, so it cannot fail.
  void release(std::uint64_t offset) noexcept;

  bool empty() const { return free_.size() == 1 && free_.begin()->second == capacity_; }

 private:
  std::uint64_t capacity_;
  std::map<std::uint64_t, std::uint64_t> free_;  // offset -> size
  std::map<std::uint64_t, std::uint64_t> used_;  // offset -> size of allocated ranges
};

}  // namespace aclvk::vk
