#include "ops/convolution/deform.hpp"

#include "convolution/deform.args.h"
#include "convolution/deform_gradient.args.h"
#include "convolution/deform_taps.args.h"
#include "ops/create/fill.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/index/sampled_sums.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(DeformArguments, DEFORM_ARGUMENTS);
ARGUMENT_STRUCT(DeformTapsArguments, DEFORM_TAPS_ARGUMENTS);
ARGUMENT_STRUCT(DeformGradientArguments, DEFORM_GRADIENT_ARGUMENTS);
CONSTANT_STRUCT(DeformGradientConstants, DEFORM_GRADIENT_CONSTANTS);

// The loop over channels is the only one of its shader besides that of the frame over dims.
constexpr std::int64_t kAtOnce = kMaxIterations - 64;
constexpr std::int64_t kBlocks = 3;   // of offsets: along W, along H, factors
constexpr std::int64_t kCorners = 4;  // the elements of the image around a place

/// Returns a call with the arguments of deform.glsl. `image` has the sizes and the strides of the image.
StridedCall deform_call(const Deformation& deformation, std::string_view shader, const Tensor& image,
                        const Tensor& offset) {
  StridedCall call;
  call.name = deformation.name;
  call.shader = shader;
  DeformArguments arguments;
  for (std::size_t i = 0; i < 2; ++i) {
    arguments.sizes[i] = static_cast<int>(image.shape[2 + i]);
    arguments.strides[i] = word(image.strides[2 + i]);
    arguments.before[i] = static_cast<int>(deformation.windows[i].before);
  }
  arguments.block_step = word(deformation.groups * deformation.taps() * offset.strides[1]);
  add_arguments(call, arguments);
  return call;
}

/// The steps of operands over (N, groups, window, positions).
struct Steps {
  Shape offset;
  Shape rows;     ///< number the rows of taps
  Shape columns;  ///< number their columns
};

Steps steps_of(const Deformation& deformation, const Tensor& offset) {
  const Shape& strides = offset.strides;
  const Window& vertical = deformation.windows[0];
  const Window& horizontal = deformation.windows[1];
  const std::int64_t tap = strides[1];
  return {{strides[0], deformation.taps() * tap, horizontal.size * tap, tap, strides[2], strides[3]},
          {0, 0, vertical.dilation, 0, vertical.step, 0},
          {0, 0, 0, horizontal.dilation, 0, horizontal.step}};
}

/// Returns (N, groups, window, positions), the shape of a block of offsets.
Shape shape_of_block(const Deformation& deformation, const Tensor& offset) {
  return {offset.shape[0],          deformation.groups,      deformation.windows[0].size, deformation.windows[1].size,
          deformation.positions[0], deformation.positions[1]};
}

/// A value for each sample of a deformable group: an element of the image, and its weight.
struct Taps {
  Tensor elements;
  Tensor weights;
};

Kernels tap_kernels(const Deformation& deformation, const Tensor& image, const Tensor& offset, std::int64_t corner,
                    const Taps& taps) {
  StridedCall call = deform_call(deformation, "convolution/deform_taps_f32", image, offset);
  DeformTapsArguments arguments;
  arguments.corner = word(corner);
  add_arguments(call, arguments);
  const Steps steps = steps_of(deformation, offset);
  const Shape shape = shape_of_block(deformation, offset);
  const Tensor elements = *reshaped(taps.elements, shape);
  const Tensor weights = *reshaped(taps.weights, shape);
  call.operands = {{&offset, Access::kRead, false, &steps.offset},
                   {&offset, Access::kRead, true, &steps.rows},
                   {&offset, Access::kRead, true, &steps.columns},
                   {&elements, Access::kWrite},
                   {&weights, Access::kWrite}};
  return strided_kernels(call);
}

/// The gradient of a block of offsets from some channels of each deformable group. Tensors are (N, groups, channels of
/// a group, ...).
Kernels block_kernels(const Deformation& deformation, std::uint32_t block, const Tensor& image, const Tensor& columns,
                      const Tensor& offset, const Tensor& out) {
  StridedCall call =
      deform_call(deformation, "convolution/deform_gradient_f32", selected(image, 1), offset);  // (N, channels, H, W)
  DeformGradientConstants constants;
  constants.kBlock = block;
  add_constants(call, constants);
  DeformGradientArguments arguments;
  arguments.channels = word(image.shape[2]);
  arguments.channel_step = word(image.strides[2]);
  arguments.gradient_step = word(columns.strides[2]);
  add_arguments(call, arguments);
  const Steps steps = steps_of(deformation, offset);
  const Shape image_steps{image.strides[0], image.strides[1], 0, 0, 0, 0};
  const Shape column_steps = without(columns.strides, 2);
  call.operands = {{&image, Access::kRead, false, &image_steps},    {&offset, Access::kRead, false, &steps.offset},
                   {&offset, Access::kRead, true, &steps.rows},     {&offset, Access::kRead, true, &steps.columns},
                   {&columns, Access::kRead, false, &column_steps}, {&out, Access::kWrite}};
  return strided_kernels(call);
}

}  // namespace

