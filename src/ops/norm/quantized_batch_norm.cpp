#include "base/error.hpp"
#include "ops/args/norm.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/norm/batch_steps.hpp"
#include "ops/quant/quantize.hpp"
#include "ops/tensor/dtype_sets.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

constexpr const char* kName = "aclnnQuantizedBatchNorm";

struct QuantizedBatchNorm {
  TensorParameters tensors{};
  ParamId x{};
  ParamId mean{};
  ParamId variance{};
  ParamId weight{};
  ParamId bias{};
  ParamId out{};
  double x_scale = 1;
  double x_zero = 0;
  double out_scale = 1;
  double out_zero = 0;
  double epsilon = 0;
  runtime::Execution execution = runtime::execution();
};

Kernels kernels_of(const QuantizedBatchNorm& norm, const TensorParameters::BoundTensors& bound, Staging& staging) {
  if (bound[norm.out]->empty()) return fill_kernels(kName, *bound[norm.out], Element{});
  const Tensor values = staging.make(bound[norm.x]->shape, DType::kFloat);
  // The difference from the zero point is exact for 8-bit integers, unlike that of two products with the scale.
  Quantize center{bound[norm.x], &values};
  center.one_offset = -norm.x_zero;
  Kernels kernels = quantize_kernels(kName, center);
  Quantize dequantize{&values, &values};
  dequantize.one_scale = norm.x_scale;
  append(kernels, quantize_kernels(kName, dequantize));
  const BatchSizes sizes(values.shape);
  ChannelFactors call = batch_factors(kName, sizes, kFactorForward | kFactorVariance, norm.execution);
  call.epsilon = norm.epsilon;
  call.gamma = bound[norm.weight];
  call.beta = bound[norm.bias];
  call.mean = of_channels(*bound[norm.mean]);
  call.scale = of_channels(*bound[norm.variance]);
  const Tensor factors = staging.make({4, sizes.channels}, DType::kFloat);
  append(kernels, factor_kernels(call, factors));
  append(kernels, channel_map_kernels(batch_map(kName, nullptr, &values, norm.execution), factors, values));
  Quantize quantize{&values, bound[norm.out]};
  quantize.one_scale = norm.out_scale;
  quantize.divides = true;
  quantize.one_offset = norm.out_zero;
  append(kernels, quantize_kernels(kName, quantize));
  return kernels;
}

double real_of(const ScalarPtr& scalar, const char* name) {
  check(!kComplexes.contains(scalar->dtype()), Code::kNnInvalid, "{} has dtype {}; a real number is expected.", name,
        scalar->dtype());
  return scalar->to_double();
}

void check_tensors(const QuantizedBatchNorm& norm) {
  const TensorParameters& tensors = norm.tensors;
  tensors.check_dtypes({norm.x, norm.out}, {DType::kInt8, DType::kUint8, DType::kInt32});
  tensors.check_dtypes({norm.mean, norm.variance, norm.weight, norm.bias}, {DType::kFloat});
  check_same_dtype(tensors[norm.out], "output", tensors[norm.x], "input");
  tensors.check_views();
  check_batch(tensors, norm.x);
  check_channels(tensors, norm.x, {norm.mean, norm.variance, norm.weight, norm.bias});
  tensors.check_shape(norm.out, tensors[norm.x].shape, "input has shape");
}

}  // namespace

/// aclnnQuantizedBatchNorm: a batch normalisation by running statistics, between integers.
std::shared_ptr<Executor> plan(const QuantizedBatchNormArgs& args) {
  QuantizedBatchNorm norm;
  TensorParameters& tensors = norm.tensors;
  norm.x = tensors.input(args.input);
  norm.mean = tensors.input(args.mean);
  norm.variance = tensors.input(args.var);
  const ScalarPtr x_scale = required_scalar(args.inputScale);
  const ScalarPtr x_zero = required_scalar(args.inputZeroPoint);
  const ScalarPtr out_scale = required_scalar(args.outputScale);
  const ScalarPtr out_zero = required_scalar(args.outputZeroPoint);
  norm.weight = tensors.optional_input(args.weight);
  norm.bias = tensors.optional_input(args.bias);
  norm.out = tensors.output(args.output);
  check_tensors(norm);
  norm.x_scale = real_of(x_scale, args.inputScale.name);
  norm.x_zero = real_of(x_zero, args.inputZeroPoint.name);
  norm.out_scale = real_of(out_scale, args.outputScale.name);
  norm.out_zero = real_of(out_zero, args.outputZeroPoint.name);
  check(norm.out_scale != 0, Code::kNnInvalid, "outputScale is 0; the result is divided by it.");
  norm.epsilon = static_cast<double>(args.epsilon.value);
  return staged_executor(kName, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    return kernels_of(norm, bound, staging);
  });
}

}  // namespace aclvk::ops
