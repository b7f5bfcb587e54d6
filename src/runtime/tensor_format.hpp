#pragma once

#include "runtime/tensor_desc.hpp"

namespace aclvk::runtime {

/// Returns the description with its axes permuted to another format, from NCHW to NHWC for instance. Throws
/// kInvalidParam when the number of dims is not that of its format, kFeatureNotSupported for blocked layouts, which are
/// specific to NPUs, and between formats with different axes.
TensorDesc in_format(const TensorDesc& desc, int format);

}  // namespace aclvk::runtime
