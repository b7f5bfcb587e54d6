#pragma once

#include "ops/matmul/blocks.hpp"
#include "ops/operator.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/staging.hpp"
#include "ops/tensor_parameters.hpp"

namespace aclvk::ops {

// What products of quantised matrices share.

/// With the last two dims swapped, if wanted.
Shape transposed(Shape shape, bool transposes);

/// That both have two dims or more, and that no other tensor of the operator is FRACTAL_NZ (161002).
void check_matrices(const char* name, const TensorParameters& tensors, TensorParameters::ParamId x1,
                    TensorParameters::ParamId x2);
/// The shape of the product of factors, as they are multiplied; 161002 where they do not meet.
Shape check_factors(const Shape& x1, const Shape& x2);
/// The dtypes of the table, and of those what a tensor that was not left out may have as what it is (161002).
void check_role(const TensorParameters& tensors, TensorParameters::ParamId place, const DTypeSet& dtypes);
/// A number for each column, or one for all (161002).
void check_columns(const TensorParameters& tensors, TensorParameters::ParamId place, std::int64_t columns);
/// A number for each row, or one for all (161002).
void check_rows(const TensorParameters& tensors, TensorParameters::ParamId place, std::int64_t rows);

/// A factor as matrices of a batch: out of blocks, unpacked, transposed if wanted.
Tensor factor_of(const char* name, const Tensor& tensor, bool transposes, const Shape& batch, Staging& staging,
                 Kernels& before);
/// The same, in the blocks where it lies.
BlockedMatrix blocked_factor_of(const char* name, const Tensor& tensor, bool transposes, const Shape& batch,
                                Staging& staging, Kernels& before);

/// What a reduction over some dims makes, computed in float.
Kernels fold_kernels(const char* name, ReduceKind kind, const Tensor& x, DimMask dims, const Tensor& out,
                     Staging& staging);

/// A tensor in the workspace that lies as other matrices do, in blocks too.
BlockedMatrix made_like(const BlockedMatrix& matrices, DType dtype, Staging& staging);

/// A number in the workspace, of shape (1).
Tensor number_in_memory(const char* name, float number, Staging& staging, Kernels& before);

}  // namespace aclvk::ops
