#include "base/error.hpp"
#include "ops/args/norm.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/norm/add.hpp"
#include "ops/norm/norm.hpp"
#include "ops/norm/norm_checks.hpp"
#include "ops/norm/norm_rows.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {
namespace {

NormCall centered(const char* name, double epsilon) { return {name, kCentered, epsilon, 1, runtime::execution()}; }

}  // namespace

std::shared_ptr<Executor> plan_layer_norm(const char* name, const LayerNormHandles& handles, double epsilon) {
  TensorParameters tensors;
  const auto x = tensors.input(handles.input);
  require(handles.normalized_shape);
  const auto gamma = tensors.optional_input(handles.weight);
  const auto beta = tensors.optional_input(handles.bias);
  const auto y = tensors.output(handles.out);
  const auto mean = tensors.optional_output(handles.mean_out);
  const auto rstd = tensors.optional_output(handles.rstd_out);
  tensors.check_all(kNormDtypes);
  const Shape normalized = required_normalized_shape(handles.normalized_shape);
  const Shape& shape = tensors[x].shape;
  const std::size_t lead = leading_dims(tensors, x, normalized, "normalizedShape");
  tensors.check_shape(gamma, normalized, "normalizedShape is");
  tensors.check_shape(beta, normalized, "normalizedShape is");
  tensors.check_shape(y, shape, "input has shape");
  check_row_values(tensors, mean, shape, lead);
  check_row_values(tensors, rstd, shape, lead);
  const NormCall call = centered(name, epsilon);
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const NormTensors given = tensors_at({x, gamma, beta, y, mean, rstd}, bound);
    return trailing_norm_kernels(call, given, lead, staging);
  });
}

/// aclnnAddLayerNorm: LayerNorm of x1 + x2 + bias over the last dim; xOut receives the sum if `additional_output`.
std::shared_ptr<Executor> plan(const AddLayerNormArgs& args) {
  const double epsilon = args.epsilon;
  const bool additional_output = args.additionalOutput;
  const char* name = "aclnnAddLayerNorm";
  TensorParameters tensors;
  const auto x1 = tensors.input(args.x1);
  const auto x2 = tensors.input(args.x2);
  const auto gamma = tensors.input(args.gamma);
  const auto beta = tensors.input(args.beta);
  const auto bias = tensors.optional_input(args.biasOptional);
  const auto y = tensors.output(args.yOut);
  const auto mean = tensors.output(args.meanOut);
  const auto rstd = tensors.output(args.rstdOut);
  const auto sum = additional_output ? tensors.output(args.xOut) : tensors.optional_output(args.xOut);
  tensors.check_all(kNormDtypes);
  const Shape& shape = tensors[x1].shape;
  tensors.check_shape(x2, shape, "x1 has shape");
  check_last_dim(tensors, gamma, x1);
  check_last_dim(tensors, beta, x1);
  if (tensors.has(bias) && tensors[bias].shape != shape) check_last_dim(tensors, bias, x1);
  tensors.check_shape(y, shape, "x1 has shape");
  const std::size_t lead = shape.size() - 1;
  check_row_values(tensors, mean, shape, lead);
  check_row_values(tensors, rstd, shape, lead);
  if (additional_output) tensors.check_shape(sum, shape, "x1 has shape");
  const NormCall call = centered(name, epsilon);
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const Tensor added = staging.make(bound[x1]->shape, DType::kFloat);
    Kernels kernels = add_kernels(name, 1, *bound[x1], *bound[x2], bound[bias], added);
    if (additional_output) {
      check_disjoint(*bound[sum], "xOut", *bound[gamma], "gamma");  // gamma and beta are read after xOut is written
      check_disjoint(*bound[sum], "xOut", *bound[beta], "beta");
      append(kernels, copy_kernels(name, *bound[sum], added));
    }
    NormTensors given = tensors_at({x1, gamma, beta, y, mean, rstd}, bound);
    given.x = &added;
    append(kernels, trailing_norm_kernels(call, given, lead, staging));
    return kernels;
  });
}

/// LayerNorm of alpha * x + gx.
std::shared_ptr<Executor> plan(const DeepNormArgs& args) {
  const char* name = args.kOperator;
  const double alpha = args.alpha;
  TensorParameters tensors;
  const auto x = tensors.input(args.x);
  const auto gx = tensors.input(args.gx);
  const auto beta = tensors.input(args.beta);
  const auto gamma = tensors.input(args.gamma);
  const auto mean = tensors.output(args.meanOut);
  const auto rstd = tensors.output(args.rstdOut);
  const auto y = tensors.output(args.yOut);
  tensors.check_all(kNormDtypes);
  const Shape& shape = tensors[x].shape;
  tensors.check_shape(gx, shape, "x has shape");
  const std::size_t lead = leading_dims(tensors, x, tensors[gamma].shape, "the shape of gamma");
  tensors.check_shape(beta, tensors[gamma].shape, "gamma has shape");
  check_row_values(tensors, mean, shape, lead);
  check_row_values(tensors, rstd, shape, lead);
  tensors.check_shape(y, shape, "x has shape");
  const NormCall call = centered(name, args.epsilon);
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const Tensor added = staging.make(bound[x]->shape, DType::kFloat);
    Kernels kernels = add_kernels(name, static_cast<float>(alpha), *bound[x], *bound[gx], nullptr, added);
    NormTensors given = tensors_at({x, gamma, beta, y, mean, rstd}, bound);
    given.x = &added;
    append(kernels, trailing_norm_kernels(call, given, lead, staging));
    return kernels;
  });
}

}  // namespace aclvk::ops
