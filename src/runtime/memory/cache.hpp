#pragma once

#include <cstdint>

namespace aclvk::runtime {

class Device;

/// Makes all writes of the device so far visible to host and devices. Submits a full memory barrier to each queue of
/// the device and waits for them.
void flush_caches(Device& device);

// Cache operations (aclrtCmo*). They only check their arguments, also on captured streams: Vulkan has no commands for
// them, each batch already ends with a barrier that makes its writes visible, and a prefetch is a hint.

/// The descriptor that aclrtCmoSetDesc writes to device memory and aclrtCmoAsyncWithDesc takes.
struct CacheDescription {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

/// Throws kParamInvalid for an unknown aclrtCmoType.
void check_cache_operation(int type);
/// Throws kParamInvalid for an unknown aclrtCmoType and for a range that is not inside a live allocation.
void operate_on_cache(int type, const void* pointer, std::uint64_t bytes);
/// Writes the descriptor at once, without a stream.
void write_cache_description(void* description, const void* pointer, std::uint64_t bytes);

}  // namespace aclvk::runtime
