#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "runtime/current.hpp"
#include "runtime/memory/copy.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/memory/memory_pool.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {
namespace {

/// Every pool that still has memory, destroyed ones included. The count saves programs without pools the rest.
struct Pools {
  std::mutex mutex;
  std::vector<MemoryPoolPtr> all;
  std::atomic<std::size_t> count{0};

  void forget_ended() {
    const auto ended = [](const MemoryPoolPtr& pool) { return pool->destroyed && pool->empty(); };
    all.erase(std::remove_if(all.begin(), all.end(), ended), all.end());
    count = all.size();
  }
};

// Leaked: programs free memory from destructors of their own statics.
Pools& pools() {
  static auto* pools = new Pools;
  return *pools;
}

// aclrtMemPoolAttr, what is no switch
constexpr int kReleaseThreshold = 4;
constexpr int kReservedNow = 5;
constexpr int kReservedHigh = 6;
constexpr int kUsedNow = 7;
constexpr int kUsedHigh = 8;

void check_attribute(int attribute) {
  constexpr int kFirst = static_cast<int>(MemoryPool::Switch::kFollowEvents);
  check(attribute >= kFirst && attribute <= kUsedHigh, Code::kParamInvalid,
        "Pool attribute {} is unknown; expected {} to {}.", attribute, kFirst, kUsedHigh);
}

void reset_high(MemoryPool::Watermark& watermark, std::uint64_t value) {
  check(value == 0, Code::kParamInvalid, "A high-water mark can only be set to 0, not to {}.", value);
  watermark.high = watermark.now;
}

MemoryPoolPtr owner_of(const void* pointer, const Device& device) {
  for (const MemoryPoolPtr& pool : pools().all) {
    if (&pool->device() == &device && pool->owns(pointer)) return pool;
  }
  return nullptr;
}

/// A PERSISTENT stream collects its tasks for a model.
bool runs_by_itself(const Stream& stream) {
  return stream.executes() && (stream.options.flags & kStreamPersistent) == 0;
}

Asker asker_for(Stream& stream) {
  const StreamQueue& queue = stream.queue();
  return {queue.order(), &queue.frees, runs_by_itself(stream)};
}

void* try_reuse(MemoryPool& pool, Stream& stream, std::uint64_t bytes) {
  const SchedulerLock lock;
  if (runs_by_itself(stream)) stream.queue().check_takes_tasks();
  const std::lock_guard guard(pools().mutex);
  return pool.reuse(bytes, asker_for(stream));
}

void* try_reuse_after_wait(MemoryPool& pool, Stream& stream, std::uint64_t bytes) {
  const SchedulerLock lock;
  if (runs_by_itself(stream)) stream.queue().check_takes_tasks();  // before memory is taken that the wait is for
  PointPtr wait;
  void* pointer = nullptr;
  {
    const std::lock_guard guard(pools().mutex);
    pointer = pool.reuse_after(bytes, asker_for(stream), wait);
  }
  if (wait) stream.queue().wait_in_order(wait);
  return pointer;
}

/// Counts the bytes as the pool's before the driver is asked, so that threads that ask at the same time keep its limit.
std::uint64_t plan_growth(MemoryPool& pool, std::uint64_t bytes) {
  const SchedulerLock lock;
  const std::lock_guard guard(pools().mutex);
  check(!pool.destroyed, Code::kInvalidHandle, "The pool has been destroyed by another thread.");
  std::uint64_t planned = pool.bytes_to_reserve(bytes);
  if (planned < bytes) {
    pool.trim(0);
    planned = pool.bytes_to_reserve(bytes);
  }
  check(bytes <= pool.most() && planned >= bytes, Code::kMemoryAllocation,
        "{} bytes are asked for; the pool has {} of its {} bytes in use.", bytes, pool.used.now, pool.most());
  pool.reserved.add(planned);
  return planned;
}

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
      const std::lock_guard guard(pools().mutex);
      return pool.grow(bytes, memory);
    } catch (...) {
      pool.device().memory().release_chunk(memory);
      throw;
    }
  } catch (...) {
    const std::lock_guard guard(pools().mutex);
    pool.reserved.take(planned);
    pools().forget_ended();
    throw;
  }
}

