#include "base/error.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/formats/nibbles.hpp"
#include "ops/matmul/products/fused.hpp"
#include "ops/matmul/products/split_k.hpp"
#include "ops/matmul/quantised/quant.hpp"
#include "ops/matmul/quantised/quant_common.hpp"
#include "ops/matmul/quantised/quant_word.hpp"
#include "ops/matmul/quantised/rescale.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kFactors = {DType::kInt8, DType::kInt4, DType::kInt32};
constexpr DTypeSet kScales = {DType::kUint64, DType::kInt64, DType::kFloat, DType::kBfloat16};
constexpr DTypeSet kBiases = {DType::kInt32, DType::kFloat, DType::kFloat16, DType::kBfloat16};
constexpr DTypeSet kReals = {DType::kFloat, DType::kFloat16, DType::kBfloat16};
constexpr DTypeSet kResults = {DType::kFloat16, DType::kBfloat16, DType::kInt8, DType::kInt32, DType::kFloat};

using ParamId = TensorParameters::ParamId;

void check_dtypes(const char* name, const TensorParameters& tensors, const QuantMatmulTensors& at) {
  tensors.check_dtypes(dtypes_of(name));
  tensors.check_dtypes({at.x1}, kFactors);
  tensors.check_dtypes({at.x2}, kFactors);
  tensors.check_dtypes({at.scale}, kScales);
  tensors.check_dtypes({at.offset}, {DType::kFloat});
  tensors.check_dtypes({at.row_scale}, {DType::kFloat});
  tensors.check_dtypes({at.bias}, kBiases);
  tensors.check_dtypes({at.x3}, kReals);
  tensors.check_dtypes({at.out}, kResults);
  const DType out = tensors[at.out].dtype;
  const auto name_of = [&](ParamId param) { return tensors.has(param) ? tensors.name(param) : ""; };
  check(!tensors.has(at.offset) || out == DType::kInt8, Code::kNnInvalid,
        "out has dtype {} and {} is given; an INT8 result is expected with it.", out, name_of(at.offset));
  const bool adds_real = tensors.has(at.bias) && tensors[at.bias].dtype != DType::kInt32;
  check(!adds_real || !tensors.has(at.offset), Code::kNnInvalid,
        "{} has dtype {} and {} is given; at most one of them is expected, as both are added after the scale.",
        name_of(at.bias), tensors.has(at.bias) ? tensors[at.bias].dtype : DType::kInt32, name_of(at.offset));
  tensors.check_views();
}

/// Quant words may be padded to whole blocks of columns.
constexpr std::int64_t kWordsPerBlock = 16;

bool is_padded(const Tensor& scale, std::int64_t columns) {
  const std::int64_t filled = (columns + kWordsPerBlock - 1) / kWordsPerBlock * kWordsPerBlock;
  const bool holds_rows = scale.shape.size() == 1 || (scale.shape.size() == 2 && scale.shape[0] == 1);
  return is_quant_word(scale.dtype) && holds_rows && scale.shape.back() == filled && columns > 0;
}

void check_scale(const TensorParameters& tensors, ParamId param, std::int64_t columns) {
  if (!tensors.has(param) || !is_padded(tensors[param], columns)) check_columns(tensors, param, columns);
}

/// Returns the scales without their padding.
Tensor scale_of(const Tensor& scale, std::int64_t columns) {
  return is_padded(scale, columns) ? sliced(scale, scale.shape.size() - 1, 0, columns) : scale;
}

