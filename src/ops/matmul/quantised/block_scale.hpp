#pragma once

#include "ops/executor/operator.hpp"
#include "ops/executor/tensor_parameters.hpp"
#include "ops/kernel/staging.hpp"
#include "ops/matmul/formats/blocks.hpp"

namespace aclvk::ops {

// Factors of 8-bit floats or integers and their scales. A scale is one number; one number for each row of the first
// factor, or for each column of the second (also in quant words); one for each block; or FLOAT8_E8M0, one for each 32
// elements along K (the MX formats of OCP), with the factor's shape but ceil(K / 64) in place of K, and a last dim of
// 2.

/// The block sizes that groupSize packs: bits 0 to 15 along K, 16 to 31 along the columns, 32 to 47 along the rows. A
/// size of 0 follows from the shape of the scale.
struct BlockSizes {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t k = 0;
};
BlockSizes block_sizes(std::int64_t group_size);

/// The factor of a product: K is the last dim of the first one, the last but one of the second.
enum class Factor { kFirst, kSecond };

/// Returns the permutation of dims that a factor is multiplied in: the last two swapped if `transposes`.
Shape order_of_dims(std::size_t rank, bool transposes);

/// A factor and its scale, among an operator's parameters.
struct ScaledFactor {
  TensorParameters::ParamId tensor;
  TensorParameters::ParamId scale;  ///< may be absent
  Factor factor;
  Shape order;  ///< permutation of the tensor's dims to batch, rows, columns
  BlockSizes blocks;
};

/// Returns the factor's shape in the order batch, rows, columns, in unpacked elements.
Shape shape_of(const TensorParameters& tensors, const ScaledFactor& factor);
/// Checks that the scale has one of the shapes above, and that the blocks fit (161002).
void check_scale(const TensorParameters& tensors, const ScaledFactor& factor);
/// Returns the factor times its scale, as FLOAT in the workspace. The second factor keeps its blocks if it has some.
BlockedMatrix scaled(const char* name, const TensorParameters::BoundTensors& bound, const ScaledFactor& factor,
                     Staging& staging, Kernels& before);

}  // namespace aclvk::ops
