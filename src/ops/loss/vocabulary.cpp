#include "ops/loss/vocabulary.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "ops/args/loss.hpp"
#include "ops/elementwise/pointwise.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/loss/vocabulary_rows.hpp"
#include "ops/matmul/products/gemm.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

constexpr DTypeSet kHalves = {DType::kFloat16, DType::kBfloat16};
constexpr DimMask kClassDim = 1U << 1;

void check_smoothing(const char* name, float smoothing) {
  check(smoothing == 0, Code::kFeatureNotSupported,
        "labelSmoothing of {} is {}; only 0 is supported, as smoothing needs the logits of all devices.", name,
        smoothing);
}

void check_vocabulary(Vocabulary vocabulary) {
  check(vocabulary.first >= 0 && vocabulary.last >= vocabulary.first, Code::kNnInvalid,
        "vocabStartIndex is {} and vocabEndIndex {}; 0 or more, in ascending order, are expected.", vocabulary.first,
        vocabulary.last);
}

/// 161002 unless input is (samples, width) and weight (classes, width), of one dtype.
void check_factors(const TensorParameters& tensors, ParamId input, ParamId weight) {
  for (const ParamId param : {input, weight}) {
    check(tensors[param].shape.size() == 2, Code::kNnInvalid, "{} has shape {}; two dims are expected.",
          tensors.name(param), tensors[param].shape);
  }
  check_same_dtype(tensors[weight], tensors.name(weight), tensors[input], tensors.name(input));
  check(tensors[input].shape[1] == tensors[weight].shape[1], Code::kNnInvalid,
        "{} has shape {} and {} has shape {}; rows of the same length are expected.", tensors.name(input),
        tensors[input].shape, tensors.name(weight), tensors[weight].shape);
}

/// Calls part(first, count) for chunks of samples whose logits fit in the workspace buffer.
template <typename Part>
void for_samples(std::int64_t samples, std::int64_t classes, Part part) {
  const std::int64_t most = samples_at_once(samples, classes);
  for (std::int64_t first = 0; first < samples; first += most) part(first, std::min(most, samples - first));
}

/// Returns a contiguous tensor with its batch dims merged into one; keeps the last `kept_dims` dims.
Tensor flat(const Tensor& contiguous, std::size_t kept_dims) {
  Shape shape{element_count({contiguous.shape.begin(), contiguous.shape.end() - kept_dims})};
  shape.append(contiguous.shape.end() - kept_dims, contiguous.shape.end());
  return *reshaped(contiguous, shape);
}

}  // namespace

