#pragma once

#include <cstddef>

#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

// Detection of floating-point overflow (runtime-semantics 9). It exists on chips that saturate. A Vulkan device
// computes with Inf and NaN like the chips that do not, and has no flag that a shader could set or read: so a program
// finds overflow in its results, and these functions refuse as they do on such chips.

/// Throws kFeatureNotSupported.
[[noreturn]] void refuse_overflow_detection();
/// Throws kParamInvalid for other modes than the two, kFeatureNotSupported for saturation.
void set_saturation_mode(int mode);
/// aclrtGetOverflowStatus: throws kParamInvalid for another size than 64, kStreamCaptured, kFeatureNotSupported.
[[noreturn]] void read_overflow_status(const Stream& stream, std::size_t bytes);
[[noreturn]] void reset_overflow_status(const Stream& stream);

}  // namespace aclvk::runtime
