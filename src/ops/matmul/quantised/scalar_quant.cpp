#include "base/error.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/products/split_k.hpp"
#include "ops/matmul/quantised/quant.hpp"
#include "ops/matmul/quantised/quant_common.hpp"
#include "ops/matmul/quantised/rescale.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr const char* kName = "aclnnWeightQuantBatchMatmul";
constexpr DTypeSet kFactors = {DType::kFloat16, DType::kFloat};

struct ParamIds {
  TensorParameters::ParamId x1, x2, diagonal, add_offset, mul_scale, bias, out;
};

void check_dtypes(const TensorParameters& tensors, const ParamIds& at) {
  tensors.check_dtypes(dtypes_of(kName));
  tensors.check_dtypes({at.x1}, {DType::kFloat16});
  tensors.check_dtypes({at.x2}, {DType::kInt8});
  tensors.check_dtypes({at.diagonal}, {DType::kInt8});
  tensors.check_dtypes({at.add_offset, at.mul_scale, at.bias}, kFactors);
  tensors.check_views();
  const bool is_rounded = tensors[at.out].dtype == DType::kInt8;
  check(!is_rounded || tensors.has(at.mul_scale), Code::kNnNullptr, "mulScale is NULL; an INT8 result needs it.");
  check(is_rounded || !(tensors.has(at.mul_scale) || tensors.has(at.add_offset)), Code::kFeatureNotSupported,
        "out has dtype {}, and mulScale or addOffset is given; they scale an INT8 result only.", tensors[at.out].dtype);
}

}  // namespace

std::shared_ptr<Executor> plan_scalar_quant_matmul(const ScalarQuantCall& call,
                                                   const std::vector<InputArg>& unsupported) {
  TensorParameters tensors;
  ParamIds at{};
  at.x1 = tensors.input(call.x1);
  at.x2 = tensors.input(call.x2);
  at.diagonal = tensors.optional_input(call.diagonal);
  tensors.unsupported(unsupported);
  at.add_offset = tensors.optional_input(call.add_offset);
  at.mul_scale = tensors.optional_input(call.mul_scale);
  at.bias = tensors.optional_input(call.bias);
  at.out = tensors.output(call.out);
  check_unsupported(kName, unsupported);
  check_dtypes(tensors, at);
  check_matrices(kName, tensors, at.x1, at.x2);
  const Shape shape = check_factors(transposed(tensors[at.x1].shape, call.transposes_x1),
                                    transposed(tensors[at.x2].shape, call.transposes_x2));
  for (const auto param : {at.add_offset, at.mul_scale, at.bias}) check_columns(tensors, param, shape.back());
  tensors.check_shape(at.out, shape, "the product has shape");
  return staged_executor(
      {kName, kFractalNz}, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
        check_disjoint(*bound[at.out], "out", *bound[at.x1], "x1");
        check_disjoint(*bound[at.out], "out", *bound[at.x2], "x2");
        Kernels kernels;
        const Shape batch = batch_of(shape);
        const BlockedMatrix integers = as_blocked_matrix(kName, *bound[at.x2], staging, kernels);
        // The weight is dequantised in the dtype of x1 and keeps its memory layout.
        const BlockedMatrix weight = workspace_like(integers, bound[at.x1]->dtype, staging);
        const Tensor scale = scalar_in_workspace(kName, call.scale, staging, kernels);
        const Tensor offset = scalar_in_workspace(kName, call.offset, staging, kernels);
        for (const Views& views : strided_views({integers, weight})) {
          append(kernels, dequantize_kernels(kName, views[0], &offset, &scale, views[1]));
        }
        const bool is_rounded = bound[at.out]->dtype == DType::kInt8;
        // An INT8 result is rounded once, from float.
        const Tensor product = is_rounded ? staging.make(shape, DType::kFloat) : *bound[at.out];
        const Tensor second = call.transposes_x2 ? with_swapped_dims(weight.matrix) : weight.matrix;
        Gemm gemm{kName, factor_of(kName, *bound[at.x1], call.transposes_x1, batch, staging, kernels),
                  with_batch(second, batch), std::nullopt, product};
        gemm.blocks_of_b = weight.blocks;
        if (bound[at.bias]) gemm.c = expanded(*bound[at.bias], shape);
        append(kernels, product_kernels(gemm, staging, runtime::execution()));
        if (!is_rounded) return kernels;
        append(kernels,
               rescale_kernels(kName, product, bound[at.mul_scale], nullptr, bound[at.add_offset], *bound[at.out]));
        return kernels;
      });
}

}  // namespace aclvk::ops
