#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/memory/copy.hpp"

namespace aclvk::runtime {

// Allocations of the current context's device and what is known about pointers (runtime-semantics, 7.1 and 7.3). A
// pointer is recognised whatever device it belongs to; kParamInvalid means it is not the start of a live allocation of
// that kind.

/// What follows the bytes a program asked for.
enum class Padding {
  kOverRead,  ///< rounded up to 32 and 32 more, because kernels may read that far
  kRoundUp,   ///< rounded up to 32
  kNone,
};

/// aclrtMallocConfig, an attribute: its id and value.
struct AllocationAttribute {
  int id = 0;
  std::uint32_t value = 0;
};

void* allocate_device(std::uint64_t bytes, Padding padding);
/// aclrtMalloc: huge pages of 1 GiB are not padded.
void* allocate_by_policy(std::uint64_t bytes, int policy);
void* allocate_pinned(std::uint64_t bytes);
/// Rounded up to 2 MiB; host and device use the same pointer. Freed like device memory.
void* allocate_managed(std::uint64_t bytes);
/// Refuses another device than the current one, and unknown attributes.
void check_attributes(const std::vector<AllocationAttribute>& attributes);

/// Memory of aclrtMalloc, or of a pool.
void free_device(void* pointer);
/// The same for callers that hold the scheduler's lock: false when it is none of the device.
bool free_device(void* pointer, Device& device);
/// The same when all tasks that use the memory are done, also for callers that hold the scheduler's lock: false when it
/// is none of the device. Takes no memory.
bool free_device_in_order(void* pointer, Device& device) noexcept;
/// Throws what free_device() would throw.
void check_freeable(const void* pointer);
void free_pinned(void* pointer);
/// The same after all work of the current context.
void synchronize_and_free_device(void* pointer);
void synchronize_and_free_pinned(void* pointer);

/// Refuses what does not lie inside one live allocation.
void check_live(const void* pointer, std::uint64_t bytes);

struct AllocationRange {
  void* start = nullptr;
  std::uint64_t bytes = 0;
};
AllocationRange range_of(const void* pointer);

struct MemoryBudget {
  std::uint64_t free = 0;
  std::uint64_t total = 0;
};
/// The current device's memory of a kind (aclrtMemAttr); 0 of 0 for a kind that it lacks.
MemoryBudget memory_budget(int attribute);

// For copies:

/// Every open device, that of the calling thread first: two devices may use the same addresses.
std::vector<std::shared_ptr<Device>> devices_to_search();
struct FoundAllocation {
  std::shared_ptr<Device> device;
  vk::AllocationInfo allocation;
};
/// The live allocation that the address falls into.
std::optional<FoundAllocation> find_allocation(const void* pointer);
/// In a reservation, whether or not something is mapped there.
bool is_reserved(const void* pointer);
bool is_managed(const vk::AllocationInfo& allocation);

}  // namespace aclvk::runtime
