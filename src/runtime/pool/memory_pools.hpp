#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "base/mutex.hpp"
#include "runtime/task/point.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::runtime {

class Device;
class MemoryPool;
using MemoryPoolPtr = std::shared_ptr<MemoryPool>;

struct MemoryPools;
MemoryPools& memory_pools();

/// All pools that still have memory, destroyed ones included. Programs without pools only read `count`.
struct MemoryPools {
  Mutex mutex ACQUIRED_AFTER(scheduler_mutex);
  std::vector<MemoryPoolPtr> all GUARDED_BY(memory_pools().mutex);
  std::atomic<std::size_t> count{0};

  void remove_ended() REQUIRES(memory_pools().mutex);
  /// Returns the pool of the device that the live allocation at `pointer` belongs to; null for other memory.
  MemoryPoolPtr owner_of(const void* pointer, const Device& device) const REQUIRES(memory_pools().mutex);
};

/// Reports that the host has synchronised a stream which had reached these frees.
void on_host_waited(const Device& device, const FreeCounts& seen) REQUIRES(scheduler_mutex);

}  // namespace aclvk::runtime
