#pragma once

#include <memory>
#include <vector>

#include "vk_device/buffers/buffer_pool.hpp"

namespace aclvk::vk {

/// A linear allocator of host-visible memory for the argument blocks of one command buffer that do not fit into push
/// constants. The host writes blocks while it records; vkQueueSubmit2 makes host writes visible to the device. Not
/// thread safe.
class ArgumentArena {
 public:
  explicit ArgumentArena(std::shared_ptr<BufferPool> pool) : pool_(std::move(pool)) {}
  ~ArgumentArena();
  ArgumentArena(const ArgumentArena&) = delete;
  ArgumentArena& operator=(const ArgumentArena&) = delete;

  /// Allocates a block, aligned for a descriptor.
  BufferRange allocate(std::uint64_t bytes, std::uint64_t alignment);
  /// Frees all blocks and keeps the chunks.
  void reset();

 private:
  std::shared_ptr<BufferPool> pool_;
  std::vector<BufferRange> chunks_;
  std::size_t current_ = 0;
  std::uint64_t used_ = 0;  // bytes of the current chunk
};

}  // namespace aclvk::vk
