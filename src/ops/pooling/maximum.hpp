#pragma once

#include "ops/executor/operator.hpp"
#include "ops/kernel/staging.hpp"
#include "ops/pooling/window_call.hpp"

namespace aclvk::ops {

/// Writes the maximum of each window and, if `indices` is not null, its linear index in the plane. Large windows are
/// separable: one pass a dim, last dim first, which keeps the choice among equal elements.
Kernels maximum_kernels(const char* name, Staging& staging, const WindowWalk& walk, const Tensor& self,
                        const Tensor& out, const Tensor* indices);

}  // namespace aclvk::ops