Kernels sample_kernels(const Deformation& deformation, const Tensor& image, const Tensor& offset,
                       const Tensor& samples) {
  StridedCall call = deform_call(deformation, "convolution/deform_samples_f32", image, offset);
  const std::int64_t channels = image.shape[1] / deformation.groups;
  // (N, groups, channels of a group, positions and window along H, the same along W)
  Tensor out = unflattened(samples, 1, channels);
  out = unflattened(out, 3, deformation.windows[0].size);
  out = unflattened(out, 5, deformation.windows[1].size);
  const Steps steps = steps_of(deformation, offset);
  const auto ordered = [](const Shape& own) { return Shape{own[0], own[1], 0, own[4], own[2], own[5], own[3]}; };
  const Shape image_steps{image.strides[0], channels * image.strides[1], image.strides[1], 0, 0, 0, 0};
  const Shape offset_steps = ordered(steps.offset);
  const Shape rows = ordered(steps.rows);
  const Shape columns = ordered(steps.columns);
  call.operands = {{&image, Access::kRead, false, &image_steps},
                   {&offset, Access::kRead, false, &offset_steps},
                   {&offset, Access::kRead, true, &rows},
                   {&offset, Access::kRead, true, &columns},
                   {&out, Access::kWrite}};
  return strided_kernels(call);
}

// One corner after the other, so that sums have a fixed order and need no atomics.
Kernels image_gradient_kernels(const Deformation& deformation, const Tensor& columns, const Tensor& offset,
                               const Tensor& out, Staging& staging) {
  const char* name = deformation.name;
  const bool direct = out.dtype == DType::kFloat && is_contiguous(out);
  const Tensor sums = direct ? out : staging.make(out.shape, DType::kFloat);
  Kernels kernels = fill_kernels(name, sums, Element{});
  const std::int64_t channels = out.shape[1] / deformation.groups;
  const std::int64_t plane = out.shape[2] * out.shape[3];
  const std::int64_t samples = deformation.taps() * element_count(deformation.positions);
  const Shape shape{out.shape[0], deformation.groups, channels, samples};
  const Shape block{out.shape[0], deformation.groups, samples};
  const Tensor products = staging.make(shape, DType::kFloat);
  const Taps taps{staging.make(block, DType::kInt32), staging.make(block, DType::kFloat)};
  const Tensor gradients = *reshaped(columns, shape);
  const Tensor weights = repeated(taps.weights, 2, channels);
  for (std::int64_t corner = 0; corner < kCorners && !columns.empty(); ++corner) {
    append(kernels, tap_kernels(deformation, out, offset, corner, taps));
    append(kernels, pointwise_kernels(name, row_of(BinaryOp::kMul), DType::kFloat, {&gradients, &weights}, products));
    append(kernels,
           add_to_elements(name, taps.elements, products, *reshaped(sums, {shape[0], shape[1], shape[2], plane})));
  }
  if (!direct) append(kernels, copy_kernels(name, out, sums));
  return kernels;
}

Kernels offset_gradient_kernels(const Deformation& deformation, const Tensor& image, const Tensor& columns,
                                const Tensor& offset, const Tensor& out, Staging& staging) {
  const std::int64_t channels = image.shape[1] / deformation.groups;
  const std::int64_t size = deformation.groups * deformation.taps();
  const Tensor grouped_image = unflattened(image, 1, channels);
  const Shape block = shape_of_block(deformation, offset);
  const Tensor grouped_columns = *reshaped(columns, with(block, 2, channels));
  Kernels kernels;
  for (std::int64_t i = 0; i < kBlocks; ++i) {
    Tensor part = unflattened(sliced(out, 1, i * size, size), 1, deformation.taps());
    part = unflattened(part, 2, deformation.windows[1].size);
    const auto sum_of_some = [&](std::int64_t first, std::int64_t count, const Tensor& sum) {
      return block_kernels(deformation, static_cast<std::uint32_t>(i), sliced(grouped_image, 2, first, count),
                           sliced(grouped_columns, 2, first, count), offset, sum);
    };
    append(kernels, sum_of_channels(deformation.name, channels, kAtOnce, DType::kFloat, part, staging, sum_of_some));
  }
  return kernels;
}

}  // namespace aclvk::ops
