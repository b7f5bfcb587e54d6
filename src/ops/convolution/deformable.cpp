// The operators on deformable convolutions.
#include <optional>

#include "base/error.hpp"
#include "ops/args/convolution.hpp"
#include "ops/convolution/deform.hpp"
#include "ops/convolution/parameters.hpp"
#include "ops/convolution/weight_gradient.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/matmul/products/gemm.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

/// The parameters that both operators have. `output` is the result, or its gradient.
struct DeformableParameters {
  ConvolutionParameters convolution;
  ParamId offset{};

  TensorParameters& tensors() { return convolution.tensors; }
  const TensorParameters& tensors() const { return convolution.tensors; }
  const Tensor& operator[](ParamId param) const { return convolution.tensors[param]; }
};

/// The array parameters; 161001 if one is NULL.
struct DeformableArrays {
  std::vector<std::int64_t> kernel;
  std::vector<std::int64_t> stride;
  std::vector<std::int64_t> padding;
  std::vector<std::int64_t> dilation;
};

template <typename Args>
DeformableArrays required_arrays(const Args& args) {
  return {required_ints(args.kernelSize), required_ints(args.stride), required_ints(args.padding),
          required_ints(args.dilation)};
}

/// A deformable convolution: the samples, and the convolution of the samples, whose windows do not overlap.
struct Deformable {
  Deformation deformation;
  Convolution convolution;
};

void check_tensors(const DeformableParameters& parameters) {
  const TensorParameters& tensors = parameters.tensors();
  const ConvolutionParameters& convolution = parameters.convolution;
  tensors.check_dtypes(dtypes_of(convolution.name));
  tensors.for_each([&](ParamId param, const Tensor& tensor) {
    check_same_dtype(tensor, tensors.name(param), tensors[convolution.input], tensors.name(convolution.input));
  });
  tensors.check_views();
  for (const ParamId param : {convolution.input, convolution.weight, convolution.output, parameters.offset}) {
    check_channels_first(tensors[param], tensors.name(param));
  }
  check_ranks(convolution, 4, 4);
}

/// Returns the values for H and W of an array with one for each of N, C, H and W.
WindowValues values_of_image(const std::vector<std::int64_t>& array, const char* name) {
  check(array.size() == 4 && array[0] == 1 && array[1] == 1, Code::kNnInvalid,
        "{} has {} values; expected 4, for N, C, H and W, of which the first two are 1.", name, array.size());
  return window_values({array[2], array[3]}, name, 2, 1);
}

Windows checked_windows(const DeformableArrays& arrays, const Tensor& weight, const char* weight_name) {
  const WindowValues stride = values_of_image(arrays.stride, "stride");
  const WindowValues dilation = values_of_image(arrays.dilation, "dilation");
  check(arrays.padding.size() == 4, Code::kNnInvalid,
        "padding has {} values; expected 4, for top, bottom, left and right.", arrays.padding.size());
  const WindowPads padding = window_pads(arrays.padding, "padding", 2);
  const bool fits =
      arrays.kernel.size() == 2 && arrays.kernel[0] == weight.shape[2] && arrays.kernel[1] == weight.shape[3];
  check(fits, Code::kNnInvalid, "kernelSize has {} values; {} has shape {}, and its last two dimensions are expected.",
        arrays.kernel.size(), weight_name, weight.shape);
  Windows windows;
  for (std::size_t i = 0; i < 2; ++i) {
    windows.push_back({arrays.kernel[i], stride[i], padding.before[i], padding.after[i], dilation[i]});
  }
  return windows;
}

/// Limits images to what the kernels count in 32 bits.
void check_sizes(const Tensor& image, const char* name, const Windows& windows) {
  constexpr std::int64_t kMaxSide = std::int64_t{1} << 30;
  constexpr std::int64_t kMaxElements = std::int64_t{1} << 31;
  const std::int64_t rows = image.shape[2];
  const std::int64_t columns = image.shape[3];
  const bool fits = rows + windows[0].before + windows[0].after < kMaxSide &&
                    columns + windows[1].before + windows[1].after < kMaxSide && rows < kMaxElements / columns;
  check(fits, Code::kNnInvalid,
        "{} has shape {}; rows and columns are below 2^30 with padding, and their product below 2^31.", name,
        image.shape);
}

