#pragma once

#include "ops/operator.hpp"

namespace aclvk::ops {

/// factor * x + y + z; z may be null.
Kernels add_kernels(const char* name, float factor, const Tensor& x, const Tensor& y, const Tensor* z,
                    const Tensor& sum);

}  // namespace aclvk::ops