/// An allocation that is freed later, without a call.
class FreedLater {
 public:
  FreedLater(void* pointer, const Stream& stream)
      : pointer_(pointer), memory_(stream.resolve(pointer, 1, "ptr")), device_(device_of(memory_)) {}

  void* pointer() const { return pointer_; }
  /// The program may free it by itself, and somebody else get the address.
  bool alive() const { return device_->memory().alive(memory_); }
  /// As aclrtFree does; false when it is gone. Needs the scheduler's lock.
  bool free_behind_tasks() const { return alive() && free_device(pointer_, *device_); }
  /// False when it is gone. Takes no memory, since destructors call it.
  bool free_in_order() const noexcept { return alive() && free_device_in_order(pointer_, *device_); }

 private:
  // A stream uses memory of other devices, too.
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

/// Memory of aclrtMalloc that a stream frees: when it comes there, or when the task is dropped. For the program it is
/// gone either way. Other streams may have tasks by then that use it and are not submitted.
class FreedByTask : public Procedure {
 public:
  FreedByTask(void* pointer, const Stream& stream) : memory_(pointer, stream) {}

  bool advance(StreamQueue&) override {
    check(memory_.free_behind_tasks(), Code::kParamInvalid,
          "{} had been freed already when its stream came to free it.", memory_.pointer());
    return true;
  }
  void abandon(StreamQueue&, const std::vector<PointPtr>& /*follows*/) override { memory_.free_behind_tasks(); }
  std::string waits_for() const override { return "memory to be freed"; }

 private:
  const FreedLater memory_;
};

/// Memory that was freed while a model was captured. The model's runs use it until there is no model any more; until
/// then the captured stream may get it again.
class FreedInCapture {
 public:
  FreedInCapture(void* pointer, Stream& stream)
      : memory_(pointer, stream), bytes_(range_of(pointer).bytes), store_(stream.sink().store()), stream_(stream.id) {}
  ~FreedInCapture() {
    if (!taken_back_) memory_.free_in_order();
  }
  FreedInCapture(const FreedInCapture&) = delete;
  FreedInCapture& operator=(const FreedInCapture&) = delete;

  bool serves(const Stream& stream, std::uint64_t bytes) const {
    return store_ == stream.sink().store() && stream_ == stream.id && bytes <= bytes_ && memory_.alive();
  }
  /// The model has it already.
  bool has(const void* pointer, const Stream& stream) const {
    return memory_.pointer() == pointer && store_ == stream.sink().store() && !taken_back_ && memory_.alive();
  }
  std::uint64_t bytes() const { return bytes_; }
  void* take_back() {
    taken_back_ = true;
    return memory_.pointer();
  }

