#pragma once

#include "ops/operator.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

// Kernels of attention read and write eight neighbours of the last dim at once. Most tensors lie so already.

/// The tensor, or a copy whose last dim is filled up with zeros to eights; the kernels that make it are added to
/// `before`.
Tensor read_as_vec8(const char* name, const Tensor& tensor, Staging& staging, Kernels& before);
/// The tensor, or one that is copied to it, with a last dim as above; it has the tensor's elements until they are
/// written.
Tensor write_as_vec8(const char* name, const Tensor& tensor, Staging& staging, Kernels& before);

}  // namespace aclvk::ops
