#pragma once

#include "ops/matmul/blocks.hpp"
#include "ops/operator.hpp"
#include "ops/staging.hpp"
#include "ops/tensor_parameters.hpp"

namespace aclvk::ops {

// Factors of 8-bit floats or of integers, and their scales. A scale is one number; one for each row of the first
// factor, or for each column of the second, the lower half of words too; one for each block, of any sizes; or
// FLOAT8_E8M0, one for each 32 along the depth: then it has the factor's shape with ceil(depth / 64) in place of the
// depth, and a last dim of 2.

/// The blocks of groupSize: bits 0 to 15 along the depth, 16 to 31 along the columns, 32 to 47 along the rows. 0 is
/// what the shape of a scale makes of it.
struct BlockSizes {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t depth = 0;
};
BlockSizes block_sizes(std::int64_t group_size);

/// Which of the two last dims is the depth, as factors are multiplied.
enum class Factor { kFirst, kSecond };

/// The order of dims in which a factor is multiplied: the last two swapped, if wanted.
Shape order_of_dims(std::size_t rank, bool transposes);

/// A factor and its scale among an operator's parameters.
struct ScaledFactor {
  TensorParameters::ParamId tensor;
  TensorParameters::ParamId scale;  ///< may have been left out
  Factor factor;
  Shape order;  ///< of the tensor's dims, as they are multiplied: batch, rows, columns
  BlockSizes blocks;
};

/// The shape as it is multiplied.
Shape shape_of(const TensorParameters& tensors, const ScaledFactor& factor);
/// That the scale has one of those shapes, and blocks that fit (161002).
void check_scale(const TensorParameters& tensors, const ScaledFactor& factor);
/// The factor times its scale, as FLOAT in the workspace; the second one in blocks where it lies in them.
BlockedMatrix scaled(const char* name, const TensorParameters::BoundTensors& bound, const ScaledFactor& factor,
                     Staging& staging, Kernels& before);

}  // namespace aclvk::ops
