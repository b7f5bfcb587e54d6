#pragma once

#include <cstddef>

#include "ops/executor/tensor_parameters.hpp"
#include "ops/norm/norm_rows.hpp"

namespace aclvk::ops {

// The parameters that normalisations share, and their checks (161002).

/// The parameters of y = (x - mean) * scale * gamma + beta.
struct NormParamIds {
  TensorParameters::ParamId x;
  TensorParameters::ParamId gamma;
  TensorParameters::ParamId beta;
  TensorParameters::ParamId y;
  TensorParameters::ParamId mean;
  TensorParameters::ParamId scale;
};

inline NormTensors tensors_at(const NormParamIds& ids, const TensorParameters::BoundTensors& bound) {
  NormTensors tensors;
  tensors.x = bound[ids.x];
  tensors.gamma = bound[ids.gamma];
  tensors.beta = bound[ids.beta];
  tensors.y = bound[ids.y];
  tensors.mean = bound[ids.mean];
  tensors.scale = bound[ids.scale];
  return tensors;
}

constexpr DTypeSet kNormDtypes = {DType::kFloat, DType::kFloat16, DType::kBfloat16};

/// Returns the sizes in normalizedShape; 161001 if it is NULL.
Shape required_normalized_shape(const IntArrayArg& array);

/// Returns the number of leading dims, which are not normalised. 161002 unless the other dims of x are `normalized`,
/// which error messages call `what`.
std::size_t leading_dims(const TensorParameters& tensors, TensorParameters::ParamId x, const Shape& normalized,
                         const char* what);

/// 161002 unless the parameter, if given, is a vector with the size of the last dim of x.
void check_last_dim(const TensorParameters& tensors, TensorParameters::ParamId param, TensorParameters::ParamId x);

/// 161002 unless the parameter, if given, has one value a row: the leading dims, with or without trailing dims of size
/// 1.
void check_row_values(const TensorParameters& tensors, TensorParameters::ParamId param, const Shape& x,
                      std::size_t lead);

}  // namespace aclvk::ops
