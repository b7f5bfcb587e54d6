#include "ops/optimizer/adam_quant.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "ops/dtype_sets.hpp"
#include "ops/elementwise/copy.hpp"
#include "ops/foreach/lists.hpp"
#include "ops/grid.hpp"
#include "ops/optimizer/lists.hpp"
#include "ops/shape/view.hpp"
#include "ops/staged_executor.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;
using ParamId = TensorParameters::ParamId;

constexpr const char* kName = "aclnnApplyAdamWQuant";
constexpr DTypeSet kSteps = {DType::kFloat, DType::kInt64};
constexpr std::int64_t kCodes = 256;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 31;

/// A contiguous tensor of a dtype for one that changes, which gets it back at the end.
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
  Tensor first_most;
  Tensor second_most;
  Tensor table;
};

runtime::Operand operand_of(const Tensor& tensor, Access access) {
  return {tensor.address(), static_cast<std::uint64_t>(tensor.elements()) * size_of(tensor.dtype), access};
}

runtime::Kernel step_kernel(const QuantAdamAttributes& attributes, const QuantAdamTensors& tensors) {
  const AdamAttributes& adam = attributes.adam;
  const std::int64_t count = tensors.variable.elements();
  const std::int64_t block = std::min(attributes.block, count);
  runtime::Kernel kernel;
  kernel.name = kName;
  kernel.shader = "optimizer/adam_quant_f32";
  for (const Tensor* changed : {&tensors.variable, &tensors.gradient, &tensors.first, &tensors.second,
                                &tensors.first_most, &tensors.second_most, &tensors.table}) {
    const bool read = changed == &tensors.gradient || changed == &tensors.table;
    kernel.operands.push_back(operand_of(*changed, read ? Access::kRead : Access::kReadWrite));
  }
  kernel.arguments = runtime::argument_bytes(std::array<std::uint32_t, 9>{
      static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(block), float_word(1 - adam.rate * adam.decay),
      float_word(adam.beta1), float_word(1 - adam.beta1), float_word(adam.beta2), float_word(1 - adam.beta2),
      float_word(adam.epsilon), float_word(attributes.scale)});
  kernel.groups = row_of_groups(static_cast<std::uint64_t>((count + block - 1) / block), 1);
  return kernel;
}

/// A thread goes over its part of a block twice, and over what the others have found.
void check_block(std::int64_t block) {
  constexpr std::int64_t kThreads = 64;  // of a group, shaders/optimizer/adam_quant.comp
  constexpr std::int64_t kMost = (kMaxIterations / 2 - kThreads) * kThreads;
  check(block <= kMost, Code::kFeatureNotSupported, "a block of {} has {} elements; up to {} are supported.", kName,
        block, kMost);
}

/// The numbers of the step, and the two maps behind them.
Tensor make_table(const QuantAdamAttributes& attributes, const Tensor& step, const Tensor& first, const Tensor& second,
                  Staging& staging, Kernels& kernels) {
  constexpr std::int64_t kNumbers = 4;
  const Tensor table = staging.make({kNumbers + 2 * kCodes}, DType::kFloat);
  const Tensor numbers = row_major({}, kAdamNumbers, table.address());
  append(kernels, adam_numbers_kernels(kName, attributes.adam, element_of(step, 0), nullptr, nullptr, numbers));
  append(kernels, copy_kernels(kName, sliced(table, 0, kNumbers, kCodes), first));
  append(kernels, copy_kernels(kName, sliced(table, 0, kNumbers + kCodes, kCodes), second));
  return table;
}

}  // namespace

std::shared_ptr<Executor> plan_quant_adam(const QuantAdamHandles& handles, const QuantAdamAttributes& attributes) {
  TensorParameters tensors;
  const ParamId variable = tensors.updated(handles.variable, "varRef");
  const ParamId gradient = tensors.input(handles.gradient, "grad");
  const ParamId first = tensors.updated(handles.first, "mRef");
  const ParamId second = tensors.updated(handles.second, "vRef");
  const ParamId first_map = tensors.input(handles.first_map, "qmapM");
  const ParamId second_map = tensors.input(handles.second_map, "qmapV");
  const ParamId first_most = tensors.updated(handles.first_most, "absmaxMRef");
  const ParamId second_most = tensors.updated(handles.second_most, "absmaxVRef");
  const ParamId step = tensors.input(handles.step, "step");
  for (const ParamId place : {variable, gradient}) check_dtype(tensors[place], tensors.name(place), kFloats);
  for (const ParamId place : {first, second}) check_dtype(tensors[place], tensors.name(place), {DType::kUint8});
  for (const ParamId place : {first_map, second_map, first_most, second_most}) {
    check_dtype(tensors[place], tensors.name(place), {DType::kFloat});
  }
  check_dtype(tensors[step], "step", kSteps);
  tensors.check_views();
  for (const ParamId place : {gradient, first, second}) {
    tensors.check_shape(place, tensors[variable].shape, "varRef has shape");
  }
  for (const ParamId place : {first_map, second_map})
    tensors.check_shape(place, {kCodes}, "one for each code has shape");
  const std::string_view mode = handles.mode ? handles.mode : "BLOCKWISE";
  check(mode == "BLOCKWISE", Code::kNnInvalid, "quantModeOptional is \"{}\"; \"BLOCKWISE\" exists.", mode);
  check(attributes.block > 0, Code::kNnInvalid, "blockSize is {}; it is positive.", attributes.block);
  const std::int64_t count = tensors[variable].elements();
  check(count <= kMostBytes / 4, Code::kNnInvalid, "varRef has {} elements; {} are supported.", count, kMostBytes / 4);
  const std::int64_t blocks = count / attributes.block + (count % attributes.block > 0 ? 1 : 0);
  for (const ParamId place : {first_most, second_most}) {
    tensors.check_shape(place, {blocks}, "one for each block has shape");
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
    operands.first_most = changing(*bound[first_most], DType::kFloat, staging, kernels);
    operands.second_most = changing(*bound[second_most], DType::kFloat, staging, kernels);
    operands.table = make_table(attributes, *bound[step], *bound[first_map], *bound[second_map], staging, kernels);
    kernels.push_back(step_kernel(attributes, operands));
    return kernels;
  });
}

}  // namespace aclvk::ops
