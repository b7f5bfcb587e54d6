#pragma once

#include "ops/operator.hpp"

namespace aclvk::ops {

/// Kernels of strided_kernels() that do not depend on each other, as few: small launches of one shader with the same
/// constants become one (JOINABLE of shaders/common/kernel.glsl). Launches without groups go, but for one where nothing
/// else is left.
Kernels joined(Kernels kernels);

}  // namespace aclvk::ops
