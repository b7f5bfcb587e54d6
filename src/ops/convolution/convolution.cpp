#include "ops/convolution/convolution.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

#include "base/error.hpp"
#include "ops/convolution/conv_kernels.hpp"
#include "ops/convolution/fractal_z.hpp"
#include "ops/convolution/parameters.hpp"
#include "ops/create/fill.hpp"
#include "ops/elementwise/pointwise.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/matmul/products/product.hpp"
#include "ops/matmul/quantised/quant_word.hpp"
#include "ops/matmul/quantised/rescale.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/promotion.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;
using Parameters = ConvolutionParameters;

/// Checks dtypes, their promotion, castability to the output, and views.
void check_tensors(const Parameters& parameters) {
  const TensorParameters& tensors = parameters.tensors;
  tensors.check_dtypes(dtypes_of(parameters.name));
  DType promoted = tensors[parameters.input].dtype;
  for (const ParamId param : {parameters.weight, parameters.bias}) {
    if (!tensors.has(param)) continue;
    const auto both = promote(promoted, tensors[param].dtype);
    check(both.has_value(), Code::kNnInvalid, "{} has dtype {} and {} has {}; no dtype holds both.",
          tensors.name(parameters.input), promoted, tensors.name(param), tensors[param].dtype);
    promoted = *both;
  }
  check_castable(promoted, tensors[parameters.output].dtype, "the result", tensors.name(parameters.output));
  tensors.check_views();
  for (const ParamId param : {parameters.input, parameters.weight, parameters.output}) {
    check_channels_first(tensors[param], tensors.name(param));
  }
}

std::shared_ptr<Executor> plan_checked(const Parameters& parameters, Convolution convolution, std::int8_t type,
                                       const WindowValues& output_extra = {}) {
  const ConvolutionTensors all = tensors_of(parameters);
  Shape expected{all.input.shape[0], check_channels(parameters, convolution)};
  check_not_empty(parameters);
  const Shape sizes = output_sizes_of(convolution, all.input.shape, output_extra);
  expected.append(sizes.begin(), sizes.end());
  check_output(parameters, expected);
  check_cube_math_type(type);
  check_fractal_z(all.weight, "weight");
  check(!is_fractal_z(all.weight) || (convolution.groups == 1 && !convolution.transposed), Code::kNnInvalid,
        "weight has format FRACTAL_Z and the convolution has {} groups; one group, not transposed, is expected.",
        convolution.groups);
  convolution.execution = runtime::execution();
  return staged_executor({parameters.name, kFractalZ}, parameters.tensors,
                         [parameters, convolution](const TensorParameters::BoundTensors& bound, Staging& staging) {
                           const TensorParameters& tensors = parameters.tensors;
                           for (const ParamId param : {parameters.input, parameters.weight, parameters.bias}) {
                             if (!bound[param]) continue;
                             check_disjoint(*bound[parameters.output], tensors.name(parameters.output), *bound[param],
                                            tensors.name(param));
                           }
                           ConvolutionTensors placed =
                               tensors_of(parameters, [&](ParamId param) { return bound[param]; });
                           Kernels kernels;
                           placed.weight = as_weight(parameters.name, placed.weight, staging, kernels);
                           append(kernels, convolution_kernels(convolution, placed, staging));
                           return kernels;
                         });
}

Parameters parameters_of(const char* name, const ConvolutionHandles& handles, bool needs_bias) {
  Parameters parameters{name};
  parameters.input = parameters.tensors.input(handles.input);
  parameters.weight = parameters.tensors.input(handles.weight);
  parameters.bias =
      needs_bias ? parameters.tensors.input(handles.bias) : parameters.tensors.optional_input(handles.bias);
  parameters.output = parameters.tensors.output(handles.output);
  return parameters;
}

}  // namespace

