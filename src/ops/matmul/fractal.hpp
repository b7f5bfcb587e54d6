#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>

#include "ops/executor.hpp"
#include "ops/matmul/blocks.hpp"
#include "ops/operator.hpp"
#include "ops/staging.hpp"
#include "ops/tensor_parameters.hpp"

namespace aclvk::ops {

// FRACTAL_NZ: a matrix of k x n in blocks of 16 x c. Its storage shape is (n / c, k / 16, 16, c), rounded up, behind
// the dims of a batch: columns of blocks follow each other, a block is row-major. The view shape is that of the matrix.
// A storage shape of one dim counts elements; the blocks are then those that hold the view, as it lies in memory.

constexpr int kFractalNz = 29;  ///< ACL_FORMAT_FRACTAL_NZ

bool is_fractal(const Tensor& tensor);

/// That the storage shape of a fractal tensor has room for its view (161002). Others are fine.
void check_fractal(const Tensor& tensor, const char* name);
/// The same for the tensors of an operator that reads blocks at these places only; others lie row by row (161002).
void check_fractal(const char* name, const TensorParameters& tensors,
                   std::initializer_list<TensorParameters::ParamId> places);

/// The matrix, or one in the workspace that the kernels added to `before` make of blocks.
Tensor as_matrix(const char* name, const Tensor& tensor, Staging& staging, Kernels& before);

/// The storage shape of a fractal tensor.
Shape storage_of(const Tensor& tensor);

/// The matrix as it lies, also in blocks; nothing where no product reads such blocks.
std::optional<BlockedMatrix> lying(const Tensor& tensor);
/// The same, or a matrix in the workspace.
BlockedMatrix as_it_lies(const char* name, const Tensor& tensor, Staging& staging, Kernels& before);

/// The blocks of a fractal tensor as they lie.
Tensor blocks_of(const Tensor& tensor);

/// Writes a matrix into the blocks of `to`; what fills them up is 0.
Kernels block_kernels(const char* name, const Tensor& from, const Tensor& to, Staging& staging);

/// aclnnNpuFormatCast: the elements of src as dst's format stores them, ND or FRACTAL_NZ. What fills up blocks is 0.
std::shared_ptr<Executor> plan_format_cast(const void* src, const void* dst);

/// aclnnTransMatmulWeight: the elements of a matrix, or of a batch of them, as FRACTAL_NZ in the same memory, which has
/// room for the blocks. The tensor behind the handle has that format from the first phase on.
std::shared_ptr<Executor> plan_matmul_weight(const void* weight);

}  // namespace aclvk::ops
