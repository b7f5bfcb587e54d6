#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>

#include "runtime/device/device.hpp"
#include "runtime/pool/memory_pools.hpp"
#include "runtime/task/point.hpp"

namespace aclvk::runtime {

// Memory pools for stream-ordered allocation (runtime-semantics 7.5, docs/adr/0015). An allocation has its address at
// once. A stream can reuse at once the bytes that it has freed, because its later tasks run later; other streams can
// reuse them once they are ordered after the free. One mutex guards all pools.

/// The free of a block: the block may be reused by work that is ordered after it.
struct FreedBy {
  static constexpr std::uint32_t kNoStream = UINT32_MAX;

  std::uint32_t epoch = kNoStream;  ///< epoch of the queue of the stream; kNoStream for a free outside of streams
  std::uint64_t number = 0;         ///< index among the frees of that epoch
  PointPtr end;                     ///< end of the stream's work before the free
  std::uint64_t submission = 0;     ///< for a free outside of streams: the newest submission at that time
  /// For a free outside of streams while tasks that may use the block were not submitted: the newest submission at the
  /// time when the last of them was; empty until then. The scheduler lock guards it.
  std::shared_ptr<const std::optional<std::uint64_t>> last_use = nullptr;
};

/// The stream that requests memory.
struct Requester {
  std::uint32_t epoch = FreedBy::kNoStream;
  const FreeCounts* seen = nullptr;  ///< frees that the stream is ordered after
  bool executes = false;             ///< false for a captured stream: its tasks run later, and in each run of the model
};

/// An aclrtMemPool: chunks of device memory that are divided into blocks. Best fit; adjacent free blocks are merged.
class MemoryPool {
 public:
  /// Limits the pool to `max_bytes`; 0 means the memory of the device.
  MemoryPool(std::shared_ptr<Device> device, std::uint64_t max_bytes);

  /// The reuse policies of aclrtMemPoolAttr: of blocks whose free the requester is ordered after by events, of blocks
  /// whose free has completed, and of blocks that the requester has to wait for.
  enum class ReusePolicy { kFollowEvents = 1, kOpportunistic = 2, kInternalDependencies = 3 };
  /// A byte count with its maximum since the last reset.
  struct Watermark {
    std::uint64_t current = 0;
    std::uint64_t high = 0;

    void add(std::uint64_t bytes);
    void subtract(std::uint64_t bytes) { current -= bytes; }
  };

  Device& device() const { return *device_; }
  std::uint64_t max_bytes() const { return max_bytes_; }
  bool enabled(ReusePolicy which) const REQUIRES(memory_pools().mutex) {
    return policies_ & 1U << static_cast<unsigned>(which);
  }
  void enable(ReusePolicy which, bool on) REQUIRES(memory_pools().mutex);
  /// Idle memory above it is released when the host has synchronised a stream.
  std::uint64_t threshold GUARDED_BY(memory_pools().mutex) = 0;
  Watermark reserved GUARDED_BY(memory_pools().mutex);  ///< bytes of chunks
  Watermark used GUARDED_BY(memory_pools().mutex);      ///< bytes of live allocations
  /// The pool ends when its last allocation has been freed.
  bool destroyed GUARDED_BY(memory_pools().mutex) = false;

  /// Allocates a free block that the requester may use now. Returns null when there is none.
  void* reuse(std::uint64_t bytes, const Requester& requester) REQUIRES(scheduler_mutex, memory_pools().mutex);
  /// Allocates a block that the requester may use after it has waited for `wait`. Returns null when there is none.
  void* reuse_after(std::uint64_t bytes, const Requester& requester, PointPtr& wait)
      REQUIRES(scheduler_mutex, memory_pools().mutex);
  /// Adds a chunk and allocates in it. The caller keeps the memory if this throws.
  void* grow(std::uint64_t bytes, vk::BufferRange memory) REQUIRES(memory_pools().mutex);
  /// Returns the size of a new chunk for an allocation; small allocations share chunks. Less than `bytes` when the pool
  /// is full.
  std::uint64_t bytes_to_reserve(std::uint64_t bytes) const REQUIRES(memory_pools().mutex);

  bool owns(const void* pointer) const REQUIRES(memory_pools().mutex) { return live_.count(pointer) != 0; }
  void free(const void* pointer, FreedBy freed) REQUIRES(memory_pools().mutex);

  /// Makes the blocks of these frees usable by all streams: the host knows that the frees have completed.
  void mark_completed(const FreeCounts& seen) REQUIRES(memory_pools().mutex);
  /// Releases idle chunks, as long as at least `keep` bytes stay.
  void trim(std::uint64_t keep) REQUIRES(scheduler_mutex, memory_pools().mutex);
  /// Returns whether the pool has no chunk, and no thread is about to add one.
  bool empty() const REQUIRES(memory_pools().mutex) { return reserved.current == 0; }

 private:
  struct Block {
    std::uint64_t bytes = 0;
    bool used = false;
    std::optional<FreedBy> freed{};  ///< empty: usable by all streams
  };
  using Blocks = std::map<std::uint64_t, Block>;  // by offset; without gaps
  struct Chunk {
    vk::BufferRange memory;
    Blocks blocks;
  };
  using Chunks = std::list<Chunk>;
  struct BlockPosition {
    Chunk* chunk = nullptr;
    std::uint64_t offset = 0;
  };

  template <typename MayUse>
  BlockPosition find(std::uint64_t bytes, const MayUse& may_use) REQUIRES(scheduler_mutex, memory_pools().mutex);
  void* allocate_at(const BlockPosition& position, std::uint64_t bytes) REQUIRES(memory_pools().mutex);
  void* publish(const vk::BufferRange& range, const BlockPosition& position) REQUIRES(memory_pools().mutex);
  bool may_use(const Block& block, const Requester& requester) const REQUIRES(scheduler_mutex, memory_pools().mutex);
  bool complete(const FreedBy& freed) const REQUIRES(scheduler_mutex);
  bool idle(const Chunk& chunk) const REQUIRES(scheduler_mutex);
  static bool merge_with_next(Blocks& blocks, Blocks::iterator block);
  static void merge_neighbours(Blocks& blocks, Blocks::iterator block);
  void merge_all() REQUIRES(scheduler_mutex, memory_pools().mutex);

  const std::shared_ptr<Device> device_;
  const std::uint64_t max_bytes_;
  unsigned policies_ GUARDED_BY(memory_pools().mutex) = ~0U;
  Chunks chunks_ GUARDED_BY(memory_pools().mutex);
  std::map<const void*, BlockPosition> live_ GUARDED_BY(memory_pools().mutex);
};

}  // namespace aclvk::runtime
