#pragma once

#include <cstdint>

namespace aclvk::runtime {

// Operations on caches. Vulkan has no commands for them and needs none: what a batch has written is visible to all that
// comes after it, so data are where a write-back or an invalidation would bring them, and a prefetch is a hint. An
// operation is over when it has been issued, on captured streams too; the checks are all there is to do.

/// What aclrtCmoSetDesc writes to device memory, and aclrtCmoAsyncWithDesc takes.
struct CacheDescription {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

/// kParamInvalid for an unknown aclrtCmoType.
void check_cache_operation(int type);
/// The same, and for a range that is not inside a live allocation.
void operate_on_cache(int type, const void* pointer, std::uint64_t bytes);
/// Written at once, past all streams.
void write_cache_description(void* description, const void* pointer, std::uint64_t bytes);

}  // namespace aclvk::runtime
