
#include "base/error.hpp"
#include "index/jagged_permute.args.h"
#include "ops/args/index.hpp"
#include "ops/create/fill.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/kernel/workspace.hpp"
#include "ops/shape/copies.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(JaggedPermuteArguments, JAGGED_PERMUTE_ARGUMENTS);

constexpr DTypeSet kNumbers = {DType::kInt32};
constexpr DTypeSet kGradients = {DType::kFloat, DType::kFloat16};

void check_vector(const Tensor& tensor, const char* name) {
  check_operand(tensor, name, kNumbers);
  check(tensor.shape.size() == 1, Code::kNnInvalid, "{} has {} dimensions; expected 1.", name, tensor.shape.size());
}

}  // namespace

/// aclnnExpandIntoJaggedPermute: expands a permutation of segments to a permutation of their elements. Offsets are the
/// starts of segments, followed by the end of the last one.
std::shared_ptr<Executor> plan(const ExpandIntoJaggedPermuteArgs& args) {
  const std::int64_t output_size = args.outputSize;
  constexpr const char* kName = "aclnnExpandIntoJaggedPermute";
  const TensorPtr permute = required_tensor(args.permute);
  const TensorPtr from = required_tensor(args.inputOffset);
  const TensorPtr to = required_tensor(args.outputOffset);
  const TensorPtr out = required_tensor(args.outputPermuteOut);
  check_vector(*permute, "permute");
  check_vector(*from, "inputOffset");
  check_vector(*to, "outputOffset");
  check_vector(*out, "outputPermuteOut");
  const std::int64_t segments = permute->shape[0];
  check_shape(*from, "inputOffset", {segments + 1}, "one more than permute has is");
  check_shape(*to, "outputOffset", {segments + 1}, "one more than permute has is");
  check_shape(*out, "outputPermuteOut", {output_size}, "outputSize is");
  auto build = [segments](const Executor::Operands& bound) {
    check_disjoint(bound, "outputPermuteOut", "an input");
    // Without segments no element has a source.
    if (segments == 0) return fill_kernels(kName, bound.output(0), Element{});
    const Shape numbers = {1};
    const Shape none = {0};
    StridedCall call;
    call.name = kName;
    call.shader = "index/jagged_permute_bits";
    call.promoted = DType::kInt32;
    JaggedPermuteArguments arguments;
    arguments.segments = word(segments);
    arguments.permute_step = word(bound.input(0).strides[0]);
    arguments.from_step = word(bound.input(1).strides[0]);
    arguments.to_step = word(bound.input(2).strides[0]);
    add_arguments(call, arguments);
    call.operands = {{&bound.input(0), Access::kRead, false, &numbers},
                     {&bound.input(1), Access::kRead, false, &none},
                     {&bound.input(2), Access::kRead, false, &none},
                     {&bound.output(0), Access::kWrite, false}};
    return strided_kernels(call);
  };
  return std::make_shared<Executor>(kName, Executor::Operands{{permute.get(), from.get(), to.get()}, {out.get()}},
                                    std::move(build));
}

/// aclnnThreeInterpolateBackward: adds each gradient, weighted, to three of `points` elements.
std::shared_ptr<Executor> plan(const ThreeInterpolateBackwardArgs& args) {
  const int points = args.m;
  constexpr const char* kName = "aclnnThreeInterpolateBackward";
  const TensorPtr grad = required_tensor(args.grad_x);
  const TensorPtr indices = required_tensor(args.idx);
  const TensorPtr weights = required_tensor(args.weight);
  const TensorPtr out = required_tensor(args.grad_y);
  check_operand(*grad, "grad_x", kGradients);
  check_index(*indices, "idx");
  check_same_dtype(*weights, "weight", *grad, "grad_x");
  check_same_dtype(*out, "grad_y", *grad, "grad_x");
  check_view(*weights, "weight");
  check_view(*out, "grad_y");
  check(grad->shape.size() == 3, Code::kNnInvalid, "grad_x has {} dimensions; expected 3.", grad->shape.size());
  const std::int64_t batches = grad->shape[0];
  const std::int64_t channels = grad->shape[1];
  const std::int64_t count = grad->shape[2];
  check_shape(*indices, "idx", {batches, count, 3}, "three for each element of grad_x are");
  check_shape(*weights, "weight", {batches, count, 3}, "three for each element of grad_x are");
  check(points >= 0, Code::kNnInvalid, "m is {}; expected 0 or more.", points);
  check_shape(*out, "grad_y", {batches, channels, points}, "with m elements the shape is");
  // Three steps: products of gradients and weights in the workspace, contiguous indices, and a deterministic
  // scatter-add.
  const Shape expanded_shape = {batches, channels, count, 3};
  Workspace workspace;
  const std::uint64_t products_offset = workspace.allocate(expanded_shape, grad->dtype);
  const std::uint64_t indices_offset = workspace.allocate(indices->shape, indices->dtype);
  auto build = [=](const Executor::Operands& bound) {
    check_disjoint(bound, "grad_y", "an input");
    Kernels kernels = fill_kernels(kName, bound.output(0), Element{});
    const Tensor products =
        row_major(expanded_shape, bound.input(0).dtype, at_offset(bound.workspace, products_offset));
    append(kernels, copy_kernels(kName, products, repeated(bound.input(0), 3, 3)));
    append(kernels, pointwise_kernels(kName, Combination::kMultiply, products, repeated(bound.input(2), 1, channels)));
    const Tensor positions =
        row_major(bound.input(1).shape, bound.input(1).dtype, at_offset(bound.workspace, indices_offset));
    append(kernels, copy_kernels(kName, positions, bound.input(1)));
    ScatterCall call;
    call.name = kName;
    call.combination = Combination::kAdd;
    call.out = bound.output(0);
    call.index = positions;
    call.source = products;
    call.columns = {batches, channels};
    call.out_steps = {call.out.strides[0], call.out.strides[1]};
    // All channels of a batch share the indices.
    call.index_steps = {3 * count, 0};
    call.source_steps = {products.strides[0], products.strides[1]};
    call.count = 3 * count;
    call.index_step = 1;
    call.source_step = 1;
    call.range = {points, call.out.strides[2], false};
    append(kernels, scatter_kernels(call));
    return kernels;
  };
  return std::make_shared<Executor>(kName, Executor::Operands{{grad.get(), indices.get(), weights.get()}, {out.get()}},
                                    std::move(build), workspace.bytes());
}

}  // namespace aclvk::ops
