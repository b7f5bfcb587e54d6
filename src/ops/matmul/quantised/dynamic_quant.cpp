#include <string_view>

#include "base/error.hpp"
#include "ops/args/matmul.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/products/split_k.hpp"
#include "ops/matmul/quantised/quant.hpp"
#include "ops/matmul/quantised/quant_common.hpp"
#include "ops/matmul/quantised/quant_word.hpp"
#include "ops/matmul/quantised/rescale.hpp"
#include "ops/quant/quantize.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr const char* kName = "aclnnQuantMatmulDequant";
constexpr double kHighest = 127;

struct ParamIds {
  TensorParameters::ParamId x, weight, weight_scale, x_scale, smooth, out;
};

void check_dtypes(const TensorParameters& tensors, const ParamIds& at) {
  tensors.check_dtypes(dtypes_of(kName));
  tensors.check_dtypes({at.x}, {DType::kFloat16});
  tensors.check_dtypes({at.weight}, {DType::kInt8});
  tensors.check_dtypes({at.weight_scale}, {DType::kFloat, DType::kInt64});
  tensors.check_dtypes({at.x_scale}, {DType::kFloat, DType::kFloat16});
  tensors.check_dtypes({at.smooth}, {DType::kFloat16});
  tensors.check_views();
}

/// Checks all shapes and returns that of the product.
Shape check_shapes(const TensorParameters& tensors, const ParamIds& at, bool by_rows, bool transposes) {
  check_matrices(kName, tensors, at.x, at.weight);
  const Shape& x = tensors[at.x].shape;
  check(x.size() == 2 && tensors[at.weight].shape.size() == 2, Code::kNnInvalid,
        "x has shape {} and weight has shape {}; two matrices are expected.", x, tensors[at.weight].shape);
  const Shape shape = check_factors(x, transposed(tensors[at.weight].shape, transposes));
  check_columns(tensors, at.weight_scale, shape[1]);
  check_columns(tensors, at.smooth, x[1]);
  if (by_rows) {
    check_rows(tensors, at.x_scale, shape[0]);
  } else {
    tensors.check_shape(at.x_scale, {1}, "the xQuantMode \"pertensor\" has shape");
  }
  tensors.check_shape(at.out, shape, "the product has shape");
  return shape;
}

/// Returns max(abs(x)) / 127 of each row, as a column, or of all.
Tensor scale_of(const Tensor& x, bool by_rows, Staging& staging, Kernels& kernels) {
  const DimMask dims = by_rows ? mask_of(x, -1, "dim") : all_dims(x);
  const Tensor most = staging.make(reduced_shape(x, dims, true), DType::kFloat);
  append(kernels, fold_kernels(kName, ReduceKind::kNormMax, x, dims, most, staging));
  const Tensor scale = staging.make(most.shape, DType::kFloat);
  Quantize divide{&most, &scale};
  // Symmetric quantisation: the highest magnitude becomes 127, and -128 is not used.
  divide.one_scale = kHighest;
  divide.divides = true;
  append(kernels, quantize_kernels(kName, divide));
  return scale;
}

Tensor smoothed(const Tensor& x, const Tensor& smooth, Staging& staging, Kernels& kernels) {
  const Tensor product = staging.make(x.shape, DType::kFloat);
  Quantize multiply{&x, &product};
  multiply.scale = &smooth;
  append(kernels, quantize_kernels(kName, multiply));
  return product;
}

}  // namespace

/// The arguments of aclnnQuantMatmulDequant (dynamic quantisation): x is quantised to INT8 with the given scale, or
/// with max(abs(x)) / 127 of each row ("pertoken") or of all ("pertensor"); then out = (x weight) * weightScale * that
/// scale.
std::shared_ptr<Executor> plan(const QuantMatmulDequantArgs& args) {
  const char* x_quant_mode = args.xQuantMode.handle;
  const bool transposes_weight = args.transposeWeight;
  TensorParameters tensors;
  ParamIds at{};
  at.x = tensors.input(args.x);
  at.weight = tensors.input(args.weight);
  at.weight_scale = tensors.input(args.weightScale);
  tensors.unsupported({args.biasOptional});
  at.x_scale = tensors.optional_input(args.xScaleOptional);
  tensors.unsupported({args.xOffsetOptional});
  at.smooth = tensors.optional_input(args.smoothScaleOptional);
  require(x_quant_mode, "xQuantMode");
  at.out = tensors.output(args.out);
  check_unsupported(kName, {args.biasOptional, args.xOffsetOptional});
  check_dtypes(tensors, at);
  const std::string_view mode = x_quant_mode;
  check(mode == "pertoken" || mode == "pertensor", Code::kNnInvalid,
        "xQuantMode is \"{}\"; expected \"pertoken\" or \"pertensor\".", mode);
  const bool by_rows = mode == "pertoken";
  const bool transposes = transposes_weight;
  const Shape shape = check_shapes(tensors, at, by_rows, transposes);
  return staged_executor(
      {kName, kFractalNz}, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
        check_disjoint(*bound[at.out], "out", *bound[at.x], "x");
        check_disjoint(*bound[at.out], "out", *bound[at.weight], "weight");
        Kernels kernels;
        // SmoothQuant (Xiao et al. 2023) scales the columns of x before they are quantized.
        const Tensor x = bound[at.smooth] ? smoothed(*bound[at.x], *bound[at.smooth], staging, kernels) : *bound[at.x];
        const Tensor x_scale =
            bound[at.x_scale] ? repeated(*bound[at.x_scale], 1, 1) : scale_of(x, by_rows, staging, kernels);
        const Tensor integers = staging.make(x.shape, DType::kInt8);
        Quantize quantize{&x, &integers};
        quantize.scale = &x_scale;
        quantize.divides = true;
        append(kernels, quantize_kernels(kName, quantize));
        // Integer sums are exact; both scales are applied afterwards.
        const Tensor sums = staging.make(shape, DType::kInt32);
        const BlockedMatrix weight = blocked_factor_of(kName, *bound[at.weight], transposes, {}, staging, kernels);
        Gemm gemm{kName, integers, weight.matrix, std::nullopt, sums};
        gemm.blocks_of_b = weight.blocks;
        append(kernels, product_kernels(gemm, staging, runtime::execution()));
        const Tensor scale = float_scale(*bound[at.weight_scale]);
        append(kernels, rescale_kernels(kName, sums, &scale, &x_scale, nullptr, *bound[at.out]));
        return kernels;
      });
}

}  // namespace aclvk::ops