std::shared_ptr<Executor> plan_convolution(const ConvolutionHandles& handles) {
  const Parameters parameters = parameters_of("aclnnConvolution", handles, false);
  const WindowAttributes attributes = required_attributes(handles.stride, handles.padding, handles.dilation);
  const auto output_padding = required_ints(handles.output_padding);
  check_tensors(parameters);
  check_ranks(parameters, 3, 5);
  Convolution convolution{parameters.name, {}, handles.transposed, handles.groups};
  convolution.windows = checked_windows(attributes, parameters.tensors[parameters.weight].shape);
  WindowValues output_extra;
  if (handles.transposed) output_extra = checked_output_padding(output_padding, convolution.windows);
  return plan_checked(parameters, convolution, handles.cube_math_type, output_extra);
}

std::shared_ptr<Executor> plan_conv_depthwise(const ConvolutionHandles& handles, const IntArrayArg& kernel_size) {
  const Parameters parameters = parameters_of("aclnnConvDepthwise2d", handles, false);
  const auto kernel = required_ints(kernel_size);
  const WindowAttributes attributes = required_attributes(handles.stride, handles.padding, handles.dilation);
  check_tensors(parameters);
  check_ranks(parameters, 4, 4);
  const Shape& weight = parameters.tensors[parameters.weight].shape;
  const WindowValues sizes = window_values(kernel, "kernelSize", 2, 1);
  check(sizes[0] == weight[2] && sizes[1] == weight[3], Code::kNnInvalid,
        "kernelSize is ({}, {}) and weight has shape {}; it must be the last two sizes of weight.", sizes[0], sizes[1],
        weight);
  Convolution convolution{parameters.name};
  convolution.windows = checked_windows(attributes, weight);
  convolution.groups = parameters.tensors[parameters.input].shape[1];
  return plan_checked(parameters, convolution, handles.cube_math_type);
}

namespace {

/// Returns one number for all channels, or one for each, with the dims of (N, C, ...).
Tensor channel_numbers(const Tensor& numbers, std::size_t dims) {
  Tensor view = numbers;
  for (std::size_t i = 0; i < dims; ++i) {
    view.shape.push_back(1);
    view.strides.push_back(0);
  }
  return view;
}

/// Returns the image with its padding, filled with `number`.
Tensor padded_image(const char* name, const Tensor& image, const Windows& windows, std::int64_t number,
                    Staging& staging, Kernels& kernels) {
  Shape shape = image.shape;
  for (std::size_t i = 0; i < windows.size(); ++i) shape[2 + i] += windows[i].before + windows[i].after;
  const Tensor padded = staging.make(shape, image.dtype);
  Tensor inside = padded;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    inside = sliced(inside, 2 + i, windows[i].before, image.shape[2 + i]);
  }
  append(kernels, fill_kernels(name, padded, Scalar(&number, DType::kInt64).to_element(image.dtype)));
  append(kernels, copy_kernels(name, inside, image));
  return padded;
}

void check_quant_attributes(const QuantConvolutionHandles& handles, const char* name) {
  check(!handles.convolution.transposed, Code::kNnInvalid, "transposed is true; {} supports false.", name);
  check(!handles.offset, Code::kNnInvalid, "offset is given; NULL is expected, as the result is not quantised.");
  check(handles.offset_x >= -128 && handles.offset_x <= 127, Code::kNnInvalid,
        "offsetx is {}; expected -128 to 127, a value of an INT8 image.", handles.offset_x);
  const std::string_view mode = handles.round_mode ? handles.round_mode : "rint";
  check(mode == "rint" || mode.empty(), Code::kNnInvalid, "roundMode is \"{}\"; expected \"rint\".", mode);
}

void check_quant_tensors(const Parameters& parameters, ParamId scale) {
  constexpr DTypeSet kScales = {DType::kUint64, DType::kInt64, DType::kFloat, DType::kBfloat16};
  constexpr DTypeSet kBiases = {DType::kInt32, DType::kFloat, DType::kFloat16, DType::kBfloat16};
  const TensorParameters& tensors = parameters.tensors;
  tensors.check_dtypes({parameters.input, parameters.weight}, {DType::kInt8});
  if (tensors.has(parameters.bias)) check_dtype(tensors[parameters.bias], "bias", kBiases);
  check_dtype(tensors[scale], "scale", kScales);
  check_dtype(tensors[parameters.output], "output", kFloats);
  tensors.check_views();
  for (const ParamId param : {parameters.input, parameters.output}) {
    check_channels_first(tensors[param], tensors.name(param));
  }
  constexpr int kFractalNz = 29;
  const int format = tensors[parameters.weight].format;
  check(format != kFractalZ && format != kFractalNz, Code::kFeatureNotSupported,
        "weight has format {}; the order of its blocks in convolutions is not documented. ND and NCHW are supported.",
        format);
  check_channels_first(tensors[parameters.weight], "weight");
}

}  // namespace

