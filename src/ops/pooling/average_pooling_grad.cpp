#include "ops/args/pooling.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/pooling/mean_lines.hpp"
#include "ops/pooling/pool_checks.hpp"
#include "ops/tensor/dtype_sets.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

std::int64_t checked(const ValueArg<std::int64_t>& value, std::int64_t least) {
  return window_values({value}, value.name, 1, least)[0];
}

Windows checked_windows(const AveragePoolingGradArgs& args) {
  const Windows windows{
      {checked(args.kernelH, 1), checked(args.strideH, 1), checked(args.padTop, 0), checked(args.padBottom, 0)},
      {checked(args.kernelW, 1), checked(args.strideW, 1), checked(args.padLeft, 0), checked(args.padRight, 0)}};
  check_padding("padTop or padBottom", windows[0]);
  check_padding("padLeft or padRight", windows[1]);
  return windows;
}

}  // namespace

/// aclnnAveragePoolingGrad: aclnnAvgPool2dBackward with numbers in place of arrays, and a padding for each side.
std::shared_ptr<Executor> plan(const AveragePoolingGradArgs& args) {
  TensorParameters tensors;
  const auto sizes = required_ints(args.origInputShape);
  const ParamId gradient = tensors.input(args.gradOutput);
  const ParamId out = tensors.output(args.out);
  tensors.check_all(kFloats);
  check_same_dtype(tensors[out], args.out.name, tensors[gradient], args.gradOutput.name);
  tensors.for_each([&](ParamId param, const Tensor& tensor) { check_channels_first(tensor, tensors.name(param)); });
  check(sizes.size() < kMaxRank, Code::kNnInvalid, "origInputShape has {} values; expected 3 or 4.", sizes.size());
  tensors.check_shape(out, Shape(sizes.data(), sizes.data() + sizes.size()), "origInputShape is");
  check_image(args.kOperator, 2, tensors[out], args.out.name);
  const Windows windows = checked_windows(args);
  const PoolDivisor divisor{args.countIncludePad, args.divisorOverride};
  check_divisor(divisor);
  const Shape spatial = positions_of(windows, tensors[out], args.ceilMode, args.out.name);
  tensors.check_shape(gradient, with_spatial(tensors[out], spatial), "the windows make");
  std::vector<Line> lines = mean_lines(tensors[out].shape, windows, spatial, divisor);
  // The mean is linear, so its gradient is the adjoint of the same lines.
  for (Line& line : lines) line.adjoint = true;
  return staged_executor(args.kOperator, tensors,
                         [=, name = args.kOperator](const TensorParameters::BoundTensors& bound, Staging& staging) {
                           return line_kernels(name, staging, *bound[gradient], *bound[out], lines, factor_of(divisor));
                         });
}

}  // namespace aclvk::ops
