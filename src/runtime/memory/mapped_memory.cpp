#include "runtime/memory/mapped_memory.hpp"

#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "runtime/context/current.hpp"
#include "runtime/context/handles.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/watcher.hpp"
#include "vk_device/memory/address_space.hpp"

namespace aclvk::runtime {
namespace {

constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;

// aclrtMemAccessFlags
constexpr std::uint32_t kNone = 0;
constexpr std::uint32_t kRead = 1;
constexpr std::uint32_t kReadWrite = 3;

using LocationKey = std::pair<int, std::uint32_t>;  // type and id of a location
using Rights = std::map<LocationKey, std::uint32_t>;

std::uint32_t right_of(const Rights& rights, LocationKey key) {
  const auto found = rights.find(key);
  return found == rights.end() ? kNone : found->second;
}

struct Mapping {
  std::uint64_t bytes = 0;
  PhysicalPtr memory;
  std::shared_ptr<Device> device;  // the owner of the address range
  Rights access;
};

struct Mappings {
  Mutex mutex;
  std::map<std::uint64_t, Mapping> by_start GUARDED_BY(mutex);

  using Iterator = std::map<std::uint64_t, Mapping>::iterator;

  Iterator containing(std::uint64_t address) REQUIRES(mutex) {
    auto next = by_start.upper_bound(address);
    if (next == by_start.begin()) return by_start.end();
    --next;
    return address - next->first < next->second.bytes ? next : by_start.end();
  }
  Iterator starting_at(const void* at) REQUIRES(mutex) {
    const auto found = by_start.find(reinterpret_cast<std::uintptr_t>(at));
    check(found != by_start.end(), Code::kParamInvalid, "{} is not the start of mapped memory.", at);
    return found;
  }
};

// Not destroyed at exit: programs unmap from destructors of their statics.
Mappings& mappings() { return ProcessState<Mappings, StateId::kMappings>::get(); }

std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
void* pointer_to(std::uint64_t address) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)); }
LocationKey key_of(const MemoryLocation& location) { return {location.type, location.on_device() ? location.id : 0}; }

LocationKey owner_key(const Mapping& mapping) {
  const MemoryLocation& home = mapping.memory->properties.location;
  return home.on_device() ? LocationKey{home.type, mapping.device->id} : key_of(home);
}

std::shared_ptr<Device> device_of_reservation(const void* pointer,
                                              const std::vector<std::shared_ptr<Device>>& devices) {
  for (const auto& device : devices) {
    if (device->memory().reserved(pointer)) return device;
  }
  fail(Code::kParamInvalid, "{} is not in reserved address space (aclrtReserveMemAddress).", pointer);
}

// Reservations of lost devices can be released, too.
std::vector<std::shared_ptr<Device>> devices_with_retired() {
  std::vector<std::shared_ptr<Device>> devices = devices_to_search();
  const auto retired = retired_devices();
  devices.insert(devices.end(), retired.begin(), retired.end());
  return devices;
}

void check_matches(const PhysicalMemory& memory, const Device& device) {
  const MemoryLocation& home = memory.properties.location;
  check(!home.on_device() || home.id == device.id, Code::kParamInvalid,
        "The memory is on device {}; the address was reserved on device {}.", home.id, device.id);
}

void check_right(const AccessRight& right) {
  const bool known = right.flags == kNone || right.flags == kRead || right.flags == kReadWrite;
  check(known, Code::kParamInvalid, "Access flags are {}; NONE 0, READ 1 or READWRITE 3 is expected.", right.flags);
  constexpr int kHost = 0;
  constexpr int kHostNuma = 4;
  const int type = right.location.type;
  check(type == kHost || type == kHostNuma || right.location.on_device(), Code::kParamInvalid,
        "location.type is {}; HOST (0), DEVICE (1) or HOST_NUMA (4) is expected.", type);
  if (right.location.on_device()) check_device_id(static_cast<std::int32_t>(right.location.id));
}

/// Returns the mappings that together are exactly [at, at + bytes).
std::vector<Mappings::Iterator> whole_mappings(Mappings& all, const void* at, std::uint64_t bytes) REQUIRES(all.mutex) {
  std::vector<Mappings::Iterator> found;
  std::uint64_t begin = number(at);
  std::uint64_t left = bytes;
  while (left > 0) {
    const auto next = all.by_start.find(begin);
    const bool whole = next != all.by_start.end() && next->second.bytes <= left;
    check(whole, Code::kParamInvalid, "The {} bytes at {} are not whole mappings side by side; at {:#x} there is {}.",
          bytes, at, begin, next == all.by_start.end() ? "none" : "a larger one");
    found.push_back(next);
    begin += next->second.bytes;
    left -= next->second.bytes;
  }
  return found;
}

