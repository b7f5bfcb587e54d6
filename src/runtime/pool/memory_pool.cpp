#include "runtime/pool/memory_pool.hpp"

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "runtime/device/device_regions.hpp"

namespace aclvk::runtime {
namespace {

constexpr std::uint64_t kBlockAlignment = 512;  // as of vk::Memory's allocations
constexpr std::uint64_t kOverRead = 32;         // sizes are rounded up to it, as aclrtMallocAlign32 does
constexpr std::uint64_t kChunk = 2 << 20;       // smallest chunk, which small allocations share

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

void MemoryPool::Watermark::add(std::uint64_t bytes) {
  current += bytes;
  high = std::max(high, current);
}

MemoryPool::MemoryPool(std::shared_ptr<Device> device, std::uint64_t max_bytes)
    : device_(std::move(device)),
      max_bytes_(max_bytes == 0 ? device_->memory().total_bytes()
                                : std::min(max_bytes, device_->memory().total_bytes())) {}

void MemoryPool::enable(ReusePolicy which, bool on) {
  const unsigned bit = 1U << static_cast<unsigned>(which);
  policies_ = on ? policies_ | bit : policies_ & ~bit;
}

// The last chunk of a limited pool may be smaller than kChunk.
std::uint64_t MemoryPool::bytes_to_reserve(std::uint64_t bytes) const {
  const std::uint64_t available =
      round_up(max_bytes_, kBlockAlignment) - std::min(round_up(max_bytes_, kBlockAlignment), reserved.current);
  return std::min(available, std::max(round_up(bytes, kBlockAlignment), kChunk));
}

// Best fit. First fit would split blocks that larger allocations need.
template <typename MayUse>
MemoryPool::BlockPosition MemoryPool::find(std::uint64_t bytes, const MayUse& may_use) {
  BlockPosition best;
  std::uint64_t best_bytes = UINT64_MAX;
  for (Chunk& chunk : chunks_) {
    for (const auto& [offset, block] : chunk.blocks) {
      if (block.used || block.bytes < bytes || block.bytes >= best_bytes || !may_use(block)) continue;
      best = {&chunk, offset};
      best_bytes = block.bytes;
    }
  }
  return best;
}

// Merging visits all blocks of the pool, so it is done only when no block is large enough.
void* MemoryPool::reuse(std::uint64_t bytes, const Requester& requester) {
  const auto usable = [&](const Block& block)
                          REQUIRES(scheduler_mutex, memory_pools().mutex) { return may_use(block, requester); };
  BlockPosition position = find(round_up(bytes, kBlockAlignment), usable);
  if (!position.chunk) {
    merge_all();
    position = find(round_up(bytes, kBlockAlignment), usable);
  }
  return position.chunk ? allocate_at(position, bytes) : nullptr;
}

void* MemoryPool::reuse_after(std::uint64_t bytes, const Requester& requester, PointPtr& wait) {
  if (!requester.executes || !enabled(ReusePolicy::kInternalDependencies)) return nullptr;
  const BlockPosition position = find(round_up(bytes, kBlockAlignment),
                                      [](const Block& block) { return block.freed && block.freed->end != nullptr; });
  if (!position.chunk) return nullptr;
  wait = position.chunk->blocks.at(position.offset).freed->end;
  return allocate_at(position, bytes);
}

void* MemoryPool::grow(std::uint64_t bytes, vk::BufferRange memory) {
  const std::uint64_t size = memory.size;
  Chunks chunk(1);
  chunk.back().memory = std::move(memory);
  chunk.back().blocks[0] = {size};
  void* pointer = allocate_at({&chunk.back(), 0}, bytes);
  chunks_.splice(chunks_.end(), chunk);
  return pointer;
}

void* MemoryPool::allocate_at(const BlockPosition& position, std::uint64_t bytes) {
  Blocks& blocks = position.chunk->blocks;
  Block& block = blocks.at(position.offset);
  const std::uint64_t size = round_up(bytes, kBlockAlignment);
  const vk::BufferRange range = position.chunk->memory.slice(position.offset, round_up(bytes, kOverRead));
  if (block.bytes > size) {  // the remainder inherits the condition for its reuse
    blocks[position.offset + size] = {block.bytes - size, false, block.freed};
    block.bytes = size;
  }
  void* pointer = publish(range, position);
  block = {size, true};
  used.add(size);
  return pointer;
}

void* MemoryPool::publish(const vk::BufferRange& range, const BlockPosition& position) {
  const auto live =
      live_.emplace(reinterpret_cast<const void*>(static_cast<std::uintptr_t>(range.pointer())), position);
  void* pointer = nullptr;
  try {
    pointer = device_->memory().publish(range);
    DeviceRegions::instance().add(pointer, range.size, range.buffer);
  } catch (...) {
    if (pointer) device_->memory().release(pointer, vk::Placement::kPooled);
    live_.erase(live.first);
    throw;
  }
  return pointer;
}

// Checks the conditions in the order of the table in docs/adr/0015.
bool MemoryPool::may_use(const Block& block, const Requester& requester) const {
  if (!block.freed) return true;
  const FreedBy& freed = *block.freed;
  if (requester.executes && freed.epoch != FreedBy::kNoStream) {
    if (freed.epoch == requester.epoch) return true;
    const auto seen = requester.seen->find(freed.epoch);
    const bool is_ordered = seen != requester.seen->end() && seen->second >= freed.number;
    if (is_ordered && enabled(ReusePolicy::kFollowEvents)) return true;
  }
  return enabled(ReusePolicy::kOpportunistic) && complete(freed);
}

bool MemoryPool::complete(const FreedBy& freed) const {
  if (freed.end) return freed.end->reached();
  const std::optional<std::uint64_t> last = freed.last_use ? *freed.last_use : freed.submission;
  return last && device_->memory().completed(*last);
}

void MemoryPool::free(const void* pointer, FreedBy freed) {
  const BlockPosition position = live_.at(pointer);
  live_.erase(pointer);
  device_->memory().release(const_cast<void*>(pointer), vk::Placement::kPooled);
  const auto block = position.chunk->blocks.find(position.offset);
  block->second.used = false;
  block->second.freed = std::move(freed);
  used.subtract(block->second.bytes);
  merge_neighbours(position.chunk->blocks, block);
}

// Merges free neighbours whose frees can be described by one FreedBy, the later of the two: those of the same epoch, or
// where one block is usable by everyone. Blocks with a `last_use` of their own cannot be merged.
bool MemoryPool::merge_with_next(Blocks& blocks, Blocks::iterator block) {
  const auto next = std::next(block);
  if (next == blocks.end() || block->second.used || next->second.used) return false;
  std::optional<FreedBy>& into = block->second.freed;
  const std::optional<FreedBy>& from = next->second.freed;
  if (into && from && (into->epoch != from->epoch || into->last_use || from->last_use)) return false;
  const auto later = [](const FreedBy& a, const FreedBy& b) {
    return a.number != b.number ? a.number > b.number : a.submission > b.submission;
  };
  if (!into || (from && later(*from, *into))) into = from;
  block->second.bytes += next->second.bytes;
  blocks.erase(next);
  return true;
}

void MemoryPool::merge_neighbours(Blocks& blocks, Blocks::iterator block) {
  merge_with_next(blocks, block);
  if (block != blocks.begin()) merge_with_next(blocks, std::prev(block));
}

// Merges blocks of different streams, too, once their frees have completed.
void MemoryPool::merge_all() {
  for (Chunk& chunk : chunks_) {
    for (auto& [offset, block] : chunk.blocks) {
      if (block.freed && enabled(ReusePolicy::kOpportunistic) && complete(*block.freed)) block.freed.reset();
    }
    for (auto block = chunk.blocks.begin(); block != chunk.blocks.end(); ++block) {
      while (merge_with_next(chunk.blocks, block)) {
      }
    }
  }
}

void MemoryPool::mark_completed(const FreeCounts& seen) {
  for (Chunk& chunk : chunks_) {
    for (auto& [offset, block] : chunk.blocks) {
      if (!block.freed) continue;
      const auto reached = seen.find(block.freed->epoch);
      if (reached != seen.end() && reached->second >= block.freed->number) block.freed.reset();
    }
  }
}

bool MemoryPool::idle(const Chunk& chunk) const {
  return std::all_of(chunk.blocks.begin(), chunk.blocks.end(), [&](const auto& entry) REQUIRES(scheduler_mutex) {
    const Block& block = entry.second;
    return !block.used && (!block.freed || complete(*block.freed));
  });
}

void MemoryPool::trim(std::uint64_t keep) {
  for (auto chunk = chunks_.begin(); chunk != chunks_.end();) {
    const std::uint64_t bytes = chunk->memory.size;
    if (reserved.current < keep || reserved.current - keep < bytes || !idle(*chunk)) {
      ++chunk;
      continue;
    }
    device_->memory().release_chunk(chunk->memory);
    reserved.subtract(bytes);
    chunk = chunks_.erase(chunk);
  }
}

}  // namespace aclvk::runtime
