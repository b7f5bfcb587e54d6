#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>

#include "base/handle.hpp"
#include "runtime/device/device.hpp"
#include "runtime/event/point.hpp"

namespace aclvk::runtime {

class Stream;

// Pools from which streams allocate in their own order (runtime-semantics 7.5, docs/adr/0015). An allocation has its
// address at once; what a stream frees can be used again by that stream at once, because its later work comes later
// anyhow, and by others when they come later too. A mutex of their own guards all pools; what looks at how far streams
// have come needs the scheduler's lock as well.

/// The one to whom freed bytes still belong: all of its work before the free.
struct FreedBy {
  static constexpr std::uint32_t kNoStream = UINT32_MAX;

  std::uint32_t epoch = kNoStream;  ///< of the stream (StreamQueue::order()); nobody: freed outside of any stream
  std::uint64_t number = 0;         ///< counts the frees of that order
  PointPtr end;                     ///< of the stream's work before the free
  std::uint64_t submission = 0;     ///< freed by nobody: the newest one at the time of the free
  /// Freed by nobody, and tasks may use them that had not been submitted: the newest submission when the last of these
  /// was; nothing until then. Needs the scheduler's lock.
  std::shared_ptr<const std::optional<std::uint64_t>> last_use = nullptr;
};

/// Who asks for memory.
struct Requester {
  std::uint32_t epoch = FreedBy::kNoStream;
  const FreesSeen* seen = nullptr;
  bool executes = false;  ///< a model's runs have another position in time than the calls that make it
};

class MemoryPool {
 public:
  /// `most` bytes; 0: as many as the device has.
  MemoryPool(std::shared_ptr<Device> device, std::uint64_t max_bytes);

  /// aclrtMemPoolAttr
  enum class ReusePolicy { kFollowEvents = 1, kOpportunistic = 2, kInternalDependencies = 3 };
  struct Watermark {
    std::uint64_t now = 0;
    std::uint64_t high = 0;

    void add(std::uint64_t bytes);
    void subtract(std::uint64_t bytes) { now -= bytes; }
  };

  Device& device() const { return *device_; }
  std::uint64_t max_bytes() const { return max_bytes_; }
  bool enabled(ReusePolicy which) const { return policies_ & 1U << static_cast<unsigned>(which); }
  void enable(ReusePolicy which, bool on);
  std::uint64_t threshold = 0;  ///< idle memory above it is given back when the host has waited for a stream
  Watermark reserved;           ///< of the device
  Watermark used;               ///< by allocations
  bool destroyed = false;       ///< goes when its last allocation has been freed

  /// An allocation in memory that the requester may use now, or null.
  void* reuse(std::uint64_t bytes, const Requester& requester);
  /// The same in memory that the requester could use if it waited for `wait`.
  void* reuse_after(std::uint64_t bytes, const Requester& requester, PointPtr& wait);
  /// An allocation in new memory, which is the pool's unless this throws.
  void* grow(std::uint64_t bytes, vk::BufferRange memory);
  /// How much to reserve for an allocation: rooms for small ones are shared. Less than `bytes` when the pool is full.
  std::uint64_t bytes_to_reserve(std::uint64_t bytes) const;

  bool owns(const void* pointer) const { return live_.count(pointer) != 0; }
  void free(const void* pointer, FreedBy freed);

  /// The host knows that these frees have been reached.
  void mark_completed(const FreesSeen& seen);
  /// Gives memory back that no allocation and no work uses, as long as `keep` bytes stay.
  void trim(std::uint64_t keep);
  /// It has no memory, and nobody is about to give it some.
  bool empty() const { return reserved.now == 0; }

 private:
  struct Block {
    std::uint64_t bytes = 0;
    bool used = false;
    std::optional<FreedBy> freed{};  ///< nothing: nobody has an eye on it
  };
  using Blocks = std::map<std::uint64_t, Block>;  // by offset; they cover their chunk
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
  BlockPosition find(std::uint64_t bytes, const MayUse& may_use);
  void* allocate_at(const BlockPosition& position, std::uint64_t bytes);
  void* publish(const vk::BufferRange& range, const BlockPosition& position);
  bool may_use(const Block& block, const Requester& requester) const;
  bool complete(const FreedBy& freed) const;
  bool idle(const Chunk& chunk) const;
  static bool merge_with_next(Blocks& blocks, Blocks::iterator block);
  static void merge_neighbours(Blocks& blocks, Blocks::iterator block);
  void merge_all();

  const std::shared_ptr<Device> device_;
  const std::uint64_t max_bytes_;
  unsigned policies_ = ~0U;
  Chunks chunks_;
  std::map<const void*, BlockPosition> live_;
};

using MemoryPoolPtr = std::shared_ptr<MemoryPool>;
using MemoryPoolHandles = HandleTable<MemoryPool, HandleTag::kMemPool>;
MemoryPoolHandles& memory_pool_handles();

// What programs do with pools.

void* create_memory_pool(std::int32_t device, std::uint64_t max_bytes);
void destroy_memory_pool(const void* handle);
std::uint64_t attribute_of(const MemoryPoolPtr& pool, int attribute);
void set_attribute(const MemoryPoolPtr& pool, int attribute, std::uint64_t value);
/// The attribute is an int, not a 64-bit number. kParamInvalid for one that does not exist.
bool is_reuse_policy(int attribute);
void trim_memory_pool(const MemoryPoolPtr& pool, std::uint64_t keep);

void* allocate_in_stream(const MemoryPoolPtr& pool, Stream& stream, std::uint64_t bytes);
/// Memory of a pool or of aclrtMalloc. On a captured stream it stays the model's for as long as there is the model.
void free_in_stream(void* pointer, Stream& stream);

// What the rest of the runtime tells pools.

/// Frees memory of a pool outside of any stream. False when it is none. Takes the scheduler's lock.
bool free_pooled(const void* pointer);
/// The same for the pools of one device. Needs that lock.
bool free_pooled(const void* pointer, Device& device);
/// The same when all tasks that use the memory are done. Takes no memory, nor that lock.
bool free_pooled_in_order(const void* pointer, Device& device) noexcept;
/// Gives idle memory of the device's pools back. False when there is none. Takes the scheduler's lock.
bool release_idle_memory(Device& device);
/// The host has waited until these frees were reached. Needs the scheduler's lock.
void on_host_waited(const Device& device, const FreesSeen& seen);

}  // namespace aclvk::runtime
