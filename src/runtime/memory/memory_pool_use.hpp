#pragma once

#include <cstdint>

#include "base/handle.hpp"
#include "runtime/pool/memory_pool.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::runtime {

class Stream;

using MemoryPoolHandles = HandleTable<MemoryPool, HandleTag::kMemPool>;
MemoryPoolHandles& memory_pool_handles();

// The functions of aclrtMemPool*.

void* create_memory_pool(std::int32_t device, std::uint64_t max_bytes);
void destroy_memory_pool(const void* handle);
std::uint64_t attribute_of(const MemoryPoolPtr& pool, int attribute);
void set_attribute(const MemoryPoolPtr& pool, int attribute, std::uint64_t value);
/// Returns whether the attribute is a reuse policy, which is an int and not a 64-bit number. Throws kParamInvalid for
/// one that does not exist.
bool is_reuse_policy(int attribute);
void trim_memory_pool(const MemoryPoolPtr& pool, std::uint64_t keep);

void* allocate_in_stream(const MemoryPoolPtr& pool, Stream& stream, std::uint64_t bytes);
/// Frees memory of a pool or of aclrtMalloc in stream order. On a captured stream the model owns the memory until it is
/// destroyed.
void free_in_stream(void* pointer, Stream& stream);

// Calls from the rest of the runtime.

/// Frees memory of a pool outside of any stream. Returns false for other memory.
bool free_pooled(const void* pointer) EXCLUDES(scheduler_mutex);
/// As above, for the pools of one device.
bool free_pooled(const void* pointer, Device& device) REQUIRES(scheduler_mutex);
/// As above, for memory that all tasks are done with. Neither allocates nor takes the scheduler's lock.
bool free_pooled_in_order(const void* pointer, Device& device) noexcept;
/// Releases idle chunks of the device's pools. Returns false when there are none.
bool release_idle_memory(Device& device) EXCLUDES(scheduler_mutex);

}  // namespace aclvk::runtime
