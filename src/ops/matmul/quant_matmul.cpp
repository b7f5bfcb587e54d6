#include <utility>

#include "base/error.hpp"
#include "ops/create/fill.hpp"
#include "ops/matmul/deep.hpp"
#include "ops/matmul/quant.hpp"
#include "ops/matmul/rescale.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/shape/view.hpp"
#include "ops/staged_executor.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kFactors = {DType::kInt8, DType::kInt4, DType::kInt32};
constexpr DTypeSet kScales = {DType::kUint64, DType::kInt64, DType::kFloat, DType::kBfloat16};
constexpr DTypeSet kBiases = {DType::kInt32, DType::kFloat, DType::kFloat16, DType::kBfloat16};
constexpr DTypeSet kResults = {DType::kFloat16, DType::kBfloat16, DType::kInt8, DType::kInt32, DType::kFloat};

struct Places {
  TensorParameters::Place x1, x2, scale, offset, row_scale, bias, out;
};

Shape transposed(Shape shape, bool transposes) {
  if (transposes) std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return shape;
}

/// A number for each column, or one for all.
void check_columns(const TensorParameters& tensors, TensorParameters::Place place, std::int64_t columns) {
  if (!tensors.has(place)) return;
  const Shape& shape = tensors[place].shape;
  const bool fits = shape == Shape{columns} || shape == Shape{1} || shape == Shape{1, columns} || shape.empty();
  check(fits, Code::kNnInvalid, "{} has shape {}; one number or {} are expected.", tensors.name(place), shape, columns);
}

void check_matrices(const TensorParameters& tensors, const Places& at) {
  const Shape& x1 = tensors[at.x1].shape;
  const Shape& x2 = tensors[at.x2].shape;
  check(x1.size() >= 2 && x2.size() >= 2, Code::kNnInvalid,
        "x1 has shape {} and x2 has shape {}; matrices are expected.", x1, x2);
}

/// The shape of the product; 161002 where the factors do not meet.
Shape check_factors(const Shape& x1, const Shape& x2) {
  check(x1.back() == x2[x2.size() - 2], Code::kNnInvalid,
        "x1 has shape {} and x2 has shape {}, as they are multiplied; {} elements of a row meet {} of a column.", x1,
        x2, x1.back(), x2[x2.size() - 2]);
  const auto batch = broadcast(batch_of(x1), batch_of(x2));
  check(batch.has_value(), Code::kNnInvalid, "x1 has shape {} and x2 has shape {}; their batches do not broadcast.", x1,
        x2);
  Shape shape = *batch;
  shape.push_back(x1[x1.size() - 2]);
  shape.push_back(x2.back());
  return shape;
}

void check_dtypes(const TensorParameters& tensors, const Places& at) {
  const auto check_if_there = [&](TensorParameters::Place place, const DTypeSet& dtypes) {
    if (tensors.has(place)) check_dtype(tensors[place], tensors.name(place), dtypes);
  };
  check_dtype(tensors[at.x1], "x1", kFactors);
  check_dtype(tensors[at.x2], "x2", kFactors);
  check_if_there(at.scale, kScales);
  check_if_there(at.offset, {DType::kFloat});
  check_if_there(at.row_scale, {DType::kFloat});
  check_if_there(at.bias, kBiases);
  check_dtype(tensors[at.out], "out", kResults);
  const DType out = tensors[at.out].dtype;
  check(!tensors.has(at.offset) || out == DType::kInt8, Code::kNnInvalid,
        "out has dtype {} and offset is given; it belongs to an INT8 result.", out);
  const bool adds_real = tensors.has(at.bias) && tensors[at.bias].dtype != DType::kInt32;
  check(!adds_real || !tensors.has(at.offset), Code::kNnInvalid,
        "bias has dtype {} and offset is given; one of them is added behind the scale.",
        tensors.has(at.bias) ? tensors[at.bias].dtype : DType::kInt32);
  tensors.check_views();
}

/// A scale for all elements.
Tensor number_in_memory(const char* name, float number, Staging& staging, Kernels& kernels) {
  const Tensor scale = staging.make({1}, DType::kFloat);
  append(kernels, fill_kernels(name, scale, Scalar(&number, DType::kFloat).to_element(DType::kFloat)));
  return scale;
}

}  // namespace

std::shared_ptr<Executor> plan_quant_matmul(const QuantMatmulCall& call, const std::vector<LeftOut>& left_out) {
  TensorParameters tensors;
  Places at{};
  at.x1 = tensors.input(call.x1, "x1");
  at.x2 = tensors.input(call.x2, "x2");
  at.scale =
      call.has_number ? tensors.optional_input(nullptr, call.scale_name) : tensors.input(call.scale, call.scale_name);
  at.offset = tensors.optional_input(call.offset, "offset");
  at.row_scale = tensors.optional_input(call.row_scale, call.row_scale_name);
  at.bias = tensors.optional_input(call.bias, "bias");
  at.out = tensors.output(call.out, "out");
  check_left_out(call.name, left_out);
  check_dtypes(tensors, at);
  check_matrices(tensors, at);
  const Shape x1 = transposed(unpacked_shape("x1", tensors[at.x1]), call.transposes_x1);
  const Shape x2 = transposed(unpacked_shape("x2", tensors[at.x2]), call.transposes_x2);
  const Shape shape = check_factors(x1, x2);
  check_columns(tensors, at.scale, shape.back());
  check_columns(tensors, at.offset, shape.back());
  check_columns(tensors, at.bias, shape.back());
  if (tensors.has(at.row_scale)) {
    const Shape& rows = tensors[at.row_scale].shape;
    check(rows == Shape{shape[shape.size() - 2]} || rows == Shape{1}, Code::kNnInvalid,
          "{} has shape {}; one number for each of {} rows is expected.", call.row_scale_name, rows,
          shape[shape.size() - 2]);
  }
  tensors.check_shape(at.out, shape, "the product has shape");
  return staged_executor(call.name, tensors, [=](const TensorParameters::Now& now, Staging& staging) {
    check_apart(*now[at.out], "out", *now[at.x1], "x1");
    check_apart(*now[at.out], "out", *now[at.x2], "x2");
    Kernels kernels;
    const Shape batch = batch_of(shape);
    const auto factor = [&](TensorParameters::Place place, bool transposes) {
      const Tensor factors = unpacked(call.name, *now[place], staging, kernels);
      return with_batch(transposes ? with_swapped_dims(factors) : factors, batch);
    };
    const Tensor sums = staging.make(shape, DType::kInt32);
    Gemm gemm{call.name, factor(at.x1, call.transposes_x1), factor(at.x2, call.transposes_x2), std::nullopt, sums};
    const Tensor* bias = now[at.bias];
    const bool adds_integer = bias && bias->dtype == DType::kInt32;
    if (adds_integer) gemm.summand = expanded(*bias, shape);
    append(kernels, product_kernels(gemm, staging, runtime::execution()));
    const Tensor scale =
        call.has_number ? number_in_memory(call.name, call.number, staging, kernels) : float_scale(*now[at.scale]);
    const Tensor* row_scale = now[at.row_scale];
    const Tensor column = row_scale ? repeated(*row_scale, 1, 1) : scale;
    const Tensor* shift = bias && !adds_integer ? bias : now[at.offset];
    append(kernels, rescale_kernels(call.name, sums, &scale, row_scale ? &column : nullptr, shift, *now[at.out]));
    return kernels;
  });
}

}  // namespace aclvk::ops
