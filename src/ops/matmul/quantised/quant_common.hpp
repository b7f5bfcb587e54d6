#pragma once

#include <initializer_list>

#include "ops/executor/operator.hpp"
#include "ops/executor/tensor_parameters.hpp"
#include "ops/kernel/staging.hpp"
#include "ops/matmul/formats/blocks.hpp"
#include "ops/reduction/reduce.hpp"

namespace aclvk::ops {

// Shared by the products of quantised matrices.

/// Returns the shape, with the last two dims swapped if `transposes`.
Shape transposed(Shape shape, bool transposes);

/// Checks that both are matrices, and that no other tensor is FRACTAL_NZ (161002).
void check_matrices(const char* name, const TensorParameters& tensors, TensorParameters::ParamId x1,
                    TensorParameters::ParamId x2);
/// Checks that tensors are batches of matrices in three dims (161002).
void check_three_dims(const TensorParameters& tensors, std::initializer_list<TensorParameters::ParamId> places);
/// Returns the shape of the product of two factors in multiplication order. 161002 if they do not fit.
Shape check_factors(const Shape& x1, const Shape& x2);
/// Checks that a tensor, unless absent, has a number for each column, or one (161002).
void check_columns(const TensorParameters& tensors, TensorParameters::ParamId param, std::int64_t columns);
/// Checks that a tensor, unless absent, has a number for each row, or one (161002).
void check_rows(const TensorParameters& tensors, TensorParameters::ParamId param, std::int64_t rows);

/// Returns a factor as strided matrices of a batch: unpacked, out of its blocks, transposed if wanted.
Tensor factor_of(const char* name, const Tensor& tensor, bool transposes, const Shape& batch, Staging& staging,
                 Kernels& before);
/// Returns a factor as matrices of a batch that keep their blocks: unpacked, transposed if wanted.
BlockedMatrix blocked_factor_of(const char* name, const Tensor& tensor, bool transposes, const Shape& batch,
                                Staging& staging, Kernels& before);

/// Returns the kernels of a reduction over `dims`, computed in float.
Kernels fold_kernels(const char* name, ReduceKind kind, const Tensor& x, DimMask dims, const Tensor& out,
                     Staging& staging);

/// Returns a tensor in the workspace with the memory layout of `matrices`, including blocks.
BlockedMatrix workspace_like(const BlockedMatrix& matrices, DType dtype, Staging& staging);

/// Returns a host number as a tensor of shape (1) in the workspace.
Tensor scalar_in_workspace(const char* name, float number, Staging& staging, Kernels& before);

}  // namespace aclvk::ops
