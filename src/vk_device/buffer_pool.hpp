#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "vk_device/block_allocator.hpp"
#include "vk_device/buffer_impl.hpp"

namespace aclvk::vk {

/// Hands out buffer ranges: small ones cut from blocks, larger ones with a buffer of their own. Drivers allow only some
/// thousand allocations and round each to pages. Starts are 512-byte aligned, as device addresses and as mapped
/// pointers. Thread safe.
class BufferPool {
 public:
  static constexpr std::uint64_t kAlignment = BlockAllocator::kGranularity;
  static constexpr std::uint64_t kMaxSuballocation = std::uint64_t{1} << 20;

  BufferPool(std::shared_ptr<const Gpu> gpu, MemoryUse use) : gpu_(std::move(gpu)), use_(use) {}

  BufferRange allocate(std::uint64_t bytes);
  /// Gives back what allocate() handed out. The bytes may be handed out again at once: see DeviceMemory for who waits.
  /// Needs no memory.
  void release(const BufferRange& range) noexcept;

 private:
  struct Block {
    BufferRange bytes;  // the aligned part of its buffer
    BlockAllocator free;
  };

  BufferRange create_buffer(std::uint64_t bytes) const;
  Block& add_block();

  std::shared_ptr<const Gpu> gpu_;
  MemoryUse use_;
  std::mutex mutex_;
  std::vector<Block> blocks_;
};

}  // namespace aclvk::vk
