#pragma once

#include "ops/convolution/conv_kernels.hpp"

namespace aclvk::ops {

/// The operands of the gradient of a weight: for each tap, the sum over all positions of an element of `images` times
/// one of `values`. For a convolution these are its input and the gradient of its output, for a transposed one the
/// reverse. Tensors have any strides; only the batch may be empty.
struct WeightGradientTensors {
  Tensor images;  ///< (N, groups * channels, ...)
  Tensor values;  ///< (N, groups * output channels, ...)
  Tensor out;     ///< (groups * output channels, channels, window...)
};

/// Returns the kernels of the gradient: im2col and GEMMs that accumulate.
Kernels weight_gradient_kernels(const Convolution& convolution, const WeightGradientTensors& tensors, Staging& staging);

}  // namespace aclvk::ops
