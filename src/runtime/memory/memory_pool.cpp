#include "runtime/memory/memory_pool.hpp"

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "runtime/device/device_regions.hpp"

namespace aclvk::runtime {
namespace {

constexpr std::uint64_t kUnit = 512;       // of pieces, as of all allocations
constexpr std::uint64_t kOverRead = 32;    // sizes are rounded up to it, as by aclrtMallocAlign32
constexpr std::uint64_t kChunk = 2 << 20;  // small allocations share one

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

void MemoryPool::Watermark::add(std::uint64_t bytes) {
  now += bytes;
  high = std::max(high, now);
}

MemoryPool::MemoryPool(std::shared_ptr<Device> device, std::uint64_t most)
    : device_(std::move(device)),
      most_(most == 0 ? device_->memory().total_bytes() : std::min(most, device_->memory().total_bytes())) {}

void MemoryPool::enable(Switch which, bool on) {
  const unsigned bit = 1U << static_cast<unsigned>(which);
  switches_ = on ? switches_ | bit : switches_ & ~bit;
}

std::uint64_t MemoryPool::bytes_to_reserve(std::uint64_t bytes) const {
  const std::uint64_t room = round_up(most_, kUnit) - std::min(round_up(most_, kUnit), reserved.now);
  return std::min(room, std::max(round_up(bytes, kUnit), kChunk));
}

// The smallest that fits: first come, first served would cut up what larger allocations need.
template <typename MayUse>
MemoryPool::Place MemoryPool::find(std::uint64_t bytes, const MayUse& may_use) {
  Place best;
  std::uint64_t best_bytes = UINT64_MAX;
  for (Chunk& chunk : chunks_) {
    for (const auto& [offset, piece] : chunk.pieces) {
      if (piece.used || piece.bytes < bytes || piece.bytes >= best_bytes || !may_use(piece)) continue;
      best = {&chunk, offset};
      best_bytes = piece.bytes;
    }
  }
  return best;
}

void* MemoryPool::reuse(std::uint64_t bytes, const Asker& asker) {
  const auto usable = [&](const Piece& piece) { return may_use(piece, asker); };
  Place place = find(round_up(bytes, kUnit), usable);
  if (!place.chunk) {
    join_all();
    place = find(round_up(bytes, kUnit), usable);
  }
  return place.chunk ? take(place, bytes) : nullptr;
}

void* MemoryPool::reuse_after(std::uint64_t bytes, const Asker& asker, PointPtr& wait) {
  if (!asker.executes || !enabled(Switch::kInternalDependencies)) return nullptr;
  const Place place =
      find(round_up(bytes, kUnit), [](const Piece& piece) { return piece.freed && piece.freed->end != nullptr; });
  if (!place.chunk) return nullptr;
  wait = place.chunk->pieces.at(place.offset).freed->end;
  return take(place, bytes);
}

void* MemoryPool::grow(std::uint64_t bytes, vk::BufferRange memory) {
  const std::uint64_t size = memory.size;
  Chunks chunk(1);
  chunk.back().memory = std::move(memory);
  chunk.back().pieces[0] = {size};
  void* pointer = take({&chunk.back(), 0}, bytes);
  chunks_.splice(chunks_.end(), chunk);
  return pointer;
}

void* MemoryPool::take(const Place& place, std::uint64_t bytes) {
  Pieces& pieces = place.chunk->pieces;
  Piece& piece = pieces.at(place.offset);
  const std::uint64_t size = round_up(bytes, kUnit);
  const vk::BufferRange range = place.chunk->memory.slice(place.offset, round_up(bytes, kOverRead));
  if (piece.bytes > size) {  // two pieces with one rule are as good as one
    pieces[place.offset + size] = {piece.bytes - size, false, piece.freed};
    piece.bytes = size;
  }
  void* pointer = publish(range, place);
  piece = {size, true};
  used.add(size);
  return pointer;
}

void* MemoryPool::publish(const vk::BufferRange& range, const Place& place) {
  const auto live = live_.emplace(reinterpret_cast<const void*>(static_cast<std::uintptr_t>(range.pointer())), place);
  void* pointer = nullptr;
  try {
    pointer = device_->memory().publish(range);
    DeviceRegions::instance().note(pointer, range.size, range.buffer);
  } catch (...) {
    if (pointer) device_->memory().release(pointer, vk::Placement::kPooled);
    live_.erase(live.first);
    throw;
  }
  return pointer;
}

bool MemoryPool::may_use(const Piece& piece, const Asker& asker) const {
  if (!piece.freed) return true;
  const FreedBy& freed = *piece.freed;
  if (asker.executes && freed.order != FreedBy::kNobody) {
    if (freed.order == asker.order) return true;
    const auto seen = asker.seen->find(freed.order);
    const bool follows = seen != asker.seen->end() && seen->second >= freed.number;
    if (follows && enabled(Switch::kFollowEvents)) return true;
  }
  return enabled(Switch::kOpportunistic) && complete(freed);
}

bool MemoryPool::complete(const FreedBy& freed) const {
  if (freed.end) return freed.end->reached();
  const std::optional<std::uint64_t> last = freed.last_use ? *freed.last_use : freed.submission;
  return last && device_->memory().completed(*last);
}

void MemoryPool::free(const void* pointer, FreedBy freed) {
  const Place place = live_.at(pointer);
  live_.erase(pointer);
  device_->memory().release(const_cast<void*>(pointer), vk::Placement::kPooled);
  const auto piece = place.chunk->pieces.find(place.offset);
  piece->second.used = false;
  piece->second.freed = std::move(freed);
  used.take(piece->second.bytes);
  join(place.chunk->pieces, piece);
}

// Neighbours become one where one rule holds for both: freed by the same stream, or one of them by nobody. Two that
// wait for tasks of their own have none.
bool MemoryPool::absorb_next(Pieces& pieces, Pieces::iterator piece) {
  const auto next = std::next(piece);
  if (next == pieces.end() || piece->second.used || next->second.used) return false;
  std::optional<FreedBy>& into = piece->second.freed;
  const std::optional<FreedBy>& from = next->second.freed;
  if (into && from && (into->order != from->order || into->last_use || from->last_use)) return false;
  const auto later = [](const FreedBy& a, const FreedBy& b) {
    return a.number != b.number ? a.number > b.number : a.submission > b.submission;
  };
  if (!into || (from && later(*from, *into))) into = from;
  piece->second.bytes += next->second.bytes;
  pieces.erase(next);
  return true;
}

void MemoryPool::join(Pieces& pieces, Pieces::iterator piece) {
  absorb_next(pieces, piece);
  if (piece != pieces.begin()) absorb_next(pieces, std::prev(piece));
}

// What was freed by different streams can be joined once they have come there.
void MemoryPool::join_all() {
  for (Chunk& chunk : chunks_) {
    for (auto& [offset, piece] : chunk.pieces) {
      if (piece.freed && enabled(Switch::kOpportunistic) && complete(*piece.freed)) piece.freed.reset();
    }
    for (auto piece = chunk.pieces.begin(); piece != chunk.pieces.end(); ++piece) {
      while (absorb_next(chunk.pieces, piece)) {
      }
    }
  }
}

void MemoryPool::settle(const FreesSeen& seen) {
  for (Chunk& chunk : chunks_) {
    for (auto& [offset, piece] : chunk.pieces) {
      if (!piece.freed) continue;
      const auto reached = seen.find(piece.freed->order);
      if (reached != seen.end() && reached->second >= piece.freed->number) piece.freed.reset();
    }
  }
}

bool MemoryPool::idle(const Chunk& chunk) const {
  return std::all_of(chunk.pieces.begin(), chunk.pieces.end(), [&](const auto& entry) {
    const Piece& piece = entry.second;
    return !piece.used && (!piece.freed || complete(*piece.freed));
  });
}

void MemoryPool::trim(std::uint64_t keep) {
  for (auto chunk = chunks_.begin(); chunk != chunks_.end();) {
    const std::uint64_t bytes = chunk->memory.size;
    if (reserved.now < keep || reserved.now - keep < bytes || !idle(*chunk)) {
      ++chunk;
      continue;
    }
    device_->memory().release_chunk(chunk->memory);
    reserved.take(bytes);
    chunk = chunks_.erase(chunk);
  }
}

}  // namespace aclvk::runtime
