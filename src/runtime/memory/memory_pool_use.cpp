#include "runtime/memory/memory_pool_use.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/process_state.hpp"
#include "runtime/context/current.hpp"
#include "runtime/memory/copy.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/pool/memory_pools.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::runtime {
namespace {

// The attributes of aclrtMemPoolAttr that are no reuse policies.
constexpr int kReleaseThreshold = 4;
constexpr int kReservedCurrent = 5;
constexpr int kReservedHigh = 6;
constexpr int kUsedCurrent = 7;
constexpr int kUsedHigh = 8;

void check_attribute(int attribute) {
  constexpr int kFirst = static_cast<int>(MemoryPool::ReusePolicy::kFollowEvents);
  check(attribute >= kFirst && attribute <= kUsedHigh, Code::kParamInvalid,
        "Pool attribute {} is unknown; expected {} to {}.", attribute, kFirst, kUsedHigh);
}

void reset_high(MemoryPool::Watermark& watermark, std::uint64_t value) {
  check(value == 0, Code::kParamInvalid, "The value of a high-water mark is {}; 0, which resets it, is expected.",
        value);
  watermark.high = watermark.current;
}

/// Returns whether tasks of the stream run by themselves. False also for a PERSISTENT stream, which collects its tasks
/// for a model.
bool executes_directly(const Stream& stream) {
  return stream.executes() && (stream.options.flags & kStreamPersistent) == 0;
}

Requester requester_for(Stream& stream) REQUIRES(scheduler_mutex) {
  const StreamQueue& queue = stream.queue();
  return {queue.pending().epoch(), &queue.frees, executes_directly(stream)};
}

void* try_reuse(MemoryPool& pool, Stream& stream, std::uint64_t bytes) {
  const SchedulerLock lock;
  if (executes_directly(stream)) stream.queue().check_accepts_tasks();
  const LockGuard guard(memory_pools().mutex);
  return pool.reuse(bytes, requester_for(stream));
}

void* try_reuse_after_wait(MemoryPool& pool, Stream& stream, std::uint64_t bytes) {
  const SchedulerLock lock;
  if (executes_directly(stream))
    stream.queue().check_accepts_tasks();  // before the allocation that the wait belongs to
  PointPtr wait;
  void* pointer = nullptr;
  {
    const LockGuard guard(memory_pools().mutex);
    pointer = pool.reuse_after(bytes, requester_for(stream), wait);
  }
  if (wait) stream.queue().wait_in_order(wait);
  return pointer;
}

/// Adds the bytes to the pool's count before the driver allocates them, so that concurrent threads respect its limit.
std::uint64_t plan_growth(MemoryPool& pool, std::uint64_t bytes) {
  const SchedulerLock lock;
  const LockGuard guard(memory_pools().mutex);
  check(!pool.destroyed, Code::kInvalidHandle, "The pool has been destroyed by another thread.");
  std::uint64_t planned = pool.bytes_to_reserve(bytes);
  if (planned < bytes) {
    pool.trim(0);
    planned = pool.bytes_to_reserve(bytes);
  }
  check(bytes <= pool.max_bytes() && planned >= bytes, Code::kMemoryAllocation,
        "{} bytes are asked for; the pool has {} of its {} bytes in use.", bytes, pool.used.current, pool.max_bytes());
  pool.reserved.add(planned);
  return planned;
}

// When the device has no more memory, idle chunks of all its pools are released, and the allocation is repeated once.
vk::BufferRange reserve(Device& device, std::uint64_t bytes) {
  try {
    return device.memory().allocate_chunk(bytes);
  } catch (const Error& error) {
    if (error.code() != Code::kMemoryAllocation || !release_idle_memory(device)) throw;
  }
  return device.memory().allocate_chunk(bytes);
}

void* allocate_by_growth(MemoryPool& pool, std::uint64_t bytes) {
  const std::uint64_t planned = plan_growth(pool, bytes);
  try {
    const vk::BufferRange memory = reserve(pool.device(), planned);
    try {
      const LockGuard guard(memory_pools().mutex);
      return pool.grow(bytes, memory);
    } catch (...) {
      pool.device().memory().release_chunk(memory);
      throw;
    }
  } catch (...) {
    const LockGuard guard(memory_pools().mutex);
    pool.reserved.subtract(planned);
    memory_pools().remove_ended();
    throw;
  }
}

/// An allocation that the library frees later by itself.
class DeferredFree {
 public:
  DeferredFree(void* pointer, const Stream& stream)
      : pointer_(pointer), memory_(stream.resolve(pointer, 1, "ptr")), device_(device_of(memory_)) {}