/// Checks attributes and the shapes of the parameters that both operators have.
template <typename Args>
Deformable checked_deformable(const DeformableParameters& parameters, const DeformableArrays& arrays,
                              const Args& args) {
  const ConvolutionParameters& all = parameters.convolution;
  const Tensor& image = parameters[all.input];
  const Tensor& weight = parameters[all.weight];
  const std::int64_t groups = args.deformableGroups;
  check(args.modulated, Code::kNnInvalid,
        "modulated is false; {} takes offsets with factors only, for which it is true.", all.name);
  check_not_empty(all);
  Deformable deformable{{all.name, checked_windows(arrays, weight, all.tensors.name(all.weight)), groups},
                        {all.name, {}, false, args.groups, runtime::execution()}};
  Deformation& deformation = deformable.deformation;
  check_sizes(image, all.tensors.name(all.input), deformation.windows);
  check(groups > 0 && image.shape[1] % groups == 0, Code::kNnInvalid,
        "deformableGroups is {}; expected a divisor of the {} channels of {}.", groups, image.shape[1],
        all.tensors.name(all.input));
  const std::int64_t out_channels = check_channels(all, deformable.convolution);
  deformation.positions = output_sizes_of({all.name, deformation.windows}, image.shape, {});
  const Shape& positions = deformation.positions;
  all.tensors.check_shape(all.output, {image.shape[0], out_channels, positions[0], positions[1]},
                          "the attributes make");
  all.tensors.check_shape(parameters.offset,
                          {image.shape[0], 3 * groups * deformation.taps(), positions[0], positions[1]},
                          "two offsets and a factor for each tap and deformable group make");
  for (const Window& window : deformation.windows) {
    deformable.convolution.windows.push_back({window.size, window.size});
  }
  return deformable;
}

/// Returns the shape of the samples, (N, C, H, W) with a tap for each element of a window.
Shape shape_of_samples(const Deformation& deformation, const Tensor& image) {
  return {image.shape[0], image.shape[1], deformation.positions[0] * deformation.windows[0].size,
          deformation.positions[1] * deformation.windows[1].size};
}

}  // namespace

std::shared_ptr<Executor> plan(const DeformableConv2dArgs& args) {
  DeformableParameters parameters{{args.kOperator}};
  ConvolutionParameters& all = parameters.convolution;
  all.input = all.tensors.input(args.x);
  all.weight = all.tensors.input(args.weight);
  parameters.offset = all.tensors.input(args.offset);
  all.bias = all.tensors.optional_input(args.biasOptional);
  const DeformableArrays arrays = required_arrays(args);
  all.output = all.tensors.output(args.out);
  const ParamId samples = all.tensors.optional_output(args.deformOutOptional);
  check_tensors(parameters);
  const Deformable deformable = checked_deformable(parameters, arrays, args);
  const Shape shape = shape_of_samples(deformable.deformation, parameters[all.input]);
  all.tensors.check_shape(samples, shape, "the samples have");
  return staged_executor(
      args.kOperator, all.tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
        const ConvolutionParameters& own = parameters.convolution;
        bound.check_disjoint({own.output, samples}, {own.input, own.weight, parameters.offset, own.bias});
        const Tensor& image = *bound[own.input];
        const Tensor* given = bound[samples];
        const Tensor taken = given ? *given : staging.make(shape, image.dtype);
        Kernels kernels = sample_kernels(deformable.deformation, image, *bound[parameters.offset], taken);
        std::optional<Tensor> bias;
        if (bound[own.bias]) bias = *bound[own.bias];
        append(kernels, convolution_kernels(deformable.convolution,
                                            {taken, *bound[own.weight], bias, *bound[own.output]}, staging));
        return kernels;
      });
}

