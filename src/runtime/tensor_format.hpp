#pragma once

#include "runtime/tensor_desc.hpp"

namespace aclvk::runtime {

/// The description of the same tensor with its axes in the order of another format: "NCHW" to "NHWC". Throws
/// kInvalidParam when the number of dims is not that of its format, kFeatureNotSupported for layouts in blocks, which
/// only the memory of NPU cores has, and between formats that do not have the same axes.
TensorDesc in_format(const TensorDesc& desc, int format);

}  // namespace aclvk::runtime
