
#include <cmath>

#include "base/error.hpp"
#include "ops/args/attention.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/matmul/quantised/quant_common.hpp"
#include "ops/matmul/quantised/rescale.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr const char* kName = "aclnnTransformBiasRescaleQkv";
constexpr std::int64_t kParts = 3;

}  // namespace

/// Plans aclnnTransformBiasRescaleQkv: adds the bias to qkv and splits it into q, k and v of (batch, heads, tokens,
/// head size); q is divided by sqrt(head size).
std::shared_ptr<Executor> plan(const TransformBiasRescaleQkvArgs& args) {
  const std::int64_t heads = args.numHeads;
  TensorParameters tensors;
  const auto qkv = tensors.input(args.qkv);
  const auto bias = tensors.input(args.qkvBias);
  const TensorParameters::ParamId outs[] = {tensors.output(args.qOut), tensors.output(args.kOut),
                                            tensors.output(args.vOut)};
  tensors.check_dtypes(dtypes_of(kName));
  for (const auto param : {bias, outs[0], outs[1], outs[2]}) {
    check_same_dtype(tensors[param], tensors.name(param), tensors[qkv], "qkv");
  }
  tensors.check_views();
  const Shape& shape = tensors[qkv].shape;
  check(shape.size() == 3, Code::kNnInvalid, "qkv has shape {}; batch, tokens and columns are expected.", shape);
  check(heads > 0 && shape[2] % kParts == 0 && shape[2] / kParts % heads == 0, Code::kNnInvalid,
        "numHeads is {} and qkv has {} columns; a positive numHeads, and a multiple of 3 * numHeads columns, are "
        "expected.",
        heads, shape[2]);
  const std::int64_t size = shape[2] / kParts / heads;
  tensors.check_shape(bias, {shape[2]}, "a number for each column of qkv makes");
  for (const auto param : outs)
    tensors.check_shape(param, {shape[0], heads, shape[1], size}, "a part of qkv has shape");
  const auto shrink = static_cast<float>(1 / std::sqrt(static_cast<double>(size)));
  return staged_executor(kName, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    for (const auto out : outs) {
      check_disjoint(*bound[out], tensors.name(out), *bound[qkv], "qkv");
      check_disjoint(*bound[out], tensors.name(out), *bound[bias], "qkvBias");
    }
    Kernels kernels;
    const Tensor factor = scalar_in_workspace(kName, shrink, staging, kernels);
    for (std::int64_t part = 0; part < kParts; ++part) {
      const std::int64_t columns = heads * size;
      const Tensor tokens = unflattened(sliced(*bound[qkv], 2, part * columns, columns), 2, size);
      const Tensor added = repeated(unflattened(sliced(*bound[bias], 0, part * columns, columns), 0, size), 1, 1);
      const Tensor by_heads = permuted(tokens, {0, 2, 1, 3});
      // (x + offset) * scale in float with one rounding: the bias is the offset, 1 / sqrt(size) the scale of
      // queries.
      append(kernels, dequantize_kernels(kName, by_heads, &added, part == 0 ? &factor : nullptr, *bound[outs[part]]));
    }
    return kernels;
  });
}

}  // namespace aclvk::ops
