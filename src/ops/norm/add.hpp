#pragma once

#include "ops/executor/operator.hpp"

namespace aclvk::ops {

/// sum = factor * x + y + z, elementwise in float with broadcasting; z may be null.
Kernels add_kernels(const char* name, float factor, const Tensor& x, const Tensor& y, const Tensor* z,
                    const Tensor& sum);

}  // namespace aclvk::ops
