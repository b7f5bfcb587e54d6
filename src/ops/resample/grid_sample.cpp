#include "ops/resample/grid_sample.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/index/sampled_sums.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/shape/windows.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"
#include "resample/grid.args.h"
#include "resample/grid_gradient.args.h"
#include "resample/grid_taps.args.h"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;
using runtime::Access;

ARGUMENT_STRUCT(GridArguments, GRID_ARGUMENTS);
CONSTANT_STRUCT(GridConstants, GRID_CONSTANTS);
ARGUMENT_STRUCT(GridTapsArguments, GRID_TAPS_ARGUMENTS);
ARGUMENT_STRUCT(GridGradientArguments, GRID_GRADIENT_ARGUMENTS);

// Bilinear interpolation reads two elements along a dim, nearest one, and bicubic four.
std::int64_t taps_along(const GridSample& sample) {
  return sample.interpolation == 0 ? 2 : sample.interpolation == 1 ? 1 : 4;
}

std::int64_t all_taps(const GridSample& sample) {
  std::int64_t taps = 1;
  for (std::size_t i = 0; i < sample.dims; ++i) taps *= taps_along(sample);
  return taps;
}

DType computed(const Tensor& tensor) { return tensor.dtype == DType::kDouble ? DType::kDouble : DType::kFloat; }

void check_attributes(const GridSample& sample) {
  const std::int64_t most = sample.dims == 2 ? 2 : 1;
  check(sample.interpolation >= 0 && sample.interpolation <= most, Code::kNnInvalid,
        "interpolationMode is {}; expected 0 to {}.", sample.interpolation, most);
  check(sample.padding >= 0 && sample.padding <= 2, Code::kNnInvalid, "paddingMode is {}; expected 0 to 2.",
        sample.padding);
}

/// Checks image and grid; returns the shape of the samples.
Shape check_image_and_grid(const GridSample& sample, const Tensor& input, const Tensor& grid) {
  const std::size_t rank = sample.dims + 2;
  check_channels_first(input, "input");
  check(input.shape.size() == rank && grid.shape.size() == rank, Code::kNnInvalid,
        "input has shape {} and grid {}; expected {} dimensions.", input.shape, grid.shape, rank);
  check(grid.shape[0] == input.shape[0] && grid.shape.back() == static_cast<std::int64_t>(sample.dims),
        Code::kNnInvalid, "grid has shape {}; expected {} batches of points with {} coordinates.", grid.shape,
        input.shape[0], sample.dims);
  std::int64_t elements = 1;
  constexpr std::int64_t kMaxElements = (std::int64_t{1} << 31) - 1;
  for (std::size_t dim = 2; dim < rank; ++dim) {
    check(input.shape[dim] > 0 && input.shape[dim] <= kMaxElements / elements, Code::kNnInvalid,
          "input has shape {}; its last {} dimensions have 1 to 2^31 - 1 elements.", input.shape, sample.dims);
    elements *= input.shape[dim];
  }
  Shape shape = {input.shape[0], input.shape[1]};
  shape.append(grid.shape.begin() + 1, grid.shape.end() - 1);
  return shape;
}

/// Returns a call with the first arguments of shaders/resample/grid*.comp: sizes and strides of the image, and the
/// coordinate stride of the grid.
StridedCall grid_call(const GridSample& sample, std::string_view stem_f32, std::string_view stem_f64,
                      const Tensor& input, const Tensor& grid) {
  const bool wide = computed(grid) == DType::kDouble;
  StridedCall call;
  call.name = sample.name;
  call.shader = wide ? stem_f64 : stem_f32;
  call.promoted = computed(grid);
  GridConstants constants;
  constants.kDims = static_cast<uint>(sample.dims);
  constants.kInterpolation = word(sample.interpolation);
  constants.kPadding = word(sample.padding);
  constants.kAlignCorners = sample.align_corners;
  add_constants(call, constants);
  GridArguments arguments;
  arguments.sizes.fill(1);
  arguments.strides.fill(1);
  // The shader has three dims; those of an image are the last ones.
  const std::size_t missing = arguments.sizes.size() - sample.dims;
  for (std::size_t i = 0; i < sample.dims; ++i) {
    arguments.sizes[missing + i] = word(input.shape[2 + i]);
    arguments.strides[missing + i] = word(input.strides[2 + i]);
  }
  arguments.grid_step = word(grid.strides.back());
  add_arguments(call, arguments);
  return call;
}

