#pragma once

#include <cstdint>

namespace aclvk::runtime {

class Stream;

// Limits on the number of cores of a kind (aclrtDevResLimitType), for programs that divide work into blocks. They are
// only stored and reported: Vulkan cannot restrict a kernel to some compute units. A stream without a limit has that of
// its device; a device without one has the number of its cores.

// Throw kInvalidDeviceId, kParamInvalid for an unknown kind or more cores than there are, kRuntimeInternal for a device
// that this process has never set.

std::uint32_t device_core_limit(std::int32_t device_id, int kind);
void set_device_core_limit(std::int32_t device_id, int kind, std::uint32_t limit);
void reset_device_core_limits(std::int32_t device_id);

std::uint32_t stream_core_limit(const Stream& stream, int kind);
void set_stream_core_limit(Stream& stream, int kind, std::uint32_t limit);

/// Makes the calling thread use the limits of the stream, until the next call of these two or the end of the stream.
void use_core_limits_of(const Stream& stream);
void use_core_limits_of_device();
/// Returns the limit of the stream whose limits the thread uses, else that of the current device. Throws kContextNull.
std::uint32_t thread_core_limit(int kind);

}  // namespace aclvk::runtime
