#include "vk_device/commands/argument_arena.hpp"

#include <algorithm>

namespace aclvk::vk {
namespace {

// Chunks grow by a factor of 4: many command buffers hold a single task, some hold thousands.
constexpr std::uint64_t kInitialChunk = 4096;
constexpr std::uint64_t kMaxChunk = 256 * 1024;

}  // namespace

ArgumentArena::~ArgumentArena() {
  for (const BufferRange& chunk : chunks_) pool_->release(chunk);
}

BufferRange ArgumentArena::allocate(std::uint64_t bytes, std::uint64_t alignment) {
  // The rest of a chunk that is too short stays unused until reset(), which frees all blocks at once.
  for (; current_ < chunks_.size(); ++current_, used_ = 0) {
    const BufferRange& chunk = chunks_[current_];
    // The offset in the VkBuffer must be aligned, not the one in the chunk.
    const std::uint64_t start = (chunk.offset + used_ + alignment - 1) / alignment * alignment - chunk.offset;
    if (start + bytes > chunk.size) continue;
    used_ = start + bytes;
    return chunk.slice(start, bytes);
  }
  // 4, 16, 64 and then 256 KiB. The bounded shift cannot overflow.
  const std::uint64_t size = std::min(kMaxChunk, kInitialChunk << std::min<std::size_t>(2 * chunks_.size(), 8));
  chunks_.push_back(pool_->allocate(std::max(size, bytes + alignment)));
  return allocate(bytes, alignment);
}

void ArgumentArena::reset() {
  current_ = 0;
  used_ = 0;
}

}  // namespace aclvk::vk
