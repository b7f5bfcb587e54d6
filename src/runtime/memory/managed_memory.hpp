#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace aclvk::runtime {

// Memory of aclrtMemAllocManaged. It is pinned host memory under another name: the device reaches it where it is, so
// there is nothing to move. What programs say about its use is kept and can be asked for.

void register_managed(const void* start, std::uint64_t bytes);
/// Forgets it while `release` frees it: somebody else may get the address before that comes back. What has not been
/// freed is managed as before. False for that, and when no managed memory starts there.
bool free_managed(const void* start, const std::function<bool()>& release);
bool is_managed_start(const void* start);

/// aclrtMemManagedLocation
struct ManagedLocation {
  int type = 0;
  std::int32_t id = 0;

  bool operator==(const ManagedLocation& other) const { return type == other.type && id == other.id; }
};

// kParamInvalid for memory that is not managed, for unknown advice, attributes and locations, and for a wrong size of
// the data; kInvalidDeviceId for a location on no device.

void advise_managed(const void* pointer, std::uint64_t bytes, int advice, ManagedLocation location);
/// Location i is that of the ranges from first_ranges[i] to the next.
struct PrefetchBatch {
  struct Range {
    const void* pointer;
    std::uint64_t bytes;
  };
  std::vector<Range> ranges;
  std::vector<ManagedLocation> locations;
  std::vector<std::size_t> first_ranges;
  std::size_t location_count = 0;
};

void prefetch_managed(const void* pointer, std::uint64_t bytes, ManagedLocation location);
/// All ranges, or none.
void prefetch_managed(const PrefetchBatch& batch);
void read_managed_attribute(int attribute, const void* pointer, std::uint64_t bytes, void* data,
                            std::size_t data_bytes);

}  // namespace aclvk::runtime