  void* pointer() const { return pointer_; }
  /// Returns false when the program has freed it meanwhile; its address may then belong to another allocation.
  bool alive() const { return device_->memory().alive(memory_); }
  /// Frees as aclrtFree does. Returns false when it is not alive.
  bool free_after_tasks() const REQUIRES(scheduler_mutex) { return alive() && free_device(pointer_, *device_); }
  /// Returns false when it is not alive. Allocates nothing, since destructors call it.
  bool free_in_order() const noexcept { return alive() && free_device_in_order(pointer_, *device_); }

 private:
  // A stream may use memory of other devices, too.
  static std::shared_ptr<Device> device_of(const vk::BufferRange& memory) {
    for (auto& device : devices_to_search()) {
      if (device->memory().alive(memory)) return std::move(device);
    }
    fail(Code::kParamInvalid, "{:#x} is not the start of a live allocation: another thread has freed it meanwhile.",
         memory.pointer());
  }

  void* const pointer_;
  const vk::BufferRange memory_;
  const std::shared_ptr<Device> device_;
};

/// The task of a stream that frees memory of aclrtMalloc. A dropped task frees it, too, because the program has given
/// it up. Tasks of other streams that use it may not have been submitted by then.
class FreedByTask : public Procedure {
 public:
  FreedByTask(void* pointer, const Stream& stream) : memory_(pointer, stream) {}

  bool advance(StreamQueue&) override REQUIRES(scheduler_mutex) {
    check(memory_.free_after_tasks(), Code::kParamInvalid, "{} had been freed already when its stream came to free it.",
          memory_.pointer());
    return true;
  }
  void abandon(StreamQueue&, const std::vector<PointPtr>& /*superseded_by*/) override REQUIRES(scheduler_mutex) {
    memory_.free_after_tasks();
  }
  std::string waits_for() const override REQUIRES(scheduler_mutex) { return "memory to be freed"; }

 private:
  const DeferredFree memory_;
};

/// Memory that was freed in a capture. The model owns it, because its runs use it, and frees it at its end. Allocations
/// of the same stream later in the capture may reuse it.
class FreedInCapture {
 public:
  FreedInCapture(void* pointer, Stream& stream)
      : memory_(pointer, stream), bytes_(range_of(pointer).bytes), store_(stream.sink().store()), stream_(stream.id) {}
  ~FreedInCapture() {
    if (!reclaimed_) memory_.free_in_order();
  }
  FreedInCapture(const FreedInCapture&) = delete;
  FreedInCapture& operator=(const FreedInCapture&) = delete;

  bool serves(const Stream& stream, std::uint64_t bytes) const REQUIRES(scheduler_mutex) {
    return store_ == stream.sink().store() && stream_ == stream.id && bytes <= bytes_ && memory_.alive();
  }
  /// Returns whether the model of the stream owns this memory already.
  bool has(const void* pointer, const Stream& stream) const REQUIRES(scheduler_mutex) {
    return memory_.pointer() == pointer && store_ == stream.sink().store() && !reclaimed_ && memory_.alive();
  }
  std::uint64_t bytes() const { return bytes_; }
  void* reclaim() {
    reclaimed_ = true;
    return memory_.pointer();
  }