// Vocabulary-parallel cross entropy (Megatron-LM, Shoeybi et al. 2019): each device has the logits of a range of
// classes. Maxima, sums and target logits of the devices are combined by the caller with all-reduces.
std::shared_ptr<Executor> plan_index_logit(const IndexLogitHandles& handles, Vocabulary vocabulary) {
  constexpr const char* kName = "aclnnCrossEntropySumExpAndIndexLogit";
  TensorParameters tensors;
  const ParamId logits = tensors.input(handles.logits);
  const ParamId target = tensors.input(handles.target);
  const ParamId largest = tensors.input(handles.largest);
  const ParamId predicted = tensors.output(handles.predicted);
  const ParamId sum = tensors.output(handles.sum);
  const ParamId exponentials = tensors.output(handles.exponentials);
  const ParamId target_offsets = tensors.output(handles.target_offsets);
  const ParamId mask = tensors.output(handles.mask);
  tensors.check_dtypes(dtypes_of(kName));
  tensors.check_dtypes({logits, largest}, kFloats);
  tensors.check_dtypes({target, target_offsets}, {DType::kInt32});
  tensors.check_dtypes({predicted, sum, exponentials}, {DType::kFloat});
  tensors.check_views();
  const Shape& shape = tensors[logits].shape;
  check(!shape.empty(), Code::kNnInvalid,
        "vocabParallelLogits is a scalar; a last dim, that of the vocabulary, is expected.");
  const Shape samples(shape.begin(), shape.end() - 1);
  for (const ParamId param : {target, largest, predicted, sum, target_offsets, mask}) {
    tensors.check_shape(param, samples, "one for each row of logits has shape");
  }
  tensors.check_shape(exponentials, shape, "vocabParallelLogits has shape");
  check_vocabulary(vocabulary);
  check(shape.back() > 0 || element_count(samples) == 0, Code::kNnInvalid,
        "vocabParallelLogits has shape {}; one logit a row at least is expected.", shape);
  return staged_executor(kName, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    Kernels kernels;
    const Tensor shifted = flat(staging.write(*bound[exponentials]), 1);
    const Tensor given = flat(staging.read(*bound[logits]), 1);
    const Tensor most = flat(staging.read(*bound[largest]), 0);
    const Tensor named = flat(staging.read(*bound[target]), 0);
    const Tensor found = flat(staging.write(*bound[predicted]), 0);
    const Tensor found_offsets = flat(staging.write(*bound[target_offsets]), 0);
    const Tensor masks = flat(staging.write(*bound[mask]), 0);
    const Tensor sums = flat(staging.write(*bound[sum]), 0);
    // The maximum over all devices is subtracted first, so that no exponential overflows.
    append(kernels, subtract_max_kernels(kName, given, most, shifted));
    for_samples(shifted.shape[0], shifted.shape[1], [&](std::int64_t first, std::int64_t count) {
      const auto part = [&](const Tensor& tensor) { return samples_of(tensor, first, count); };
      const Tensor rows = part(shifted);
      const Tensor part_named = part(named);
      const Tensor part_offsets = part(found_offsets);
      const Tensor part_masks = part(masks);
      const Tensor part_found = part(found);
      kernels.push_back(
          target_kernel(kName, {&part_named, &rows, &part_offsets, &part_masks, &part_found}, vocabulary));
    });
    append(kernels, exponential_kernels(kName, shifted));
    append(kernels, reduce_kernels(kName, ReduceKind::kSum, DType::kFloat, shifted, kClassDim, sums, staging));
    return kernels;
  });
}

std::shared_ptr<Executor> plan_linear_max_sum(const LinearMaxSumHandles& handles, Vocabulary vocabulary) {
  constexpr const char* kName = "aclnnFusedLinearOnlineMaxSum";
  TensorParameters tensors;
  const ParamId input = tensors.input(handles.input);
  const ParamId weight = tensors.input(handles.weight);
  const ParamId target = tensors.input(handles.target);
  const ParamId largest = tensors.output(handles.largest);
  const ParamId sum = tensors.output(handles.sum);
  const ParamId predicted = tensors.output(handles.predicted);
  const ParamId mask = tensors.output(handles.mask);
  const ParamId target_offsets = tensors.output(handles.target_offsets);
  const ParamId logits = tensors.optional_output(handles.logits);
  tensors.check_dtypes({input, weight}, kHalves);
  tensors.check_dtypes({target, target_offsets}, kIndices);
  tensors.check_dtypes({largest, sum, predicted}, {DType::kFloat});
  check_dtype(tensors[mask], "targetMaskOut", {DType::kUint8});
  if (tensors.has(logits)) check_dtype(tensors[logits], "vocabParallelLogitsOutOptional", kHalves);
  tensors.check_views();
  check_factors(tensors, input, weight);
  const std::int64_t samples = tensors[input].shape[0];
  const std::int64_t classes = tensors[weight].shape[0];
  for (const ParamId param : {target, largest, sum, predicted, target_offsets}) {
    tensors.check_shape(param, {samples}, "one for each row of input has shape");
  }
  tensors.check_shape(mask, {(samples + 7) / 8}, "a bit for each row of input has shape");
  tensors.check_shape(logits, {samples, classes}, "the logits have shape");
  check_vocabulary(vocabulary);
  check(classes > 0 || samples == 0, Code::kNnInvalid,
        "weight has shape {}; one row at least is expected, as each sample needs a largest logit.",
        tensors[weight].shape);
  const runtime::Execution execution = runtime::execution();
  return staged_executor(kName, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    Kernels kernels;
    const Tensor named = staging.read(*bound[target]);
    const Tensor found = staging.write(*bound[predicted]);
    const Tensor found_offsets = staging.write(*bound[target_offsets]);
    const Tensor masks = staging.write(*bound[mask]);
    // One buffer serves all chunks, so that the logits of all samples are never in memory at once.
    const Tensor buffer = staging.make({samples_at_once(samples, classes), classes}, DType::kFloat);
    for_samples(samples, classes, [&](std::int64_t first, std::int64_t count) {
      const auto part = [&](const Tensor& tensor) { return samples_of(tensor, first, count); };
      const Tensor rows = samples_of(buffer, 0, count);
      append(kernels, logit_kernels(kName, part(*bound[input]), *bound[weight], rows, staging, execution));
      if (bound[logits]) append(kernels, copy_kernels(kName, part(*bound[logits]), rows));
      const Tensor part_named = part(named);
      const Tensor part_offsets = part(found_offsets);
      // Chunks begin at multiples of eight samples, so a chunk owns whole bytes of the mask.
      const Tensor part_masks = samples_of(masks, first / 8, (count + 7) / 8);
      const Tensor part_found = part(found);
      kernels.push_back(
          target_kernel(kName, {&part_named, &rows, &part_offsets, &part_masks, &part_found}, vocabulary));
      // The target's logit is read before the maximum is subtracted in place.
      const Tensor most = part(*bound[largest]);
      append(kernels, reduce_kernels(kName, ReduceKind::kMax, DType::kFloat, rows, kClassDim, most, staging));
      append(kernels, subtract_max_kernels(kName, rows, most, rows));
      append(kernels, exponential_kernels(kName, rows));
      append(kernels,
             reduce_kernels(kName, ReduceKind::kSum, DType::kFloat, rows, kClassDim, part(*bound[sum]), staging));
    });
    return kernels;
  });
}

