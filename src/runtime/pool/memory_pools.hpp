#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

#include "base/mutex.hpp"
#include "runtime/pool/memory_pool.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::runtime {

/// All pools that still have memory, destroyed ones included. Programs without pools only read `count`. The other
/// members require the mutex, which is taken after the scheduler's lock.
struct MemoryPools {
  Mutex mutex;
  std::vector<MemoryPoolPtr> all GUARDED_BY(mutex);
  std::atomic<std::size_t> count{0};

  void remove_ended() REQUIRES(mutex) {
    const auto ended = [](const MemoryPoolPtr& pool) { return pool->destroyed && pool->empty(); };
    all.erase(std::remove_if(all.begin(), all.end(), ended), all.end());
    count = all.size();
  }
  /// Returns the pool of the device that the live allocation at `pointer` belongs to; null for other memory.
  MemoryPoolPtr owner_of(const void* pointer, const Device& device) const REQUIRES(mutex);
};

MemoryPools& memory_pools();

/// Reports that the host has synchronised a stream which had reached these frees.
void on_host_waited(const Device& device, const FreeCounts& seen) REQUIRES(scheduler_mutex);

}  // namespace aclvk::runtime
