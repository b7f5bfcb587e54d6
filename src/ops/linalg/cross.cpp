
#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "linalg/cross.args.h"
#include "ops/args/linalg.hpp"
#include "ops/executor/operator.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/shape/copies.hpp"
#include "ops/tensor/promotion.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(CrossArguments, CROSS_ARGUMENTS);

constexpr const char* kName = "aclnnLinalgCross";

/// Returns the size of an operand along a dim of the result; 1 where the operand does not have the dim.
std::int64_t size_along(const Tensor& operand, const Shape& result, std::size_t dim) {
  const std::size_t before = result.size() - operand.shape.size();
  return dim < before ? 1 : operand.shape[dim - before];
}

/// Returns the operand's strides for the dims of the result, with 0 for the dim of three elements, and its stride
/// there.
std::pair<Shape, std::uint32_t> walk(const Tensor& operand, const Shape& result, std::size_t dim) {
  Shape steps = broadcast_strides(operand.shape, operand.strides, result);
  const std::uint32_t stride = word(steps[dim]);
  steps[dim] = 0;
  return {steps, stride};
}

DType check_dtypes(const Tensor& self, const Tensor& other, const Tensor& out) {
  check_dtype(self, "self", dtypes_of(kName).inputs);
  check_dtype(other, "other", dtypes_of(kName).inputs);
  check_dtype(out, "out", dtypes_of(kName).outputs);
  const auto promoted = promote(self.dtype, other.dtype);
  check(promoted.has_value(), Code::kNnInvalid, "self has dtype {} and other has dtype {}; no dtype holds both.",
        self.dtype, other.dtype);
  check_castable(*promoted, out.dtype, "the result", "out");
  return *promoted;
}

}  // namespace

/// aclnnLinalgCross: cross products along `dim` of the broadcast shape, where both operands have three elements.
std::shared_ptr<Executor> plan(const LinalgCrossArgs& args) {
  const std::int64_t dim = args.dim;
  const TensorPtr self = required_tensor(args.self);
  const TensorPtr other = required_tensor(args.other);
  const TensorPtr out = required_tensor(args.out);
  const DType promoted = check_dtypes(*self, *other, *out);
  check_view(*self, "self");
  check_view(*other, "other");
  check_view(*out, "out");
  const Shape shape = check_broadcast(*self, "self", *other, "other");
  check_shape(*out, "out", shape, "the operands broadcast to");
  check(!shape.empty(), Code::kNnInvalid, "self and other are scalars; a dimension of three elements is expected.");
  const std::size_t along = checked_dim(dim, shape.size(), "dim");
  check(size_along(*self, shape, along) == 3 && size_along(*other, shape, along) == 3, Code::kNnInvalid,
        "self has shape {} and other {}; both must have three elements along dimension {}.", self->shape, other->shape,
        dim);
  constexpr ClassShaders kShaders = ACLVK_CLASS_SHADERS("linalg/cross");
  const ComputeClass compute =
      std::max(class_for(promoted, {self->dtype, out->dtype}), class_for(promoted, {other->dtype, out->dtype}));
  StridedCall fixed;
  fixed.name = kName;
  fixed.shader = kShaders[static_cast<std::size_t>(compute)];
  fixed.promoted = promoted;
  auto build = [fixed, along](const Executor::Operands& bound) {
    using runtime::Access;
    check_disjoint(bound, "out", "an input");
    const Shape& result = bound.output(0).shape;
    const auto [x_steps, x_stride] = walk(bound.input(0), result, along);
    const auto [y_steps, y_stride] = walk(bound.input(1), result, along);
    // The only stride that counts numbers the components, so operand 0 gives each element its component.
    Shape components(result.size(), 0);
    components[along] = 1;
    StridedCall call = fixed;
    CrossArguments arguments;
    arguments.x_stride = x_stride;
    arguments.y_stride = y_stride;
    add_arguments(call, arguments);
    call.operands = {{&bound.input(0), Access::kRead, false, &components},
                     {&bound.input(0), Access::kRead, false, &x_steps},
                     {&bound.input(1), Access::kRead, false, &y_steps},
                     {&bound.output(0), Access::kWrite}};
    return strided_kernels(call);
  };
  return std::make_shared<Executor>(kName, Executor::Operands{{self.get(), other.get()}, {out.get()}},
                                    std::move(build));
}

}  // namespace aclvk::ops
