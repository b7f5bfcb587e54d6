#include "runtime/memory/managed_memory.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "runtime/device/device.hpp"

namespace aclvk::runtime {
namespace {

// aclrtMemManagedLocationType
constexpr int kDeviceLocation = 1;
constexpr int kHostLocation = 2;
constexpr int kCurrentNumaLocation = 4;

// Values of attributes that are device ids: for the host, and for no location or several.
constexpr std::int32_t kHostId = -1;
constexpr std::int32_t kNoId = -2;

// aclrtMemManagedAdviseType
enum Advice { kSetReadMostly, kUnsetReadMostly, kSetPreferred, kUnsetPreferred, kSetAccessedBy, kUnsetAccessedBy };

// aclrtMemManagedRangeAttribute
enum Attribute {
  kReadMostly = 1,
  kPreferred = 2,
  kAccessedBy = 3,
  kPreferredType = 4,
  kPreferredId = 5,
  kPrefetched = 6,
  kPrefetchedType = 7,
  kPrefetchedId = 8,
};

struct Use {
  bool read_mostly = false;
  ManagedLocation preferred;
  ManagedLocation prefetched;
  std::set<std::int32_t> accessed_by;
};

/// An allocation, divided into ranges of equal advice. A range extends to the start of the next one.
struct Allocation {
  std::uint64_t end = 0;
  std::map<std::uint64_t, Use> ranges;
};

struct Allocations {
  Mutex mutex;
  std::map<std::uint64_t, Allocation> by_start GUARDED_BY(mutex);
};

// Not destroyed at exit: programs that never clean up use it while the process exits.
Allocations& allocations() { return ProcessState<Allocations, StateId::kManagedMemory>::get(); }

std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// Takes an allocation off the list. The destructor puts it back unless `node` is empty.
struct Unlisted {
  explicit Unlisted(const void* start) {
    const LockGuard lock(allocations().mutex);
    node = allocations().by_start.extract(number(start));
  }
  ~Unlisted() {
    const LockGuard lock(allocations().mutex);
    allocations().by_start.insert(std::move(node));
  }
  Unlisted(const Unlisted&) = delete;
  Unlisted& operator=(const Unlisted&) = delete;

