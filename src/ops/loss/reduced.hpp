#pragma once

#include <cstdint>

#include "ops/operator.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/reduction/reduction.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

// What losses of many elements become: the attribute `reduction`, and sums in the workspace.

/// How a loss is made of those of its elements; values are those of the attribute.
enum class LossReduction : std::int64_t { kNone = 0, kMean = 1, kSum = 2 };

/// 161002 for other values.
LossReduction checked_reduction(std::int64_t reduction);

/// The output has the elements' shape where nothing is reduced, else one element.
void check_loss_shape(const Tensor& out, const char* name, const Shape& elements, LossReduction reduction);

/// Elements folded along `dims` into `out`, in `promoted`.
Kernels folded_kernels(const char* name, ReduceKind kind, DType promoted, const Tensor& elements, DimMask dims,
                       const Tensor& out, Staging& staging);

}  // namespace aclvk::ops
