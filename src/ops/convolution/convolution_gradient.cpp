#include "base/error.hpp"
#include "ops/convolution/fractal_z.hpp"
#include "ops/convolution/parameters.hpp"
#include "ops/convolution/weight_gradient.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/output_mask.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/matmul/products/product.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/tensor/dtype_sets.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

/// The parameters of a convolution, whose `output` is the given gradient, and its own gradients.
struct Gradients {
  ConvolutionParameters parameters;
  ParamId input{};
  ParamId weight{};
  ParamId bias{};
};

/// Registers the parameters in the order that both operators have.
Gradients gradients_of(const char* name, const ConvolutionGradientHandles& handles) {
  Gradients gradients{{name}};
  ConvolutionParameters& parameters = gradients.parameters;
  parameters.output = parameters.tensors.input(handles.gradient);
  parameters.input = parameters.tensors.input(handles.input);
  parameters.weight = parameters.tensors.input(handles.weight);
  return gradients;
}

void add_outputs(Gradients& gradients, const ConvolutionGradientHandles& handles, const OutputMask& mask) {
  TensorParameters& tensors = gradients.parameters.tensors;
  gradients.input = wanted_output(tensors, mask[0], handles.input_out);
  gradients.weight = wanted_output(tensors, mask[1], handles.weight_out);
  gradients.bias = wanted_output(tensors, mask[2], handles.bias_out);
}

void check_tensors(const Gradients& gradients) {
  const ConvolutionParameters& parameters = gradients.parameters;
  const TensorParameters& tensors = parameters.tensors;
  tensors.check_all(kFloats);
  for (const ParamId param : {parameters.output, parameters.input, parameters.weight}) {
    check_channels_first(tensors[param], tensors.name(param));
  }
  check(!is_fractal_z(tensors[parameters.weight]), Code::kNnInvalid,
        "weight has format FRACTAL_Z; gradients support ND, NCL, NCHW and NCDHW.");
}

/// Checks that the gradient belongs to such a convolution, and that gradients have the shapes of their tensors.
void check_shapes(const Gradients& gradients, const Convolution& convolution, const WindowValues& output_extra) {
  const ConvolutionParameters& parameters = gradients.parameters;
  const ConvolutionTensors all = tensors_of(parameters);
  const std::int64_t out_channels = check_channels(parameters, convolution);
  check_not_empty(parameters);
  Shape expected{all.input.shape[0], out_channels};
  const Shape sizes = output_sizes_of(convolution, all.input.shape, output_extra);
  expected.append(sizes.begin(), sizes.end());
  check_output(parameters, expected);
  const TensorParameters& tensors = parameters.tensors;
  tensors.check_shape(gradients.input, tensors[parameters.input].shape, "input has shape");
  tensors.check_shape(gradients.weight, tensors[parameters.weight].shape, "weight has shape");
  tensors.check_shape(gradients.bias, {out_channels}, "the channels of the result are");
}

/// The gradient of the input is the transposed convolution of the output's gradient; of a transposed convolution, the
/// plain one.
Kernels input_gradient(const Convolution& convolution, const ConvolutionTensors& given, const Tensor& out,
                       Staging& staging) {
  Convolution back = convolution;
  back.transposed = !convolution.transposed;
  return convolution_kernels(back, {given.output, given.weight, std::nullopt, out}, staging);
}

Kernels weight_gradient(const Convolution& convolution, const ConvolutionTensors& given, const Tensor& out,
                        Staging& staging) {
  // A transposed convolution exchanges the roles of input and output: windows slide over its output.
  if (convolution.transposed) return weight_gradient_kernels(convolution, {given.output, given.input, out}, staging);
  return weight_gradient_kernels(convolution, {given.input, given.output, out}, staging);
}

Kernels bias_gradient(const char* name, const Tensor& gradient, const Tensor& out, Staging& staging) {
  return reduce_kernels(name, ReduceKind::kSum, DType::kFloat, gradient, all_dims(gradient) & ~DimMask{2}, out,
                        staging);
}