/// Returns the strides from point to point, with a channel dim of stride 0 after the batch.
Shape grid_steps(const Tensor& grid) { return with(without(grid.strides, grid.strides.size() - 1), 1, 0); }

Kernels sample_kernels(const GridSample& sample, const Tensor& input, const Tensor& grid, const Tensor& out) {
  StridedCall call = grid_call(sample, "resample/grid_sample_f32", "resample/grid_sample_f64", input, grid);
  // A lane starts at its plane. The taps are offsets in the plane.
  Shape image_steps(out.shape.size(), 0);
  image_steps[0] = input.strides[0];
  image_steps[1] = input.strides[1];
  const Shape steps = grid_steps(grid);
  call.operands = {
      {&input, Access::kRead, false, &image_steps}, {&grid, Access::kRead, false, &steps}, {&out, Access::kWrite}};
  return strided_kernels(call);
}

/// For each point of the grid an element of the image and its weight.
struct Taps {
  Tensor elements;
  Tensor weights;
};

Kernels tap_kernels(const GridSample& sample, const Tensor& input, const Tensor& grid, std::int64_t tap,
                    const Taps& taps) {
  StridedCall call = grid_call(sample, "resample/grid_taps_f32", "resample/grid_taps_f64", input, grid);
  GridTapsArguments arguments;
  arguments.tap = word(tap);
  add_arguments(call, arguments);
  const std::size_t last = grid.shape.size() - 1;
  const Shape steps = without(grid.strides, last);
  const Shape shape = without(grid.shape, last);
  const Tensor elements = *reshaped(taps.elements, shape);
  const Tensor weights = *reshaped(taps.weights, shape);
  call.operands = {{&grid, Access::kRead, false, &steps}, {&elements, Access::kWrite}, {&weights, Access::kWrite}};
  return strided_kernels(call);
}

/// The gradient of the image: one tap after the other, so that sums have a fixed order and need no atomics.
Kernels image_gradient_kernels(const GridSample& sample, Staging& staging, const Tensor& gradient, const Tensor& input,
                               const Tensor& grid, const Tensor& out) {
  const char* name = sample.name;
  const DType compute = computed(out);
  const Shape& shape = gradient.shape;
  const std::int64_t points = element_count(Shape(shape.begin() + 2, shape.end()));
  const std::int64_t elements = element_count(Shape(out.shape.begin() + 2, out.shape.end()));
  const Shape rows = {shape[0], shape[1], points};
  const bool direct = out.dtype == compute && is_contiguous(out);
  const Tensor sums = direct ? out : staging.make(out.shape, compute);
  const Tensor products = staging.make(rows, compute);
  const Taps taps{staging.make({shape[0], points}, DType::kInt32), staging.make({shape[0], points}, compute)};
  Kernels kernels = fill_kernels(name, sums, Element{});
  for (std::int64_t tap = 0; tap < all_taps(sample) && !gradient.empty(); ++tap) {
    append(kernels, tap_kernels(sample, input, grid, tap, taps));
    // A tap contributes gradient * weight, for all channels of a point with one weight.
    append(kernels, copy_kernels(name, *reshaped(products, shape), gradient));
    append(kernels, pointwise_kernels(name, Combination::kMultiply, products, repeated(taps.weights, 1, shape[1])));
    // The channels of an image are one group.
    append(kernels, add_to_elements(name, *reshaped(taps.elements, {shape[0], 1, points}),
                                    *reshaped(products, {shape[0], 1, shape[1], points}),
                                    *reshaped(sums, {shape[0], 1, shape[1], elements})));
  }
  if (!direct) append(kernels, copy_kernels(name, out, sums));
  return kernels;
}

/// The grid's gradient from some of the channels.
Kernels channels_kernels(const GridSample& sample, const Tensor& gradient, const Tensor& input, const Tensor& grid,
                         const Tensor& out) {
  StridedCall call = grid_call(sample, "resample/grid_gradient_f32", "resample/grid_gradient_f64", input, grid);
  GridGradientArguments arguments;
  arguments.channels = word(input.shape[1]);
  arguments.channel_step = word(input.strides[1]);
  arguments.gradient_step = word(gradient.strides[1]);
  add_arguments(call, arguments);
  const std::size_t rank = out.shape.size();
  Shape image_steps(rank, 0);
  image_steps[0] = input.strides[0];
  Shape point_steps = grid.strides;
  point_steps.back() = 0;
  Shape gradient_steps = without(gradient.strides, 1);
  gradient_steps.push_back(0);
  Shape numbers(rank, 0);
  // The last dim of the grid's gradient numbers the coordinate by which a lane differentiates.
  numbers.back() = 1;
  call.operands = {{&input, Access::kRead, false, &image_steps},
                   {&grid, Access::kRead, false, &point_steps},
                   {&gradient, Access::kRead, false, &gradient_steps},
                   {&grid, Access::kRead, true, &numbers},
                   {&out, Access::kWrite}};
  return strided_kernels(call);
}

