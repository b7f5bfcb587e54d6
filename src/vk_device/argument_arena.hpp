#pragma once

#include <memory>
#include <vector>

#include "vk_device/buffer_pool.hpp"

namespace aclvk::vk {

/// Host-visible memory for the argument blocks of one command buffer that are too long for push constants. Written
/// while recording; a submission makes host writes visible to the device by itself. Not thread safe.
class ArgumentArena {
 public:
  explicit ArgumentArena(std::shared_ptr<BufferPool> pool) : pool_(std::move(pool)) {}
  ~ArgumentArena();
  ArgumentArena(const ArgumentArena&) = delete;
  ArgumentArena& operator=(const ArgumentArena&) = delete;

  /// Room for a block, aligned for a descriptor.
  BufferRange allocate(std::uint64_t bytes, std::uint64_t alignment);
  void reset();

 private:
  std::shared_ptr<BufferPool> pool_;
  std::vector<BufferRange> chunks_;
  std::size_t current_ = 0;
  std::uint64_t used_ = 0;  // bytes of the current chunk
};

}  // namespace aclvk::vk
