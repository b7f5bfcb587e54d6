#pragma once

#include <cstdint>

#include "ops/dtype.hpp"
#include "ops/shape.hpp"

namespace aclvk::ops {

/// The storage shape of a matrix, or of a batch of them, in FRACTAL_NZ with blocks of 16 rows and so many columns.
Shape fractal_storage(const Shape& shape, std::int64_t block_columns);

/// How many elements a weight of 2 to 6 dims has in FRACTAL_NZ. `shape` is the handle of an int array; its name in
/// sentences is tensorShape. 161001 and 161002 as api/docs/helpers.tsv says.
std::uint64_t matmul_weight_elements(const void* shape, DType dtype);

/// How many elements the weight of a convolution has in FRACTAL_Z.
std::uint64_t convolution_weight_elements(const void* shape, bool transposed, std::int64_t groups, DType dtype);

}  // namespace aclvk::ops
