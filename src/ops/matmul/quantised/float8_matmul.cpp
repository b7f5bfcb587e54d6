#include <utility>

#include "base/error.hpp"
#include "ops/args/matmul.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/products/split_k.hpp"
#include "ops/matmul/quantised/block_scale.hpp"
#include "ops/matmul/quantised/quant.hpp"
#include "ops/matmul/quantised/quant_common.hpp"
#include "ops/matmul/quantised/transposed.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

constexpr DTypeSet kFactors = {DType::kFloat8E4M3, DType::kFloat8E5M2, DType::kHifloat8};
constexpr DTypeSet kIntegers = {DType::kInt8, DType::kInt4, DType::kInt32};
constexpr DTypeSet kScales = {DType::kFloat, DType::kFloat8E8M0, DType::kUint64, DType::kInt64};
constexpr DTypeSet kScalesOfIntegers = {DType::kFloat, DType::kBfloat16};
constexpr DTypeSet kResults = {DType::kFloat16, DType::kBfloat16, DType::kFloat};

/// The parameters of a product of scaled factors, without addresses.
struct ScaledProduct {
  const char* name;
  TensorParameters tensors{};
  ScaledFactor first{};
  ScaledFactor second{};
  ParamId bias = ParamId::kNone;
  ParamId out{};
  bool adds_to_out = false;
  Shape shape{};         ///< of the product
  Shape order_of_out{};  ///< for each dim of the product, the dim of out
};

void check_dtypes(const ScaledProduct& product) {
  const TensorParameters& tensors = product.tensors;
  tensors.check_dtypes(dtypes_of(product.name));
  const bool integers = kIntegers.contains(tensors[product.first.tensor].dtype);
  for (const ScaledFactor* factor : {&product.first, &product.second}) {
    tensors.check_dtypes({factor->tensor}, integers ? kIntegers : kFactors);
    tensors.check_dtypes({factor->scale}, integers ? kScalesOfIntegers : kScales);
  }
  tensors.check_dtypes({product.bias}, integers ? kResults : DTypeSet{DType::kFloat});
  check(tensors[product.out].dtype != DType::kHifloat8, Code::kFeatureNotSupported,
        "{} has dtype HIFLOAT8; only factors may have it.", tensors.name(product.out));
  tensors.check_dtypes({product.out}, kResults);
  tensors.check_views();
}

void check_shapes(ScaledProduct& product) {
  product.shape = check_factors(shape_of(product.tensors, product.first), shape_of(product.tensors, product.second));
  check_scale(product.tensors, product.first);
  check_scale(product.tensors, product.second);
  check_columns(product.tensors, product.bias, product.shape.back());
}

std::shared_ptr<Executor> plan(const ScaledProduct& product) {
  return staged_executor(
      {product.name, kFractalNz}, product.tensors,
      [product](const TensorParameters::BoundTensors& bound, Staging& staging) {
        Tensor out = *bound[product.out];
        for (const ScaledFactor* factor : {&product.first, &product.second}) {
          for (const ParamId param : {factor->tensor, factor->scale}) {
            if (!bound[param]) continue;
            check_disjoint(out, product.tensors.name(product.out), *bound[param], product.tensors.name(param));
          }
        }
        // A permuted view of out replaces a transposition of the product.
        if (!product.order_of_out.empty()) out = permuted(out, product.order_of_out);
        Kernels kernels;
        const Shape batch = batch_of(product.shape);
        // Scales of groups along K cannot be applied to sums, so the factors are dequantised before the product.
        const BlockedMatrix first = scaled(product.name, bound, product.first, staging, kernels);
        const BlockedMatrix second = scaled(product.name, bound, product.second, staging, kernels);
        Gemm gemm{product.name, with_batch(first.matrix, batch), with_batch(second.matrix, batch), std::nullopt, out};
        gemm.blocks_of_b = second.blocks;
        if (bound[product.bias]) gemm.c = expanded(*bound[product.bias], product.shape);
        if (product.adds_to_out) gemm.c = out;
        append(kernels, product_kernels(gemm, staging, runtime::execution()));
        return kernels;
      });
}

/// Checks a product whose factors have their dims in order but for a transposition, and returns its executor.
std::shared_ptr<Executor> plan(ScaledProduct product, bool transposes_first, bool transposes_second) {
  const TensorParameters& tensors = product.tensors;
  check_dtypes(product);
  check_matrices(product.name, tensors, product.first.tensor, product.second.tensor);
  product.first.order = order_of_dims(tensors[product.first.tensor].shape.size(), transposes_first);
  product.second.order = order_of_dims(tensors[product.second.tensor].shape.size(), transposes_second);
  check_shapes(product);
  tensors.check_shape(product.out, product.shape, "the product has shape");
  return plan(product);
}

}  // namespace

