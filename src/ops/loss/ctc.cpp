#include "ops/loss/ctc.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

#include "base/error.hpp"
#include "loss/ctc.args.h"
#include "loss/ctc_gradient.args.h"
#include "ops/create/fill.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/bounded_loop.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/linalg/matrices.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;
using BoundTensors = TensorParameters::BoundTensors;
using ParamId = TensorParameters::ParamId;

ARGUMENT_STRUCT(SampleArguments, SAMPLE_MEMBERS);
ARGUMENT_STRUCT(CtcArguments, CTC_ARGUMENTS);
CONSTANT_STRUCT(CtcConstants, CTC_CONSTANTS);
CONSTANT_STRUCT(CtcGradientConstants, CTC_GRADIENT_CONSTANTS);

constexpr DTypeSet kNumbers = kFloats.with(kDoubles);
constexpr DTypeSet kLabels = kIndices.with(kBools);
constexpr std::size_t kSamples = std::tuple_size_v<decltype(CtcArguments::all)>;  // of a kernel
constexpr std::int64_t kThreads = 64;                                             // of a work group
constexpr std::int64_t kOverheadIterations = 16;  // iterations outside of the loops over states

/// The lengths of a sample, which are host values.
struct Sample {
  std::int64_t steps;
  std::int64_t targets;
  std::int64_t first;
};

// Connectionist temporal classification (Graves et al. 2006): the loss is the negative log of the summed
// probability of all paths that collapse to the targets. The forward-backward algorithm sums them in log space.
struct Ctc {
  const char* name;
  TensorParameters tensors{};
  ParamId log_probs{};
  ParamId targets{};
  std::vector<Sample> samples{};
  std::int64_t blank;
  bool zero_infinity;
  bool batched = true;  ///< false: one sample, without a batch dim
  std::int64_t most_targets = 0;

  Ctc(const char* name_of_all, const CtcHandles& handles)
      : name(name_of_all), blank(handles.blank), zero_infinity(handles.zero_infinity) {}

  void add(const CtcHandles& handles) {
    log_probs = tensors.input(handles.log_probs);
    targets = tensors.input(handles.targets);
  }

  void check_all(const CtcHandles& handles, const std::vector<std::int64_t>& steps,
                 const std::vector<std::int64_t>& lengths) {
    const Shape& shape = tensors[log_probs].shape;
    batched = shape.size() == 3;
    check(batched || shape.size() == 2, Code::kNnInvalid, "logProbs has shape {}; (T, N, C) or (T, C) is expected.",
          shape);
    check(shape[0] > 0 && shape.back() > 0, Code::kNnInvalid,
          "logProbs has shape {}; at least one step and one class are expected.", shape);
    check(blank >= 0 && blank < shape.back(), Code::kNnInvalid, "blank is {}; expected 0 to {}, a class of logProbs.",
          blank, shape.back() - 1);
    check_lengths("inputLengths", steps, shape[0]);
    check_lengths(handles.lengths.name, lengths, INT32_MAX);
    find_samples(steps, lengths, handles.lengths.name);
  }

  std::int64_t count() const { return batched ? tensors[log_probs].shape[1] : 1; }
  std::int64_t steps() const { return tensors[log_probs].shape[0]; }
  std::int64_t classes() const { return tensors[log_probs].shape.back(); }
  // A blank precedes and follows each target.
  std::int64_t states() const { return 2 * most_targets + 1; }
  Shape of_samples() const { return batched ? Shape{count()} : Shape{}; }

  void check_lengths(const char* length_name, const std::vector<std::int64_t>& lengths, std::int64_t most) const {
    check(static_cast<std::int64_t>(lengths.size()) == count(), Code::kNnInvalid,
          "{} has {} numbers; logProbs has {} samples.", length_name, lengths.size(), count());
    for (const std::int64_t length : lengths) {
      check(length >= 0 && length <= most, Code::kNnInvalid, "{} has {}; 0 to {} are expected.", length_name, length,
            most);
    }
  }

