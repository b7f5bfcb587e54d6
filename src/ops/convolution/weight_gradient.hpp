#pragma once

#include "ops/convolution/conv_kernels.hpp"

namespace aclvk::ops {

/// The gradient of a weight: for each place of the window the sum of products of what it sees of `images` and of
/// `values`, which have an element for each place that the window has. Of a convolution these are its input and the
/// gradient of its output, of a transposed one the other way round. Tensors have any strides, and only the batch may be
/// empty.
struct WeightGradientTensors {
  Tensor images;  ///< (N, groups * channels, ...)
  Tensor values;  ///< (N, groups * results, ...)
  Tensor out;     ///< (groups * results, channels, window...)
};

Kernels weight_gradient_kernels(const Convolution& convolution, const WeightGradientTensors& tensors, Staging& staging);

}  // namespace aclvk::ops