namespace {

/// The parameters of the gradients that the other operator does not have.
struct GradientParameters {
  ParamId samples{};
  ParamId input{};
  ParamId weight{};
  ParamId offset{};
  ParamId bias{};
};

/// Multiplies the gradient of the result by the weight: returns the gradient of the samples, FLOAT, (N, C, window,
/// positions), which `kernels` write.
Tensor gradient_columns(const Deformable& deformable, const Tensor& gradient, const Tensor& weight, Staging& staging,
                        Kernels& kernels) {
  const std::int64_t groups = deformable.convolution.groups;
  const std::int64_t channels = weight.shape[0] / groups;
  const std::int64_t rows = weight.shape[1] * deformable.deformation.taps();
  const std::int64_t positions = element_count(deformable.deformation.positions);
  const std::int64_t images = gradient.shape[0];
  const Tensor factor = *reshaped(staging.read(weight), {groups, channels, rows});
  const Tensor other = *reshaped(staging.read(gradient), {images, groups, channels, positions});
  const Tensor columns = staging.make({images, groups, rows, positions}, DType::kFloat);
  append(kernels, gemm_kernels({deformable.convolution.name, repeated(permuted(factor, {0, 2, 1}), 0, images), other,
                                std::nullopt, columns, Gemm::one(), Gemm::one()},
                               staging, deformable.convolution.execution));
  return columns;
}

/// The gradients of the image and of the offsets, through that of the samples.
Kernels sample_gradients(const Deformable& deformable, const TensorParameters::BoundTensors& bound,
                         const DeformableParameters& parameters, const GradientParameters& gradients,
                         Staging& staging) {
  const ConvolutionParameters& all = parameters.convolution;
  const Tensor& gradient = *bound[all.output];
  const Tensor& image_gradient = *bound[gradients.input];
  const Tensor& offset_gradient = *bound[gradients.offset];
  const Tensor& offset = *bound[parameters.offset];
  Kernels kernels;
  if (gradient.empty()) {
    append(kernels, fill_kernels(all.name, image_gradient, Element{}));
    append(kernels, fill_kernels(all.name, offset_gradient, Element{}));
    return kernels;
  }
  const Deformation& deformation = deformable.deformation;
  const Tensor columns = gradient_columns(deformable, gradient, *bound[all.weight], staging, kernels);
  append(kernels, image_gradient_kernels(deformation, columns, offset, image_gradient, staging));
  append(kernels, offset_gradient_kernels(deformation, *bound[all.input], columns, offset, offset_gradient, staging));
  return kernels;
}

Kernels all_gradients(const Deformable& deformable, const TensorParameters::BoundTensors& bound,
                      const DeformableParameters& parameters, const GradientParameters& gradients, Staging& staging) {
  const ConvolutionParameters& all = parameters.convolution;
  const Tensor& gradient = *bound[all.output];
  Kernels kernels = sample_gradients(deformable, bound, parameters, gradients, staging);
  append(kernels, weight_gradient_kernels(deformable.convolution,
                                          {*bound[gradients.samples], gradient, *bound[gradients.weight]}, staging));
  if (const Tensor* bias = bound[gradients.bias]) {
    append(kernels, reduce_kernels(all.name, ReduceKind::kSum, DType::kFloat, gradient,
                                   all_dims(gradient) & ~DimMask{2}, *bias, staging));
  }
  return kernels;
}

}  // namespace

std::shared_ptr<Executor> plan(const DeformableConv2dBackwardArgs& args) {
  DeformableParameters parameters{{args.kOperator}};
  ConvolutionParameters& all = parameters.convolution;
  GradientParameters gradients;
  all.input = all.tensors.input(args.input);
  all.output = all.tensors.input(args.gradOutput);
  gradients.samples = all.tensors.input(args.offsetOut);
  all.weight = all.tensors.input(args.weight);
  parameters.offset = all.tensors.input(args.offset);
  const DeformableArrays arrays = required_arrays(args);
  gradients.input = all.tensors.output(args.gradInput);
  gradients.weight = all.tensors.output(args.gradWeight);
  gradients.offset = all.tensors.output(args.gradOffset);
  gradients.bias = all.tensors.optional_output(args.gradBias);
  check_tensors(parameters);
  const Deformable deformable = checked_deformable(parameters, arrays, args);
  const TensorParameters& tensors = all.tensors;
  tensors.check_shape(gradients.samples, shape_of_samples(deformable.deformation, tensors[all.input]),
                      "the samples have");
  tensors.check_shape(gradients.input, tensors[all.input].shape, "input has shape");
  tensors.check_shape(gradients.weight, tensors[all.weight].shape, "weight has shape");
  tensors.check_shape(gradients.offset, tensors[parameters.offset].shape, "offset has shape");
  tensors.check_shape(gradients.bias, {tensors[all.weight].shape[0]}, "the channels of the result are");
  return staged_executor(args.kOperator, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const ConvolutionParameters& own = parameters.convolution;
    bound.check_disjoint({gradients.input, gradients.weight, gradients.offset, gradients.bias},
                         {own.input, own.output, gradients.samples, own.weight, parameters.offset});
    return all_gradients(deformable, bound, parameters, gradients, staging);
  });
}

}  // namespace aclvk::ops
