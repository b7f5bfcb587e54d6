#include "runtime/memory/host_registration.hpp"

#include <map>
#include <memory>
#include <mutex>

#include "base/error.hpp"
#include "runtime/current.hpp"
#include "runtime/device/device.hpp"
#include "runtime/memory/host_probe.hpp"
#include "runtime/memory/memory.hpp"

namespace aclvk::runtime {
namespace {

struct Registration {
  std::uint64_t end = 0;
  std::uint32_t flags = 0;
  std::shared_ptr<Device> importer;  // null: inside a pinned allocation, which needs no import
};

struct Registrations {
  std::mutex mutex;
  std::map<std::uint64_t, Registration> by_start;

  /// The registered range that contains the address.
  const Registration* find(std::uint64_t address) const {
    auto it = by_start.upper_bound(address);
    if (it == by_start.begin()) return nullptr;
    --it;
    return address < it->second.end ? &it->second : nullptr;
  }

  bool overlap(std::uint64_t start, std::uint64_t end) const {
    const auto next = by_start.lower_bound(start);
    return find(start) || (next != by_start.end() && next->first < end);
  }
};

// Leaked: programs unregister memory in destructors of their own statics.
Registrations& registrations() {
  static auto* all = new Registrations;
  return *all;
}

std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

bool pinned_already(const Device& device, const void* pointer, std::uint64_t bytes) {
  const auto found = find_allocation(pointer);
  return found && found->allocation.placement == vk::Placement::kPinnedHost && device.find(pointer, bytes);
}

void check_host_range(const void* pointer, std::uint64_t bytes) {
  const Location::Kind kind = locate(pointer).kind;
  check(kind == Location::Kind::kPageable || kind == Location::Kind::kPinned, Code::kParamInvalid,
        "{} is {}; only host memory can be registered.", pointer, name_of(kind));
  check(host_readable(pointer, bytes), Code::kParamInvalid, "{} with {} bytes is not memory of this process.", pointer,
        bytes);
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
  const std::lock_guard lock(all.mutex);
  check(!all.overlap(start, start + bytes), Code::kHostMemoryRegistered,
        "{} with {} bytes overlaps a range that is registered already.", pointer, bytes);
  const bool pinned = pinned_already(context->device(), pointer, bytes);
  const auto entry = all.by_start.emplace(start, Registration{start + bytes, flags, nullptr}).first;
  if (pinned) return;
  try {
    context->device().memory().import_host(pointer, bytes);
    entry->second.importer = context->shared_device();
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

void unregister_host(void* pointer) {
  Registrations& all = registrations();
  const std::lock_guard lock(all.mutex);
  const auto it = all.by_start.find(number(pointer));
  check(it != all.by_start.end(), Code::kHostMemoryNotRegistered, "{} is not the start of a registered range.",
        pointer);
  if (it->second.importer) it->second.importer->memory().release(pointer, vk::Placement::kRegistered);
  all.by_start.erase(it);
}

void* device_pointer_of(void* pointer) {
  Registrations& all = registrations();
  const std::lock_guard lock(all.mutex);
  const Registration* registration = all.find(number(pointer));
  check(registration && (registration->flags & kHostMapped), Code::kParamInvalid,
        "{} is not in host memory that is registered with MAPPED.", pointer);
  return pointer;
}

void forget_registrations_at(const void* pointer) {
  Registrations& all = registrations();
  const std::lock_guard lock(all.mutex);
  const auto it = all.by_start.find(number(pointer));
  if (it != all.by_start.end() && !it->second.importer) all.by_start.erase(it);
}

}  // namespace aclvk::runtime
