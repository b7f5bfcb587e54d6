#pragma once

#include <string_view>

#include "ops/kernel/kernels.hpp"
#include "ops/tensor/tensor.hpp"

namespace aclvk::ops {

/// Copies `input`, broadcast, to `out`: bit by bit when the dtypes agree, else converted as aclnnCast does.
Kernels copy_kernels(std::string_view name, const Tensor& out, const Tensor& input);

}  // namespace aclvk::ops
