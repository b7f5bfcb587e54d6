#pragma once

#include <cstddef>

#include "ops/tensor_parameters.hpp"

namespace aclvk::ops {

// The checks that normalisations share (161002).

constexpr DTypeSet kNormDtypes = {DType::kFloat, DType::kFloat16, DType::kBfloat16};

/// The number of dims that are not normalised; those that are have the shape `normalized`, which is `what`.
std::size_t leading_dims(const TensorParameters& tensors, TensorParameters::Place x, const Shape& normalized,
                         const char* what);

/// gamma, beta and their like have the size of the last dim of x.
void check_last_dim(const TensorParameters& tensors, TensorParameters::Place place, TensorParameters::Place x);

/// One value for each row, unless left out: the leading dims, with or without dims of size 1 behind them.
void check_row_values(const TensorParameters& tensors, TensorParameters::Place place, const Shape& x, std::size_t lead);

}  // namespace aclvk::ops