/// aclnnFusedCrossEntropyLossWithMaxSum: the losses from global maxima and sums, and the shard's softmax from its
/// logits, or from input and weight.
std::shared_ptr<Executor> plan(const FusedCrossEntropyLossWithMaxSumArgs& args) {
  const float smoothing = args.labelSmoothing;
  constexpr const char* kName = "aclnnFusedCrossEntropyLossWithMaxSum";
  TensorParameters tensors;
  const ParamId largest = tensors.input(args.logitsMax);
  const ParamId sum = tensors.input(args.sumExpLogits);
  const ParamId predicted = tensors.input(args.predictedLogits);
  const ParamId input = tensors.optional_input(args.inputOptional);
  const ParamId weight = tensors.optional_input(args.weightOptional);
  const ParamId logits = tensors.optional_input(args.vocabParallelLogitsOptional);
  const ParamId loss = tensors.output(args.lossOut);
  const ParamId softmax = tensors.optional_output(args.softMaxOutOptional);
  const bool multiplies = tensors.has(softmax) && !tensors.has(logits);
  check(!multiplies || (tensors.has(input) && tensors.has(weight)), Code::kNnNullptr,
        "softMaxOutOptional is given; vocabParallelLogitsOptional, or inputOptional and weightOptional, are needed for "
        "it.");
  tensors.check_dtypes({largest, sum, predicted, loss}, {DType::kFloat});
  tensors.check_dtypes({input, weight, logits, softmax}, kFloats);
  tensors.check_views();
  const Shape& shape = tensors[largest].shape;
  check(shape.size() == 1, Code::kNnInvalid, "logitsMax has shape {}; one dim is expected.", shape);
  for (const ParamId param : {sum, predicted, loss}) tensors.check_shape(param, shape, "logitsMax has shape");
  const std::int64_t samples = shape[0];
  std::int64_t classes = 0;
  if (tensors.has(softmax)) {
    if (multiplies) check_factors(tensors, input, weight);
    const Tensor& from = tensors[multiplies ? input : logits];
    check(from.shape.size() == 2 && from.shape[0] == samples, Code::kNnInvalid,
          "{} has shape {}; a row for each of {} samples is expected.", tensors.name(multiplies ? input : logits),
          from.shape, samples);
    classes = multiplies ? tensors[weight].shape[0] : from.shape[1];
    tensors.check_shape(softmax, {samples, classes}, "the logits have shape");
  }
  check_smoothing(kName, smoothing);
  const runtime::Execution execution = runtime::execution();
  return staged_executor(kName, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    Kernels kernels;
    const bool has_softmax = bound[softmax] && !bound[softmax]->empty();
    const Tensor buffer = staging.make({has_softmax ? samples_at_once(samples, classes) : 0, classes}, DType::kFloat);
    for_samples(has_softmax ? samples : 0, classes, [&](std::int64_t first, std::int64_t count) {
      const auto part = [&](ParamId param) { return samples_of(*bound[param], first, count); };
      const Tensor rows = samples_of(buffer, 0, count);
      if (multiplies) append(kernels, logit_kernels(kName, part(input), *bound[weight], rows, staging, execution));
      append(kernels, subtract_max_kernels(kName, multiplies ? rows : part(logits), part(largest), rows));
      append(kernels, exponential_kernels(kName, rows));
      append(kernels, divide_kernels(kName, rows, part(sum), part(softmax)));
    });
    // After the softmax, because lossOut may share memory with logitsMax or sumExpLogits.
    // The loss is log(sum of exponentials) - logit of the target. The program gives both relative to the global
    // maximum.
    const Tensor logarithms = staging.make({samples}, DType::kFloat);
    append(kernels, pointwise_kernels(kName, row_of(UnaryOp::kLog), DType::kFloat, {bound[sum]}, logarithms));
    append(kernels, pointwise_kernels(kName, row_of(BinaryOp::kSub), DType::kFloat, {&logarithms, bound[predicted]},
                                      *bound[loss], {{1}}));
    return kernels;
  });
}

