#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/tensor/shape.hpp"

namespace aclvk::ops {

// Batched products whose operands and result have permuted dims.

/// Returns a permutation of three dims (161002).
Shape order_of_batches(const IntArrayArg& arg);
/// Returns the inverse permutation.
Shape inverse_order(const Shape& order);

/// The arguments of aclnnTransposeBatchMatMul and its FRACTAL_NZ form, named after their parameters.
struct TransposedBatches {
  const char* name;
  InputArg x1;
  InputArg x2;
  InputArg bias;
  InputArg scale;
  IntArrayArg order1;
  IntArrayArg order2;
  IntArrayArg order_of_out;
  std::int8_t cube_math_type;
  std::int32_t batch_split_factor;
  OutputArg out;
};
/// Plans such a product. With a scale for each column of each matrix the result is INT8, (rows, 1, batch * columns). A
/// batchSplitFactor of s makes it (s, rows, batch / s * columns).
std::shared_ptr<Executor> plan_transpose_batch_matmul(const TransposedBatches& call);

}  // namespace aclvk::ops
