#pragma once

#include "ops/operator.hpp"
#include "ops/pooling/window_call.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

/// The largest element of each window and, where `indices` is not null, its number among those of the windows' dims.
/// Large windows go along one dim after the other, the last one first, so that of equal elements the same one is taken.
Kernels maximum_kernels(const char* name, Staging& staging, const WindowWalk& walk, const Tensor& self,
                        const Tensor& out, const Tensor* indices);

}  // namespace aclvk::ops
