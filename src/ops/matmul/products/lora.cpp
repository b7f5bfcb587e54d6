#include "ops/matmul/products/lora.hpp"

#include "base/error.hpp"
#include "matmul/products/indexed_weights.args.h"
#include "ops/elementwise/pointwise.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/access.hpp"
#include "ops/kernel/bounded_loop.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;
using runtime::Access;

ARGUMENT_STRUCT(IndexedWeightsArguments, INDEXED_WEIGHTS_ARGUMENTS);
CONSTANT_STRUCT(IndexedWeightsConstants, INDEXED_WEIGHTS_CONSTANTS);

constexpr const char* kName = "aclnnAddLora";
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 31;  // the shader's byte offsets have 32 bits

struct ParamIds {
  ParamId y, x, weight_b, indices, weight_a, out;
};

std::uint64_t bytes_of(const Tensor& tensor) {
  return static_cast<std::uint64_t>(tensor.elements()) * size_of(tensor.dtype);
}

void check_reach(const char* name, const Tensor& tensor) {
  check(bytes_of(tensor) <= kMaxBytes, Code::kNnInvalid,
        "{} of {} has shape {} and {} bytes; it must not have more than 2 GiB.", name, kName, tensor.shape,
        bytes_of(tensor));
}

/// Returns the elements that one iteration of the shader's scalar loop adds; 1 for a loop over vec8s.
std::uint32_t elements_per_iteration(std::int64_t k, bool by_vec8) {
  const std::uint32_t at_once = unroll_factor(by_vec8 ? k / kVec8 : k);
  check(at_once == 1 || (at_once > 1 && !by_vec8), Code::kFeatureNotSupported,
        "rows of {} have {} elements; up to {} are supported.", kName, k,
        kMaxIterations * (by_vec8 ? kVec8 : kMaxUnroll));
  return at_once;
}

/// out[b, n] = sum over k of x[b, k] * weights[indices[b], n, k]; 0 for an index out of range.
Kernels product_with_indexed(const Tensor& x, const Tensor& weights, const Tensor& indices, const Tensor& out) {
  check_reach("x", x);
  check_reach("a layer of the adapters", weights);
  check_reach("indices", indices);
  check_reach("the product of x and the adapters", out);
  KernelBuilder kernel(kName, "matmul/products/indexed_weights_f32");
  for (const Tensor* tensor : {&x, &weights, &indices}) {
    kernel.add_operand(tensor->address(), bytes_of(*tensor), Access::kRead);
  }
  kernel.add_operand(out.address(), bytes_of(out), Access::kWrite);
  const bool by_vec8 = has_vec8_access(x, 1) && has_vec8_access(weights, 2);
  IndexedWeightsConstants constants;
  constants.kDtypeOfX = static_cast<uint>(x.dtype);
  constants.kDtypeOfWeights = static_cast<uint>(weights.dtype);
  constants.kVec8Loads = by_vec8;
  constants.kPromoted = static_cast<uint>(DType::kFloat);
  constants.kUnroll = elements_per_iteration(x.shape[1], by_vec8);
  kernel.add_constants(constants);
  IndexedWeightsArguments arguments;
  arguments.rows = word(out.shape[0]);
  arguments.columns = word(out.shape[1]);
  arguments.inner_size = word(x.shape[1]);
  arguments.matrices = word(weights.shape[0]);
  kernel.add_arguments(arguments);
  kernel.set_threads(static_cast<std::uint64_t>(out.elements()));
  return {kernel.build()};
}

void check_dtypes(const TensorParameters& tensors, const ParamIds& at) {
  tensors.check_dtypes(dtypes_of(kName));
  tensors.check_dtypes({at.y, at.x, at.weight_b, at.weight_a}, {DType::kFloat16});
  check_dtype(tensors[at.indices], "indices", {DType::kInt32});
  tensors.check_views();
  check_fractal(kName, tensors, {});
}

void check_weights(const TensorParameters& tensors, ParamId param, std::int64_t k, std::int64_t layer) {
  const Shape& shape = tensors[param].shape;
  check(shape.size() == 4 && shape[3] == k, Code::kNnInvalid,
        "{} has shape {}; (adapters, layers, rows, {}) is expected.", tensors.name(param), shape, k);
  check(layer >= 0 && layer < shape[1], Code::kNnInvalid, "layerIdx is {}; {} has {} layers.", layer,
        tensors.name(param), shape[1]);
}

