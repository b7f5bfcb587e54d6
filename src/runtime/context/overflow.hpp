#pragma once

#include <cstddef>

#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

// Detection of floating-point overflow (runtime-semantics 9) exists on chips with saturating arithmetic. A Vulkan
// device computes with Inf and NaN and has no overflow flag that a shader could read. These functions therefore refuse,
// as they do on chips without saturation, and a program finds overflow in its results.

/// Throws kFeatureNotSupported.
[[noreturn]] void refuse_overflow_detection();
/// Throws kParamInvalid for an unknown mode, kFeatureNotSupported for saturation.
void set_saturation_mode(int mode);
/// aclrtGetOverflowStatus. Throws kParamInvalid unless `bytes` is 64, kStreamCaptured, otherwise kFeatureNotSupported.
[[noreturn]] void read_overflow_status(const Stream& stream, std::size_t bytes);
[[noreturn]] void reset_overflow_status(const Stream& stream);

}  // namespace aclvk::runtime
