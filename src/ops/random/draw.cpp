#include "ops/random/draw.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include "base/error.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"
#include "random/draw.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;
using BoundTensors = TensorParameters::BoundTensors;
using ParamId = TensorParameters::ParamId;

ARGUMENT_STRUCT(DrawArguments, DRAW_ARGUMENTS);
CONSTANT_STRUCT(DrawConstants, DRAW_CONSTANTS);

constexpr std::string_view kDrawShaders[] = {"random/draw_f32", "random/draw_f64"};
constexpr DTypeSet kReals = kFloats.with(kDoubles);

bool has_layout_of(const Tensor* parameter, const Tensor& out) {
  return !parameter || (parameter->shape == out.shape && is_contiguous(*parameter));
}

/// Checks the dtype of the output, or of the operand that is overwritten in place.
void check_written(const TensorParameters& tensors, ParamId id, const char* name, bool in_place) {
  const OperatorDtypes& dtypes = dtypes_of(name);
  check_operand(tensors[id], tensors.name(id), in_place ? dtypes.inputs : dtypes.outputs);
}

DrawCall call_of(const char* name, Distribution distribution, const Source& source) {
  DrawCall call;
  call.name = name;
  call.distribution = distribution;
  call.source = source;
  return call;
}

}  // namespace

Kernels draw_kernels(const DrawCall& call, const Tensor& out) {
  // `in_order` lets a thread use all four words of a Philox block for adjacent elements.
  bool wide = is_wide(out.dtype);
  bool in_order = is_contiguous(out);
  for (const Tensor* tensor : {call.first.tensor, call.second.tensor}) {
    wide = wide || (tensor && is_wide(tensor->dtype));
    in_order = in_order && has_layout_of(tensor, out);
  }
  SourceCall with_source(call.name, kDrawShaders[wide], call.source, wide ? DType::kDouble : DType::kFloat, out);
  StridedCall& strided = with_source.call;
  DrawConstants constants;
  constants.kDistribution = static_cast<uint>(call.distribution);
  constants.kInOrder = in_order;
  add_constants(strided, constants);
  // The words have the format of the shader's class, so that it reads them without a conversion.
  const auto words_of = [&](double number) {
    const auto words = scalar_words({&number, DType::kDouble}, wide ? ComputeClass::kF64 : ComputeClass::kF32);
    return std::array{words[0], words[1]};
  };
  DrawArguments arguments;
  arguments.first = words_of(call.first.number);
  arguments.second = words_of(call.second.number);
  arguments.third = words_of(call.third);
  add_arguments(strided, arguments);
  for (const Tensor* tensor : {call.first.tensor, call.second.tensor}) {
    strided.operands.push_back({tensor ? tensor : &with_source.any, Access::kRead, !tensor});
  }
  strided.operands.push_back({&out, Access::kWrite, false});
  return strided_kernels(strided);
}

std::shared_ptr<Executor> plan_uniform(const char* name, const OutputArg& self, double from, double to,
                                       const SourceHandles& source_handles) {
  TensorParameters tensors;
  const auto out = tensors.output(self);
  const SourceParameters source(tensors, source_handles);
  check_written(tensors, out, name, true);
  source.check(tensors);
  check(std::isfinite(from) && std::isfinite(to) && from <= to, Code::kNnInvalid,
        "from is {} and to is {}; finite numbers in ascending order are expected.", from, to);
  return staged_executor(name, tensors, [=](const BoundTensors& bound, Staging&) {
    DrawCall call = call_of(name, Distribution::kUniform, source.in(bound));
    call.first.number = from;
    call.second.number = to;
    return draw_kernels(call, *bound[out]);
  });
}

std::shared_ptr<Executor> plan_normal(const NormalHandles& handles, const SourceHandles& source_handles) {
  TensorParameters tensors;
  const auto optional = [&](bool has, const InputArg& arg) { return has ? tensors.input(arg) : ParamId::kNone; };
  // Declared in the order of the parameters.
  auto out = handles.in_place ? tensors.output(handles.out) : ParamId::kNone;
  const auto means = optional(handles.has_means, handles.means);
  const auto deviations = optional(handles.has_deviations, handles.deviations);
  const SourceParameters source(tensors, source_handles);
  if (!handles.in_place) out = tensors.output(handles.out);
  for (const ParamId id : {means, deviations}) {
    if (tensors.has(id)) check_operand(tensors[id], tensors.name(id), kReals);
  }
  check_written(tensors, out, handles.name, handles.in_place);
  source.check(tensors);
  // Without tensors of parameters any shape of out is valid.
  Tensor all = tensors.has(means) ? tensors[means] : tensors.has(deviations) ? tensors[deviations] : tensors[out];
  if (tensors.has(means) && tensors.has(deviations)) {
    all.shape = check_broadcast(all, "mean", tensors[deviations], "std");
  }
  tensors.check_shape(out, all.shape, "the parameters have shape");
  check(handles.deviation >= 0, Code::kNnInvalid, "std is {}; expected 0 or more.", handles.deviation);
  check(!std::isnan(handles.mean), Code::kNnInvalid, "mean is {}; expected a number.", handles.mean);
  return staged_executor(handles.name, tensors,
                         [=, name = handles.name, mean = handles.mean, deviation = handles.deviation](
                             const BoundTensors& bound, Staging&) {
                           DrawCall call = call_of(name, Distribution::kNormal, source.in(bound));
                           call.first = {mean, bound[means]};
                           call.second = {deviation, bound[deviations]};
                           return draw_kernels(call, *bound[out]);
                         });
}

