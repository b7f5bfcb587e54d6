#pragma once

#include <array>
#include <utility>

#include "ops/attention/rope.hpp"
#include "ops/dtype_sets.hpp"
#include "ops/operator.hpp"

namespace aclvk::ops {

// What operators that turn points share.

constexpr DTypeSet kRotated = {DType::kFloat, DType::kFloat16, DType::kBfloat16};

/// Views of the first and of the second coordinates of points, which lie along the last dim.
using PairViews = std::pair<Tensor, Tensor>;
PairViews pair_views(const Tensor& tensor, Rotary rotary, bool is_input);

/// out = x cos + y sin, or minus; the operands, which broadcast, are x, cos, y, sin and out.
Kernels rotate_coordinate(const char* name, const std::array<const Tensor*, 5>& operands, bool minus);

}  // namespace aclvk::ops
