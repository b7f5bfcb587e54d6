#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>

#include "ops/executor/executor.hpp"
#include "ops/executor/operator.hpp"
#include "ops/executor/tensor_parameters.hpp"
#include "ops/kernel/staging.hpp"
#include "ops/matmul/formats/blocks.hpp"

namespace aclvk::ops {

// FRACTAL_NZ: a k x n matrix in blocks of 16 x c, stored as (n / c, k / 16, 16, c), rounded up, after the dims of a
// batch. Each block is row-major; a column of blocks is contiguous. The view shape is that of the matrix. A storage
// shape of one dim is a number of elements; the blocks then follow from the view in memory order.

constexpr int kFractalNz = 29;  ///< ACL_FORMAT_FRACTAL_NZ

/// Returns whether the tensor has the format and a storage shape for it.
bool is_fractal(const Tensor& tensor);

/// Checks that the storage shape of a FRACTAL_NZ tensor has room for its view (161002). Accepts tensors of other
/// formats.
void check_fractal(const Tensor& tensor, const char* name);
/// Checks all tensors of an operator; only those at `params` may be FRACTAL_NZ (161002).
void check_fractal(const char* name, const TensorParameters& tensors,
                   std::initializer_list<TensorParameters::ParamId> params);

/// Returns the tensor, or for FRACTAL_NZ a strided copy in the workspace, made by kernels that are added to `before`.
Tensor as_matrix(const char* name, const Tensor& tensor, Staging& staging, Kernels& before);

/// Returns the storage shape of a FRACTAL_NZ tensor in blocks.
Shape storage_of(const Tensor& tensor);

/// Returns a view of the matrix in its own memory, with its blocks; nothing if matmul kernels cannot read such blocks.
std::optional<BlockedMatrix> blocked_view(const Tensor& tensor);
/// Returns blocked_view(), or as_matrix() where there is none.
BlockedMatrix as_blocked_matrix(const char* name, const Tensor& tensor, Staging& staging, Kernels& before);

/// Returns the storage of a FRACTAL_NZ tensor as a row-major tensor of blocks.
Tensor blocks_of(const Tensor& tensor);

/// Writes a matrix into the blocks of `to` and zeros into their padding.
Kernels block_kernels(const char* name, const Tensor& from, const Tensor& to, Staging& staging);

}  // namespace aclvk::ops
