#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/formats/nibbles.hpp"
#include "ops/matmul/products/split_k.hpp"
#include "ops/matmul/quantised/quant.hpp"
#include "ops/matmul/quantised/quant_common.hpp"
#include "ops/matmul/quantised/rescale.hpp"
#include "ops/matmul/quantised/weight_dot.hpp"
#include "ops/quant/quantize.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kReals = {DType::kFloat16, DType::kBfloat16};
constexpr DTypeSet kBiases = {DType::kFloat16, DType::kBfloat16, DType::kFloat};
constexpr DTypeSet kIntegerWeights = {DType::kInt8, DType::kInt4, DType::kInt32};
constexpr DTypeSet kSmallFloats = kFloat8s.with(kFloat4s).with({DType::kFloat});
constexpr DTypeSet kWeights = kIntegerWeights.with(kSmallFloats);

struct ParamIds {
  TensorParameters::ParamId x, weight, scale, offset, bias, y;
};

/// Returns a scale or an offset as (groups, columns).
Tensor by_groups(const Tensor& tensor) {
  return tensor.shape.size() == 2 ? tensor : repeated(at_least_one_dim(tensor), 0, 1);
}

void check_tensors(const char* name, const TensorParameters& tensors, const ParamIds& at) {
  tensors.check_dtypes(dtypes_of(name));
  check_dtype(tensors[at.x], "x", kReals);
  check_dtype(tensors[at.weight], "weight", kWeights);
  const bool by_powers =
      tensors[at.scale].dtype == DType::kFloat8E8M0 && kSmallFloats.contains(tensors[at.weight].dtype);
  if (!by_powers) check_same_dtype(tensors[at.scale], "antiquantScale", tensors[at.x], "x");
  if (tensors.has(at.offset)) check_same_dtype(tensors[at.offset], "antiquantOffsetOptional", tensors[at.x], "x");
  if (tensors.has(at.bias)) check_dtype(tensors[at.bias], "biasOptional", kBiases);
  check_same_dtype(tensors[at.y], "y", tensors[at.x], "x");
  tensors.check_views();
  check_fractal(name, tensors, {at.weight});
}

/// Checks a scale: one number, one for each column, or (groups, columns).
void check_scale(const TensorParameters& tensors, TensorParameters::ParamId param, std::int64_t groups,
                 std::int64_t columns) {
  if (!tensors.has(param)) return;
  const Tensor& tensor = tensors[param];
  const bool has_rank = tensor.shape.size() <= 2;
  const Shape shape = has_rank ? by_groups(tensor).shape : Shape{0, 0};
  const bool fits = shape == Shape{groups, columns} || (groups == 1 && shape == Shape{1, 1});
  check(fits, Code::kNnInvalid, "{} has shape {}; {} groups of {} columns are expected.", tensors.name(param),
        tensor.shape, groups, columns);
}

/// Returns the unpacked weight, in its own memory or blocks if groups end with its blocks: integers as INT8, small
/// floats in the dtype of x, which represents all of them.
BlockedMatrix unpacked_weight(const char* name, const Tensor& weight, DType dtype, std::int64_t group, Staging& staging,
                              Kernels& kernels) {
  const DType in_words = weight.dtype == DType::kFloat ? DType::kFloat4E2M1 : DType::kInt4;
  const Tensor elements = unpacked(name, as_words(weight), staging, kernels, in_words);
  BlockedMatrix blocked = as_blocked_matrix(name, elements, staging, kernels);
  if (!blocked.blocks.fit(blocked.matrix, 0, group)) blocked = {as_matrix(name, elements, staging, kernels)};
  if (kIntegerWeights.contains(weight.dtype)) return blocked;
  const BlockedMatrix made = workspace_like(blocked, dtype, staging);
  for (const Views& views : strided_views({blocked, made})) append(kernels, copy_kernels(name, views[1], views[0]));
  return made;
}

/// Converts FLOAT8_E8M0 scales to FLOAT.
Tensor real_scale(const char* name, const Tensor& scale, Staging& staging, Kernels& kernels) {
  if (scale.dtype != DType::kFloat8E8M0) return scale;
  const Tensor made = staging.make(scale.shape, DType::kFloat);
  append(kernels, quantize_kernels(name, {&scale, &made}));
  return made;
}