std::shared_ptr<Executor> plan_quant_convolution(const char* name, const QuantConvolutionHandles& handles) {
  Parameters parameters = parameters_of(name, handles.convolution, false);
  const ParamId scale = parameters.tensors.input(handles.scale);
  const WindowAttributes attributes =
      required_attributes(handles.convolution.stride, handles.convolution.padding, handles.convolution.dilation);
  check_quant_tensors(parameters, scale);
  check_ranks(parameters, 3, 5);
  Convolution convolution{name, {}, false, handles.convolution.groups, runtime::execution()};
  convolution.windows = checked_windows(attributes, parameters.tensors[parameters.weight].shape);
  const ConvolutionTensors all = tensors_of(parameters);
  Shape expected{all.input.shape[0], check_channels(parameters, convolution)};
  check_not_empty(parameters);
  const Shape sizes = output_sizes_of(convolution, all.input.shape, {});
  expected.append(sizes.begin(), sizes.end());
  check_output(parameters, expected);
  const Shape& scales = parameters.tensors[scale].shape;
  check(scales == Shape{expected[1]} || scales == Shape{1}, Code::kNnInvalid,
        "scale has shape {}; one number, or one for each of {} channels, is expected.", scales, expected[1]);
  check_quant_attributes(handles, name);
  const std::int64_t padding = handles.offset_x;
  return staged_executor(name, parameters.tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    ConvolutionTensors tensors = tensors_of(parameters, [&](ParamId param) { return bound[param]; });
    Kernels kernels;
    const Tensor output = tensors.output;
    if (output.empty()) return copy_kernels(name, output, output);
    Convolution call = convolution;
    // im2col pads with 0; other values are written into a copy of the image.
    if (padding != 0) {
      tensors.input = padded_image(name, tensors.input, call.windows, padding, staging, kernels);
      for (Window& window : call.windows) window.before = window.after = 0;
    }
    const Tensor sums = staging.make(output.shape, DType::kInt32);
    // The bias is added to the sums below: exactly if it is an integer, after the scale if it is real.
    tensors.bias.reset();
    tensors.output = sums;
    append(kernels, convolution_kernels(call, tensors, staging));
    std::optional<Tensor> bias;
    if (bound[parameters.bias]) bias = channel_numbers(*bound[parameters.bias], call.windows.size());
    const bool whole = bias && bias->dtype == DType::kInt32;
    if (whole) {
      append(kernels, pointwise_kernels(name, row_of(BinaryOp::kAdd), DType::kInt32, {&sums, &*bias}, sums, {{1}}));
    }
    const Tensor factors = channel_numbers(float_scale(*bound[scale]), call.windows.size());
    append(kernels, rescale_kernels(name, sums, &factors, nullptr, bias && !whole ? &*bias : nullptr, output));
    return kernels;
  });
}

std::shared_ptr<Executor> plan_conv_tbc(const ConvolutionHandles& handles, std::int64_t pad) {
  Parameters parameters = parameters_of("aclnnConvTbc", handles, true);
  check_tensors(parameters);
  check_ranks(parameters, 3, 3);
  // (time, batch, channel) as (N, C, time), and the weight (time, C, Cout) as (Cout, C, time).
  parameters.image_order = {1, 2, 0};
  parameters.weight_order = {2, 1, 0};
  const Shape weight = tensors_of(parameters).weight.shape;
  Convolution convolution{parameters.name};
  convolution.windows = checked_windows({{1}, {pad}, {1}}, weight);
  return plan_checked(parameters, convolution, handles.cube_math_type);
}

}  // namespace aclvk::ops
