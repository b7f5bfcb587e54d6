#include "ops/convolution/parameters.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace aclvk::ops {

using ParamId = TensorParameters::ParamId;

ConvolutionTensors tensors_of(const ConvolutionParameters& parameters) {
  const TensorParameters& tensors = parameters.tensors;
  return tensors_of(parameters,
                    [&](TensorParameters::ParamId param) { return tensors.has(param) ? &tensors[param] : nullptr; });
}

namespace {

void check_rank(const ConvolutionParameters& parameters, ParamId param, std::size_t least, std::size_t most) {
  const Tensor& tensor = parameters.tensors[param];
  const std::size_t rank = tensor.shape.size();
  check(rank >= least && rank <= most, Code::kNnInvalid, "{} has shape {}; {} takes {} to {} dimensions.",
        parameters.tensors.name(param), tensor.shape, parameters.name, least, most);
}

}  // namespace

void check_ranks(const ConvolutionParameters& parameters, std::size_t least, std::size_t most) {
  check_rank(parameters, parameters.input, least, most);
  const std::size_t rank = parameters.tensors[parameters.input].shape.size();
  for (const ParamId param : {parameters.weight, parameters.output}) check_rank(parameters, param, rank, rank);
}

void check_not_empty(const ConvolutionParameters& parameters) {
  const ConvolutionTensors all = tensors_of(parameters);
  const bool image = std::find(all.input.shape.begin() + 1, all.input.shape.end(), 0) == all.input.shape.end();
  check(image, Code::kNnInvalid, "{} has shape {}; only the batch may be empty.",
        parameters.tensors.name(parameters.input), parameters.tensors[parameters.input].shape);
  check(!all.weight.empty(), Code::kNnInvalid, "{} has shape {}; it must not be empty.",
        parameters.tensors.name(parameters.weight), parameters.tensors[parameters.weight].shape);
}

WindowAttributes required_attributes(const IntArrayArg& stride, const IntArrayArg& padding,
                                     const IntArrayArg& dilation) {
  return {required_ints(stride), required_ints(padding), required_ints(dilation)};
}

Windows checked_windows(const WindowAttributes& attributes, const Shape& weight) {
  const std::size_t dims = weight.size() - 2;
  const WindowValues stride = window_values(attributes.stride, "stride", dims, 1);
  const WindowPads padding = window_pads(attributes.padding, "padding", dims);
  const WindowValues dilation = window_values(attributes.dilation, "dilation", dims, 1);
  Windows windows;
  for (std::size_t i = 0; i < dims; ++i) {
    windows.push_back({weight[2 + i], stride[i], padding.before[i], padding.after[i], dilation[i]});
  }
  return windows;
}

std::int64_t check_channels(const ConvolutionParameters& parameters, const Convolution& convolution) {
  const ConvolutionTensors all = tensors_of(parameters);
  const std::int64_t groups = convolution.groups;
  const std::int64_t channels = all.input.shape[1];
  check(groups > 0, Code::kNnInvalid, "groups is {}; expected 1 or more.", groups);
  const std::int64_t rows = all.weight.shape[0];
  const std::int64_t columns = all.weight.shape[1];
  const bool fits = channels % groups == 0 && rows % groups == 0 &&
                    (convolution.transposed ? rows == channels : columns == channels / groups);
  check(fits, Code::kNnInvalid, "{} has shape {} and {} has shape {}; their channels do not fit {} groups.",
        parameters.tensors.name(parameters.input), parameters.tensors[parameters.input].shape,
        parameters.tensors.name(parameters.weight), parameters.tensors[parameters.weight].shape, groups);
  const std::int64_t out_channels = convolution.transposed ? columns * groups : rows;
  if (all.bias) parameters.tensors.check_shape(parameters.bias, {out_channels}, "the channels of the result are");
  return out_channels;
}

void check_output(const ConvolutionParameters& parameters, const Shape& expected) {
  const Tensor output = tensors_of(parameters).output;
  check(output.shape == expected, Code::kNnInvalid, "{} has shape {}; as (N, C, ...) it is {}, and {} is expected.",
        parameters.tensors.name(parameters.output), parameters.tensors[parameters.output].shape, output.shape,
        expected);
}

Shape output_sizes_of(const Convolution& convolution, const Shape& input, const WindowValues& output_extra) {
  Shape sizes;
  for (std::size_t i = 0; i < convolution.windows.size(); ++i) {
    const Window& window = convolution.windows[i];
    const std::int64_t size = input[2 + i];
    // The inverse of the output size of a convolution; where several sizes have one inverse, outputPadding
    // selects.
    const std::int64_t count = convolution.transposed ? (size - 1) * window.step - window.before - window.after +
                                                            window.dilated_size() + output_extra[i]
                                                      : window.output_size(size);
    check(count > 0, Code::kNnInvalid,
          "dimension {} of an image of shape {} has {} positions for a window that spans {} elements; one at least is "
          "expected.",
          2 + i, input, count, window.dilated_size());
    sizes.push_back(count);
  }
  return sizes;
}

WindowValues checked_output_padding(const std::vector<std::int64_t>& array, const Windows& windows) {
  const WindowValues values = window_values(array, "outputPadding", windows.size(), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    check(values[i] < std::max(windows[i].step, windows[i].dilation), Code::kNnInvalid,
          "outputPadding has the value {}; it must be smaller than the stride, {}, or the dilation, {}.", values[i],
          windows[i].step, windows[i].dilation);
  }
  return values;
}

}  // namespace aclvk::ops