/// Returns the dequantised weight in the dtype of x with the same memory layout. Whole groups are one kernel, a shorter
/// last one another.
BlockedMatrix dequantized(const char* name, const BlockedMatrix& weight, const Tensor* offset, const Tensor& scale,
                          DType dtype, std::int64_t group, Staging& staging, Kernels& kernels) {
  const BlockedMatrix made = workspace_like(weight, dtype, staging);
  for (const Chunks& groups : equal_chunks(made.matrix.shape[0], group)) {
    const auto rows = [&](const BlockedMatrix& all) {
      const Tensor slice = sliced(all.matrix, all.blocks, 0, groups.first, groups.count * groups.inner);
      return BlockedMatrix{unflattened(slice, all.blocks, 0, groups.inner), all.blocks};
    };
    const auto numbers = [&](const Tensor& tensor) {
      const Tensor all = by_groups(tensor);
      // Broadcasts the number of a group over its rows.
      return repeated(all.shape[0] == 1 ? all : sliced(all, 0, groups.first / group, groups.count), 1, 1);
    };
    std::vector<BlockedMatrix> operands{rows(weight), rows(made), {numbers(scale)}};
    if (offset) operands.push_back({numbers(*offset)});
    for (const Views& views : strided_views(operands)) {
      append(kernels, dequantize_kernels(name, views[0], offset ? &views[3] : nullptr, &views[2], views[1]));
    }
  }
  return made;
}

}  // namespace

std::shared_ptr<Executor> plan_weight_quant_matmul(const WeightQuantCall& call,
                                                   const std::vector<InputArg>& unsupported) {
  TensorParameters tensors;
  ParamIds at{};
  at.x = tensors.input(call.x);
  at.weight = tensors.input(call.weight);
  at.scale = tensors.input(call.scale);
  at.offset = tensors.optional_input(call.offset);
  tensors.unsupported(unsupported);
  at.bias = tensors.optional_input(call.bias);
  at.y = tensors.output(call.y);
  check_unsupported(call.name, unsupported);
  check_tensors(call.name, tensors, at);
  const Shape& x = tensors[at.x].shape;
  const Shape weight = unpacked_shape("weight", as_words(tensors[at.weight]));
  check(x.size() >= 2 && weight.size() == 2 && x.back() == weight[0], Code::kNnInvalid,
        "x has shape {} and weight {}; a matrix with as many rows as x has columns is expected.", x, weight);
  check(call.group_size >= 0 && call.group_size < std::max<std::int64_t>(weight[0], 1), Code::kNnInvalid,
        "antiquantGroupSize is {}; 0 to {} are expected.", call.group_size, weight[0] - 1);
  const std::int64_t group = call.group_size == 0 ? std::max<std::int64_t>(weight[0], 1) : call.group_size;
  const std::int64_t groups = call.group_size == 0 ? 1 : (weight[0] + group - 1) / group;
  check_scale(tensors, at.scale, groups, weight[1]);
  check_scale(tensors, at.offset, groups, weight[1]);
  Shape shape = x;
  shape.back() = weight[1];
  tensors.check_shape(at.y, shape, "the product has shape");
  if (tensors.has(at.bias)) {
    const Shape& bias = tensors[at.bias].shape;
    check(bias == Shape{weight[1]} || bias == Shape{1, weight[1]}, Code::kNnInvalid,
          "biasOptional has shape {}; {} columns are expected.", bias, weight[1]);
  }
  const char* name = call.name;
  return staged_executor(
      {name, kFractalNz}, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
        check_disjoint(*bound[at.y], "y", *bound[at.x], "x");
        const runtime::Execution execution = runtime::execution();
        WeightDot dot{name,         *bound[at.x], *bound[at.weight], by_groups(*bound[at.scale]),
                      std::nullopt, std::nullopt, *bound[at.y],      group};
        if (bound[at.offset]) dot.offset = by_groups(*bound[at.offset]);
        if (bound[at.bias]) dot.bias = *bound[at.bias];
        if (kIntegerWeights.contains(bound[at.weight]->dtype)) {
          // Few rows dequantise on the fly; more rows share one dequantised copy.
          if (auto dots = weight_dot_kernels(dot, execution)) return *std::move(dots);
        }
        Kernels kernels;
        const BlockedMatrix elements =
            unpacked_weight(name, *bound[at.weight], bound[at.x]->dtype, group, staging, kernels);
        const Tensor scale = real_scale(name, *bound[at.scale], staging, kernels);
        const BlockedMatrix reals =
            dequantized(name, elements, bound[at.offset], scale, bound[at.x]->dtype, group, staging, kernels);
        Gemm gemm{name, *bound[at.x], with_batch(reals.matrix, batch_of(*bound[at.x])), std::nullopt, *bound[at.y]};
        gemm.blocks_of_b = reals.blocks;
        if (bound[at.bias]) gemm.c = expanded(*bound[at.bias], shape);
        append(kernels, product_kernels(gemm, staging, execution));
        return kernels;
      });
}

}  // namespace aclvk::ops
