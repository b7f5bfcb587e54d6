#pragma once

#include <array>
#include <utility>

#include "ops/attention/rope.hpp"
#include "ops/executor/operator.hpp"
#include "ops/tensor/dtype_sets.hpp"

namespace aclvk::ops {

// Shared by the operators of rotary embeddings.

/// The dtypes that can be rotated.
constexpr DTypeSet kRotated = {DType::kFloat, DType::kFloat16, DType::kBfloat16};

/// Views of the first and of the second elements of all pairs along the last dim.
using PairViews = std::pair<Tensor, Tensor>;
PairViews pair_views(const Tensor& tensor, Rotary rotary, bool is_input);

/// Computes out = x * cos + y * sin, or x * cos - y * sin with `minus`. Operands are x, cos, y, sin and out; the inputs
/// broadcast to out.
Kernels rotate_coordinate(const char* name, const std::array<const Tensor*, 5>& operands, bool minus);

}  // namespace aclvk::ops
