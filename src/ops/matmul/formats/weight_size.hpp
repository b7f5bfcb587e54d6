#pragma once

#include <cstdint>

#include "ops/executor/args.hpp"
#include "ops/tensor/dtype.hpp"
#include "ops/tensor/shape.hpp"

namespace aclvk::ops {

/// Returns the storage shape of matrices in FRACTAL_NZ with blocks of 16 rows and `block_columns` columns.
Shape fractal_storage(const Shape& shape, std::int64_t block_columns);

/// Returns the elements of a weight of 2 to 6 dims in FRACTAL_NZ. `shape` is the handle of an int array, tensorShape in
/// messages. 161001 and 161002 as interface/docs/helpers.tsv says.
std::uint64_t matmul_weight_elements(const aclIntArray* shape, DType dtype);

/// Returns the elements of a convolution's weight in FRACTAL_Z.
std::uint64_t convolution_weight_elements(const aclIntArray* shape, bool transposed, std::int64_t groups, DType dtype);

}  // namespace aclvk::ops