 private:
  const DeferredFree memory_;
  const std::uint64_t bytes_;
  const void* const store_;
  const std::uint32_t stream_;
  bool reclaimed_ = false;
};

/// By pool; null for memory of aclrtMalloc.
using FreedInCaptures = std::multimap<const MemoryPool*, std::weak_ptr<FreedInCapture>>;
FreedInCaptures& freed_in_captures() REQUIRES(scheduler_mutex) {
  return ProcessState<FreedInCaptures, StateId::kFreedInCaptures>::get();
}

MemoryPoolPtr find_owner(const void* pointer, const Device& device) {
  const LockGuard guard(memory_pools().mutex);
  return memory_pools().owner_of(pointer, device);
}

/// Visits the live entries of a pool and erases the expired ones.
template <typename Visit>
void for_each_freed_in_capture(const MemoryPool* pool, const Visit& visit) REQUIRES(scheduler_mutex) {
  auto [entry, end] = freed_in_captures().equal_range(pool);
  while (entry != end) {
    const auto freed = entry->second.lock();
    if (freed) visit(entry, freed);
    entry = freed ? std::next(entry) : freed_in_captures().erase(entry);
  }
}

void free_in_capture(void* pointer, Stream& stream) {
  const SchedulerLock lock;
  check(stream.sink().store() != nullptr, Code::kFeatureNotSupported,
        "Stream {} keeps tasks for a model; memory can be freed in stream order by a stream that executes or is "
        "captured.",
        stream.id);
  const MemoryPoolPtr pool = find_owner(pointer, stream.device());
  for_each_freed_in_capture(pool.get(), [&](const auto&, const auto& freed) REQUIRES(scheduler_mutex) {
    check(!freed->has(pointer, stream), Code::kParamInvalid, "{} has been freed in this capture already.", pointer);
  });
  const auto freed = std::make_shared<FreedInCapture>(pointer, stream);
  try {
    stream.sink().retain(freed);
    freed_in_captures().emplace(pool.get(), freed);
  } catch (...) {
    freed->reclaim();
    throw;
  }
}

/// Returns the smallest sufficient memory that the stream has freed in this capture, or null. Safe because each run
/// executes the tasks in the order of the capture.
void* reuse_in_capture(const MemoryPool& pool, const Stream& stream, std::uint64_t bytes) {
  const SchedulerLock lock;
  if (!stream.sink().store()) return nullptr;
  auto best = freed_in_captures().end();
  std::shared_ptr<FreedInCapture> best_freed;
  for_each_freed_in_capture(&pool, [&](const auto& entry, const auto& freed) REQUIRES(scheduler_mutex) {
    if (!freed->serves(stream, bytes) || (best_freed && freed->bytes() >= best_freed->bytes())) return;
    best = entry;
    best_freed = freed;
  });
  if (!best_freed) return nullptr;
  freed_in_captures().erase(best);
  return best_freed->reclaim();
}

bool free_pooled_in_stream(const void* pointer, Stream& stream) {
  const SchedulerLock lock;
  const LockGuard guard(memory_pools().mutex);
  const MemoryPoolPtr pool = memory_pools().owner_of(pointer, stream.device());
  if (!pool) return false;
  StreamQueue& queue = stream.queue();
  queue.check_accepts_tasks();
  const std::uint64_t number = ++queue.frees[queue.pending().epoch()];
  pool->free(pointer,
             {queue.pending().epoch(), number, queue.end_point(), stream.device().memory().newest_submission()});
  return true;
}

// The queues of tasks that have not been submitted share ownership of `bytes`, whose deleter stores the submission
// count when the last of these tasks has been submitted.
FreedBy freed_after_tasks(const void* pointer, Device& device) REQUIRES(scheduler_mutex) {
  const auto last_use = std::make_shared<std::optional<std::uint64_t>>();
  const auto store_last_use = [last_use, &device](void*) { *last_use = device.memory().newest_submission(); };
  {
    const std::shared_ptr<void> bytes(nullptr, store_last_use);
    const vk::BufferRange allocation = *device.memory().find(pointer, 1);
    for (StreamQueue* queue : Scheduler::instance().queues()) queue->retain_for_tasks(allocation, bytes);
  }
  const bool all_submitted = last_use->has_value();
  return {FreedBy::kNoStream, 0, nullptr, device.memory().newest_submission(), all_submitted ? nullptr : last_use};
}

}  // namespace

MemoryPoolHandles& memory_pool_handles() { return ProcessState<MemoryPoolHandles, StateId::kMemoryPoolHandles>::get(); }

void* create_memory_pool(std::int32_t device_id, std::uint64_t max_bytes) {
  check_device_id(device_id);
  check_has_context();
  auto pool = std::make_shared<MemoryPool>(device(device_id), max_bytes);
  pool->device().check_not_lost();
  const LockGuard guard(memory_pools().mutex);
  memory_pools().all.reserve(memory_pools().all.size() + 1);
  void* handle = memory_pool_handles().insert(pool);
  memory_pools().all.push_back(std::move(pool));
  memory_pools().count = memory_pools().all.size();
  return handle;
}

void destroy_memory_pool(const void* handle) {
  const MemoryPoolPtr pool = memory_pool_handles().remove(handle);
  check(pool != nullptr, Code::kInvalidHandle, "memPool ({}) is not a live pool.", handle);
  const SchedulerLock lock;
  const LockGuard guard(memory_pools().mutex);
  pool->destroyed = true;
  pool->trim(0);
  memory_pools().remove_ended();
}

bool is_reuse_policy(int attribute) {
  check_attribute(attribute);
  return attribute < kReleaseThreshold;
}

