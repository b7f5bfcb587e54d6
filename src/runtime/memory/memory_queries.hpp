#pragma once

#include <cstdint>
#include <vector>

#include "vk_device/memory.hpp"

namespace aclvk::runtime {

// Questions about memory whose answers need no allocation.

struct UsageRow {
  const char* name;
  vk::MemoryUsage usage;
};
/// What the parts of the runtime use of a device's memory.
std::vector<UsageRow> memory_usage(std::int32_t device);

/// Whether all pointers are memory of the kinds in an ACL_RT_MEM_TYPE_ mask.
bool all_of_type(const std::vector<const void*>& pointers, std::uint32_t mask);

/// Whether a unit of the device (aclrtHacType) reaches mapped host memory.
bool unit_reaches_host(std::int32_t device, int unit);

/// The capabilities (aclrtAtomicOperationCapability) of an atomic operation (aclrtAtomicOperation) on host memory, and
/// on the memory of another device.
std::uint32_t host_atomics(std::int32_t device, int operation);
std::uint32_t peer_atomics(std::int32_t device, std::int32_t peer, int operation);

/// Whether the pointer is memory of the device `peer` that a program could want to reach from here: throws what speaks
/// against it.
[[noreturn]] void refuse_peer_mapping(const void* pointer, std::uint64_t bytes, std::int32_t peer);

}  // namespace aclvk::runtime