std::shared_ptr<Executor> plan(const Gradients& gradients, Convolution convolution) {
  convolution.execution = runtime::execution();
  const ConvolutionParameters& all = gradients.parameters;
  return staged_executor(all.name, all.tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const ConvolutionParameters& parameters = gradients.parameters;
    bound.check_disjoint({gradients.input, gradients.weight, gradients.bias},
                         {parameters.output, parameters.input, parameters.weight});
    const ConvolutionTensors given = tensors_of(parameters, [&](ParamId param) { return bound[param]; });
    Kernels kernels;
    if (const Tensor* out = bound[gradients.input]) {
      append(kernels, input_gradient(convolution, given, ordered(*out, parameters.image_order), staging));
    }
    if (const Tensor* out = bound[gradients.weight]) {
      append(kernels, weight_gradient(convolution, given, ordered(*out, parameters.weight_order), staging));
    }
    if (const Tensor* out = bound[gradients.bias]) {
      append(kernels, bias_gradient(parameters.name, given.output, *out, staging));
    }
    if (!kernels.empty()) return kernels;
    // A launch without work still needs a kernel.
    const Tensor nothing = sliced(given.input, 0, 0, 0);
    return copy_kernels(parameters.name, nothing, nothing);
  });
}

void check_bias_sizes(const IntArrayArg& array, bool wanted, std::int64_t out_channels) {
  if (!wanted || !array) return;
  const auto sizes = required_ints(array);
  check(sizes == std::vector<std::int64_t>{out_channels}, Code::kNnInvalid,
        "biasSizes has {} values, of which the first is {}; the result has {} channels.", sizes.size(),
        sizes.empty() ? 0 : sizes[0], out_channels);
}

}  // namespace

std::shared_ptr<Executor> plan_convolution_backward(const ConvolutionGradientHandles& handles) {
  Gradients gradients = gradients_of("aclnnConvolutionBackward", handles);
  const ConvolutionParameters& parameters = gradients.parameters;
  const WindowAttributes attributes = required_attributes(handles.stride, handles.padding, handles.dilation);
  const auto output_padding = required_ints(handles.output_padding);
  const OutputMask mask = required_output_mask(handles.mask);
  add_outputs(gradients, handles, mask);
  check_tensors(gradients);
  check_ranks(parameters, 3, 5);
  Convolution convolution{parameters.name, {}, handles.transposed, handles.groups};
  convolution.windows = checked_windows(attributes, parameters.tensors[parameters.weight].shape);
  WindowValues output_extra;
  if (handles.transposed) output_extra = checked_output_padding(output_padding, convolution.windows);
  check_shapes(gradients, convolution, output_extra);
  check_bias_sizes(handles.bias_sizes, mask[2], parameters.tensors[parameters.output].shape[1]);
  check_cube_math_type(handles.cube_math_type);
  return plan(gradients, convolution);
}

std::shared_ptr<Executor> plan_conv_tbc_backward(const ConvolutionGradientHandles& handles, const InputArg& bias,
                                                 std::int64_t pad) {
  Gradients gradients = gradients_of("aclnnConvTbcBackward", handles);
  ConvolutionParameters& parameters = gradients.parameters;
  parameters.bias = parameters.tensors.input(bias);
  add_outputs(gradients, handles, {true, true, true});
  check_tensors(gradients);
  check_ranks(parameters, 3, 3);
  parameters.image_order = {1, 2, 0};
  parameters.weight_order = {2, 1, 0};
  Convolution convolution{parameters.name};
  convolution.windows = checked_windows({{1}, {pad}, {1}}, tensors_of(parameters).weight.shape);
  check_shapes(gradients, convolution, {});
  check_cube_math_type(handles.cube_math_type);
  return plan(gradients, convolution);
}

}  // namespace aclvk::ops