  std::map<std::uint64_t, Allocation>::node_type node;
};

Allocation& allocation_of(const void* pointer, std::uint64_t bytes) REQUIRES(allocations().mutex) {
  auto& by_start = allocations().by_start;
  auto it = by_start.upper_bound(number(pointer));
  const bool found = it != by_start.begin() && number(pointer) < (--it)->second.end;
  check(found && bytes <= it->second.end - number(pointer), Code::kParamInvalid,
        "{} with {} bytes is not inside memory of aclrtMemAllocManaged.", pointer, bytes);
  return it->second;
}

/// Splits the range that contains the address, so that one begins there.
void split_range(Allocation& allocation, std::uint64_t address) {
  if (address >= allocation.end) return;
  const auto range = std::prev(allocation.ranges.upper_bound(address));
  if (range->first != address) allocation.ranges[address] = range->second;
}

// Splits at both ends first, so that the change applies to whole ranges.
template <typename Change>
void change_uses(const void* pointer, std::uint64_t bytes, const Change& change) {
  const LockGuard lock(allocations().mutex);
  Allocation& allocation = allocation_of(pointer, bytes);
  split_range(allocation, number(pointer));
  split_range(allocation, number(pointer) + bytes);
  const auto end = allocation.ranges.lower_bound(number(pointer) + bytes);
  for (auto range = allocation.ranges.find(number(pointer)); range != end; ++range) change(range->second);
}

std::vector<Use> uses_of(const void* pointer, std::uint64_t bytes) {
  const LockGuard lock(allocations().mutex);
  const Allocation& allocation = allocation_of(pointer, bytes);
  std::vector<Use> uses;
  auto range = std::prev(allocation.ranges.upper_bound(number(pointer)));
  for (; range != allocation.ranges.end() && range->first < number(pointer) + bytes; ++range)
    uses.push_back(range->second);
  return uses;
}

void check_location(ManagedLocation location, int last_type) {
  check(location.type >= kDeviceLocation && location.type <= last_type, Code::kParamInvalid,
        "Location type {} is not one of {} to {}.", location.type, kDeviceLocation, last_type);
  if (location.type == kDeviceLocation) check_device_id(location.id);
}

std::int32_t id_of(ManagedLocation location) {
  return location.type == kDeviceLocation ? location.id : location.type == kHostLocation ? kHostId : kNoId;
}

/// Returns the location that all ranges have in common; none where they differ.
ManagedLocation common_location(const std::vector<Use>& uses, ManagedLocation Use::*location) {
  const ManagedLocation first = uses.front().*location;
  const bool same = std::all_of(uses.begin(), uses.end(), [&](const Use& use) { return use.*location == first; });
  return same ? first : ManagedLocation{};
}

std::int32_t location_attribute(ManagedLocation location, int kind) {
  if (kind == kPreferredType || kind == kPrefetchedType) return location.type;
  const bool numa = location.type > kHostLocation && (kind == kPreferredId || kind == kPrefetchedId);
  return numa ? location.id : id_of(location);
}

std::vector<std::int32_t> common_users(const std::vector<Use>& uses) {
  std::vector<std::int32_t> users(uses.front().accessed_by.begin(), uses.front().accessed_by.end());
  const auto missing = [&](std::int32_t id) {
    return std::any_of(uses.begin(), uses.end(), [id](const Use& use) { return use.accessed_by.count(id) == 0; });
  };
  users.erase(std::remove_if(users.begin(), users.end(), missing), users.end());
  return users;
}

std::int32_t single_value(int attribute, const std::vector<Use>& uses) {
  if (attribute == kReadMostly) {
    return std::all_of(uses.begin(), uses.end(), [](const Use& use) { return use.read_mostly; }) ? 1 : 0;
  }
  const bool preferred = attribute <= kPreferredId;
  return location_attribute(common_location(uses, preferred ? &Use::preferred : &Use::prefetched), attribute);
}

}  // namespace

void register_managed(const void* start, std::uint64_t bytes) {
  const LockGuard lock(allocations().mutex);
  allocations().by_start[number(start)] = {number(start) + bytes, {{number(start), {}}}};
}

bool free_managed(const void* start, const std::function<bool()>& release) {
  Unlisted unlisted(start);
  if (!unlisted.node || !release()) return false;
  unlisted.node = {};
  return true;
}

bool is_managed_start(const void* start) {
  const LockGuard lock(allocations().mutex);
  return allocations().by_start.count(number(start)) != 0;
}

void advise_managed(const void* pointer, std::uint64_t bytes, int advice, ManagedLocation location) {
  check(advice >= kSetReadMostly && advice <= kUnsetAccessedBy, Code::kParamInvalid,
        "Advice {} is unknown; expected {} to {}.", advice, static_cast<int>(kSetReadMostly),
        static_cast<int>(kUnsetAccessedBy));
  if (advice == kSetPreferred) check_location(location, kCurrentNumaLocation);
  if (advice >= kSetAccessedBy) check_location(location, kHostLocation);
  change_uses(pointer, bytes, [&](Use& use) {
    switch (advice) {
      case kSetReadMostly: use.read_mostly = true; break;
      case kUnsetReadMostly: use.read_mostly = false; break;
      case kSetPreferred: use.preferred = location; break;
      case kUnsetPreferred: use.preferred = {}; break;
      case kSetAccessedBy: use.accessed_by.insert(id_of(location)); break;
      default: use.accessed_by.erase(id_of(location));
    }
  });
}

namespace {

void check_prefetch(const void* pointer, std::uint64_t bytes, ManagedLocation location) {
  check_location(location, kCurrentNumaLocation);
  const LockGuard lock(allocations().mutex);
  allocation_of(pointer, bytes);
}

void check_indexes(const PrefetchBatch& batch) {
  const std::size_t ranges = batch.ranges.size();
  const std::vector<std::size_t>& indexes = batch.first_ranges;
  check(batch.location_count != 0 && batch.location_count <= ranges, Code::kParamInvalid,
        "{} locations for {} ranges; expected 1 to {}.", batch.location_count, ranges, ranges);
  check(indexes.front() == 0, Code::kParamInvalid, "prefetchLocIdxs[0] is {}; expected 0.", indexes.front());
  for (std::size_t i = 1; i < indexes.size(); ++i) {
    check(indexes[i] > indexes[i - 1] && indexes[i] < ranges, Code::kParamInvalid,
          "prefetchLocIdxs[{}] is {}; expected more than {} and less than {}.", i, indexes[i], indexes[i - 1], ranges);
  }
}

ManagedLocation location_of(const PrefetchBatch& batch, std::size_t range) {
  const auto next = std::upper_bound(batch.first_ranges.begin(), batch.first_ranges.end(), range);
  return batch.locations[static_cast<std::size_t>(next - batch.first_ranges.begin()) - 1];
}

}  // namespace

void prefetch_managed(const void* pointer, std::uint64_t bytes, ManagedLocation location) {
  check_prefetch(pointer, bytes, location);
  change_uses(pointer, bytes, [location](Use& use) { use.prefetched = location; });
}

void prefetch_managed(const PrefetchBatch& batch) {
  check_indexes(batch);
  for (std::size_t i = 0; i < batch.ranges.size(); ++i) {
    check_prefetch(batch.ranges[i].pointer, batch.ranges[i].bytes, location_of(batch, i));
  }
  for (std::size_t i = 0; i < batch.ranges.size(); ++i) {
    prefetch_managed(batch.ranges[i].pointer, batch.ranges[i].bytes, location_of(batch, i));
  }
}

void read_managed_attribute(int attribute, const void* pointer, std::uint64_t bytes, void* data,
                            std::size_t data_bytes) {
  check(attribute >= kReadMostly && attribute <= kPrefetchedId, Code::kParamInvalid,
        "Attribute {} is unknown; expected {} to {}.", attribute, static_cast<int>(kReadMostly),
        static_cast<int>(kPrefetchedId));
  constexpr std::size_t kWord = sizeof(std::int32_t);
  const bool whole = data_bytes % kWord == 0 && data_bytes > 0;
  check(attribute == kAccessedBy ? whole : data_bytes == kWord, Code::kParamInvalid,
        "dataSize of attribute {} is {}; expected {}{}.", attribute, data_bytes,
        attribute == kAccessedBy ? "a multiple of " : "", kWord);
  const std::vector<Use> uses = uses_of(pointer, bytes);
  std::vector<std::int32_t> values(data_bytes / kWord, kNoId);
  if (attribute == kAccessedBy) {
    const std::vector<std::int32_t> users = common_users(uses);
    std::copy_n(users.begin(), std::min(users.size(), values.size()), values.begin());
  } else {
    values.front() = single_value(attribute, uses);
  }
  std::memcpy(data, values.data(), data_bytes);
}

}  // namespace aclvk::runtime
