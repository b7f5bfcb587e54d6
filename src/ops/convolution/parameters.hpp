#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ops/convolution/conv_kernels.hpp"
#include "ops/convolution/convolution.hpp"
#include "ops/executor/tensor_parameters.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {

// The parameters of convolutions and of their gradients, and their checks (161002).

/// The tensors of an operator, and the permutations that bring them to the order of ConvolutionTensors.
struct ConvolutionParameters {
  const char* name;
  TensorParameters tensors{};
  TensorParameters::ParamId input{};
  TensorParameters::ParamId weight{};
  TensorParameters::ParamId bias = TensorParameters::ParamId::kNone;
  TensorParameters::ParamId output{};
  Shape image_order{};   ///< permutation of input and output to (N, C, ...); empty for the identity
  Shape weight_order{};  ///< permutation of weight to (Cout, C, ...)
};

/// Returns the tensor with permuted dims; an empty order is the identity.
inline Tensor ordered(const Tensor& tensor, const Shape& order) {
  return order.empty() ? tensor : permuted(tensor, order);
}

template <typename Find>
ConvolutionTensors tensors_of(const ConvolutionParameters& parameters, Find&& find) {
  const Tensor* bias = find(parameters.bias);
  return {ordered(*find(parameters.input), parameters.image_order),
          ordered(*find(parameters.weight), parameters.weight_order), bias ? std::optional(*bias) : std::nullopt,
          ordered(*find(parameters.output), parameters.image_order)};
}

/// Returns the tensors with the addresses of the first phase.
ConvolutionTensors tensors_of(const ConvolutionParameters& parameters);

/// Checks the rank of input, and that weight and output have the same.
void check_ranks(const ConvolutionParameters& parameters, std::size_t least, std::size_t most);
/// Checks that nothing but the batch is empty.
void check_not_empty(const ConvolutionParameters& parameters);

/// The attributes that place windows.
struct WindowAttributes {
  std::vector<std::int64_t> stride;
  std::vector<std::int64_t> padding;
  std::vector<std::int64_t> dilation;
};

/// Throws 161001 if one of them is NULL.
WindowAttributes required_attributes(const IntArrayArg& stride, const IntArrayArg& padding,
                                     const IntArrayArg& dilation);
/// Returns the windows of a weight with these attributes.
Windows checked_windows(const WindowAttributes& attributes, const Shape& weight);
/// Returns the checked outputPadding of a transposed convolution.
WindowValues checked_output_padding(const std::vector<std::int64_t>& array, const Windows& windows);

/// Checks channels and groups, and returns the channels of the output.
std::int64_t check_channels(const ConvolutionParameters& parameters, const Convolution& convolution);
/// Returns the spatial sizes of the output. `output_extra` is the outputPadding of a transposed convolution.
Shape output_sizes_of(const Convolution& convolution, const Shape& input, const WindowValues& output_extra);
/// Checks the shape of the output, in the order (N, C, ...).
void check_output(const ConvolutionParameters& parameters, const Shape& expected);

}  // namespace aclvk::ops