  /// Finds where each sample's targets begin: `targets` has a padded row for each sample, or all targets concatenated.
  void find_samples(const std::vector<std::int64_t>& steps, const std::vector<std::int64_t>& lengths,
                    const char* lengths_name) {
    const Shape& shape = tensors[targets].shape;
    const bool in_rows = shape.size() == 2;
    check(in_rows || shape.size() == 1, Code::kNnInvalid, "targets has shape {}; a matrix or a vector is expected.",
          shape);
    check(!in_rows || shape[0] == count(), Code::kNnInvalid, "targets has shape {}; logProbs has {} samples.", shape,
          count());
    std::int64_t first = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (in_rows) first = static_cast<std::int64_t>(i) * shape[1];
      samples.push_back({steps[i], lengths[i], first});
      most_targets = std::max(most_targets, lengths[i]);
      first += lengths[i];
      check(!in_rows || lengths[i] <= shape[1], Code::kNnInvalid,
            "{} has {}; targets has shape {}, whose rows are shorter.", lengths_name, lengths[i], shape);
    }
    check(in_rows || first == shape[0], Code::kNnInvalid,
          "targets has shape {}; the sum of {}, which is {}, is expected.", shape, lengths_name, first);
  }

  void check_alpha(ParamId param) const {
    const Shape& shape = tensors[param].shape;
    const Shape least = batched ? Shape{count(), steps(), states()} : Shape{steps(), states()};
    const bool fits = shape.size() == least.size() && shape.back() >= least.back() &&
                      std::equal(shape.begin(), shape.end() - 1, least.begin());
    check(fits, Code::kNnInvalid, "{} has shape {}; {} is expected, or more in the last dimension.",
          tensors.name(param), shape, least);
  }
};

/// The inputs, contiguous and in the dtype of the computation.
struct PreparedInputs {
  Tensor log_probs;
  Tensor targets;
};

// Tensors without elements get one, because an operand needs memory.
Tensor copied(const Ctc& ctc, const Tensor& from, DType dtype, Staging& staging, Kernels& kernels) {
  Shape shape = from.shape;
  if (from.empty()) shape = {1};
  if (from.dtype == dtype && is_contiguous(from) && !from.empty()) return from;
  const Tensor copy = staging.make(shape, dtype);
  if (!from.empty()) append(kernels, copy_kernels(ctc.name, copy, from));
  return copy;
}

runtime::Operand operand_of(const Tensor& tensor, Access access) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 32;
  const auto bytes = static_cast<std::uint64_t>(tensor.elements()) * size_of(tensor.dtype);
  check(bytes < kMaxBytes, Code::kFeatureNotSupported,
        "a tensor of shape {} takes {} bytes; less than 2^32 are supported.", tensor.shape, bytes);
  return {tensor.address(), bytes, access};
}

/// The argument block of ctc.glsl for up to kSamples samples and a range of steps.
// Lengths are host values, so they travel in the argument block, whose size limits the samples of a kernel.
CtcArguments arguments_for(const Ctc& ctc, std::size_t begin, const StepRange& range, bool zero_infinity) {
  const std::size_t count = std::min(kSamples, ctc.samples.size() - begin);
  CtcArguments arguments;
  arguments.samples = static_cast<uint>(count);
  arguments.begin = static_cast<uint>(begin);
  arguments.steps = word(ctc.steps());
  arguments.batch = word(ctc.count());
  arguments.classes = word(ctc.classes());
  arguments.states = word(ctc.states());
  arguments.blank = static_cast<uint>(ctc.blank);
  arguments.first = static_cast<uint>(range.first);
  arguments.last = static_cast<uint>(range.first + range.count);
  arguments.zero_infinity = zero_infinity ? 1 : 0;
  for (std::size_t i = 0; i < count; ++i) {
    arguments.all[i].steps = static_cast<uint>(ctc.samples[begin + i].steps);
    arguments.all[i].targets = static_cast<uint>(ctc.samples[begin + i].targets);
    arguments.all[i].first = static_cast<uint>(ctc.samples[begin + i].first);
  }
  return arguments;
}

KernelBuilder kernel_for(const Ctc& ctc, std::string_view shader, std::initializer_list<const Tensor*> read,
                         std::initializer_list<const Tensor*> written) {
  KernelBuilder kernel(ctc.name, shader);
  for (const Tensor* tensor : read) kernel.add_operand(operand_of(*tensor, Access::kRead));
  for (const Tensor* tensor : written) kernel.add_operand(operand_of(*tensor, Access::kReadWrite));
  return kernel;
}