// A launched task may still be in an open batch.
void flush_streams() {
  const auto streams = stream_handles().all();  // released after the lock: ~Stream takes it
  const SchedulerLock lock;
  for (const auto& stream : streams) stream->queue().flush_all();
}

// Throws when a task may never end: memory that it may use stays mapped.
void wait_for_tasks(const void* at) {
  flush_streams();
  std::shared_ptr<Device> device;
  {
    const LockGuard lock(mappings().mutex);
    device = mappings().starting_at(at)->second.device;
  }
  check(wait_for_work(*device, {}), Code::kAicoreTimeout,
        "The memory at {} stays mapped: tasks of device {} have been running for too long. They cannot be interrupted, "
        "so they continue.",
        at, device->id);
}

}  // namespace

void* reserve_addresses(std::uint64_t bytes, std::uint64_t alignment, void* hint) {
  check(alignment % kHugePage == 0, Code::kParamInvalid, "alignment is {}; 0 or a multiple of {} is expected.",
        alignment, kHugePage);
  Device& device = current_context()->device();
  device.check_not_lost();
  return device.memory().address_space().reserve(bytes, alignment, hint);
}

void release_addresses(void* start) {
  device_of_reservation(start, devices_with_retired())->memory().address_space().release(start);
}

void map_memory(void* at, std::uint64_t bytes, std::uint64_t offset, const PhysicalPtr& memory, bool usable) {
  check(offset == 0, Code::kParamInvalid, "offset is {}; physical memory is mapped from its start.", offset);
  check(bytes == memory->backing->bytes(), Code::kParamInvalid,
        "size is {}; the physical memory has {} bytes, and is mapped as a whole.", bytes, memory->backing->bytes());
  const auto device = device_of_reservation(at, devices_to_search());
  check_matches(*memory, *device);
  Mapping mapping{bytes, memory, device, {}};
  if (usable) mapping.access[owner_key(mapping)] = kReadWrite;
  const bool on_device = memory->properties.location.on_device();
  const vk::Placement placement = on_device ? vk::Placement::kMapped : vk::Placement::kMappedHost;
  std::map<std::uint64_t, Mapping> entry;  // allocated before the mapping, after which nothing may fail
  entry.emplace(number(at), std::move(mapping));
  device->memory().address_space().map(at, memory->backing, placement, usable);
  Mappings& all = mappings();
  const LockGuard lock(all.mutex);
  all.by_start.merge(entry);
}

// Takes the mapping off the list first, so that two threads do not both unmap it.
void unmap_memory(void* at) {
  wait_for_tasks(at);
  Mappings& all = mappings();
  Mapping ended;
  {
    const LockGuard lock(all.mutex);
    const auto found = all.starting_at(at);
    ended = std::move(found->second);
    all.by_start.erase(found);
  }
  ended.device->memory().address_space().unmap(at);
}

PhysicalPtr memory_at(const void* pointer) {
  Mappings& all = mappings();
  const LockGuard lock(all.mutex);
  const auto found = all.containing(number(pointer));
  check(found != all.by_start.end(), Code::kParamInvalid, "{} is not in mapped memory (aclrtMapMem).", pointer);
  return found->second.memory;
}

void set_access(void* at, std::uint64_t bytes, const std::vector<AccessRight>& rights) {
  for (const AccessRight& right : rights) check_right(right);
  Mappings& all = mappings();
  const LockGuard lock(all.mutex);
  const auto found = whole_mappings(all, at, bytes);
  // Allocated before the first change, after which nothing may fail.
  std::vector<Rights> changed;
  changed.reserve(found.size());
  for (const auto& entry : found) {
    Rights& access = changed.emplace_back(entry->second.access);
    for (const AccessRight& right : rights) access[key_of(right.location)] = right.flags;
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    Mapping& mapping = found[i]->second;
    mapping.access.swap(changed[i]);
    const bool usable = right_of(mapping.access, owner_key(mapping)) != kNone;
    mapping.device->memory().address_space().set_usable(pointer_to(found[i]->first), usable);
  }
}

std::uint32_t access_of(const void* pointer, MemoryLocation location) {
  check_right({location, 0});
  Mappings& all = mappings();
  const LockGuard lock(all.mutex);
  const auto found = all.containing(number(pointer));
  check(found != all.by_start.end(), Code::kParamInvalid, "{} is not in mapped memory (aclrtMapMem).", pointer);
  return right_of(found->second.access, key_of(location));
}

}  // namespace aclvk::runtime
