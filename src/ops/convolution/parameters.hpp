#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ops/convolution/conv_kernels.hpp"
#include "ops/convolution/convolution.hpp"
#include "ops/shape/view.hpp"
#include "ops/tensor_parameters.hpp"

namespace aclvk::ops {

// The parameters of convolutions and of their gradients, and what is checked of them (161002).

/// The tensors of an operator, and how they become those of a convolution.
struct ConvolutionParameters {
  const char* name;
  TensorParameters tensors{};
  TensorParameters::ParamId input{};
  TensorParameters::ParamId weight{};
  TensorParameters::ParamId bias = TensorParameters::ParamId::kNone;
  TensorParameters::ParamId output{};
  Shape image_order{};   ///< dims of input and output as (N, C, ...); none where they are so
  Shape weight_order{};  ///< dims of weight as (Cout, C, ...)
};

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

/// As the first phase knows them.
ConvolutionTensors tensors_of(const ConvolutionParameters& parameters);

/// The number of dims of input, which is that of weight and output, too.
void check_ranks(const ConvolutionParameters& parameters, std::size_t least, std::size_t most);
/// Only the batch may be empty.
void check_not_empty(const ConvolutionParameters& parameters);

/// The attributes that say where windows are.
struct WindowAttributes {
  std::vector<std::int64_t> stride;
  std::vector<std::int64_t> padding;
  std::vector<std::int64_t> dilation;
};

/// None of them may be NULL (161001).
WindowAttributes required_attributes(const void* stride, const void* padding, const void* dilation);
Windows checked_windows(const WindowAttributes& attributes, const Shape& weight);
/// What a transposed convolution adds to its output.
WindowValues checked_output_padding(const std::vector<std::int64_t>& array, const Windows& windows);

/// The channels of all tensors, and how many the output has.
std::int64_t check_channels(const ConvolutionParameters& parameters, const Convolution& convolution);
/// What the windows make of each spatial dim; `longer` are the output paddings of a transposed convolution.
Shape places_of(const Convolution& convolution, const Shape& input, const WindowValues& longer);
void check_output(const ConvolutionParameters& parameters, const Shape& expected);

}  // namespace aclvk::ops