/// The forward variables alpha and the loss; or the backward variables beta. A range of steps is a kernel, because a
/// step reads the one before.
Kernels state_kernels(const Ctc& ctc, const PreparedInputs& prepared, const Tensor& values, const Tensor& loss,
                      bool backwards, bool zero_infinity) {
  const bool wide = prepared.log_probs.dtype == DType::kDouble;
  // A thread visits every kThreads-th state of a step.
  const std::int64_t iterations_of_step = (ctc.states() + kThreads - 1) / kThreads + 2;
  check(iterations_of_step <= kMaxIterations, Code::kFeatureNotSupported,
        "a sample of {} has {} targets; up to {} are supported.", ctc.name, ctc.most_targets,
        kMaxIterations * kThreads / 2 - 2 * kThreads);
  const KernelBuilder with_operands = kernel_for(ctc, wide ? "loss/ctc_f64" : "loss/ctc_f32",
                                                 {&prepared.log_probs, &prepared.targets}, {&values, &loss});
  Kernels kernels;
  const auto ranges = ranges_of_steps(ctc.steps(), [&](std::int64_t) { return iterations_of_step; });
  for (std::size_t begin = 0; begin < ctc.samples.size(); begin += kSamples) {
    for (const StepRange& range : ranges) {
      // Each sample is one work group, so a barrier separates its steps. The loss follows from the last step.
      const bool last = range.first + range.count == ctc.steps();
      CtcConstants constants;
      constants.kBackwards = backwards;
      constants.kLoss = last && !backwards;
      KernelBuilder kernel = with_operands;
      kernel.add_constants(constants);
      kernel.add_arguments(arguments_for(ctc, begin, range, zero_infinity));
      kernel.set_groups({static_cast<std::uint32_t>(std::min(kSamples, ctc.samples.size() - begin)), 1, 1});
      kernels.push_back(kernel.build());
    }
  }
  return kernels;
}

/// Two kernels: the first writes the gradient of all classes as if no state had them, the second overwrites those of
/// the targets and of the blank.
Kernels gradient_kernels(const Ctc& ctc, const PreparedInputs& prepared, const Tensor& alpha, const Tensor& beta,
                         const Tensor& loss, const Tensor& gradient, const Tensor& out) {
  const bool wide = prepared.log_probs.dtype == DType::kDouble;
  // A thread of the second kernel loops over all states to find those of its label.
  const std::uint32_t at_once = unroll_factor(ctc.states() + kOverheadIterations);
  check(at_once > 0, Code::kFeatureNotSupported, "a sample of {} has {} targets; up to {} are supported.", ctc.name,
        ctc.most_targets, (kMaxIterations * kMaxUnroll - kOverheadIterations) / 2 - 1);
  const KernelBuilder with_operands =
      kernel_for(ctc, wide ? "loss/ctc_gradient_f64" : "loss/ctc_gradient_f32",
                 {&prepared.log_probs, &prepared.targets, &alpha, &beta, &loss, &gradient}, {&out});
  Kernels kernels;
  for (std::size_t begin = 0; begin < ctc.samples.size(); begin += kSamples) {
    const std::size_t count = std::min(kSamples, ctc.samples.size() - begin);
    for (const bool of_targets : {false, true}) {
      const std::int64_t width = of_targets ? ctc.most_targets + 1 : ctc.classes();
      const std::int64_t threads = static_cast<std::int64_t>(count) * ctc.steps() * width;
      check(threads < INT32_MAX, Code::kFeatureNotSupported,
            "{} samples of {} steps and {} classes are too many for {}.", count, ctc.steps(), width, ctc.name);
      CtcGradientConstants constants;
      constants.kTargets = of_targets;
      constants.kUnroll = of_targets ? at_once : 1U;
      KernelBuilder kernel = with_operands;
      kernel.add_constants(constants);
      kernel.add_arguments(arguments_for(ctc, begin, {0, ctc.steps()}, ctc.zero_infinity));
      kernel.set_threads(static_cast<std::uint64_t>(threads), kThreads);
      kernels.push_back(kernel.build());
    }
  }
  return kernels;
}

PreparedInputs prepare(const Ctc& ctc, const BoundTensors& bound, Staging& staging, Kernels& kernels) {
  const DType dtype = computed_in(bound[ctc.log_probs]->dtype);
  PreparedInputs prepared;
  prepared.log_probs = copied(ctc, *bound[ctc.log_probs], dtype, staging, kernels);
  prepared.targets = copied(ctc, *bound[ctc.targets], DType::kInt32, staging, kernels);
  return prepared;
}

/// Copies alpha to the program's tensor, which may have more states; these are -infinity.
Kernels alpha_kernels(const Ctc& ctc, const Tensor& alpha, const Tensor& out) {
  const std::size_t along = out.shape.size() - 1;
  const std::int64_t more = out.shape[along] - ctc.states();
  const Tensor own = sliced(out, along, 0, ctc.states());
  Kernels kernels = copy_kernels(ctc.name, own, *reshaped(alpha, own.shape));
  if (more == 0) return kernels;
  const double lowest = -std::numeric_limits<double>::infinity();
  const Element element = Scalar(&lowest, DType::kDouble).to_element(out.dtype);
  append(kernels, fill_kernels(ctc.name, sliced(out, along, ctc.states(), more), element));
  return kernels;
}

}  // namespace

