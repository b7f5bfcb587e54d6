#include "ops/loss/cross_entropy.hpp"

#include <string_view>

#include "base/error.hpp"
#include "ops/args/loss.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/loss/nll.hpp"
#include "ops/loss/tables.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/softmax/softmax_rows.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

constexpr std::size_t kClasses = 1;  // the dim of the classes

LossReduction reduction_named(const char* name) {
  const std::string_view kind = name ? name : "mean";
  if (kind == "none") return LossReduction::kNone;
  if (kind == "sum") return LossReduction::kSum;
  check(kind == "mean", Code::kNnInvalid, "reductionOptional is \"{}\"; expected \"none\", \"mean\" or \"sum\".", kind);
  return LossReduction::kMean;
}

/// The checked attributes.
struct Entropy {
  Entropy(const char* op, const CrossEntropyHandles& handles)
      : name(op),
        reduction(reduction_named(handles.reduction)),
        classes{handles.ignored, kClasses},
        smoothing(handles.smoothing) {
    check(smoothing >= 0 && smoothing <= 1, Code::kNnInvalid, "labelSmoothing is {}; 0 to 1 is expected.", smoothing);
    check(handles.z_loss_scale == 0, Code::kNnInvalid, "lseSquareScaleForZloss is {}; only 0 is supported.",
          handles.z_loss_scale);
  }

  const char* name;
  LossReduction reduction;
  NllClasses classes;
  double smoothing;
};

void check_target_and_weight(const TensorParameters& tensors, ParamId matrix, ParamId target, ParamId weight) {
  check_dtype(tensors[target], "target", kIndices);
  if (tensors.has(weight)) check_dtype(tensors[weight], "weightOptional", kFloats);
  tensors.check_views();
  const Shape& shape = tensors[matrix].shape;
  check(shape.size() == 2, Code::kNnInvalid, "{} has shape {}; (N, C) is expected.", tensors.name(matrix), shape);
  tensors.check_shape(target, {shape[0]}, "one for each sample has shape");
  tensors.check_shape(weight, {shape[1]}, "one for each class has shape");
}

/// Returns the class weights; a view of ones, with stride 0, where the operator has none.
Tensor weights_for(const char* name, const Tensor* weight, std::int64_t classes, Kernels& kernels, Staging& staging) {
  if (weight) return *weight;
  Tensor ones = staging.make({1}, DType::kFloat);
  const double one = 1;
  append(kernels, fill_kernels(name, ones, Scalar(&one, DType::kDouble).to_element(DType::kFloat)));
  ones.shape = {classes};
  ones.strides = {0};
  return ones;
}

/// Returns 1 for each sample, 0 for one whose target is ignored. Only the shape of log_prob is used.
Tensor counts_of(const Entropy& entropy, const Tensor& log_prob, const Tensor& target, Kernels& kernels,
                 Staging& staging) {
  const Tensor ones = weights_for(entropy.name, nullptr, log_prob.shape[kClasses], kernels, staging);
  const Tensor counts = staging.make({log_prob.shape[0]}, DType::kFloat);
  // The weight of a sample's class is 1 here, and that of an ignored sample is 0.
  append(kernels, nll_kernels({entropy.name, entropy.classes, &target, &ones}, log_prob, nullptr, &counts));
  return counts;
}

/// Adds the kernels of the samples' losses from log-probabilities. `losses` and `weights` are floats in the workspace.
// With smoothing s the loss is (1 - s) * nll - s / classes * sum of weight * log_prob over all classes, as in
// torch.nn.CrossEntropyLoss.
void add_losses(Kernels& kernels, const Entropy& entropy, const Tensor& log_prob, const Tensor& target,
                const Tensor* weight, const Tensor& losses, const Tensor& weights, Staging& staging) {
  const char* name = entropy.name;
  const std::int64_t classes = log_prob.shape[kClasses];
  const Tensor all = weights_for(name, weight, classes, kernels, staging);
  append(kernels, nll_kernels({name, entropy.classes, &target, &all}, log_prob, &losses, &weights));
  if (entropy.smoothing == 0 || classes == 0) return;
  const Tensor counts = counts_of(entropy, log_prob, target, kernels, staging);
  const Tensor weighted = staging.make(log_prob.shape, DType::kFloat);
  const Tensor sums = staging.make(losses.shape, DType::kFloat);
  append(kernels, pointwise_kernels(name, row_of(BinaryOp::kMul), DType::kFloat, {&log_prob, &all}, weighted));
  append(kernels, reduce_kernels(name, ReduceKind::kSum, DType::kFloat, weighted, 1U << kClasses, sums, staging));
  // Selected instead of multiplied: the sum of an ignored sample may be infinite or NaN.
  append(kernels, pointwise_kernels(name, row_of(TernaryOp::kWhere), DType::kFloat, {&counts, &sums, &counts}, sums));
  append(kernels, pointwise_kernels(name, row_of(BinaryOp::kMul), DType::kFloat, {&losses, nullptr}, losses,
                                    {{}, 1 - entropy.smoothing}));
  append(kernels, pointwise_kernels(name, row_of(BinaryOp::kAdd), DType::kFloat, {&losses, &sums}, losses,
                                    {{-entropy.smoothing / static_cast<double>(classes)}}));
}

}  // namespace

