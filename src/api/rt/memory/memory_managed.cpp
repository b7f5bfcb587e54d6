// acl/rt/memory_managed.h: managed memory.
#include <algorithm>

#include "acl/acl_rt.h"
#include "api/base/arrays.hpp"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/rt/memory/memory_arguments.hpp"
#include "base/error.hpp"
#include "runtime/memory/managed_memory.hpp"
#include "runtime/memory/memory.hpp"

using namespace aclvk;
using namespace aclvk::api;

namespace {

runtime::ManagedLocation location_of(const aclrtMemManagedLocation& location) { return {location.type, location.id}; }

void check_flags(uint64_t flags) { check(flags == 0, Code::kParamInvalid, "flags is {}; 0 is expected.", flags); }

}  // namespace

aclError aclrtMemAllocManaged(void** ptr, uint64_t size, uint32_t flag) {
  return guard(__func__, [&] {
    require(ptr, "ptr");
    check(flag == ACL_RT_MEM_ATTACH_GLOBAL, Code::kInvalidParam, "flag is {}; ATTACH_GLOBAL ({}) is expected.", flag,
          ACL_RT_MEM_ATTACH_GLOBAL);
    *ptr = runtime::allocate_managed(size);
  });
}

aclError aclrtMemManagedGetAttr(aclrtMemManagedRangeAttribute attribute, const void* ptr, size_t size, void* data,
                                size_t dataSize) {
  return guard(__func__, [&] {
    require(ptr, "ptr");
    require(data, "data");
    require_size(size);
    runtime::read_managed_attribute(attribute, ptr, size, data, dataSize);
  });
}

aclError aclrtMemManagedGetAttrs(aclrtMemManagedRangeAttribute* attributes, size_t numAttributes, const void* ptr,
                                 size_t size, void** data, size_t* dataSizes) {
  return guard(__func__, [&] {
    require(attributes, "attributes");
    require(ptr, "ptr");
    require(data, "data");
    require(dataSizes, "dataSizes");
    require_size(size);
    check(numAttributes != 0, Code::kInvalidParam, "numAttributes is 0; at least one attribute is expected.");
    check_array(attributes, numAttributes, "attributes", Code::kInvalidParam);
    check_array(data, numAttributes, "data", Code::kInvalidParam);
    check_array(dataSizes, numAttributes, "dataSizes", Code::kInvalidParam);
    for (size_t i = 0; i < numAttributes; ++i) require(data[i], "data[i]");
    for (size_t i = 0; i < numAttributes; ++i) {
      runtime::read_managed_attribute(attributes[i], ptr, size, data[i], dataSizes[i]);
    }
  });
}

aclError aclrtMemManagedAdvise(const void* const ptr, uint64_t size, aclrtMemManagedAdviseType advise,
                               aclrtMemManagedLocation location) {
  return guard(__func__, [&] {
    require(ptr, "ptr");
    require_size(size);
    runtime::advise_managed(ptr, size, advise, location_of(location));
  });
}

// Managed memory never moves (runtime/memory/managed_memory.hpp), so a prefetch only checks its arguments, the stream
// among them.
aclError aclrtMemManagedPrefetchAsync(const void* ptr, size_t size, aclrtMemManagedLocation location, uint32_t flags,
                                      aclrtStream stream) {
  return guard(__func__, [&] {
    require(ptr, "ptr");
    require_size(size);
    own_stream_of(stream);
    check_flags(flags);
    runtime::prefetch_managed(ptr, size, location_of(location));
  });
}

aclError aclrtMemManagedPrefetchBatchAsync(const void** ptrs, size_t* sizes, size_t count,
                                           aclrtMemManagedLocation* prefetchLocs, size_t* prefetchLocIdxs,
                                           size_t numPrefetchLocs, uint64_t flags, aclrtStream stream) {
  return guard(__func__, [&] {
    require(ptrs, "ptrs");
    require(sizes, "sizes");
    require(prefetchLocs, "prefetchLocs");
    require(prefetchLocIdxs, "prefetchLocIdxs");
    check(count != 0, Code::kInvalidParam, "count is 0; at least one range is expected.");
    check_array(ptrs, count, "ptrs", Code::kInvalidParam);
    check_array(sizes, count, "sizes", Code::kInvalidParam);
    const size_t locations = std::min(numPrefetchLocs, count);  // more locations than ranges are refused unread
    check_array(prefetchLocs, locations, "prefetchLocs", Code::kInvalidParam);
    check_array(prefetchLocIdxs, locations, "prefetchLocIdxs", Code::kInvalidParam);
    for (size_t i = 0; i < count; ++i) {
      require(ptrs[i], "ptrs[i]");
      require_size(sizes[i]);
    }
    own_stream_of(stream);
    check_flags(flags);
    runtime::PrefetchBatch batch;
    for (size_t i = 0; i < count; ++i) batch.ranges.push_back({ptrs[i], sizes[i]});
    for (size_t i = 0; i < locations; ++i) {
      batch.locations.push_back(location_of(prefetchLocs[i]));
      batch.first_ranges.push_back(prefetchLocIdxs[i]);
    }
    batch.location_count = numPrefetchLocs;
    runtime::prefetch_managed(batch);
  });
}
