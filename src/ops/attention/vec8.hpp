#pragma once

#include "ops/executor/operator.hpp"
#include "ops/kernel/staging.hpp"

namespace aclvk::ops {

// Kernels of attention read and write eight consecutive elements of the last dim in one access (a vec8). Tensors whose
// rows allow that are used in place.

/// Returns the tensor, or a copy in the workspace whose last dim is padded with zeros to a multiple of 8. The copying
/// kernels are added to `before`.
Tensor read_as_vec8(const char* name, const Tensor& tensor, Staging& staging, Kernels& before);
/// Returns the tensor, or a padded one that is copied to it at the end. It starts with the tensor's elements, because
/// kernels may leave some unwritten.
Tensor write_as_vec8(const char* name, const Tensor& tensor, Staging& staging, Kernels& before);

}  // namespace aclvk::ops
