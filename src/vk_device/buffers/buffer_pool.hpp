#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/mutex.hpp"
#include "vk_device/buffers/block_allocator.hpp"
#include "vk_device/buffers/buffer_source.hpp"

namespace aclvk::vk {

/// Allocates buffer ranges of one kind of memory (docs/adr/0008): ranges up to 1 MiB are sub-allocated from blocks,
/// larger ones get a VkBuffer of their own. Drivers limit the number of VkDeviceMemory objects
/// (maxMemoryAllocationCount, often 4096) and round each up to pages. Ranges start at multiples of 512 bytes, both as
/// device addresses and as mapped pointers. Thread safe.
class BufferPool {
 public:
  static constexpr std::uint64_t kAlignment = BlockAllocator::kGranularity;
  static constexpr std::uint64_t kMaxSuballocation = std::uint64_t{1} << 20;

  BufferPool(std::shared_ptr<const BufferSource> source, MemoryUse use) : source_(std::move(source)), use_(use) {}

  BufferRange allocate(std::uint64_t bytes);
  /// Frees a range of allocate(). The bytes can be allocated again at once: DeviceMemory waits for the device before it
  /// calls this. Allocates no memory, so it cannot fail.
  void release(const BufferRange& range) noexcept;

 private:
  struct Block {
    BufferRange bytes;  // the part of its buffer that starts at a multiple of kAlignment
    BlockAllocator free;
  };

  BufferRange create_buffer(std::uint64_t bytes) const;
  Block& add_block() REQUIRES(mutex_);

  std::shared_ptr<const BufferSource> source_;
  MemoryUse use_;
  Mutex mutex_;
  std::vector<Block> blocks_ GUARDED_BY(mutex_);
};

}  // namespace aclvk::vk
