#include "ops/optimizer/adam_quant.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/foreach/lists.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/optimizer/lists.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"
#include "optimizer/adam_quant.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;
using ParamId = TensorParameters::ParamId;

ARGUMENT_STRUCT(AdamQuantArguments, ADAM_QUANT_ARGUMENTS);

constexpr const char* kName = "aclnnApplyAdamWQuant";
// 8-bit optimizer states with block-wise quantization (Dettmers et al. 2022): a code indexes a table of 256
// numbers, which the absolute maximum of the block scales.
constexpr std::int64_t kCodes = 256;
// The kernel computes byte offsets of floats in 32 bits.
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 31;

/// Returns the tensor if it has the dtype and is contiguous; else a copy that is copied back after the kernels.
Tensor changing(const Tensor& tensor, DType dtype, Staging& staging, Kernels& kernels) {
  if (tensor.dtype == dtype && is_contiguous(tensor)) return tensor;
  const Tensor copy = staging.make(tensor.shape, dtype);
  append(kernels, copy_kernels(kName, copy, tensor));
  staging.finish_with(copy_kernels(kName, tensor, copy));
  return copy;
}

struct QuantAdamTensors {
  Tensor variable;
  Tensor gradient;
  Tensor first;
  Tensor second;
  Tensor first_absmax;
  Tensor second_absmax;
  Tensor table;
};

runtime::Kernel step_kernel(const QuantAdamAttributes& attributes, const QuantAdamTensors& tensors) {
  const AdamAttributes& adam = attributes.adam;
  const std::int64_t count = tensors.variable.elements();
  const std::int64_t block = std::min(attributes.block, count);
  KernelBuilder kernel(kName, "optimizer/adam_quant_f32");
  for (const Tensor* changed : {&tensors.variable, &tensors.gradient, &tensors.first, &tensors.second,
                                &tensors.first_absmax, &tensors.second_absmax, &tensors.table}) {
    const bool read = changed == &tensors.gradient || changed == &tensors.table;
    const auto bytes = static_cast<std::uint64_t>(changed->elements()) * size_of(changed->dtype);
    kernel.add_operand(changed->address(), bytes, read ? Access::kRead : Access::kReadWrite);
  }
  AdamQuantArguments arguments;
  arguments.count = word(count);
  arguments.block_length = word(block);
  arguments.decay_factor = static_cast<float>(1 - adam.rate * adam.decay);
  set_betas(arguments, adam);
  arguments.scale = static_cast<float>(attributes.scale);
  kernel.add_arguments(arguments);
  // One work group a block, because the new maximum must be known before any moment is quantized.
  kernel.set_threads(static_cast<std::uint64_t>((count + block - 1) / block), 1);
  return kernel.build();
}

/// Limits a block to what a thread may loop over: its share of the block twice, and the maxima of all threads.
void check_block(std::int64_t block) {
  constexpr std::int64_t kThreads = 64;  // of a work group of shaders/optimizer/adam_quant.comp
  constexpr std::int64_t kMaxBlock = (kMaxIterations / 2 - kThreads) * kThreads;
  check(block <= kMaxBlock, Code::kFeatureNotSupported, "a block of {} has {} elements; up to {} are supported.", kName,
        block, kMaxBlock);
}

/// Returns the coefficients of the step followed by the two quantisation maps.
Tensor make_table(const QuantAdamAttributes& attributes, const Tensor& step, const Tensor& first, const Tensor& second,
                  Staging& staging, Kernels& kernels) {
  constexpr std::int64_t kCoefficients = 4;
  const Tensor table = staging.make({kCoefficients + 2 * kCodes}, DType::kFloat);
  // The coefficients are the head of the table, so that a single operand holds all of it.
  const Tensor coefficients = row_major({}, kAdamCoefficients, table.address());
  append(kernels,
         adam_coefficient_kernels(kName, attributes.adam, element_of(step, 0), nullptr, nullptr, coefficients));
  append(kernels, copy_kernels(kName, sliced(table, 0, kCoefficients, kCodes), first));
  append(kernels, copy_kernels(kName, sliced(table, 0, kCoefficients + kCodes, kCodes), second));
  return table;
}

}  // namespace

std::shared_ptr<Executor> plan_quant_adam(const QuantAdamHandles& handles, const QuantAdamAttributes& attributes) {
  TensorParameters tensors;
  const ParamId variable = tensors.updated(handles.variable);
  const ParamId gradient = tensors.input(handles.gradient);
  const ParamId first = tensors.updated(handles.first);
  const ParamId second = tensors.updated(handles.second);
  const ParamId first_map = tensors.input(handles.first_map);
  const ParamId second_map = tensors.input(handles.second_map);
  const ParamId first_absmax = tensors.updated(handles.first_absmax);
  const ParamId second_absmax = tensors.updated(handles.second_absmax);
  const ParamId step = tensors.input(handles.step);
  tensors.check_dtypes({variable, gradient}, kFloats);
  tensors.check_dtypes({first, second}, {DType::kUint8});
  tensors.check_dtypes({first_map, second_map, first_absmax, second_absmax}, {DType::kFloat});
  check_dtype(tensors[step], "step", kAdamSteps);
  tensors.check_views();
  for (const ParamId param : {gradient, first, second}) {
    tensors.check_shape(param, tensors[variable].shape, "varRef has shape");
  }
  for (const ParamId param : {first_map, second_map})
    tensors.check_shape(param, {kCodes}, "one for each code has shape");
  const std::string_view mode = handles.mode ? handles.mode : "BLOCKWISE";
  check(mode == "BLOCKWISE", Code::kNnInvalid, "quantModeOptional is \"{}\"; expected \"BLOCKWISE\".", mode);
  check(attributes.block > 0, Code::kNnInvalid, "blockSize is {}; expected 1 or more.", attributes.block);
  const std::int64_t count = tensors[variable].elements();
  check(count <= kMaxBytes / 4, Code::kNnInvalid, "varRef has {} elements; at most {} are supported.", count,
        kMaxBytes / 4);
  const std::int64_t blocks = count / attributes.block + (count % attributes.block > 0 ? 1 : 0);
  for (const ParamId param : {first_absmax, second_absmax}) {
    tensors.check_shape(param, {blocks}, "one for each block has shape");
  }
  check_block(std::min(attributes.block, count));
  check_one(tensors[step], "step");
  return staged_executor(kName, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    Kernels kernels;
    if (bound[variable]->empty()) return copy_kernels(kName, *bound[variable], *bound[variable]);
    QuantAdamTensors operands;
    operands.variable = changing(*bound[variable], DType::kFloat, staging, kernels);
    operands.gradient = staging.make(bound[gradient]->shape, DType::kFloat);
    append(kernels, copy_kernels(kName, operands.gradient, *bound[gradient]));
    operands.first = changing(*bound[first], DType::kUint8, staging, kernels);
    operands.second = changing(*bound[second], DType::kUint8, staging, kernels);
    operands.first_absmax = changing(*bound[first_absmax], DType::kFloat, staging, kernels);
    operands.second_absmax = changing(*bound[second_absmax], DType::kFloat, staging, kernels);
    operands.table = make_table(attributes, *bound[step], *bound[first_map], *bound[second_map], staging, kernels);
    kernels.push_back(step_kernel(attributes, operands));
    return kernels;
  });
}

}  // namespace aclvk::ops
