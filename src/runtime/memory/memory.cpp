#include "runtime/memory/memory.hpp"

#include <algorithm>
#include <functional>

#include "base/config.hpp"
#include "base/error.hpp"
#include "runtime/context/current.hpp"
#include "runtime/device/device_regions.hpp"
#include "runtime/memory/managed_memory.hpp"
#include "runtime/memory/memory_pool_use.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_queue.hpp"
#include "runtime/stream/watcher.hpp"

namespace aclvk::runtime {
namespace {

constexpr std::uint64_t kUnit = 32;              // of sizes, and bytes that a kernel may read past the end
constexpr std::uint64_t kPage = 4096;            // of the NPU runtime, whatever the pages of the host
constexpr std::uint64_t kManagedUnit = 2 << 20;  // a huge page

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

void check_size(std::uint64_t bytes, std::uint64_t extra) {
  check(bytes != 0, Code::kInvalidParam, "size is 0; an allocation has at least one byte.");
  check(bytes <= UINT64_MAX - extra, Code::kInvalidParam, "size {} leaves no room for {} bytes of padding.", bytes,
        extra);
}

// Rounds up and adds the bytes that a kernel may read past the end (runtime-semantics 7.1.1). The NPU runtime allocates
// whole pages, and some programs access a little more than they have asked for.
std::uint64_t with_over_read(std::uint64_t bytes) {
  const std::uint64_t asked = round_up(bytes, kUnit) + kUnit;
  return config().strict() || asked > UINT64_MAX - kPage ? asked : round_up(asked, kPage);
}

std::uint64_t padded(std::uint64_t bytes, Padding padding) {
  switch (padding) {
    case Padding::kOverRead: return with_over_read(bytes);
    case Padding::kRoundUp: return round_up(bytes, kUnit);
    case Padding::kNone: break;
  }
  return bytes;
}

// When memory runs out, gives idle pool memory back to the device, and submits all open batches, whose tasks keep freed
// memory alive. Then tries again.
void* allocate_or_trim_pools(Device& device, vk::Placement placement, std::uint64_t bytes) {
  try {
    return device.memory().allocate(placement, bytes);
  } catch (const Error& error) {
    if (error.code() != Code::kMemoryAllocation) throw;
    release_idle_memory(device);
    const SchedulerLock lock;
    for (StreamQueue* queue : Scheduler::instance().queues()) queue->flush_all();
  }
  return device.memory().allocate(placement, bytes);
}

void* allocate(Device& device, vk::Placement placement, std::uint64_t bytes) {
  device.check_not_lost();  // look-ups would not find it once the id has been opened anew
  void* pointer = allocate_or_trim_pools(device, placement, bytes);
  try {
    if (const auto range = device.memory().find(pointer, bytes)) {
      DeviceRegions::instance().add(pointer, bytes, range->buffer);
    }
  } catch (...) {
    device.memory().release(pointer, placement);
    throw;
  }
  return pointer;
}

std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

template <typename Releases>
bool on_any_device(const Releases& releases) {
  const auto devices = devices_to_search();
  const auto retired = retired_devices();
  return std::any_of(devices.begin(), devices.end(), releases) || std::any_of(retired.begin(), retired.end(), releases);
}

bool release(void* pointer, vk::Placement placement) {
  return on_any_device([&](const auto& device) { return device->memory().release(pointer, placement); });
}

// Frees memory that launched tasks may still use. Tasks that have been submitted are waited for by vk::Memory; the
// queues of tasks that have not own the bytes until then. Allocates nothing when there are none of the latter.
bool release_after_tasks(void* pointer, vk::Placement placement, vk::Memory& memory) REQUIRES(scheduler_mutex) {
  const auto found = memory.find(pointer, 1);
  if (!found) return false;
  const auto& queues = Scheduler::instance().queues();
  const auto may_use = [&](const StreamQueue* queue) REQUIRES(scheduler_mutex) { return queue->may_use(*found); };
  if (std::none_of(queues.begin(), queues.end(), may_use)) return memory.release(pointer, placement);
  return memory.release_deferred(pointer, placement,
                                 [&](const auto& allocation, const auto& bytes) REQUIRES(scheduler_mutex) {
                                   for (StreamQueue* queue : queues) queue->retain_for_tasks(allocation, bytes);
                                 });
}

bool release_after_tasks(void* pointer, vk::Placement placement) {
  return on_any_device([&](const auto& device) {
    const SchedulerLock lock;
    return release_after_tasks(pointer, placement, device->memory());
  });
}

[[noreturn]] void refuse_free(const void* pointer, const char* expected, const char* other) {
  if (const auto found = find_allocation(pointer)) {
    const auto start = found->allocation.start;
    const vk::Placement placement = found->allocation.placement;
    check(placement != vk::Placement::kShared, Code::kParamInvalid,
          "{} belongs to another process; aclrtIpcMemClose with its key ends it here.", pointer);
    check(placement != vk::Placement::kMapped && placement != vk::Placement::kMappedHost, Code::kParamInvalid,
          "{} is physical memory at a reserved address; aclrtUnmapMem and aclrtFreePhysical end it.", pointer);
    check(placement != vk::Placement::kPooled || start != number(pointer), Code::kParamInvalid,
          "{} is the word of a condition of a model, and ends with that.", pointer);
    if (start == number(pointer)) {
      fail(Code::kParamInvalid, "{} is {}, not {}; it is freed by {}.", pointer, name_of(locate(pointer).kind),
           expected, other);
    }
    fail(Code::kParamInvalid,
         "{} lies {} bytes after the start of its allocation at {:#x}; only the start can be freed.", pointer,
         number(pointer) - start, start);
  }
  fail(Code::kParamInvalid,
       "{} is not the start of a live allocation: it has been freed already or was never allocated.", pointer);
}

bool is_start_of(const void* pointer, Location::Kind kind) {
  const auto found = find_allocation(pointer);
  return found && found->allocation.start == number(pointer) && locate(pointer).kind == kind;
}

// Returns whether aclrtFree can free the pointer. It cannot free imported memory of another process and mapped memory.
bool is_freeable(const void* pointer) {
  const auto found = find_allocation(pointer);
  if (!found || found->allocation.start != number(pointer)) return false;
  const vk::Placement placement = found->allocation.placement;
  return placement == vk::Placement::kDevice || placement == vk::Placement::kPooled || is_managed(found->allocation);
}

// A thread without a context waits for all devices.
void synchronize() {
  if (const ContextPtr context = find_current_context()) return context->synchronize();
  for (const auto& device : open_devices()) {
    check(wait_for_work(*device, {}), Code::kAicoreTimeout,
          "Tasks of device {} have been running for too long. They cannot be interrupted, so they continue.",
          device->id);
  }
}

// aclrtMemAttr. Device memory is reported as HBM, and DDR as 0 of 0 bytes.
bool is_ddr(int attribute) {
  constexpr int kDdr[] = {0, 2, 3, 6, 7};
  return std::find(std::begin(kDdr), std::end(kDdr), attribute) != std::end(kDdr);
}

}  // namespace

void* allocate_device(std::uint64_t bytes, Padding padding) {
  check_size(bytes, 2 * kUnit);
  return allocate(current_context()->device(), vk::Placement::kDevice, padded(bytes, padding));
}

// Any other policy, known or not, is the default (runtime-semantics 7.1.2).
void* allocate_by_policy(std::uint64_t bytes, int policy) {
  constexpr int kHuge1gOnly = 6;
  constexpr int kHuge1gOnlyP2p = 7;
  const bool huge = policy == kHuge1gOnly || policy == kHuge1gOnlyP2p;
  return allocate_device(bytes, huge ? Padding::kNone : Padding::kOverRead);
}

void* allocate_pinned(std::uint64_t bytes) {
  check_size(bytes, 2 * kUnit);
  return allocate(current_context()->device(), vk::Placement::kPinnedHost, bytes);
}

void* allocate_managed(std::uint64_t bytes) {
  check_size(bytes, kManagedUnit);
  void* pointer = allocate(current_context()->device(), vk::Placement::kPinnedHost, round_up(bytes, kManagedUnit));
  try {
    register_managed(pointer, round_up(bytes, kManagedUnit));
  } catch (...) {
    release(pointer, vk::Placement::kPinnedHost);
    throw;
  }
  return pointer;
}

void check_attributes(const std::vector<AllocationAttribute>& attributes) {
  constexpr int kModuleId = 1;
  constexpr int kDeviceId = 2;
  constexpr int kVaFlag = 3;
  for (const AllocationAttribute& attribute : attributes) {
    check(attribute.id >= kModuleId && attribute.id <= kVaFlag, Code::kParamInvalid,
          "Allocation attribute {} is unknown; expected MODULE_ID (1), DEVICE_ID (2) or VA_FLAG (3).", attribute.id);
    if (attribute.id != kDeviceId) continue;
    const std::uint32_t current = current_context()->device().id;
    check(attribute.value == current, Code::kParamInvalid,
          "Allocation attribute DEVICE_ID is {}; the current context is on device {}.", attribute.value, current);
  }
}

void free_device(void* pointer) {
  if (release_after_tasks(pointer, vk::Placement::kDevice) || free_pooled(pointer)) return;
  if (free_managed(pointer, [=] { return release_after_tasks(pointer, vk::Placement::kPinnedHost); })) return;
  refuse_free(pointer, "device memory", "aclrtFreeHost");
}

bool free_device(void* pointer, Device& device) {
  vk::Memory& memory = device.memory();
  if (release_after_tasks(pointer, vk::Placement::kDevice, memory) || free_pooled(pointer, device)) return true;
  return free_managed(pointer, [&]() REQUIRES(scheduler_mutex) {
    return release_after_tasks(pointer, vk::Placement::kPinnedHost, memory);
  });
}

bool free_device_in_order(void* pointer, Device& device) noexcept {
  vk::Memory& memory = device.memory();
  if (memory.release(pointer, vk::Placement::kDevice) || free_pooled_in_order(pointer, device)) return true;
  const auto release = [&] { return memory.release(pointer, vk::Placement::kPinnedHost); };
  return free_managed(pointer, std::ref(release));  // a std::function of a reference allocates nothing
}

void check_freeable(const void* pointer) {
  if (!is_freeable(pointer)) refuse_free(pointer, "device memory", "aclrtFreeHost");
}

// Managed memory is pinned memory with an entry in a table of its own. aclrtFree frees it, so this function refuses it.
void free_pinned(void* pointer) {
  if (is_managed_start(pointer) || !release_after_tasks(pointer, vk::Placement::kPinnedHost)) {
    refuse_free(pointer, "pinned host memory", "aclrtFree");
  }
}

void synchronize_and_free_device(void* pointer) {
  if (is_freeable(pointer)) synchronize();
  free_device(pointer);
}

void synchronize_and_free_pinned(void* pointer) {
  if (is_start_of(pointer, Location::Kind::kPinned)) synchronize();
  free_pinned(pointer);
}

void check_live(const void* pointer, std::uint64_t bytes) {
  const auto found = find_allocation(pointer);
  check(found && found->device->memory().find(pointer, bytes), Code::kParamInvalid,
        "{} with {} bytes is not inside a live allocation.", pointer, bytes);
}

AllocationRange range_of(const void* pointer) {
  const auto found = find_allocation(pointer);
  check(found.has_value(), Code::kParamInvalid, "{} is not inside a live allocation.", pointer);
  return {reinterpret_cast<void*>(static_cast<std::uintptr_t>(found->allocation.start)), found->allocation.size};
}

// The attribute is checked before the context (runtime-semantics 7.1.7).
MemoryBudget memory_budget(int attribute) {
  constexpr int kLast = 17;
  check(attribute >= 0 && attribute <= kLast, Code::kInvalidMemoryType,
        "Memory attribute {} is unknown; expected 0 to {}.", attribute, kLast);
  const ContextPtr context = current_context();
  if (is_ddr(attribute)) return {};
  const vk::Memory& memory = context->device().memory();
  const std::uint64_t total = memory.total_bytes();
  const std::uint64_t used = memory.used_bytes();
  return {total - std::min(total, used), total};
}

std::vector<std::shared_ptr<Device>> devices_to_search() {
  std::vector<std::shared_ptr<Device>> devices = open_devices();
  if (devices.size() < 2) return devices;
  if (const ContextPtr context = find_current_context()) {
    const auto own = std::find(devices.begin(), devices.end(), context->shared_device());
    if (own != devices.end()) std::rotate(devices.begin(), own, std::next(own));
  }
  return devices;
}

std::optional<FoundAllocation> find_allocation(const void* pointer) {
  for (auto& device : devices_to_search()) {
    const auto allocation = device->memory().describe(pointer);
    if (allocation) return FoundAllocation{std::move(device), *allocation};
  }
  return std::nullopt;
}

bool is_reserved(const void* pointer) {
  const auto devices = open_devices();
  return std::any_of(devices.begin(), devices.end(),
                     [&](const auto& device) { return device->memory().reserved(pointer); });
}

bool is_managed(const vk::AllocationInfo& allocation) {
  return is_managed_start(reinterpret_cast<const void*>(static_cast<std::uintptr_t>(allocation.start)));
}

}  // namespace aclvk::runtime
