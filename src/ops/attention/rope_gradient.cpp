
#include "base/error.hpp"
#include "ops/args/attention.hpp"
#include "ops/attention/rotate.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using BoundTensors = TensorParameters::BoundTensors;
using ParamId = TensorParameters::ParamId;

constexpr const char* kName = "aclnnRotaryPositionEmbeddingGrad";

struct Operands {
  TensorParameters tensors;
  ParamId dy, cos, sin, x, dx, dcos, dsin;
  Rotary rotary = Rotary::kHalf;
};

/// Returns the dims in which an angle broadcasts: its gradient is a sum over them.
DimMask repeated_dims(const Tensor& of_angle, const Tensor& products) {
  DimMask mask = 0;
  for (std::size_t dim = 0; dim < products.shape.size(); ++dim) {
    if (of_angle.shape[dim] == 1 && products.shape[dim] != 1) mask |= DimMask{1} << dim;
  }
  return mask;
}

/// Writes the sum of dy * x, or of its negative, over the dims in which the angle broadcasts.
Kernels angle_kernels(const Tensor& dy, const Tensor& x, bool minus, const Tensor& out, Staging& staging) {
  const Tensor products = staging.make(x.shape, DType::kFloat);
  Tensor zero = staging.make({1}, DType::kFloat);
  Kernels kernels = fill_kernels(kName, zero, {});
  zero = expanded(zero, x.shape);
  // 0 * 0 + dy * x: the rotation's kernel serves as a product.
  const std::array<const Tensor*, 5> operands{&zero, &zero, &dy, &x, &products};
  append(kernels, rotate_coordinate(kName, operands, minus));
  const Tensor sums = with_rank(out, x.shape.size());
  const DimMask dims = repeated_dims(sums, products);
  append(kernels, dims == 0 ? copy_kernels(kName, sums, products)
                            : reduce_kernels(kName, ReduceKind::kSum, DType::kFloat, products, dims, sums, staging));
  return kernels;
}

/// Returns the kernels of the gradients of cos and sin, for both elements of a pair.
Kernels angles_kernels(const Operands& of, const BoundTensors& bound, Staging& staging) {
  const auto [x1, x2] = pair_views(*bound[of.x], of.rotary, true);
  const auto [dy1, dy2] = pair_views(*bound[of.dy], of.rotary, false);
  const auto [cos1, cos2] = pair_views(*bound[of.dcos], of.rotary, false);
  const auto [sin1, sin2] = pair_views(*bound[of.dsin], of.rotary, false);
  Kernels kernels = angle_kernels(dy1, x1, false, cos1, staging);
  append(kernels, angle_kernels(dy2, x2, false, cos2, staging));
  append(kernels, angle_kernels(dy1, x2, true, sin1, staging));
  append(kernels, angle_kernels(dy2, x1, false, sin2, staging));
  return kernels;
}

Kernels kernels_for(const Operands& of, const BoundTensors& bound, Staging& staging) {
  const TensorParameters& tensors = of.tensors;
  for (const ParamId out : {of.dx, of.dcos, of.dsin}) {
    for (const ParamId other : {of.dy, of.cos, of.sin, of.x, of.dx, of.dcos, of.dsin}) {
      if (out == other || !tensors.has(out) || !tensors.has(other)) continue;
      check_disjoint(*bound[out], tensors.name(out), *bound[other], tensors.name(other));
    }
  }
  const auto [dy1, dy2] = pair_views(*bound[of.dy], of.rotary, false);
  const auto [cos1, cos2] = pair_views(*bound[of.cos], of.rotary, false);
  const auto [sin1, sin2] = pair_views(*bound[of.sin], of.rotary, false);
  const auto [dx1, dx2] = pair_views(*bound[of.dx], of.rotary, true);
  // The gradient is the rotation by the negative angle. cos and sin may differ between the elements of a pair, so each
  // product keeps the factor that it had.
  Kernels kernels = rotate_coordinate(kName, {&dy1, &cos1, &dy2, &sin2, &dx1}, false);
  append(kernels, rotate_coordinate(kName, {&dy2, &cos2, &dy1, &sin1, &dx2}, true));
  if (tensors.has(of.x)) append(kernels, angles_kernels(of, bound, staging));
  return kernels;
}

void check_shapes(const Operands& of) {
  const TensorParameters& tensors = of.tensors;
  const Shape& shape = tensors[of.dy].shape;
  const std::int64_t unit = of.rotary == Rotary::kQuarter ? 4 : 2;
  const bool has_room = of.rotary != Rotary::kQuarter || shape.size() < kMaxRank;
  check(!shape.empty() && shape.back() % unit == 0 && has_room, Code::kNnInvalid,
        "dy has shape {}; the last dimension is a multiple of {}, and quarters need a dimension more.", shape, unit);
  for (const ParamId angles : {of.cos, of.sin}) {
    const Shape& own = tensors[angles].shape;
    check(!own.empty() && own.back() == shape.back() && broadcast(own, shape) == shape, Code::kNnInvalid,
          "{} has shape {} and dy has shape {}; the first must broadcast to the second, with the same last dimension.",
          tensors.name(angles), own, shape);
  }
  tensors.check_shape(of.x, shape, "dy has shape");
  tensors.check_shape(of.dx, shape, "dy has shape");
  if (!tensors.has(of.x)) return;
  tensors.check_shape(of.dcos, tensors[of.cos].shape, "cos has shape");
  tensors.check_shape(of.dsin, tensors[of.sin].shape, "sin has shape");
}

}  // namespace

/// Plans aclnnRotaryPositionEmbeddingGrad, the gradients of plan_rotary(). Gradients of cos and sin need x.
std::shared_ptr<Executor> plan(const RotaryPositionEmbeddingGradArgs& args) {
  const std::int64_t mode = args.mode;
  Operands of;
  TensorParameters& tensors = of.tensors;
  of.dy = tensors.input(args.dy);
  of.cos = tensors.input(args.cos);
  of.sin = tensors.input(args.sin);
  of.x = tensors.optional_input(args.xOptional);
  of.dx = tensors.output(args.dxOut);
  of.dcos = args.xOptional ? tensors.output(args.dcosOut) : tensors.optional_output(args.dcosOut);
  of.dsin = args.xOptional ? tensors.output(args.dsinOut) : tensors.optional_output(args.dsinOut);
  tensors.check_all(kRotated);
  check(mode >= 0 && mode <= 3, Code::kNnInvalid, "mode is {}; 0 to 3 are expected.", mode);
  of.rotary = static_cast<Rotary>(mode);
  check_shapes(of);
  return staged_executor(kName, tensors,
                         [of](const BoundTensors& bound, Staging& staging) { return kernels_for(of, bound, staging); });
}

}  // namespace aclvk::ops
