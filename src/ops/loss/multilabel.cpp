
#include "base/error.hpp"
#include "loss/multilabel.args.h"
#include "ops/args/loss.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/loss/loss_reduction.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;
using ParamId = TensorParameters::ParamId;

ARGUMENT_STRUCT(MultilabelArguments, MULTILABEL_ARGUMENTS);
CONSTANT_STRUCT(MultilabelConstants, MULTILABEL_CONSTANTS);

constexpr const char* kName = "aclnnMultilabelMarginLoss";
constexpr DimMask kClasses = 2;

/// Returns (C) as (1, C) and a scalar as (1, 1).
Tensor as_matrix(const Tensor& tensor) {
  const Tensor row = at_least_one_dim(tensor);
  return row.shape.size() == 1 ? repeated(row, 0, 1) : row;
}

/// All operands are matrices; self and target are row-major.
Kernels class_kernels(const Tensor& self, const Tensor& target, const Tensor& is_target, const Tensor& parts) {
  const std::int64_t classes = self.shape[1];
  constexpr std::int64_t kLanes = 4;  // elements of a thread; each lane loops over the classes
  check(classes * kLanes <= kMaxIterations, Code::kFeatureNotSupported,
        "self has shape {}; up to {} classes are supported.", self.shape, kMaxIterations / kLanes);
  // Rows are contiguous, so the first class of sample n is element n * classes.
  const Shape samples{classes, 0};
  const Shape numbers{0, 1};
  StridedCall call;
  call.name = kName;
  call.shader = "loss/multilabel_bits";
  call.promoted = DType::kFloat;
  add_constants(call, MultilabelConstants{});
  MultilabelArguments arguments;
  arguments.classes = word(classes);
  add_arguments(call, arguments);
  call.operands = {{&self, Access::kRead, false, &samples},
                   {&target, Access::kRead, false, &numbers},
                   {&is_target, Access::kWrite},
                   {&parts, Access::kWrite}};
  return strided_kernels(call);
}

}  // namespace

/// aclnnMultilabelMarginLoss for self (N, C) or (C): the sum over targets t and non-targets i of max(0, 1 - (self[t] -
/// self[i])), divided by C. A sample's targets end before the first negative index; an index of C or more is ignored.
/// is_target receives 1 for each class that is a target.
std::shared_ptr<Executor> plan(const MultilabelMarginLossArgs& args) {
  const std::int64_t reduction_number = args.reduction;
  TensorParameters tensors;
  const ParamId self = tensors.input(args.self);
  const ParamId target = tensors.input(args.target);
  const ParamId out = tensors.output(args.out);
  const ParamId is_target = tensors.output(args.isTarget);
  tensors.check_dtypes({self, out, is_target}, kFloats);
  check_dtype(tensors[target], "target", kIndices);
  tensors.check_views();
  const Shape& shape = tensors[self].shape;
  check(shape.size() <= 2, Code::kNnInvalid, "self has shape {}; (C) or (N, C) is expected.", shape);
  tensors.check_shape(target, shape, "self has shape");
  tensors.check_shape(is_target, shape, "self has shape");
  const LossReduction reduction = checked_reduction(reduction_number);
  const bool single = shape.size() <= 1;
  check_loss_shape(tensors[out], "out", {single ? 1 : shape[0]}, single ? LossReduction::kSum : reduction);
  return staged_executor(kName, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const Tensor matrix = as_matrix(staging.read(*bound[self]));
    const Tensor targets = as_matrix(staging.read(*bound[target]));
    const Tensor parts = staging.make(matrix.shape, DType::kFloat);
    const Tensor losses = staging.make({matrix.shape[0]}, DType::kFloat);
    Kernels kernels = class_kernels(matrix, targets, as_matrix(*bound[is_target]), parts);
    // The mean over the classes is the division by C.
    append(kernels, reduce_kernels(kName, ReduceKind::kMean, DType::kFloat, parts, kClasses, losses, staging));
    if (single || reduction == LossReduction::kNone) {
      append(kernels, copy_kernels(kName, *reshaped(*bound[out], losses.shape), losses));
      return kernels;
    }
    append(kernels, reduce_kernels(kName, reduction == LossReduction::kMean ? ReduceKind::kMean : ReduceKind::kSum,
                                   DType::kFloat, losses, all_dims(losses), *bound[out], staging));
    return kernels;
  });
}

}  // namespace aclvk::ops