/// Checks all shapes and returns the number of columns of y that are added to.
std::int64_t check_shapes(const TensorParameters& tensors, const ParamIds& at, const LoraCall& call) {
  const Shape& y = tensors[at.y].shape;
  const Shape& x = tensors[at.x].shape;
  check(y.size() == 2 && x.size() == 2 && x[0] == y[0], Code::kNnInvalid,
        "y has shape {} and x has shape {}; matrices with the same number of rows are expected.", y, x);
  tensors.check_shape(at.indices, {y[0]}, "an index for each row of y makes");
  tensors.check_shape(at.out, y, "y has shape");
  std::int64_t k = x[1];
  if (tensors.has(at.weight_a)) {
    check_weights(tensors, at.weight_a, k, call.layer);
    k = tensors[at.weight_a].shape[2];
  }
  check_weights(tensors, at.weight_b, k, call.layer);
  const Shape& b = tensors[at.weight_b].shape;
  check(!tensors.has(at.weight_a) || tensors[at.weight_a].shape[0] == b[0], Code::kNnInvalid,
        "weightAOptional has shape {} and weightB has shape {}; the same number of adapters is expected.",
        tensors.has(at.weight_a) ? tensors[at.weight_a].shape : b, b);
  const std::int64_t slice = call.y_slice_size == -1 ? y[1] : call.y_slice_size;
  check(slice == b[2], Code::kNnInvalid, "ySliceSize is {}; the matrices of weightB have {} rows.", slice, b[2]);
  check(call.y_offset >= 0 && call.y_offset <= y[1] - slice, Code::kNnInvalid,
        "yOffset is {} and ySliceSize {}; y has {} columns.", call.y_offset, slice, y[1]);
  return slice;
}

/// Returns the matrices of a layer for all adapters, contiguous.
Tensor of_layer(const Tensor& weights, std::int64_t layer, Staging& staging, Kernels& before) {
  const Tensor view = selected(weights, 1, layer);
  return is_contiguous(view) ? view : staging.copy(view, before);
}

}  // namespace

std::shared_ptr<Executor> plan_add_lora(const LoraCall& call) {
  TensorParameters tensors;
  ParamIds at{};
  at.y = tensors.input(call.y);
  at.x = tensors.input(call.x);
  at.weight_b = tensors.input(call.weight_b);
  at.indices = tensors.input(call.indices);
  at.weight_a = tensors.optional_input(call.weight_a);
  at.out = tensors.output(call.out);
  check_dtypes(tensors, at);
  const std::int64_t slice = check_shapes(tensors, at, call);
  return staged_executor(kName, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const Tensor& out = *bound[at.out];
    for (const ParamId param : {at.x, at.weight_b, at.weight_a, at.indices}) {
      if (bound[param]) check_disjoint(out, "out", *bound[param], tensors.name(param));
    }
    Kernels kernels;
    if (!is_same_view(out, *bound[at.y])) append(kernels, copy_kernels(kName, out, *bound[at.y]));
    // The shader reads contiguous operands.
    const Tensor indices = staging.read(*bound[at.indices]);
    Tensor rows = staging.read(*bound[at.x]);
    // LoRA (Hu et al. 2021): y += scale * (x A^T) B^T, each row with the matrices of its adapter. Without A the
    // first product is left out.
    for (const ParamId param : {at.weight_a, at.weight_b}) {
      if (!bound[param]) continue;
      const Tensor weights = of_layer(*bound[param], call.layer, staging, kernels);
      const Tensor product = staging.make({rows.shape[0], weights.shape[1]}, DType::kFloat);
      append(kernels, product_with_indexed(rows, weights, indices, product));
      rows = product;
    }
    // Add is x + alpha * y.
    const Tensor columns = sliced(out, 1, call.y_offset, slice);
    append(kernels,
           pointwise_kernels(kName, row_of(BinaryOp::kAdd), DType::kFloat, {&columns, &rows}, columns, {{call.scale}}));
    return kernels;
  });
}

}  // namespace aclvk::ops
