#include "vk_device/buffer_pool.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace aclvk::vk {
namespace {

// The first block is small: a program with a few scalars on the device should not pay for 16 MiB.
constexpr std::uint64_t kInitialBlock = std::uint64_t{4} << 20;
constexpr std::uint64_t kBlock = std::uint64_t{16} << 20;

}  // namespace

BufferRange BufferPool::allocate(std::uint64_t bytes) {
  if (bytes > kMaxSuballocation) return create_buffer(bytes);
  std::lock_guard lock(mutex_);
  for (Block& block : blocks_) {
    if (const auto offset = block.free.allocate(bytes)) return block.bytes.slice(*offset, bytes);
  }
  Block& block = add_block();
  return block.bytes.slice(*block.free.allocate(bytes), bytes);
}

void BufferPool::release(const BufferRange& range) noexcept {
  if (range.size > kMaxSuballocation) return;  // its buffer dies with the last range that holds it
  std::lock_guard lock(mutex_);
  const auto owner = std::find_if(blocks_.begin(), blocks_.end(),
                                  [&](const Block& block) { return block.bytes.buffer == range.buffer; });
  if (owner == blocks_.end()) return;
  owner->free.release(range.offset - owner->bytes.offset);
  // One block stays, so that a loop of allocate and release does not go to the driver each time.
  if (owner->free.empty() && blocks_.size() > 1) blocks_.erase(owner);
}

// Drivers align addresses to less than we promise (lavapipe: 64), so a little more is asked for and the start moved up.
BufferRange BufferPool::create_buffer(std::uint64_t bytes) const {
  check(bytes <= UINT64_MAX - kAlignment, Code::kMemoryAllocation, "{} bytes are more than any device has.", bytes);
  auto buffer = std::make_shared<Buffer>(gpu_, use_, bytes + kAlignment);
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