std::shared_ptr<Executor> plan_ctc_loss(const CtcHandles& handles, const OutputArg& loss_handle,
                                        const OutputArg& alpha_handle) {
  Ctc ctc("aclnnCtcLoss", handles);
  ctc.add(handles);
  const auto steps = required_ints(handles.steps);
  const auto lengths = required_ints(handles.lengths);
  const ParamId loss = ctc.tensors.output(loss_handle);
  const ParamId log_alpha = ctc.tensors.output(alpha_handle);
  const TensorParameters& tensors = ctc.tensors;
  check_dtype(tensors[ctc.log_probs], "logProbs", kNumbers);
  check_dtype(tensors[ctc.targets], "targets", kLabels);
  for (const ParamId param : {loss, log_alpha}) {
    check_same_dtype(tensors[param], tensors.name(param), tensors[ctc.log_probs], "logProbs");
  }
  tensors.check_views();
  ctc.check_all(handles, steps, lengths);
  tensors.check_shape(loss, ctc.of_samples(), "one for each sample has shape");
  ctc.check_alpha(log_alpha);
  return staged_executor(ctc.name, tensors, [=](const BoundTensors& bound, Staging& staging) {
    bound.check_disjoint({loss, log_alpha}, {ctc.log_probs, ctc.targets});
    Kernels kernels;
    if (ctc.samples.empty()) return kernels;
    const PreparedInputs prepared = prepare(ctc, bound, staging, kernels);
    const Tensor alpha = staging.make({ctc.count(), ctc.steps(), ctc.states()}, prepared.log_probs.dtype);
    const Tensor losses = staging.make({ctc.count()}, prepared.log_probs.dtype);
    append(kernels, state_kernels(ctc, prepared, alpha, losses, false, ctc.zero_infinity));
    append(kernels, copy_kernels(ctc.name, *bound[loss], *reshaped(losses, bound[loss]->shape)));
    append(kernels, alpha_kernels(ctc, alpha, *bound[log_alpha]));
    return kernels;
  });
}

std::shared_ptr<Executor> plan_ctc_gradient(const CtcHandles& handles, const CtcGradientHandles& more) {
  Ctc ctc("aclnnCtcLossBackward", handles);
  const ParamId gradient = ctc.tensors.input(more.gradient);
  ctc.add(handles);
  const auto steps = required_ints(handles.steps);
  const auto lengths = required_ints(handles.lengths);
  const ParamId loss = ctc.tensors.input(more.loss);
  const ParamId log_alpha = ctc.tensors.input(more.log_alpha);
  const ParamId out = ctc.tensors.output(more.out);
  const TensorParameters& tensors = ctc.tensors;
  check_dtype(tensors[ctc.log_probs], "logProbs", kNumbers);
  check_dtype(tensors[ctc.targets], "targets", kLabels);
  for (const ParamId param : {gradient, loss, log_alpha, out}) {
    check_same_dtype(tensors[param], tensors.name(param), tensors[ctc.log_probs], "logProbs");
  }
  tensors.check_views();
  ctc.check_all(handles, steps, lengths);
  for (const ParamId param : {gradient, loss}) {
    tensors.check_shape(param, ctc.of_samples(), "one for each sample has shape");
  }
  ctc.check_alpha(log_alpha);
  tensors.check_shape(out, tensors[ctc.log_probs].shape, "logProbs has shape");
  return staged_executor(ctc.name, tensors, [=](const BoundTensors& bound, Staging& staging) {
    bound.check_disjoint({out}, {gradient, ctc.log_probs, ctc.targets});
    Kernels kernels;
    if (ctc.samples.empty()) return kernels;
    const PreparedInputs prepared = prepare(ctc, bound, staging, kernels);
    const DType dtype = prepared.log_probs.dtype;
    const Shape states = {ctc.count(), ctc.steps(), ctc.states()};
    const Tensor alpha = staging.make(states, dtype);
    const Tensor beta = staging.make(states, dtype);
    const Tensor losses = staging.make({ctc.count()}, dtype);
    const Tensor gradients = staging.make(bound[gradient]->shape, dtype);
    const Tensor result = staging.make(bound[out]->shape, dtype);
    append(kernels, copy_kernels(ctc.name, gradients, *bound[gradient]));
    // Alpha and the loss are recomputed in the dtype of the computation. zeroInfinity does not apply to this
    // loss, because the gradient kernel recognises an impossible sample by its infinite loss.
    append(kernels, state_kernels(ctc, prepared, alpha, losses, false, false));
    append(kernels, state_kernels(ctc, prepared, beta, losses, true, false));
    append(kernels, gradient_kernels(ctc, prepared, alpha, beta, losses, gradients, result));
    append(kernels, copy_kernels(ctc.name, *bound[out], result));
    return kernels;
  });
}

}  // namespace aclvk::ops
