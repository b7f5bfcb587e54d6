#pragma once

#include <cstdint>
#include <vector>

#include "ops/shape.hpp"

namespace aclvk::ops {

/// A weight without the zeros of its pattern, in blocks: the values that are kept, and for each eight of the weight a
/// byte that says where four of them belong.
struct SparseWeight {
  std::vector<std::int8_t> values;
  Shape value_dims;  ///< (K / 64, results / 16, 16, 32), rounded up
  std::vector<std::uint8_t> index;
  Shape index_dims;  ///< (K / 64, results / 16, 16, 8)
};

/// Of an INT8 weight whose shape (results, K) is in the int array `shape`. 161002 where more than two of four
/// elements along K are not 0.
SparseWeight sparse_weight(const std::int8_t* weight, const void* shape);

}  // namespace aclvk::ops
