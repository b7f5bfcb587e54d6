#pragma once

#include <cstddef>

#include "ops/norm/norm_rows.hpp"
#include "ops/tensor_parameters.hpp"

namespace aclvk::ops {

// What normalisations share: the places of their parameters, and checks (161002).

/// Those of y = (x - mean) * scale * gamma + beta.
struct NormPlaces {
  TensorParameters::ParamId x;
  TensorParameters::ParamId gamma;
  TensorParameters::ParamId beta;
  TensorParameters::ParamId y;
  TensorParameters::ParamId mean;
  TensorParameters::ParamId scale;
};

inline NormTensors tensors_at(const NormPlaces& places, const TensorParameters::BoundTensors& bound) {
  NormTensors tensors;
  tensors.x = bound[places.x];
  tensors.gamma = bound[places.gamma];
  tensors.beta = bound[places.beta];
  tensors.y = bound[places.y];
  tensors.mean = bound[places.mean];
  tensors.scale = bound[places.scale];
  return tensors;
}

constexpr DTypeSet kNormDtypes = {DType::kFloat, DType::kFloat16, DType::kBfloat16};

/// The sizes that the array normalizedShape has; it must not be NULL (161001).
Shape required_normalized_shape(const void* array);

/// The number of dims that are not normalised; those that are have the shape `normalized`, which is `what`.
std::size_t leading_dims(const TensorParameters& tensors, TensorParameters::ParamId x, const Shape& normalized,
                         const char* what);

/// gamma, beta and their like have the size of the last dim of x.
void check_last_dim(const TensorParameters& tensors, TensorParameters::ParamId place, TensorParameters::ParamId x);

/// One value for each row, unless left out: the leading dims, with or without dims of size 1 behind them.
void check_row_values(const TensorParameters& tensors, TensorParameters::ParamId place, const Shape& x,
                      std::size_t lead);

}  // namespace aclvk::ops
