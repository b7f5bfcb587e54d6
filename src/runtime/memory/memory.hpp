#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/memory/copy.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::runtime {

// Allocations of the current context's device, and look-ups of pointers (runtime-semantics, 7.1 and 7.3). Functions
// that free find pointers of any device. They throw kParamInvalid when the pointer is not the start of a live
// allocation of that kind.

/// The padding of an allocation, in addition to the bytes that the program asked for.
enum class Padding {
  kOverRead,  ///< to a multiple of 32 bytes, plus 32, because kernels may read past the end
  kRoundUp,   ///< to a multiple of 32 bytes
  kNone,
};

/// An attribute of aclrtMallocConfig.
struct AllocationAttribute {
  int id = 0;
  std::uint32_t value = 0;
};

void* allocate_device(std::uint64_t bytes, Padding padding);
/// aclrtMalloc. Pads except for policies of 1 GiB pages.
void* allocate_by_policy(std::uint64_t bytes, int policy);
void* allocate_pinned(std::uint64_t bytes);
/// Rounds the size up to 2 MiB. Host and device use the same pointer. Freed like device memory.
void* allocate_managed(std::uint64_t bytes);
/// Throws for another device than the current one, and for unknown attributes.
void check_attributes(const std::vector<AllocationAttribute>& attributes);

/// Frees memory of aclrtMalloc, of aclrtMemAllocManaged or of a pool. Tasks that have not been submitted keep the bytes
/// alive.
void free_device(void* pointer) EXCLUDES(scheduler_mutex);
/// As above, on one device. Returns false for memory of another device.
bool free_device(void* pointer, Device& device) REQUIRES(scheduler_mutex);
/// As above, for memory that all tasks are done with. Allocates nothing. May be called with the scheduler's lock.
bool free_device_in_order(void* pointer, Device& device) noexcept;
/// Throws what free_device() would throw.
void check_freeable(const void* pointer);
void free_pinned(void* pointer);
// Both synchronise the current context before they free.

void synchronize_and_free_device(void* pointer);
void synchronize_and_free_pinned(void* pointer);

/// Throws kParamInvalid when the range does not lie inside one live allocation.
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
/// Returns free and total bytes of a kind of memory (aclrtMemAttr) of the current device; 0 and 0 for a kind that it
/// lacks.
MemoryBudget memory_budget(int attribute);

// Look-ups for copies.

/// Returns all open devices, the calling thread's current one first: two Vulkan devices may use the same addresses.
std::vector<std::shared_ptr<Device>> devices_to_search();
struct FoundAllocation {
  std::shared_ptr<Device> device;
  vk::AllocationInfo allocation;
};
/// Returns the live allocation of any open device that contains the address.
std::optional<FoundAllocation> find_allocation(const void* pointer);
/// Returns whether the address is in a reservation, mapped or not.
bool is_reserved(const void* pointer);
bool is_managed(const vk::AllocationInfo& allocation);

}  // namespace aclvk::runtime
