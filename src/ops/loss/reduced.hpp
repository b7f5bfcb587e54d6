#pragma once

#include <cstdint>

#include "ops/operator.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/reduction/reduction.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

// The attribute `reduction` of losses, and reductions with their states in the workspace.

/// The reduction of a loss; enumerators have the attribute's values.
enum class LossReduction : std::int64_t { kNone = 0, kMean = 1, kSum = 2 };

/// Returns the reduction; 161002 for other values.
LossReduction checked_reduction(std::int64_t reduction);

/// 161002 unless the output has the elements' shape (no reduction), or one element.
void check_loss_shape(const Tensor& out, const char* name, const Shape& elements, LossReduction reduction);

/// Reduces `elements` along `dims` into `out`, computing in `promoted`.
Kernels reduce_kernels(const char* name, ReduceKind kind, DType promoted, const Tensor& elements, DimMask dims,
                       const Tensor& out, Staging& staging);

}  // namespace aclvk::ops
