#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace aclvk::runtime {

// Memory of aclrtMemAllocManaged: pinned host memory, which devices access in place, so that nothing migrates. Advice
// and prefetches are only stored for queries.

void register_managed(const void* start, std::uint64_t bytes);
/// Unlists the allocation before it calls `release` to free it, because another thread may be given the address before
/// `release` returns. Lists it again when `release` fails. Returns false then, and when no managed memory starts there.
bool free_managed(const void* start, const std::function<bool()>& release);
bool is_managed_start(const void* start);

/// aclrtMemManagedLocation
struct ManagedLocation {
  int type = 0;
  std::int32_t id = 0;

  bool operator==(const ManagedLocation& other) const { return type == other.type && id == other.id; }
};

// These throw kParamInvalid for memory that is not managed, for unknown advice, attributes and locations, and for a
// wrong size of the data; kInvalidDeviceId for a location on a device that does not exist.

void advise_managed(const void* pointer, std::uint64_t bytes, int advice, ManagedLocation location);
/// Location i applies to the ranges from first_ranges[i] up to the next index.
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
/// Prefetches all ranges, or none when one of them is wrong.
void prefetch_managed(const PrefetchBatch& batch);
void read_managed_attribute(int attribute, const void* pointer, std::uint64_t bytes, void* data,
                            std::size_t data_bytes);

}  // namespace aclvk::runtime
