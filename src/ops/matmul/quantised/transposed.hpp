#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"
#include "ops/tensor/shape.hpp"

namespace aclvk::ops {

// Batched products whose operands and result have permuted dims.

/// Returns a permutation of three dims (161002).
Shape order_of_batches(const void* handle, const char* name);
/// Returns the inverse permutation.
Shape inverse_order(const Shape& order);

/// The arguments of aclnnTransposeBatchMatMul and its FRACTAL_NZ form, named after their parameters.
struct TransposedBatches {
  const char* name;
  const void* x1;
  const void* x2;
  const void* bias;
  const void* scale;
  const void* order1;
  const void* order2;
  const void* order_of_out;
  std::int8_t cube_math_type;
  std::int32_t batch_split_factor;
  const void* out;
};
/// Plans such a product. With a scale for each column of each matrix the result is INT8, (rows, 1, batch * columns). A
/// batchSplitFactor of s makes it (s, rows, batch / s * columns).
std::shared_ptr<Executor> plan_transpose_batch_matmul(const TransposedBatches& call);

}  // namespace aclvk::ops
