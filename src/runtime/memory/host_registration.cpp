#include "runtime/memory/host_registration.hpp"

#include <map>
#include <memory>

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "runtime/context/current.hpp"
#include "runtime/device/device.hpp"
#include "runtime/host/host_probe.hpp"
#include "runtime/memory/memory.hpp"

namespace aclvk::runtime {
namespace {

struct Registration {
  std::uint64_t end = 0;
  std::uint32_t flags = 0;
  std::shared_ptr<Device> device;
  std::uint64_t allocation = 0;  // number of the pinned allocation that contains it; 0 for imported memory
};

/// The registered ranges. One inside a pinned allocation ends with the allocation. Freeing does not notify this table,
/// so that each look-up compares the number of the allocation that has the address now.
struct Registrations {
  using Iterator = std::map<std::uint64_t, Registration>::iterator;

  Mutex mutex;
  std::map<std::uint64_t, Registration> by_start GUARDED_BY(mutex);

  /// Finds the registration that begins at the address.
  Iterator at(std::uint64_t start) REQUIRES(mutex) {
    const auto it = by_start.find(start);
    return it == by_start.end() || remove_ended(it) ? by_start.end() : it;
  }

  /// Returns the registration that contains the address, or null.
  const Registration* find(std::uint64_t address) REQUIRES(mutex) {
    auto it = by_start.upper_bound(address);
    if (it == by_start.begin()) return nullptr;
    --it;
    return address < it->second.end && !remove_ended(it) ? &it->second : nullptr;
  }

  bool overlap(std::uint64_t start, std::uint64_t end) REQUIRES(mutex) {
    if (find(start)) return true;
    for (auto next = by_start.lower_bound(start); next != by_start.end() && next->first < end;) {
      if (!remove_ended(next++)) return true;
    }
    return false;
  }

  bool remove_ended(Iterator it) REQUIRES(mutex) {
    const Registration& registration = it->second;
    if (registration.allocation == 0) return false;
    const auto now = registration.device->find(reinterpret_cast<const void*>(it->first), 1);
    if (now && now->allocation == registration.allocation) return false;
    by_start.erase(it);
    return true;
  }
};

using AnyImported = ProcessValue<bool, false, StateId::kAnyImported>;

// Not destroyed at exit: programs unregister memory in destructors of their own statics.
Registrations& registrations() { return ProcessState<Registrations, StateId::kHostRegistrations>::get(); }

std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// Returns the number of the pinned allocation that contains the range; 0 for other memory.
std::uint64_t pinned_allocation(const Device& device, const void* pointer, std::uint64_t bytes) {
  const auto found = find_allocation(pointer);
  if (!found || found->allocation.placement != vk::Placement::kPinnedHost) return 0;
  const auto range = device.find(pointer, bytes);
  return range ? range->allocation : 0;
}

void check_host_range(const void* pointer, std::uint64_t bytes) {
  const Location::Kind kind = locate(pointer).kind;
  check(kind == Location::Kind::kPageable || kind == Location::Kind::kPinned, Code::kParamInvalid,
        "{} is {}; only host memory can be registered.", pointer, name_of(kind));
  check(host_accessible(pointer, bytes, HostAccess::kRead), Code::kParamInvalid,
        "{} with {} bytes is not memory of this process.", pointer, bytes);
}

}  // namespace

void register_host_with_flags(void* pointer, std::uint64_t bytes, std::uint32_t flags) {
  constexpr std::uint32_t kAll = kHostMapped | kHostIoMemory | kHostReadOnly | kHostPinned;
  check(flags != 0 && (flags & ~kAll) == 0, Code::kParamInvalid,
        "flag {:#x} is not made of MAPPED (0x2), IOMEMORY (0x4), READONLY (0x8) and PINNED (0x10000000).", flags);
  const ContextPtr context = current_context();
  check(!(flags & kHostIoMemory), Code::kFeatureNotSupported,
        "Registering I/O memory (flag {:#x}) is not supported; Vulkan imports ordinary memory only.", flags);
  check_host_range(pointer, bytes);

  const std::uint64_t start = number(pointer);
  Registrations& all = registrations();
  const LockGuard lock(all.mutex);
  check(!all.overlap(start, start + bytes), Code::kHostMemoryRegistered,
        "{} with {} bytes overlaps a range that is registered already.", pointer, bytes);
  const std::uint64_t pinned = pinned_allocation(context->device(), pointer, bytes);
  const auto entry =
      all.by_start.emplace(start, Registration{start + bytes, flags, context->shared_device(), pinned}).first;
  if (pinned != 0) return;
  try {
    AnyImported::set(true);
    context->device().memory().import_host(pointer, bytes);
  } catch (...) {
    all.by_start.erase(entry);
    throw;
  }
}

void* register_host(void* pointer, std::uint64_t bytes, int type) {
  constexpr int kTypeMapped = 0;
  constexpr int kTypeIoMemory = 4;
  constexpr int kTypeReadOnly = 8;
  check(type != kTypeIoMemory && type != kTypeReadOnly, Code::kFeatureNotSupported,
        "Host register type {} is not supported; expected MAPPED (0).", type);
  check(type == kTypeMapped, Code::kParamInvalid, "Host register type {} is unknown; expected MAPPED (0).", type);
  register_host_with_flags(pointer, bytes, kHostMapped);
  return pointer;
}

bool memory_has_been_registered() { return AnyImported::get(); }

void unregister_host(void* pointer) {
  Registrations& all = registrations();
  const LockGuard lock(all.mutex);
  const auto it = all.at(number(pointer));
  check(it != all.by_start.end(), Code::kHostMemoryNotRegistered, "{} is not the start of a registered range.",
        pointer);
  if (it->second.allocation == 0) it->second.device->memory().release(pointer, vk::Placement::kRegistered);
  all.by_start.erase(it);
}

void* device_pointer_of(void* pointer) {
  Registrations& all = registrations();
  const LockGuard lock(all.mutex);
  const Registration* registration = all.find(number(pointer));
  check(registration && (registration->flags & kHostMapped), Code::kParamInvalid,
        "{} is not in host memory that is registered with MAPPED.", pointer);
  return pointer;
}

}  // namespace aclvk::runtime
