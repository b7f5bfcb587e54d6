#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

// Options of streams before their creation and attributes after it (runtime-semantics 4.2, 4.8, 4.11 and 4.12).

/// An aclrtStreamConfigHandle, as aclrtSetStreamConfigOpt fills it in.
struct StreamConfig {
  void* work_memory = nullptr;
  std::size_t work_bytes = 0;
  std::size_t flags = 0;
  std::uint32_t priority = 0;
};

/// aclrtStreamConfigAttr.
enum class ConfigAttribute : int { kWorkMemory = 0, kWorkBytes = 1, kFlags = 2, kPriority = 3 };
/// Throws kInvalidParam for an unknown attribute, a wrong size of the value, and a priority out of range.
void set_option(StreamConfig& config, ConfigAttribute attribute, const void* value, std::size_t bytes);

/// aclrtStreamAttr.
enum class StreamAttribute : int {
  kFailureMode = 1,
  kOverflowSwitch = 2,
  kCustomTag = 3,
  kCacheOpInfo = 4,
  kPriority = 5,
};
/// Throws kParamInvalid for an unknown attribute.
StreamAttribute checked_attribute(int attribute);
/// Set and return an attribute. Throw kParamInvalid for an invalid value, otherwise what the functions below throw.
void set_attribute(Stream& stream, StreamAttribute attribute, std::uint64_t value);
std::uint64_t attribute(const Stream& stream, StreamAttribute attribute);

/// Bit 0 of `mode`: the first failed task stops the stream's context (Failures). Throws kFeatureNotSupported when the
/// bit is to be cleared again, and for streams that are bound to a model.
void set_failure_mode(Stream& stream, std::uint64_t mode);
/// Throws kInvalidParam unless `flag` is 0 or 1, kStreamCaptured, kFeatureNotSupported for 1.
void set_overflow_switch(const Stream& stream, std::uint32_t flag);
/// Returns 0. Throws kStreamCaptured.
std::uint32_t overflow_switch(const Stream& stream);

/// aclrtStreamStop: drops the tasks of a DEVICE_USE_ONLY stream. Throws kFeatureNotSupported for other streams, and for
/// streams that are bound to a model.
void stop_stream(Stream& stream);

}  // namespace aclvk::runtime