std::shared_ptr<Executor> plan_cross_entropy(const CrossEntropyHandles& handles, const InputArg& input_handle,
                                             bool returns_z_loss, const CrossEntropyOutputs& outputs) {
  constexpr const char* kName = "aclnnCrossEntropyLoss";
  TensorParameters tensors;
  const ParamId input = tensors.input(input_handle);
  const ParamId target = tensors.input(handles.target);
  const ParamId weight = tensors.optional_input(handles.weight);
  const ParamId loss = tensors.output(outputs.loss);
  const ParamId log_prob = tensors.output(outputs.log_prob);
  const ParamId z_loss = tensors.optional_output(outputs.z_loss);
  const ParamId log_sum_exp = tensors.optional_output(outputs.log_sum_exp);
  tensors.check_dtypes({input, loss, log_prob, z_loss, log_sum_exp}, kFloats);
  check_target_and_weight(tensors, input, target, weight);
  const Shape& shape = tensors[input].shape;
  const Entropy entropy(kName, handles);
  check(!returns_z_loss, Code::kNnInvalid, "returnZloss is true; only false is supported.");
  check_loss_shape(tensors[loss], "lossOut", {shape[0]}, entropy.reduction);
  tensors.check_shape(log_prob, shape, "input has shape");
  return staged_executor(kName, tensors,
                         [=, rows = SoftmaxRows{kName, Softmax::kLog, kClasses, runtime::execution()}](
                             const TensorParameters::BoundTensors& bound, Staging& staging) {
                           const Tensor& out = *bound[log_prob];
                           const Shape samples{out.shape[0]};
                           // The losses are made of unrounded log-probabilities.
                           const bool narrow = out.dtype != DType::kFloat;
                           const Tensor logarithms = narrow ? staging.make(out.shape, DType::kFloat) : out;
                           Kernels kernels = softmax_kernels(rows, *bound[input], logarithms);
                           if (narrow) append(kernels, copy_kernels(kName, out, logarithms));
                           const Tensor losses = staging.make(samples, DType::kFloat);
                           const Tensor weights = staging.make(samples, DType::kFloat);
                           add_losses(kernels, entropy, logarithms, *bound[target], bound[weight], losses, weights,
                                      staging);
                           if (entropy.reduction == LossReduction::kNone) {
                             append(kernels, copy_kernels(kName, *bound[loss], losses));
                             return kernels;
                           }
                           const Tensor all = staging.make({}, DType::kFloat);
                           const Tensor total = staging.make({}, DType::kFloat);
                           append(kernels, summed_kernels(kName, losses, all, staging));
                           // A mean divides by the sum of the targets' weights instead of the number of samples.
                           append(kernels, summed_kernels(kName, weights, total, staging));
                           append(kernels, reduced_loss_kernels(kName, entropy.reduction, all, total, *bound[loss]));
                           return kernels;
                         });
}

namespace {

/// Returns the gradient of log_prob, in float: the term of the target's class and, with label smoothing, a term of all
/// classes. The row of a sample that `counts` excludes may hold NaN.
Tensor add_log_gradient(Kernels& kernels, const Entropy& entropy, const Tensor& gradient, const Tensor& log_prob,
                        const Tensor& target, const Tensor* weight, const Tensor& counts, Staging& staging) {
  const char* name = entropy.name;
  const std::int64_t classes = log_prob.shape[kClasses];
  const Shape samples{log_prob.shape[0]};
  const Tensor all = weights_for(name, weight, classes, kernels, staging);
  const NllCall call{name, entropy.classes, &target, &all};
  const Tensor total = staging.make({}, DType::kFloat);
  const bool mean = entropy.reduction == LossReduction::kMean;
  if (mean) {
    const Tensor weights = staging.make(samples, DType::kFloat);
    append(kernels, nll_kernels(call, log_prob, nullptr, &weights));
    append(kernels, summed_kernels(name, weights, total, staging));
  }
  const Tensor result = staging.make(log_prob.shape, DType::kFloat);
  append(kernels, nll_gradient_kernels(call, gradient, mean ? &total : nullptr, result));
  if (entropy.smoothing == 0) return result;
  // The label-smoothing term of each class, for samples that are not ignored.
  const double share = -entropy.smoothing / static_cast<double>(classes);
  const PointwiseRow multiply = row_of(BinaryOp::kMul);
  const Tensor parts = staging.make(samples, DType::kFloat);
  append(kernels, pointwise_kernels(name, multiply, DType::kFloat, {&counts, &gradient}, parts));
  if (mean) append(kernels, pointwise_kernels(name, row_of(BinaryOp::kDiv), DType::kFloat, {&parts, &total}, parts));
  const Tensor column = repeated(parts, 1, 1);
  append(kernels,
         pointwise_kernels(name, multiply, DType::kFloat, {&result, nullptr}, result, {{}, 1 - entropy.smoothing}));
  append(kernels, pointwise_kernels(name, row_of(TernaryOp::kAddcmul), DType::kFloat, {&result, &column, &all}, result,
                                    {{share}}));
  return result;
}

}  // namespace

