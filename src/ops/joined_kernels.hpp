#pragma once

#include <functional>

#include "ops/operator.hpp"

namespace aclvk::ops {

/// Kernels of strided_kernels() as few: small launches of one shader with the same constants become one (JOINABLE of
/// shaders/common/kernel.glsl). On CPUs they stay apart: a launch costs a driver less there than the look-up of its
/// arguments costs each group of threads. Launches without groups go, but for one where nothing else is left. Kernels
/// of which one touches what another writes stay as they are, in order, unless `check_order` throws, which is called
/// for those only; but all may write the `flag`, if all write the same.
Kernels joined(Kernels kernels, const Tensor* flag = nullptr, const std::function<void()>& check_order = {});

}  // namespace aclvk::ops
