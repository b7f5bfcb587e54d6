#pragma once

#include <functional>

#include "ops/kernel/kernels.hpp"
#include "ops/tensor/tensor.hpp"

namespace aclvk::ops {

/// Joins small kernels of strided_kernels() into few dispatches: those with the same shader and specialization
/// constants become one (JOINABLE of shaders/common/kernel.glsl), like the multi-tensor-apply kernels of PyTorch.
///
/// On CPU devices kernels stay separate, because a dispatch costs less there than the look-up of arguments in each
/// workgroup. Kernels without workgroups are dropped, except for one when no other is left. When a kernel writes memory
/// that another one reads or writes, all stay separate and in order; `check_order` is called then, and may throw. All
/// kernels may write `flag`, provided that they write the same value.
Kernels joined(Kernels kernels, const Tensor* flag = nullptr, const std::function<void()>& check_order = {});

}  // namespace aclvk::ops