 private:
  const FreedLater memory_;
  const std::uint64_t bytes_;
  const void* const store_;
  const std::uint32_t stream_;
  bool taken_back_ = false;
};

/// By pool; null for memory of aclrtMalloc. Needs the scheduler's lock.
using FreedInCaptures = std::multimap<const MemoryPool*, std::weak_ptr<FreedInCapture>>;
FreedInCaptures& freed_in_captures() {
  static auto* all = new FreedInCaptures;
  return *all;
}

MemoryPoolPtr find_owner(const void* pointer, const Device& device) {
  const std::lock_guard guard(pools().mutex);
  return owner_of(pointer, device);
}

/// Visits what models have of the pool, and forgets what they have no more.
template <typename Visit>
void for_each_freed_in_capture(const MemoryPool* pool, const Visit& visit) {
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
  for_each_freed_in_capture(pool.get(), [&](const auto&, const auto& freed) {
    check(!freed->has(pointer, stream), Code::kParamInvalid, "{} has been freed in this capture already.", pointer);
  });
  const auto freed = std::make_shared<FreedInCapture>(pointer, stream);
  try {
    stream.sink().keep(freed);
    freed_in_captures().emplace(pool.get(), freed);
  } catch (...) {
    freed->take_back();
    throw;
  }
}

/// The smallest piece that the stream has freed in this capture, if one is large enough: what comes later in the
/// capture comes later in each run.
void* reuse_in_capture(const MemoryPool& pool, const Stream& stream, std::uint64_t bytes) {
  const SchedulerLock lock;
  if (!stream.sink().store()) return nullptr;
  auto best = freed_in_captures().end();
  std::shared_ptr<FreedInCapture> best_freed;
  for_each_freed_in_capture(&pool, [&](const auto& entry, const auto& freed) {
    if (!freed->serves(stream, bytes) || (best_freed && freed->bytes() >= best_freed->bytes())) return;
    best = entry;
    best_freed = freed;
  });
  if (!best_freed) return nullptr;
  freed_in_captures().erase(best);
  return best_freed->take_back();
}

bool free_pooled_in_stream(const void* pointer, Stream& stream) {
  const SchedulerLock lock;
  const std::lock_guard guard(pools().mutex);
  const MemoryPoolPtr pool = owner_of(pointer, stream.device());
  if (!pool) return false;
  StreamQueue& queue = stream.queue();
  queue.check_takes_tasks();
  const std::uint64_t number = ++queue.frees[queue.order()];
  pool->free(pointer, {queue.order(), number, queue.end(), stream.device().memory().newest_submission()});
  return true;
}

// Tasks that have not been submitted own the bytes until they are.
FreedBy freed_behind_tasks(const void* pointer, Device& device) {
  const auto last_use = std::make_shared<std::optional<std::uint64_t>>();
  const auto note_last = [last_use, &device](void*) { *last_use = device.memory().newest_submission(); };
  {
    const std::shared_ptr<void> bytes(nullptr, note_last);
    const vk::BufferRange allocation = *device.memory().find(pointer, 1);
    for (StreamQueue* queue : Scheduler::instance().queues()) queue->keep_for_tasks(allocation, bytes);
  }
  const bool all_submitted = last_use->has_value();
  return {FreedBy::kNobody, 0, nullptr, device.memory().newest_submission(), all_submitted ? nullptr : last_use};
}

}  // namespace

MemoryPoolHandles& memory_pool_handles() {
  static auto* handles = new MemoryPoolHandles;
  return *handles;
}

void* create_memory_pool(std::int32_t device_id, std::uint64_t most) {
  check_device_id(device_id);
  check_has_context();
  auto pool = std::make_shared<MemoryPool>(device(device_id), most);
  pool->device().check_not_lost();
  const std::lock_guard guard(pools().mutex);
  pools().all.reserve(pools().all.size() + 1);
  void* handle = memory_pool_handles().insert(pool);
  pools().all.push_back(std::move(pool));
  pools().count = pools().all.size();
  return handle;
}

void destroy_memory_pool(const void* handle) {
  const MemoryPoolPtr pool = memory_pool_handles().remove(handle);
  check(pool != nullptr, Code::kInvalidHandle, "memPool ({}) is not a live pool.", handle);
  const SchedulerLock lock;
  const std::lock_guard guard(pools().mutex);
  pool->destroyed = true;
  pool->trim(0);
  pools().forget_ended();
}

bool is_switch(int attribute) {
  check_attribute(attribute);
  return attribute < kReleaseThreshold;
}

std::uint64_t attribute_of(const MemoryPoolPtr& pool, int attribute) {
  const std::lock_guard guard(pools().mutex);
  switch (attribute) {
    case kReleaseThreshold: return pool->threshold;
    case kReservedNow: return pool->reserved.now;
    case kReservedHigh: return pool->reserved.high;
    case kUsedNow: return pool->used.now;
    case kUsedHigh: return pool->used.high;
    default: return pool->enabled(static_cast<MemoryPool::Switch>(attribute));
  }
}

