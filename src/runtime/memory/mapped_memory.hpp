#pragma once

#include <cstdint>
#include <vector>

#include "runtime/memory/physical_memory.hpp"

namespace aclvk::runtime {

// Reserved addresses, and physical memory mapped there (runtime-semantics 7.4). A mapped pointer is a pointer to device
// memory, or to pinned host memory, for every other call.

void* reserve_addresses(std::uint64_t bytes, std::uint64_t alignment, void* hint);
/// Throws kParamInvalid while something is mapped there.
void release_addresses(void* start);

/// `usable`: the device of the address may use it at once; else nobody may before set_access().
void map_memory(void* at, std::uint64_t bytes, std::uint64_t offset, const PhysicalPtr& memory, bool usable);
void unmap_memory(void* at);
/// The memory behind an address inside a mapping.
PhysicalPtr memory_at(const void* pointer);

struct AccessRight {
  MemoryLocation location;
  std::uint32_t flags = 0;  ///< aclrtMemAccessFlags
};

/// Of whole mappings that follow each other. What the mapping's own device may do decides whether tasks may use it;
/// READ is kept, and not enforced: Vulkan has no memory that is read-only for a device.
void set_access(void* at, std::uint64_t bytes, const std::vector<AccessRight>& rights);
std::uint32_t access_of(const void* pointer, MemoryLocation location);

}  // namespace aclvk::runtime
