#pragma once

#include <optional>
#include <string_view>

#include "ops/tensor/tensor.hpp"
#include "runtime/kernel/kernel.hpp"

namespace aclvk::ops {

/// Returns a kernel that copies `input`, broadcast, to `out` in 8 x 8 blocks, so that whole cache lines are read and
/// written. For tensors of one dtype whose contiguous dims differ. Returns nothing for other views, and for few
/// elements.
std::optional<runtime::Kernel> transposing_kernel(std::string_view name, const Tensor& out, const Tensor& input);

}  // namespace aclvk::ops
