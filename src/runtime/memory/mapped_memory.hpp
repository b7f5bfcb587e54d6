#pragma once

#include <cstdint>
#include <vector>

#include "runtime/memory/physical_memory.hpp"

namespace aclvk::runtime {

// Reservations of address ranges, and physical memory mapped there (runtime-semantics 7.4, docs/adr/0016). All other
// calls treat a mapped pointer as device memory, or as pinned host memory.

void* reserve_addresses(std::uint64_t bytes, std::uint64_t alignment, void* hint);
/// Throws kParamInvalid while something is mapped there.
void release_addresses(void* start);

/// Maps physical memory. With `usable` the device of the address may use it at once; otherwise access requires
/// set_access().
void map_memory(void* at, std::uint64_t bytes, std::uint64_t offset, const PhysicalPtr& memory, bool usable);
/// Waits for the tasks of the device first. Throws kAicoreTimeout when one of them exceeds its time limit.
void unmap_memory(void* at);
/// Returns the physical memory that is mapped at an address. Throws kParamInvalid outside of mappings.
PhysicalPtr memory_at(const void* pointer);

struct AccessRight {
  MemoryLocation location;
  std::uint32_t flags = 0;  ///< aclrtMemAccessFlags
};

/// Sets the rights of adjacent whole mappings. The right of the mapping's own device decides whether tasks may use it.
/// READ is stored and not enforced: Vulkan has no memory that is read-only for a device.
void set_access(void* at, std::uint64_t bytes, const std::vector<AccessRight>& rights);
std::uint32_t access_of(const void* pointer, MemoryLocation location);

}  // namespace aclvk::runtime
