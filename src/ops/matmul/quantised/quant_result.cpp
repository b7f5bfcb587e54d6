#include "base/error.hpp"
#include "ops/args/matmul.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/products/split_k.hpp"
#include "ops/matmul/quantised/quant.hpp"
#include "ops/matmul/quantised/quant_common.hpp"
#include "ops/matmul/quantised/quant_word.hpp"
#include "ops/matmul/quantised/rescale.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

constexpr std::int64_t kWordsPerBlock = 16;  // the matrix unit takes quant words in multiples of 16

void check_words(const TensorParameters& tensors, ParamId param, std::int64_t columns) {
  const Shape& shape = tensors[param].shape;
  const std::int64_t filled = (columns + kWordsPerBlock - 1) / kWordsPerBlock * kWordsPerBlock;
  const bool fits = shape == Shape{1} || shape == Shape{columns} || shape == Shape{filled};
  check(fits, Code::kNnInvalid, "{} has shape {}; one number, {} or {} are expected.", tensors.name(param), shape,
        columns, filled);
}

/// Returns the words without their padding.
Tensor of_columns(const Tensor& words, std::int64_t columns) {
  return words.shape[0] == 1 ? words : sliced(words, 0, 0, columns);
}

}  // namespace

/// The arguments of aclnnBatchMatmulQuant: x1 x2 + bias, quantised to INT8 with the scales and offsets of quant words
/// (quant_word.hpp).
std::shared_ptr<Executor> plan(const BatchMatmulQuantArgs& args) {
  const bool transposes_x1 = args.transposeX1;
  const bool transposes_x2 = args.transposeX2;
  constexpr const char* kName = "aclnnBatchMatmulQuant";
  TensorParameters tensors;
  const ParamId x1 = tensors.input(args.x1);
  const ParamId x2 = tensors.input(args.x2);
  const ParamId words = tensors.input(args.quantParam);
  const ParamId bias = tensors.optional_input(args.bias);
  const ParamId out = tensors.output(args.out);
  tensors.check_dtypes(dtypes_of(kName));
  tensors.check_dtypes({x1, x2, bias}, {DType::kFloat16});
  tensors.check_dtypes({words}, {DType::kUint64});
  tensors.check_views();
  check_matrices(kName, tensors, x1, x2);
  const Shape shape =
      check_factors(transposed(tensors[x1].shape, transposes_x1), transposed(tensors[x2].shape, transposes_x2));
  check_words(tensors, words, shape.back());
  check_columns(tensors, bias, shape.back());
  tensors.check_shape(out, shape, "the product has shape");
  return staged_executor(
      {kName, kFractalNz}, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
        check_disjoint(*bound[out], "out", *bound[x1], "x1");
        check_disjoint(*bound[out], "out", *bound[x2], "x2");
        Kernels kernels;
        const Shape batch = batch_of(shape);
        const Tensor first = factor_of(kName, *bound[x1], transposes_x1, batch, staging, kernels);
        const BlockedMatrix second = blocked_factor_of(kName, *bound[x2], transposes_x2, batch, staging, kernels);
        Gemm gemm{kName, first, second.matrix, std::nullopt, staging.make(shape, DType::kFloat)};
        gemm.blocks_of_b = second.blocks;
        if (bound[bias]) gemm.c = expanded(*bound[bias], shape);
        append(kernels, product_kernels(gemm, staging, runtime::execution()));
        const Tensor own_words = of_columns(*bound[words], shape.back());
        // A float result is rounded to INT8 once, after scale and offset.
        const Tensor scale = float_scale(own_words);
        const Tensor offset = word_offsets(kName, own_words, staging, kernels);
        append(kernels, rescale_kernels(kName, gemm.out, &scale, nullptr, &offset, *bound[out]));
        return kernels;
      });
}

std::shared_ptr<Executor> plan_quant_matmul_sum(const QuantSumCall& call, const std::vector<InputArg>& unsupported) {
  constexpr const char* kName = "aclnnQuantMatmulReduceSumWeightNz";
  TensorParameters tensors;
  const ParamId x1 = tensors.input(call.x1);
  const ParamId x2 = tensors.input(call.x2);
  const ParamId x1_scale = tensors.input(call.x1_scale);
  const ParamId x2_scale = tensors.input(call.x2_scale);
  tensors.unsupported(unsupported);
  const auto dims = required_ints(call.dims);
  const ParamId out = tensors.output(call.out);
  check_unsupported(kName, unsupported);
  check(call.group_size == 0, Code::kFeatureNotSupported,
        "groupSize is {}; 0 is expected, as scales of groups are not supported for integers.", call.group_size);
  tensors.check_dtypes(dtypes_of(kName));
  tensors.check_dtypes({x1, x2}, {DType::kInt8});
  tensors.check_dtypes({x1_scale}, {DType::kFloat});
  tensors.check_dtypes({x2_scale}, {DType::kBfloat16});
  tensors.check_views();
  check_matrices(kName, tensors, x1, x2);
  check_three_dims(tensors, {x1, x2});
  const Shape shape = check_factors(transposed(tensors[x1].shape, call.transposes_x1),
                                    transposed(tensors[x2].shape, call.transposes_x2));
  tensors.check_shape(x1_scale, {shape[0], shape[1]}, "a number for each row of each matrix makes");
  check_columns(tensors, x2_scale, shape[2]);
  check(dims.size() == 1 && dims[0] == 0, Code::kNnInvalid,
        "dims has {} numbers, the first of which is {}; only 0 is "
        "expected: matrices are added up.",
        dims.size(), dims.empty() ? 0 : dims[0]);
  const Shape sum = call.keeps_dims ? Shape{1, shape[1], shape[2]} : Shape{shape[1], shape[2]};
  tensors.check_shape(out, sum, "the sum has shape");
  return staged_executor(
      {kName, kFractalNz}, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
        for (const ParamId param : {x1, x2, x1_scale, x2_scale})
          check_disjoint(*bound[out], "out", *bound[param], tensors.name(param));
        Kernels kernels;
        const Shape batch = batch_of(shape);
        const Tensor first = factor_of(kName, *bound[x1], call.transposes_x1, batch, staging, kernels);
        const BlockedMatrix second = blocked_factor_of(kName, *bound[x2], call.transposes_x2, batch, staging, kernels);
        const Tensor sums = staging.make(shape, DType::kInt32);
        Gemm gemm{kName, first, second.matrix, std::nullopt, sums};
        gemm.blocks_of_b = second.blocks;
        append(kernels, product_kernels(gemm, staging, runtime::execution()));
        // Rows of different matrices have different scales, so sums become floats before they are added up.
        const Tensor products = staging.make(shape, DType::kFloat);
        const Tensor column = repeated(*bound[x1_scale], 2, 1);
        append(kernels, rescale_kernels(kName, sums, bound[x2_scale], &column, nullptr, products));
        append(kernels,
               fold_kernels(kName, ReduceKind::kSum, products, mask_of(products, 0, "dims"), *bound[out], staging));
        return kernels;
      });
}

}  // namespace aclvk::ops