/// Returns the kernels: an integer GEMM into the workspace, then requantisation and the epilogue.
Kernels scaled_product_kernels(const QuantMatmulCall& call, const QuantMatmulTensors& at, const Epilogue& epilogue,
                               const Shape& shape, const TensorParameters::BoundTensors& bound, Staging& staging) {
  Kernels kernels;
  const Shape batch = batch_of(shape);
  // Products of 8-bit integers are summed exactly in INT32, as by the matrix unit.
  const Tensor sums = staging.make(shape, DType::kInt32);
  const Tensor first = factor_of(call.name, *bound[at.x1], call.transposes_x1, batch, staging, kernels);
  const BlockedMatrix second = blocked_factor_of(call.name, *bound[at.x2], call.transposes_x2, batch, staging, kernels);
  Gemm gemm{call.name, first, second.matrix, std::nullopt, sums};
  gemm.blocks_of_b = second.blocks;
  const Tensor* bias = bound[at.bias];
  const bool adds_integer = bias && bias->dtype == DType::kInt32;
  // An integer bias is added to the integer sums, exactly and before the scale; a real one after it.
  if (adds_integer) gemm.c = expanded(*bias, shape);
  append(kernels, product_kernels(gemm, staging, runtime::execution()));
  const Tensor words = bound[at.scale] ? scale_of(*bound[at.scale], shape.back()) : Tensor{};
  const Tensor scale =
      bound[at.scale] ? float_scale(words) : scalar_in_workspace(call.name, call.by.scalar, staging, kernels);
  const Tensor* row_scale = bound[at.row_scale];
  const Tensor column = row_scale ? repeated(*row_scale, 1, 1) : scale;
  const Tensor* addend = bias && !adds_integer ? bias : bound[at.offset];
  // Quant words contain an offset; an explicit addend replaces it.
  const bool has_words = bound[at.scale] && is_quant_word(bound[at.scale]->dtype);
  const bool takes_offset = has_words && !addend && bound[at.out]->dtype == DType::kInt8;
  const Tensor offset = takes_offset ? word_offsets(call.name, words, staging, kernels) : scale;
  if (takes_offset) addend = &offset;
  // An epilogue works on the unrounded product.
  const Tensor product = epilogue.row ? staging.make(shape, DType::kFloat) : *bound[at.out];
  append(kernels, rescale_kernels(call.name, sums, &scale, row_scale ? &column : nullptr, addend, product));
  if (epilogue.row) append(kernels, epilogue_kernels(call.name, epilogue, product, bound[at.x3], *bound[at.out]));
  return kernels;
}

}  // namespace

QuantMatmulTensors read_tensors(TensorParameters& tensors, const QuantMatmulCall& call) {
  QuantMatmulTensors at{};
  at.x1 = tensors.input(call.x1);
  at.x2 = tensors.input(call.x2);
  // The operators order these parameters differently, and errors name the first bad one.
  if (call.by.order == QuantOrder::kBias) at.bias = tensors.optional_input(call.bias);
  if (call.by.order == QuantOrder::kRowScale) at.row_scale = tensors.optional_input(call.by.row_scale);
  at.scale = call.by.scale.name ? tensors.input(call.by.scale) : ParamId::kNone;
  tensors.unsupported(call.unsupported);
  at.offset = tensors.optional_input(call.by.offset);
  if (call.by.order != QuantOrder::kRowScale) at.row_scale = tensors.optional_input(call.by.row_scale);
  if (call.by.order != QuantOrder::kBias) at.bias = tensors.optional_input(call.bias);
  at.x3 = tensors.optional_input(call.x3);
  at.out = tensors.output(call.out);
  return at;
}

std::shared_ptr<Executor> plan_quant_matmul(const QuantMatmulCall& call) {
  const TensorPtr first = optional_tensor(call.x1);
  if (first && (is_float8(first->dtype) || has_scales_of_blocks(call))) return plan_scaled_matmul(call);
  TensorParameters tensors;
  const QuantMatmulTensors at = read_tensors(tensors, call);
  const Epilogue epilogue = call.x3.name ? epilogue_of(call.fused_op_type) : Epilogue{"", std::nullopt, false};
  check(!epilogue.has_operand || tensors.has(at.x3), Code::kNnNullptr,
        "x3Optional is NULL; fusedOpType \"{}\" needs it.", epilogue.name);
  check_unsupported(call.name, call.unsupported);
  check_dtypes(call.name, tensors, at);
  check_matrices(call.name, tensors, at.x1, at.x2);
  const Shape x1 = transposed(unpacked_shape("x1", tensors[at.x1]), call.transposes_x1);
  const Shape x2 = transposed(unpacked_shape("x2", tensors[at.x2]), call.transposes_x2);
  const Shape shape = check_factors(x1, x2);
  check_scale(tensors, at.scale, shape.back());
  check_columns(tensors, at.offset, shape.back());
  check_columns(tensors, at.bias, shape.back());
  check_rows(tensors, at.row_scale, shape[shape.size() - 2]);
  tensors.check_shape(at.out, shape, "the product has shape");
  check(!tensors.has(at.x3) || broadcast(tensors[at.x3].shape, shape) == shape, Code::kNnInvalid,
        "x3Optional has shape {}; it must broadcast to {}.", tensors.has(at.x3) ? tensors[at.x3].shape : shape, shape);
  check(call.by.group_size == 0, Code::kFeatureNotSupported,
        "groupSize is {}; 0 is expected, as no scale has a number for each group.", call.by.group_size);
  return staged_executor({call.name, kFractalNz}, tensors,
                         [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
                           check_disjoint(*bound[at.out], "out", *bound[at.x1], "x1");
                           check_disjoint(*bound[at.out], "out", *bound[at.x2], "x2");
                           return scaled_product_kernels(call, at, epilogue, shape, bound, staging);
                         });
}

}  // namespace aclvk::ops