bool is_float8(DType dtype) { return kFactors.contains(dtype); }

bool has_scales_of_blocks(const QuantMatmulCall& call) {
  if (call.by.order != QuantOrder::kRowScale || call.x3.name) return false;
  const TensorPtr scale = optional_tensor(call.by.scale);
  const TensorPtr row_scale = optional_tensor(call.by.row_scale);
  // More than one number along K makes a scale one of groups, which this plan handles.
  const bool along_k = scale && scale->shape.size() >= 2 && scale->shape[scale->shape.size() - 2] > 1;
  return along_k || (row_scale && row_scale->shape.size() >= 2 && row_scale->shape.back() > 1);
}

std::shared_ptr<Executor> plan_scaled_matmul(const QuantMatmulCall& call) {
  ScaledProduct product{call.name};
  TensorParameters& tensors = product.tensors;
  const BlockSizes blocks = block_sizes(call.by.group_size);
  const QuantMatmulTensors at = read_tensors(tensors, call);
  product.first = {at.x1, at.row_scale, Factor::kFirst, {}, blocks};
  product.second = {at.x2, at.scale, Factor::kSecond, {}, blocks};
  product.bias = at.bias;
  product.out = at.out;
  check_unsupported(call.name, call.unsupported);
  check_unsupported(call.name, {call.by.offset});
  return plan(std::move(product), call.transposes_x1, call.transposes_x2);
}

/// The arguments of aclnnQuantBatchMatmulInplaceAdd: y += (x1 * x1Scale) (x2 * x2Scale).
std::shared_ptr<Executor> plan(const QuantBatchMatmulInplaceAddArgs& args) {
  ScaledProduct product{"aclnnQuantBatchMatmulInplaceAdd"};
  TensorParameters& tensors = product.tensors;
  const BlockSizes blocks = block_sizes(args.groupSize);
  product.first = {tensors.input(args.x1), {}, Factor::kFirst, {}, blocks};
  product.second = {tensors.input(args.x2), {}, Factor::kSecond, {}, blocks};
  product.first.scale = tensors.optional_input(args.x1ScaleOptional);
  product.second.scale = tensors.input(args.x2Scale);
  // y is read through the output, because the GEMM adds to it in place.
  tensors.input(args.yRef.read());
  product.out = tensors.output(args.yRef.written());
  product.adds_to_out = true;
  return plan(std::move(product), args.transposeX1, args.transposeX2);
}

std::shared_ptr<Executor> plan_transpose_quant_matmul(const TransposedQuantCall& call) {
  ScaledProduct product{call.name};
  TensorParameters& tensors = product.tensors;
  const BlockSizes blocks = block_sizes(call.group_size);
  product.first = {tensors.input(call.x1), {}, Factor::kFirst, {}, blocks};
  product.second = {tensors.input(call.x2), {}, Factor::kSecond, {}, blocks};
  product.bias = tensors.optional_input(call.bias);
  product.first.scale = tensors.input(call.x1_scale);
  product.second.scale = tensors.input(call.x2_scale);
  product.out = tensors.output(call.out);
  product.first.order = order_of_batches(call.order1);
  product.second.order = order_of_batches(call.order2);
  product.order_of_out = inverse_order(order_of_batches(call.order_of_out));
  check_dtypes(product);
  check_three_dims(tensors, {product.first.tensor, product.second.tensor});
  check_matrices(product.name, tensors, product.first.tensor, product.second.tensor);
  check_shapes(product);
  const Shape of_first = shape_of(tensors, product.first);
  const Shape of_second = shape_of(tensors, product.second);
  check(
      of_first[0] == of_second[0], Code::kNnInvalid,
      "x1 has shape {} and x2 has shape {} in the order of permX1 and permX2; the same number of matrices is expected.",
      of_first, of_second);
  check(call.dtype == static_cast<std::int32_t>(tensors[product.out].dtype), Code::kNnInvalid,
        "dtype is {}; out has dtype {}.", call.dtype, tensors[product.out].dtype);
  check(call.batch_split_factor == 1, Code::kNnInvalid, "batchSplitFactor is {}; 1 is expected.",
        call.batch_split_factor);
  Shape shape(3, 0);
  for (std::size_t i = 0; i < 3; ++i) shape[static_cast<std::size_t>(product.order_of_out[i])] = product.shape[i];
  tensors.check_shape(product.out, shape, "the product has shape, in the order of permY,");
  return plan(product);
}

}  // namespace aclvk::ops
