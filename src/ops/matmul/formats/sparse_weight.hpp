#pragma once

#include <cstdint>
#include <vector>

#include "ops/executor/args.hpp"
#include "ops/tensor/shape.hpp"

namespace aclvk::ops {

/// A weight with 2:4 structured sparsity, compressed, in blocks: two values of each four, and an index byte for each
/// eight elements, two bits for each value.
struct SparseWeight {
  std::vector<std::int8_t> values;
  Shape value_dims;  ///< (K / 64, results / 16, 16, 32), rounded up
  std::vector<std::uint8_t> index;
  Shape index_dims;  ///< (K / 64, results / 16, 16, 8)
};

/// Compresses an INT8 weight whose shape (results, K) is in the int array `shape`. 161002 where more than two of four
/// elements along K are not 0.
SparseWeight sparse_weight(const std::int8_t* weight, const aclIntArray* shape);

}  // namespace aclvk::ops
