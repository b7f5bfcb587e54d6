#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ops/tensor/tensor.hpp"

namespace aclvk::ops {

// The elements of tensors on the host, for dumps.

/// The NumPy type of a dtype. Types that NumPy lacks are stored as unsigned integers, COMPLEX32 as halves.
struct NpyType {
  const char* descr;      ///< "<f4"; null for types without elements
  const char* is;         ///< what it stands for, when that is not what `descr` says: "bits of BF16"; else null
  std::size_t parts = 1;  ///< 2: a last dimension for the real and the imaginary part
};
NpyType npy_type(DType dtype);

/// The header of an .npy file, format 1.0, for elements in row-major order.
std::string npy_header(const NpyType& type, const Shape& shape);

/// Extracts the elements in row-major order from the bytes of the tensor's span. BOOL is normalised to 0 or 1.
std::vector<std::byte> row_major(const Tensor& tensor, const std::vector<std::byte>& span);
/// Extracts the elements of a batch of matrices from the bytes of its FRACTAL_NZ blocks.
std::vector<std::byte> row_major_of_blocks(const Tensor& tensor, const std::vector<std::byte>& blocks);

/// Returns a JSON object with Count, the Max, Min, Avg and L2norm of finite values, and the counts Nan, Positive Inf
/// and Negative Inf. Complex numbers count as two. Restricted to `names` unless they are empty. Null for dtypes without
/// arithmetic.
std::string statistics_of(DType dtype, const std::vector<std::byte>& elements, const std::vector<std::string>& names);

/// Returns whether an element is an infinity or NaN.
bool overflows(DType dtype, const std::vector<std::byte>& elements);

}  // namespace aclvk::ops