/// The grid's gradient. More channels than a thread may loop over are added in chunks.
Kernels grid_gradient_kernels(const GridSample& sample, Staging& staging, const Tensor& gradient, const Tensor& input,
                              const Tensor& grid, const Tensor& out) {
  const std::int64_t channels = input.shape[1];
  // A channel takes an iteration for each tap and about two for the outer loops.
  const std::int64_t at_once = kMaxIterations / (all_taps(sample) + 2);
  if (channels == 0) return fill_kernels(sample.name, out, Element{});
  const auto part = [&](std::int64_t first, std::int64_t count, const Tensor& sum) {
    return channels_kernels(sample, sliced(gradient, 1, first, count), sliced(input, 1, first, count), grid, sum);
  };
  return sum_of_channels(sample.name, channels, at_once, computed(out), out, staging, part);
}

}  // namespace

std::shared_ptr<Executor> plan_grid_sample(const GridSample& sample, const InputArg& input_handle,
                                           const InputArg& grid_handle, const OutputArg& out_handle) {
  TensorParameters tensors;
  const ParamId input = tensors.input(input_handle);
  const ParamId grid = tensors.input(grid_handle);
  const ParamId out = tensors.output(out_handle);
  tensors.check_dtypes(dtypes_of(sample.name));
  check_same_dtype(tensors[grid], "grid", tensors[input], "input");
  check_same_dtype(tensors[out], "out", tensors[input], "input");
  tensors.check_views();
  check_attributes(sample);
  tensors.check_shape(out, check_image_and_grid(sample, tensors[input], tensors[grid]), "input and grid make");
  return staged_executor(sample.name, tensors, [=](const auto& bound, Staging&) {
    return sample_kernels(sample, *bound[input], *bound[grid], *bound[out]);
  });
}

std::shared_ptr<Executor> plan_grid_gradients(const GridSample& sample, const GridGradients& handles) {
  TensorParameters tensors;
  const ParamId gradient = tensors.input(handles.gradient);
  const ParamId input = tensors.input(handles.input);
  const ParamId grid = tensors.input(handles.grid);
  const BoolArray mask = *required(bool_array_handles(), handles.mask);
  check(mask.size() == 2, Code::kNnInvalid, "outputMask has {} values; expected 2.", mask.size());
  // A parameter that is not requested keeps its index among the outputs.
  const auto result = [&](bool wanted, const OutputArg& arg) {
    return wanted ? tensors.output(arg) : tensors.optional_output(arg);
  };
  const ParamId image = result(mask[0] != 0, handles.input_gradient);
  const ParamId points = result(mask[1] != 0, handles.grid_gradient);
  tensors.check_dtypes(dtypes_of(sample.name));
  tensors.for_each([&](ParamId param, const Tensor& tensor) {
    check_same_dtype(tensor, tensors.name(param), tensors[input], "input");
  });
  tensors.check_views();
  check_attributes(sample);
  const Shape shape = check_image_and_grid(sample, tensors[input], tensors[grid]);
  tensors.check_shape(gradient, shape, "input and grid make");
  if (mask[0]) tensors.check_shape(image, tensors[input].shape, "input has shape");
  if (mask[1]) tensors.check_shape(points, tensors[grid].shape, "grid has shape");
  return staged_executor(sample.name, tensors, [=](const auto& bound, Staging& staging) {
    Kernels kernels;
    if (mask[0]) {
      kernels = image_gradient_kernels(sample, staging, *bound[gradient], *bound[input], *bound[grid], *bound[image]);
    }
    if (mask[1]) {
      append(kernels,
             grid_gradient_kernels(sample, staging, *bound[gradient], *bound[input], *bound[grid], *bound[points]));
    }
    return kernels;
  });
}

}  // namespace aclvk::ops
