#include "vk_device/buffers/buffer_pool.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace aclvk::vk {
namespace {

// The first block is small: a program with a few scalars on the device should not use 16 MiB.
constexpr std::uint64_t kInitialBlock = std::uint64_t{4} << 20;
constexpr std::uint64_t kBlock = std::uint64_t{16} << 20;

}  // namespace

BufferRange BufferPool::allocate(std::uint64_t bytes) {
  if (bytes > kMaxSuballocation) return create_buffer(bytes);
  // The driver is called with the lock, or concurrent threads would add a block each.
  const LockGuard lock(mutex_);
  for (Block& block : blocks_) {
    if (const auto offset = block.free.allocate(bytes)) return block.bytes.slice(*offset, bytes);
  }
  Block& block = add_block();
  return block.bytes.slice(*block.free.allocate(bytes), bytes);
}

void BufferPool::release(const BufferRange& range) noexcept {
  if (range.size > kMaxSuballocation) return;  // the last reference destroys its buffer
  const LockGuard lock(mutex_);
  const auto owner = std::find_if(blocks_.begin(), blocks_.end(),
                                  [&](const Block& block) { return block.bytes.buffer == range.buffer; });
  if (owner == blocks_.end()) return;
  owner->free.release(range.offset - owner->bytes.offset);
  // Keeps the last block, so that a loop of allocate() and release() does not call the driver each time.
  if (owner->free.empty() && blocks_.size() > 1) blocks_.erase(owner);
}

// Drivers align device addresses to less than kAlignment (lavapipe: 64 bytes), so the buffer is larger and the range
// starts at its first multiple.
BufferRange BufferPool::create_buffer(std::uint64_t bytes) const {
  check(bytes <= UINT64_MAX - kAlignment, Code::kMemoryAllocation, "{} bytes are more than any device has.", bytes);
  auto buffer = source_->create(use_, bytes + kAlignment);
  const std::uint64_t start =
      use_ == MemoryUse::kHost ? reinterpret_cast<std::uint64_t>(buffer->mapped()) : buffer->address();
  const std::uint64_t offset = (kAlignment - start % kAlignment) % kAlignment;
  return {std::move(buffer), offset, bytes};
}

BufferPool::Block& BufferPool::add_block() {
  const std::uint64_t size = blocks_.empty() ? kInitialBlock : kBlock;
  blocks_.push_back({create_buffer(size), BlockAllocator(size)});
  return blocks_.back();
}

}  // namespace aclvk::vk
