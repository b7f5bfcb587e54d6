#pragma once

#include <cstdint>
#include <vector>

#include "vk_device/memory/memory.hpp"

namespace aclvk::runtime {

// Queries about memory of devices, by the numbers of the public enumerations.

struct UsageRow {
  const char* name;
  vk::MemoryUsage usage;
};
/// Returns the device memory in use, by the part of the runtime that uses it.
std::vector<UsageRow> memory_usage(std::int32_t device);

/// Returns whether all pointers are memory of the kinds in an ACL_RT_MEM_TYPE_ mask.
bool all_of_type(const std::vector<const void*>& pointers, std::uint32_t mask);

/// Returns whether a unit of the device (aclrtHacType) can access mapped host memory.
bool unit_reaches_host(std::int32_t device, int unit);

// Both return the capabilities (aclrtAtomicOperationCapability) of an atomic operation (aclrtAtomicOperation): on host
// memory, and on the memory of another device.

std::uint32_t host_atomics(std::int32_t device, int operation);
std::uint32_t peer_atomics(std::int32_t device, std::int32_t peer, int operation);

/// Throws the reason why memory of the current device cannot be mapped for `peer`: a wrong argument, else
/// kFeatureNotSupported.
[[noreturn]] void refuse_peer_mapping(const void* pointer, std::uint64_t bytes, std::int32_t peer);

}  // namespace aclvk::runtime