std::shared_ptr<Executor> plan_bernoulli(const BernoulliHandles& handles, const SourceHandles& source_handles) {
  TensorParameters tensors;
  const auto self = handles.in_place ? ParamId::kNone : tensors.input(handles.self);
  const char* const out_name = handles.in_place ? "selfRef" : "out";
  // Declared in the order of the parameters.
  auto out = handles.in_place ? tensors.output(handles.out) : ParamId::kNone;
  const auto probabilities = handles.probabilities.name ? tensors.input(handles.probabilities) : ParamId::kNone;
  const ScalarPtr probability = handles.probabilities.name ? nullptr : required_scalar(handles.probability);
  const SourceParameters source(tensors, source_handles);
  if (!handles.in_place) out = tensors.output(handles.out);
  if (tensors.has(self)) check_operand(tensors[self], "self", dtypes_of(handles.name).inputs);
  if (tensors.has(probabilities)) check_operand(tensors[probabilities], "prob", kReals);
  check_written(tensors, out, handles.name, handles.in_place);
  source.check(tensors);
  if (tensors.has(self)) tensors.check_shape(out, tensors[self].shape, "self has shape");
  if (tensors.has(probabilities)) {
    const Shape shape = check_broadcast(tensors[out], out_name, tensors[probabilities], "prob");
    tensors.check_shape(out, shape, "with prob it broadcasts to");
  }
  if (probability) {
    const double value = probability->to_double();
    check(kind_of(probability->dtype()) <= Kind::kFloating && value >= 0 && value <= 1, Code::kNnInvalid,
          "prob is {} of {}; expected a real number from 0 to 1.", value, probability->dtype());
  }
  return staged_executor(handles.name, tensors, [=, name = handles.name](const BoundTensors& bound, Staging&) {
    DrawCall call = call_of(name, Distribution::kBernoulli, source.in(bound));
    call.first = {probability ? probability->to_double() : 0, bound[probabilities]};
    return draw_kernels(call, *bound[out]);
  });
}

std::shared_ptr<Executor> plan_exponential(const OutputArg& self, std::int64_t count, double lambda,
                                           const SourceHandles& source_handles) {
  constexpr const char* kName = "aclnnSimThreadExponential";
  TensorParameters tensors;
  const auto out = tensors.output(self);
  const SourceParameters source(tensors, source_handles);
  check_written(tensors, out, kName, true);
  const Tensor& tensor = tensors[out];
  check(count >= 0 && count <= tensor.elements(), Code::kNnInvalid, "count is {}; selfRef has {} elements.", count,
        tensor.elements());
  check(lambda > 0 && std::isfinite(lambda), Code::kNnInvalid, "lambda is {}; expected a number greater than 0.",
        lambda);
  const bool all = count == tensor.elements();
  check(all || reshaped(tensor, {tensor.elements()}), Code::kNnInvalid,
        "count is {} and selfRef has shape {} and strides {}; with several strides between elements {} is expected, "
        "their number.",
        count, tensor.shape, tensor.strides, tensor.elements());
  return staged_executor(kName, tensors, [=](const BoundTensors& bound, Staging&) {
    DrawCall call = call_of(kName, Distribution::kExponential, source.in(bound));
    call.first.number = lambda;
    const Tensor& whole = *bound[out];
    return draw_kernels(call, all ? whole : sliced(*reshaped(whole, {whole.elements()}), 0, 0, count));
  });
}

std::shared_ptr<Executor> plan_rrelu(const RReluHandles& handles, const SourceHandles& source_handles) {
  TensorParameters tensors;
  const auto read = tensors.input(handles.self);
  const auto self = handles.in_place ? tensors.output(handles.out) : read;
  const auto noise = tensors.output(handles.noise);
  const ScalarPtr lower = required_scalar(handles.lower);
  const ScalarPtr upper = required_scalar(handles.upper);
  const SourceParameters source(tensors, source_handles);
  const auto out = handles.in_place ? self : tensors.output(handles.out);
  tensors.check_all(dtypes_of(handles.name).inputs);
  check_same_dtype(tensors[noise], "noise", tensors[self], "self");
  check_same_dtype(tensors[out], tensors.name(out), tensors[self], "self");
  tensors.check_shape(noise, tensors[self].shape, "self has shape");
  tensors.check_shape(out, tensors[self].shape, "self has shape");
  const double low = lower->to_double();
  const double high = upper->to_double();
  check(std::isfinite(low) && std::isfinite(high) && low <= high, Code::kNnInvalid,
        "lower is {} and upper is {}; finite numbers in ascending order are expected.", low, high);
  return staged_executor(
      handles.name, tensors,
      [=, name = handles.name, training = handles.training](const BoundTensors& bound, Staging& staging) {
        const Tensor& x = *bound[self];
        check_disjoint(*bound[noise], "noise", x, "self");  // noise is written before self is read for the last time
        // Inference does not write noise; its slopes need memory of their own.
        const Tensor slopes = training ? *bound[noise] : staging.make(x.shape, x.dtype);
        DrawCall call = call_of(name, Distribution::kSlope, source.in(bound));
        call.first.tensor = &x;
        // In inference both ends are the mean slope, so the draw is constant.
        call.second.number = training ? low : (low + high) / 2;
        call.third = training ? high : (low + high) / 2;
        Kernels kernels = draw_kernels(call, slopes);
        append(kernels, pointwise_kernels(name, row_of(BinaryOp::kMul), x.dtype, {&x, &slopes}, *bound[out]));
        return kernels;
      });
}

}  // namespace aclvk::ops