void set_attribute(const MemoryPoolPtr& pool, int attribute, std::uint64_t value) {
  check(attribute != kReservedNow && attribute != kUsedNow, Code::kParamInvalid,
        "Pool attribute {} tells how much memory there is; it can only be read.", attribute);
  const std::lock_guard guard(pools().mutex);
  switch (attribute) {
    case kReleaseThreshold: pool->threshold = value; break;
    case kReservedHigh: reset_high(pool->reserved, value); break;
    case kUsedHigh: reset_high(pool->used, value); break;
    default: pool->enable(static_cast<MemoryPool::Switch>(attribute), value != 0);
  }
}

void trim_memory_pool(const MemoryPoolPtr& pool, std::uint64_t keep) {
  pool->device().gpu().collect();  // so that it is known what has completed
  const SchedulerLock lock;
  const std::lock_guard guard(pools().mutex);
  pool->trim(keep);
}

void* allocate_in_stream(const MemoryPoolPtr& pool, Stream& stream, std::uint64_t bytes) {
  check(&pool->device() == &stream.device(), Code::kParamInvalid,
        "The pool is on device {}, stream {} on device {}; a stream allocates on its own device.", pool->device().id,
        stream.id, stream.device().id);
  check(bytes <= pool->most(), Code::kMemoryAllocation, "{} bytes are asked for; the pool may have {}.", bytes,
        pool->most());
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
  if (!runs_by_itself(stream)) return free_in_capture(pointer, stream);
  if (free_pooled_in_stream(pointer, stream)) return;
  const SchedulerLock lock;
  stream.check_alive();  // else nobody comes to the task, or drops it
  stream.queue().push(ProcedureTask{std::make_shared<FreedByTask>(pointer, stream), nullptr, "MEM_FREE_ASYNC"});
}

bool free_pooled(const void* pointer) {
  if (pools().count == 0) return false;
  const auto devices = devices_to_search();
  const SchedulerLock lock;
  return std::any_of(devices.begin(), devices.end(), [&](const auto& device) { return free_pooled(pointer, *device); });
}

bool free_pooled(const void* pointer, Device& device) {
  if (pools().count == 0) return false;
  const std::lock_guard guard(pools().mutex);
  const MemoryPoolPtr pool = owner_of(pointer, device);
  if (pool) pool->free(pointer, freed_behind_tasks(pointer, device));
  return pool != nullptr;
}

bool free_pooled_in_order(const void* pointer, Device& device) noexcept {
  if (pools().count == 0) return false;
  const std::lock_guard guard(pools().mutex);
  const MemoryPoolPtr pool = owner_of(pointer, device);
  if (pool) pool->free(pointer, {FreedBy::kNobody, 0, nullptr, device.memory().newest_submission()});
  return pool != nullptr;
}

bool release_idle_memory(Device& device) {
  if (pools().count == 0) return false;
  device.gpu().collect();
  const SchedulerLock lock;
  const std::lock_guard guard(pools().mutex);
  std::uint64_t released = 0;
  for (const MemoryPoolPtr& pool : pools().all) {
    if (&pool->device() != &device) continue;
    const std::uint64_t before = pool->reserved.now;
    pool->trim(0);
    released += before - pool->reserved.now;
  }
  pools().forget_ended();
  return released > 0;
}

void note_host_waited(const Device& device, const FreesSeen& seen) {
  if (pools().count == 0) return;
  const std::lock_guard guard(pools().mutex);
  for (const MemoryPoolPtr& pool : pools().all) {
    if (&pool->device() != &device) continue;
    pool->settle(seen);
    pool->trim(pool->destroyed ? 0 : pool->threshold);
  }
  pools().forget_ended();
}

}  // namespace aclvk::runtime