namespace {

constexpr const char* kLinearLossGrad = "aclnnFusedLinearCrossEntropyLossGrad";

/// The parameters, in the order of the signature.
struct LinearLossGradTensors {
  ParamId gradient, input, weight, mask, target_offsets, largest, sum, softmax, input_gradient, weight_gradient;
};

LinearLossGradTensors read_tensors(TensorParameters& tensors, const LinearLossGradHandles& handles) {
  return {tensors.input(handles.gradient),        tensors.input(handles.input),
          tensors.input(handles.weight),          tensors.input(handles.mask),
          tensors.input(handles.target_offsets),  tensors.optional_input(handles.largest),
          tensors.optional_input(handles.sum),    tensors.optional_input(handles.softmax),
          tensors.output(handles.input_gradient), tensors.output(handles.weight_gradient)};
}

void check_tensors(const TensorParameters& tensors, const LinearLossGradTensors& at) {
  check(tensors.has(at.softmax) || (tensors.has(at.largest) && tensors.has(at.sum)), Code::kNnNullptr,
        "softmaxOptional is NULL; then logitsMaxOptional and sumExpLogitsOptional are needed.");
  tensors.check_dtypes({at.input, at.weight, at.input_gradient, at.weight_gradient}, kHalves);
  tensors.check_dtypes({at.gradient, at.largest, at.sum}, {DType::kFloat});
  if (tensors.has(at.softmax)) check_dtype(tensors[at.softmax], "softmaxOptional", kFloats);
  check_dtype(tensors[at.mask], "targetMask", {DType::kUint8});
  check_dtype(tensors[at.target_offsets], "maskedTarget", kIndices);
  tensors.check_views();
  check_factors(tensors, at.input, at.weight);
  const std::int64_t samples = tensors[at.input].shape[0];
  const std::int64_t classes = tensors[at.weight].shape[0];
  const std::int64_t width = tensors[at.input].shape[1];
  for (const ParamId param : {at.gradient, at.target_offsets, at.largest, at.sum}) {
    tensors.check_shape(param, {samples}, "one for each row of input has shape");
  }
  const Shape& mask = tensors[at.mask].shape;
  check(mask.size() == 1 && mask[0] >= (samples + 7) / 8, Code::kNnInvalid,
        "targetMask has shape {}; a bit for each of {} rows of input is expected, in one dim.", mask, samples);
  tensors.check_shape(at.softmax, {samples, classes}, "the logits have shape");
  tensors.check_shape(at.input_gradient, {samples, width}, "input has shape");
  tensors.check_shape(at.weight_gradient, {classes, width}, "weight has shape");
}

void check_gradients_disjoint(const TensorParameters& tensors, const LinearLossGradTensors& at,
                              const TensorParameters::BoundTensors& bound) {
  for (const ParamId out : {at.input_gradient, at.weight_gradient}) {
    for (const ParamId read : {at.input, at.weight}) {
      check_disjoint(*bound[out], tensors.name(out), *bound[read], tensors.name(read));
    }
  }
}

/// rows = softmax(logits) * gradient for a chunk of samples. The softmax is given, or recomputed from input and weight.
template <typename Part>
Kernels weighted_probabilities(const LinearLossGradTensors& at, const TensorParameters::BoundTensors& bound, Part part,
                               const Tensor& gradients, const Tensor& rows, Staging& staging,
                               runtime::Execution execution) {
  if (bound[at.softmax]) return multiply_kernels(kLinearLossGrad, part(at.softmax), gradients, rows);
  Kernels kernels = logit_kernels(kLinearLossGrad, part(at.input), *bound[at.weight], rows, staging, execution);
  append(kernels, subtract_max_kernels(kLinearLossGrad, rows, part(at.largest), rows));
  append(kernels, exponential_kernels(kLinearLossGrad, rows));
  append(kernels, divide_kernels(kLinearLossGrad, rows, part(at.sum), rows));
  append(kernels, multiply_kernels(kLinearLossGrad, rows, gradients, rows));
  return kernels;
}

Kernels linear_loss_gradient_kernels(const LinearLossGradTensors& at, const TensorParameters::BoundTensors& bound,
                                     Staging& staging, runtime::Execution execution) {
  Kernels kernels;
  const std::int64_t samples = bound[at.input]->shape[0];
  const std::int64_t classes = bound[at.weight]->shape[0];
  const std::int64_t most = samples_at_once(samples, classes);
  const Tensor gradients = staging.read(*bound[at.gradient]);
  const Tensor found_offsets = staging.read(*bound[at.target_offsets]);
  const Tensor masks = staging.read(*bound[at.mask]);
  const Tensor buffer = staging.make({most, classes}, DType::kFloat);
  // Partial sums over chunks of samples are kept in float.
  const bool in_chunks = most < samples;
  const Tensor total =
      in_chunks ? staging.make(bound[at.weight_gradient]->shape, DType::kFloat) : *bound[at.weight_gradient];
  const auto add_product = [&](const Gemm& product) { append(kernels, gemm_kernels(product, staging, execution)); };
  // A product with K = 0 sets the gradient of weight to 0.
  if (samples == 0) add_product({kLinearLossGrad, with_swapped_dims(buffer), *bound[at.input], std::nullopt, total});
  for_samples(samples, classes, [&](std::int64_t first, std::int64_t count) {
    const auto part = [&](ParamId param) { return samples_of(*bound[param], first, count); };
    const Tensor rows = samples_of(buffer, 0, count);
    const Tensor part_gradients = samples_of(gradients, first, count);
    append(kernels, weighted_probabilities(at, bound, part, part_gradients, rows, staging, execution));
    if (classes > 0) {
      kernels.push_back(subtract_target_kernel(kLinearLossGrad, rows, part_gradients,
                                               samples_of(found_offsets, first, count), masks, first));
    }
    // With d = gradient * (softmax - one-hot target) the gradients are d * weight and d^T * input.
    add_product({kLinearLossGrad, rows, *bound[at.weight], std::nullopt, part(at.input_gradient)});
    Gemm sum_up{kLinearLossGrad, with_swapped_dims(rows), part(at.input), std::nullopt, total};
    // Later chunks add to the sum of the earlier ones.
    if (first > 0) sum_up.c = total;
    add_product(sum_up);
  });
  if (in_chunks) append(kernels, copy_kernels(kLinearLossGrad, *bound[at.weight_gradient], total));
  return kernels;
}

}  // namespace

std::shared_ptr<Executor> plan_linear_loss_gradient(const LinearLossGradHandles& handles, float smoothing) {
  TensorParameters tensors;
  const LinearLossGradTensors at = read_tensors(tensors, handles);
  check_tensors(tensors, at);
  check_smoothing(kLinearLossGrad, smoothing);
  const runtime::Execution execution = runtime::execution();
  return staged_executor(kLinearLossGrad, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    check_gradients_disjoint(tensors, at, bound);
    return linear_loss_gradient_kernels(at, bound, staging, execution);
  });
}

}  // namespace aclvk::ops
