#include "runtime/pool/memory_pools.hpp"

#include <algorithm>

#include "base/process_state.hpp"
#include "runtime/pool/memory_pool.hpp"

namespace aclvk::runtime {

void MemoryPools::remove_ended() {
  const auto ended = [](const MemoryPoolPtr& pool)
                         REQUIRES(memory_pools().mutex) { return pool->destroyed && pool->empty(); };
  all.erase(std::remove_if(all.begin(), all.end(), ended), all.end());
  count = all.size();
}

MemoryPoolPtr MemoryPools::owner_of(const void* pointer, const Device& device) const {
  for (const MemoryPoolPtr& pool : all) {
    if (&pool->device() == &device && pool->owns(pointer)) return pool;
  }
  return nullptr;
}

// Not destroyed at exit: programs free memory from destructors of their own statics.
MemoryPools& memory_pools() { return ProcessState<MemoryPools, StateId::kMemoryPools>::get(); }

// Frees that precede the end of the synchronised stream have completed. Idle chunks are released now, not in launches.
void on_host_waited(const Device& device, const FreeCounts& seen) {
  if (memory_pools().count == 0) return;
  const LockGuard guard(memory_pools().mutex);
  for (const MemoryPoolPtr& pool : memory_pools().all) {
    if (&pool->device() != &device) continue;
    pool->mark_completed(seen);
    pool->trim(pool->destroyed ? 0 : pool->threshold);
  }
  memory_pools().remove_ended();
}

}  // namespace aclvk::runtime
