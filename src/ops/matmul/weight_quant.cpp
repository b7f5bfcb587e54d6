#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "ops/dtype_sets.hpp"
#include "ops/elementwise/copy.hpp"
#include "ops/matmul/deep.hpp"
#include "ops/matmul/fractal.hpp"
#include "ops/matmul/nibbles.hpp"
#include "ops/matmul/quant.hpp"
#include "ops/matmul/rescale.hpp"
#include "ops/matmul/weight_dot.hpp"
#include "ops/quant/quantize.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/shape/view.hpp"
#include "ops/staged_executor.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kReals = {DType::kFloat16, DType::kBfloat16};
constexpr DTypeSet kBiases = {DType::kFloat16, DType::kBfloat16, DType::kFloat};
constexpr DTypeSet kIntegerWeights = {DType::kInt8, DType::kInt4, DType::kInt32};
constexpr DTypeSet kSmallFloats = kFloat8s.with(kFloat4s).with({DType::kFloat});
constexpr DTypeSet kWeights = kIntegerWeights.with(kSmallFloats);

struct Places {
  TensorParameters::Place x, weight, scale, offset, bias, y;
};

/// A scale, or an offset, as a row for each group of the depth.
Tensor by_groups(const Tensor& tensor) {
  return tensor.shape.size() == 2 ? tensor : repeated(at_least_one_dim(tensor), 0, 1);
}

void check_tensors(const char* name, const TensorParameters& tensors, const Places& at) {
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

/// One number, one for each column, or a row of columns for each group.
void check_scale(const TensorParameters& tensors, TensorParameters::Place place, std::int64_t groups,
                 std::int64_t columns) {
  if (!tensors.has(place)) return;
  const Tensor& tensor = tensors[place];
  const bool has_rank = tensor.shape.size() <= 2;
  const Shape shape = has_rank ? by_groups(tensor).shape : Shape{0, 0};
  const bool fits = shape == Shape{groups, columns} || (groups == 1 && shape == Shape{1, 1});
  check(fits, Code::kNnInvalid, "{} has shape {}; {} groups of {} columns are expected.", tensors.name(place),
        tensor.shape, groups, columns);
}

/// The weight row by row: integers as bytes, small floats in the dtype of x, which has all of them.
Tensor unpacked_weight(const char* name, const Tensor& weight, DType dtype, Staging& staging, Kernels& kernels) {
  const DType in_words = weight.dtype == DType::kFloat ? DType::kFloat4E2M1 : DType::kInt4;
  const Tensor elements = unpacked(name, as_words(weight), staging, kernels, in_words);
  const Tensor rows = as_matrix(name, elements, staging, kernels);
  if (kIntegerWeights.contains(weight.dtype)) return rows;
  const Tensor made = staging.make(in_memory_order(rows).shape, dtype);
  append(kernels, copy_kernels(name, made, in_memory_order(rows)));
  return is_turned(rows) ? with_swapped_dims(made) : made;
}

/// Powers of two as FLOAT.
Tensor real_scale(const char* name, const Tensor& scale, Staging& staging, Kernels& kernels) {
  if (scale.dtype != DType::kFloat8E8M0) return scale;
  const Tensor made = staging.make(scale.shape, DType::kFloat);
  append(kernels, quantize_kernels(name, {&scale, &made}));
  return made;
}

/// The weight in the dtype of x, in the same order in memory: the groups that are whole at once, then a shorter one.
Tensor dequantized(const char* name, const Tensor& weight, const Tensor* offset, const Tensor& scale, DType dtype,
                   std::int64_t group, Staging& staging, Kernels& kernels) {
  const std::int64_t depth = weight.shape[0];
  const Tensor made = staging.make(in_memory_order(weight).shape, dtype);
  const Tensor whole = is_turned(weight) ? with_swapped_dims(made) : made;
  const std::int64_t groups = depth / group;
  const auto rows = [](const Tensor& tensor, std::int64_t first, std::int64_t count) {
    return sliced(tensor, 0, first, count);
  };
  const auto make = [&](const Tensor& from, const Tensor& to, std::int64_t first, std::int64_t count, bool in_groups) {
    const auto part = [&](const Tensor& tensor) {
      const Tensor some = tensor.shape[0] == 1 ? tensor : rows(tensor, first, count);
      return in_groups ? repeated(some, 1, 1) : some;
    };
    const Tensor own_scale = part(by_groups(scale));
    const Tensor own_offset = offset ? part(by_groups(*offset)) : own_scale;
    append(kernels, dequantize_kernels(name, from, offset ? &own_offset : nullptr, &own_scale, to));
  };
  if (groups > 0) {
    make(unfolded(rows(weight, 0, groups * group), 0, group), unfolded(rows(whole, 0, groups * group), 0, group), 0,
         groups, true);
  }
  const std::int64_t rest = depth - groups * group;
  if (rest > 0) make(rows(weight, groups * group, rest), rows(whole, groups * group, rest), groups, 1, false);
  return whole;
}

}  // namespace

std::shared_ptr<Executor> plan_weight_quant_matmul(const WeightQuantCall& call, const std::vector<LeftOut>& left_out) {
  TensorParameters tensors;
  Places at{};
  at.x = tensors.input(call.x, "x");
  at.weight = tensors.input(call.weight, "weight");
  at.scale = tensors.input(call.scale, "antiquantScale");
  at.offset = tensors.optional_input(call.offset, "antiquantOffsetOptional");
  tensors.left_out(left_out);
  at.bias = tensors.optional_input(call.bias, "biasOptional");
  at.y = tensors.output(call.y, "y");
  check_left_out(call.name, left_out);
  check_tensors(call.name, tensors, at);
  const Shape& x = tensors[at.x].shape;
  const Shape weight = unpacked_shape("weight", as_words(tensors[at.weight]));
  check(x.size() >= 2 && weight.size() == 2 && x.back() == weight[0], Code::kNnInvalid,
        "x has shape {} and weight {}; the columns of x are as many as the rows of a matrix.", x, weight);
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
  return staged_executor({name, kFractalNz}, tensors, [=](const TensorParameters::Now& now, Staging& staging) {
    check_apart(*now[at.y], "y", *now[at.x], "x");
    const runtime::Execution execution = runtime::execution();
    WeightDot dot{name,         *now[at.x],   *now[at.weight], by_groups(*now[at.scale]),
                  std::nullopt, std::nullopt, *now[at.y],      group};
    if (now[at.offset]) dot.offset = by_groups(*now[at.offset]);
    if (now[at.bias]) dot.bias = *now[at.bias];
    if (kIntegerWeights.contains(now[at.weight]->dtype)) {
      if (auto dots = weight_dot_kernels(dot, execution)) return *std::move(dots);
    }
    Kernels kernels;
    const Tensor elements = unpacked_weight(name, *now[at.weight], now[at.x]->dtype, staging, kernels);
    const Tensor scale = real_scale(name, *now[at.scale], staging, kernels);
    const Tensor reals = dequantized(name, elements, now[at.offset], scale, now[at.x]->dtype, group, staging, kernels);
    Gemm gemm{name, *now[at.x], with_batch(reals, batch_of(*now[at.x])), std::nullopt, *now[at.y]};
    if (now[at.bias]) gemm.summand = expanded(*now[at.bias], shape);
    append(kernels, product_kernels(gemm, staging, execution));
    return kernels;
  });
}

}  // namespace aclvk::ops