std::shared_ptr<Executor> plan_cross_entropy_gradient(const CrossEntropyHandles& handles,
                                                      const CrossEntropyGradients& given, const OutputArg& out_handle) {
  constexpr const char* kName = "aclnnCrossEntropyLossGrad";
  TensorParameters tensors;
  const ParamId gradient = tensors.input(given.loss);
  const ParamId log_prob = tensors.input(given.log_prob);
  const ParamId target = tensors.input(handles.target);
  const ParamId weight = tensors.optional_input(handles.weight);
  const ParamId z_loss = tensors.optional_input(given.z_loss);
  const ParamId log_sum_exp = tensors.optional_input(given.log_sum_exp);
  const ParamId out = tensors.output(out_handle);
  tensors.check_dtypes({gradient, log_prob, z_loss, log_sum_exp, out}, kFloats);
  check_target_and_weight(tensors, log_prob, target, weight);
  const Shape& shape = tensors[log_prob].shape;
  const Entropy entropy(kName, handles);
  check(!tensors.has(z_loss), Code::kNnInvalid, "gradZlossOptional is given; only NULL is supported.");
  check_loss_shape(tensors[gradient], "gradLoss", {shape[0]}, entropy.reduction);
  tensors.check_shape(out, shape, "logProb has shape");
  return staged_executor(
      kName, tensors,
      [=, rows = SoftmaxRows{kName, Softmax::kLog, kClasses, runtime::execution()}](
          const TensorParameters::BoundTensors& bound, Staging& staging) {
        // A reduced loss has one gradient for all samples, which broadcasts as a scalar.
        const bool each = entropy.reduction == LossReduction::kNone;
        const Tensor of_loss = each ? *bound[gradient] : *reshaped(*bound[gradient], {});
        Kernels kernels;
        if (bound[out]->empty()) return kernels;
        const Tensor counts = counts_of(entropy, *bound[log_prob], *bound[target], kernels, staging);
        const Tensor of_logarithm = add_log_gradient(kernels, entropy, of_loss, *bound[log_prob], *bound[target],
                                                     bound[weight], counts, staging);
        // The gradient of log_softmax is g - softmax * sum(g). Rows that `counts` excludes become 0.
        append(kernels, counted_softmax_gradient_kernels(rows, of_logarithm, *bound[log_prob], counts, *bound[out]));
        return kernels;
      });
}

/// aclnnSoftmaxCrossEntropyWithLogits: labels are probabilities. features and labels are (N, C), loss is (N), and
/// backprop is softmax(features) - labels.
std::shared_ptr<Executor> plan(const SoftmaxCrossEntropyWithLogitsArgs& args) {
  constexpr const char* kName = "aclnnSoftmaxCrossEntropyWithLogits";
  TensorParameters tensors;
  const ParamId features = tensors.input(args.features);
  const ParamId labels = tensors.input(args.labels);
  const ParamId loss = tensors.output(args.loss);
  const ParamId backprop = tensors.output(args.backprop);
  tensors.check_all(kFloats);
  const Shape& shape = tensors[features].shape;
  check(shape.size() == 2, Code::kNnInvalid, "features has shape {}; (N, C) is expected.", shape);
  tensors.check_shape(labels, shape, "features has shape");
  tensors.check_shape(loss, {shape[0]}, "one for each sample has shape");
  tensors.check_shape(backprop, shape, "features has shape");
  return staged_executor(
      kName, tensors,
      [=, rows = SoftmaxRows{kName, Softmax::kLog, kClasses, runtime::execution()}](
          const TensorParameters::BoundTensors& bound, Staging& staging) {
        const Shape& whole = bound[features]->shape;
        const Tensor logarithms = staging.make(whole, DType::kFloat);
        const Tensor parts = staging.make(whole, DType::kFloat);
        // The logarithms serve both outputs: the loss is the sum of -labels * logarithm, and exp(logarithm) is
        // the softmax.
        const auto combined = [&](LossOp op, const Tensor& out) {
          return pointwise_kernels(kName, row_of(op), DType::kFloat, {&logarithms, bound[labels]}, out);
        };
        Kernels kernels = softmax_kernels(rows, *bound[features], logarithms);
        append(kernels, combined(LossOp::kNegLogLikelihood, parts));
        append(kernels, combined(LossOp::kProbMinusLabel, *bound[backprop]));
        append(kernels,
               reduce_kernels(kName, ReduceKind::kSum, DType::kFloat, parts, 1U << kClasses, *bound[loss], staging));
        return kernels;
      });
}

}  // namespace aclvk::ops