std::uint64_t attribute_of(const MemoryPoolPtr& pool, int attribute) {
  const LockGuard guard(memory_pools().mutex);
  switch (attribute) {
    case kReleaseThreshold: return pool->threshold;
    case kReservedCurrent: return pool->reserved.current;
    case kReservedHigh: return pool->reserved.high;
    case kUsedCurrent: return pool->used.current;
    case kUsedHigh: return pool->used.high;
    default: return pool->enabled(static_cast<MemoryPool::ReusePolicy>(attribute));
  }
}

void set_attribute(const MemoryPoolPtr& pool, int attribute, std::uint64_t value) {
  check(attribute != kReservedCurrent && attribute != kUsedCurrent, Code::kParamInvalid,
        "Pool attribute {} tells how much memory there is; it can only be read.", attribute);
  const LockGuard guard(memory_pools().mutex);
  switch (attribute) {
    case kReleaseThreshold: pool->threshold = value; break;
    case kReservedHigh: reset_high(pool->reserved, value); break;
    case kUsedHigh: reset_high(pool->used, value); break;
    default: pool->enable(static_cast<MemoryPool::ReusePolicy>(attribute), value != 0);
  }
}

void trim_memory_pool(const MemoryPoolPtr& pool, std::uint64_t keep) {
  pool->device().gpu().collect();  // updates the completed submissions
  const SchedulerLock lock;
  const LockGuard guard(memory_pools().mutex);
  pool->trim(keep);
}

// The order of docs/adr/0015: memory that this capture has freed, a block that the stream may use now, a new chunk, a
// block that the stream has to wait for.
void* allocate_in_stream(const MemoryPoolPtr& pool, Stream& stream, std::uint64_t bytes) {
  check(&pool->device() == &stream.device(), Code::kParamInvalid,
        "The pool is on device {}, stream {} on device {}; a stream allocates on its own device.", pool->device().id,
        stream.id, stream.device().id);
  check(bytes <= pool->max_bytes(), Code::kMemoryAllocation, "{} bytes are asked for; the pool may have {}.", bytes,
        pool->max_bytes());
  if (void* pointer = reuse_in_capture(*pool, stream, bytes)) return pointer;
  if (void* pointer = try_reuse(*pool, stream, bytes)) return pointer;
  try {
    return allocate_by_growth(*pool, bytes);
  } catch (const Error& error) {
    if (error.code() != Code::kMemoryAllocation) throw;
    if (void* pointer = try_reuse_after_wait(*pool, stream, bytes)) return pointer;
    throw;
  }
}

void free_in_stream(void* pointer, Stream& stream) {
  check_freeable(pointer);
  if (!executes_directly(stream)) return free_in_capture(pointer, stream);
  if (free_pooled_in_stream(pointer, stream)) return;
  const SchedulerLock lock;
  stream.check_alive();  // a task of an ended stream would be neither run nor dropped
  stream.queue().push(ProcedureTask{std::make_shared<FreedByTask>(pointer, stream), nullptr, "MEM_FREE_ASYNC"});
}

bool free_pooled(const void* pointer) {
  if (memory_pools().count == 0) return false;
  const auto devices = devices_to_search();
  const SchedulerLock lock;
  return std::any_of(devices.begin(), devices.end(),
                     [&](const auto& device) REQUIRES(scheduler_mutex) { return free_pooled(pointer, *device); });
}

bool free_pooled(const void* pointer, Device& device) {
  if (memory_pools().count == 0) return false;
  const LockGuard guard(memory_pools().mutex);
  const MemoryPoolPtr pool = memory_pools().owner_of(pointer, device);
  if (pool) pool->free(pointer, freed_after_tasks(pointer, device));
  return pool != nullptr;
}

bool free_pooled_in_order(const void* pointer, Device& device) noexcept {
  if (memory_pools().count == 0) return false;
  const LockGuard guard(memory_pools().mutex);
  const MemoryPoolPtr pool = memory_pools().owner_of(pointer, device);
  if (pool) pool->free(pointer, {FreedBy::kNoStream, 0, nullptr, device.memory().newest_submission()});
  return pool != nullptr;
}

bool release_idle_memory(Device& device) {
  if (memory_pools().count == 0) return false;
  device.gpu().collect();
  const SchedulerLock lock;
  const LockGuard guard(memory_pools().mutex);
  std::uint64_t released = 0;
  for (const MemoryPoolPtr& pool : memory_pools().all) {
    if (&pool->device() != &device) continue;
    const std::uint64_t before = pool->reserved.current;
    pool->trim(0);
    released += before - pool->reserved.current;
  }
  memory_pools().remove_ended();
  return released > 0;
}

}  // namespace aclvk::runtime
