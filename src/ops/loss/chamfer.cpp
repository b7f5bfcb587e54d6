#include "ops/loss/chamfer.hpp"

#include <array>

#include "base/error.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/loss/tables.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

constexpr const char* kName = "aclnnChamferDistanceBackward";
constexpr DTypeSet kPoints = {DType::kFloat, DType::kFloat16};

/// The parameters of one cloud.
struct Cloud {
  ParamId points;
  ParamId nearest;  ///< indices of the nearest points in the other cloud
  ParamId gradient;
  ParamId out;
};
using Clouds = std::array<Cloud, 2>;

Clouds read(TensorParameters& tensors, const ChamferHandles& handles) {
  Clouds clouds{};
  clouds[0].points = tensors.input(handles.points[0]);
  clouds[1].points = tensors.input(handles.points[1]);
  clouds[0].nearest = tensors.input(handles.nearest[0]);
  clouds[1].nearest = tensors.input(handles.nearest[1]);
  clouds[0].gradient = tensors.input(handles.gradients[0]);
  clouds[1].gradient = tensors.input(handles.gradients[1]);
  clouds[0].out = tensors.output(handles.out[0]);
  clouds[1].out = tensors.output(handles.out[1]);
  return clouds;
}

void check_cloud(const TensorParameters& tensors, const Cloud& cloud) {
  const Shape& shape = tensors[cloud.points].shape;
  const char* name = tensors.name(cloud.points);
  check(shape.size() == 3 && shape[2] == 2, Code::kNnInvalid, "{} has shape {}; (B, N, 2) is expected.", name, shape);
  tensors.check_shape(cloud.nearest, {shape[0], shape[1]}, "one for each point has shape");
  tensors.check_shape(cloud.gradient, {shape[0], shape[1]}, "one for each point has shape");
  tensors.check_shape(cloud.out, shape, "the points have shape");
}

/// 2 * gradient * (point - nearest point), in float.
Kernels difference_kernels(const Tensor& points, const Tensor& others, const Tensor& nearest, const Tensor& gradient,
                           const Tensor& out, Staging& staging) {
  const Tensor found = staging.make(points.shape, others.dtype);
  // Both coordinates of a point share its index and its gradient.
  const Tensor index = repeated(nearest, 2, 1);
  const Tensor factor = repeated(gradient, 2, 1);
  const Shape steps{others.strides[0], 0, others.strides[2]};
  Kernels kernels =
      gather_kernels({kName, &others, &steps, &index, &found, {others.shape[1], others.strides[1], false}});
  // The gradient of the squared error is 2 * (x - y) * gradient. A beta of 0 and a share of 1 stand for a sum.
  append(kernels, pointwise_kernels(kName, row_of(LossGradientOp::kMse), DType::kFloat, {&factor, &points, &found}, out,
                                    {{0, 1}}));
  return kernels;
}

/// Subtracts the differences from `out` at the nearest points (scatter-add with a factor of -1).
Kernels subtraction_kernels(const Tensor& out, const Tensor& nearest, const Tensor& differences) {
  const double minus = -1;
  const Scalar scale(&minus, DType::kDouble);
  ScatterCall call;
  call.name = kName;
  call.combination = Combination::kAddScaled;
  call.out = out;
  call.index = nearest;
  call.source = differences;
  call.columns = {out.shape[0], 2};
  call.out_steps = {out.strides[0], out.strides[2]};
  call.index_steps = {nearest.strides[0], 0};
  call.source_steps = {differences.strides[0], differences.strides[2]};
  call.count = differences.shape[1];
  call.index_step = nearest.strides[1];
  call.source_step = differences.strides[1];
  call.range = {out.shape[1], out.strides[1], false};
  call.scale = &scale;
  return scatter_kernels(call);
}

}  // namespace

std::shared_ptr<Executor> plan_chamfer_gradient(const ChamferHandles& handles) {
  TensorParameters tensors;
  const Clouds clouds = read(tensors, handles);
  for (const Cloud& cloud : clouds) {
    tensors.check_dtypes({cloud.points, cloud.gradient, cloud.out}, kPoints);
    tensors.check_dtypes({cloud.nearest}, {DType::kInt32});
  }
  tensors.check_views();
  for (const Cloud& cloud : clouds) check_cloud(tensors, cloud);
  const Shape& first = tensors[clouds[0].points].shape;
  const Shape& second = tensors[clouds[1].points].shape;
  check(first[0] == second[0], Code::kNnInvalid, "xyz1 has shape {} and xyz2 {}; the same batch size is expected.",
        first, second);
  return staged_executor(kName, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    std::array<Tensor, 2> differences;
    std::array<Tensor, 2> sums;
    Kernels kernels;
    for (const std::size_t i : {0, 1}) {
      const Tensor& points = *bound[clouds[i].points];
      differences[i] = staging.make(points.shape, DType::kFloat);
      sums[i] = staging.make(points.shape, DType::kFloat);
      append(kernels, difference_kernels(points, *bound[clouds[1 - i].points], *bound[clouds[i].nearest],
                                         *bound[clouds[i].gradient], differences[i], staging));
      append(kernels, copy_kernels(kName, sums[i], differences[i]));
    }
    for (const std::size_t i : {0, 1}) {
      // A point also receives the negative difference of each point of the other cloud whose nearest point it is.
      const Cloud& other = clouds[1 - i];
      append(kernels, subtraction_kernels(sums[i], *bound[other.nearest], differences[1 - i]));
      append(kernels, copy_kernels(kName, *bound[clouds[i].out], sums[i]));
    }
    return kernels;
  });
}

}  // namespace aclvk::ops
