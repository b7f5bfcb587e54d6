#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ops/tensor.hpp"

namespace aclvk::ops {

// The elements of a tensor on the host, for recordings.

/// How numpy spells a dtype. Types that it lacks are kept as the unsigned integers or the halves that they consist of.
struct NpyType {
  const char* descr;      ///< "<f4"; null for types without elements
  const char* is;         ///< what it stands for, when that is not what `descr` says: "bits of BF16"; else null
  std::size_t parts = 1;  ///< 2: a last dimension for the real and the imaginary part
};
NpyType npy_type(DType dtype);

/// The start of an .npy file, format 1.0, for elements in row-major order.
std::string npy_header(const NpyType& type, const Shape& shape);

/// The elements in row-major order, out of the bytes of the tensor's span. Bool becomes 0 or 1.
std::vector<std::byte> row_major(const Tensor& tensor, const std::vector<std::byte>& span);
/// The same of a matrix, or a batch of them, out of the bytes of its FRACTAL_NZ blocks.
std::vector<std::byte> row_major_of_blocks(const Tensor& tensor, const std::vector<std::byte>& blocks);

/// A JSON object with Count, Max, Min, Avg, L2norm of the finite values; Nan, Positive Inf, Negative Inf: how many.
/// Complex numbers count as two. Only the named members; all when there are no names. Null for types without
/// arithmetic.
std::string statistics_of(DType dtype, const std::vector<std::byte>& elements, const std::vector<std::string>& names);

/// One of the elements is an infinity or NaN.
bool overflows(DType dtype, const std::vector<std::byte>& elements);

}  // namespace aclvk::ops
