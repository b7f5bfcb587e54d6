#pragma once

#include <cstddef>

#include "ops/norm/norm_rows.hpp"
#include "ops/tensor_parameters.hpp"

namespace aclvk::ops {

// What normalisations share: the places of their parameters, and checks (161002).

/// Those of y = (x - mean) * scale * gamma + beta.
struct NormParamIds {
  TensorParameters::Place x;
  TensorParameters::Place gamma;
  TensorParameters::Place beta;
  TensorParameters::Place y;
  TensorParameters::Place mean;
  TensorParameters::Place scale;
};

inline NormTensors tensors_at(const NormParamIds& ids, const TensorParameters::Now& now) {
  NormTensors tensors;
  tensors.x = now[ids.x];
  tensors.gamma = now[ids.gamma];
  tensors.beta = now[ids.beta];
  tensors.y = now[ids.y];
  tensors.mean = now[ids.mean];
  tensors.scale = now[ids.scale];
  return tensors;
}

constexpr DTypeSet kNormDtypes = {DType::kFloat, DType::kFloat16, DType::kBfloat16};

/// The sizes that the array normalizedShape has; it must not be NULL (161001).
Shape required_normalized_shape(const void* array);

/// The number of dims that are not normalised; those that are have the shape `normalized`, which is `what`.
std::size_t leading_dims(const TensorParameters& tensors, TensorParameters::Place x, const Shape& normalized,
                         const char* what);

/// gamma, beta and their like have the size of the last dim of x.
void check_last_dim(const TensorParameters& tensors, TensorParameters::Place place, TensorParameters::Place x);

/// One value for each row, unless left out: the leading dims, with or without dims of size 1 behind them.
void check_row_values(const TensorParameters& tensors, TensorParameters::Place place, const Shape& x, std::size_t lead);

}  // namespace aclvk::ops
