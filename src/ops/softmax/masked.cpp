
#include <algorithm>

#include "base/error.hpp"
#include "ops/args/softmax.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/shape/triangle.hpp"
#include "ops/softmax/softmax_rows.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"
#include "softmax/softmax.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;
using ParamId = TensorParameters::ParamId;

ARGUMENT_STRUCT(SoftmaxArguments, SOFTMAX_ARGUMENTS);
CONSTANT_STRUCT(SoftmaxMaskConstants, SOFTMAX_MASK_CONSTANTS);

void add_mask(RowCall& call, bool masked) {
  SoftmaxMaskConstants constants;
  constants.kMasked = masked ? 1 : 0;
  add_constants(call, constants);
}

void add_factor(RowCall& call, double factor) {
  SoftmaxArguments arguments;
  arguments.factor = static_cast<float>(factor);
  add_arguments(call, arguments);
}

void check_mask(const TensorParameters& tensors, ParamId mask, ParamId x) {
  const Shape& shape = tensors[x].shape;
  check(!shape.empty(), Code::kNnInvalid, "{} is a scalar; one dimension at least is expected.", tensors.name(x));
  check(broadcast(tensors[mask].shape, shape) == shape, Code::kNnInvalid,
        "{} has shape {}; it does not broadcast to {}, the shape of {}.", tensors.name(mask), tensors[mask].shape,
        shape, tensors.name(x));
}

void check_triangle(const Tensor& x, const char* name, bool triangle) {
  check(!triangle || x.shape.size() >= 2, Code::kNnInvalid,
        "{} has shape {}; two dimensions at least are expected, as the fixed mask is the upper triangle of a matrix.",
        name, x.shape);
}

/// Returns the mask expanded to `shape`: the operator's, or a strictly upper triangle that kernels write.
Tensor mask_for(const char* name, const Tensor& mask, const Shape& shape, bool triangle, Kernels& kernels,
                Staging& staging) {
  if (!triangle) return expanded(mask, shape);
  const Tensor attn_mask = staging.make({shape.end() - 2, shape.end()}, DType::kBool);
  append(kernels, fill_kernels(name, attn_mask, Element{1}));
  // The triangle above the diagonal of a matrix of ones.
  append(kernels, triangle_kernels(name, Triangle::kUpper, attn_mask, 1, attn_mask));
  return expanded(attn_mask, shape);
}

}  // namespace

/// aclnnScaledMaskedSoftmax: softmax(x * scale) along the last dim; masked elements are replaced by -10000 before. The
/// mask broadcasts to x. `triangle` ignores the mask and masks the elements above the diagonal.
std::shared_ptr<Executor> plan(const ScaledMaskedSoftmaxArgs& args) {
  const double scale = args.scale;
  const bool triangle = args.fixedTriuMask;
  constexpr const char* kName = "aclnnScaledMaskedSoftmax";
  TensorParameters tensors;
  const ParamId x = tensors.input(args.x);
  const ParamId mask = tensors.input(args.mask);
  const ParamId y = tensors.output(args.y);
  tensors.check_dtypes({x, y}, kFloats);
  check_dtype(tensors[mask], "mask", kBools);
  tensors.check_views();
  check_mask(tensors, mask, x);
  tensors.check_shape(y, tensors[x].shape, "x has shape");
  check_triangle(tensors[x], "x", triangle);
  const std::size_t last = tensors[x].shape.size() - 1;
  return staged_executor(
      kName, tensors,
      [=, execution = runtime::execution()](const TensorParameters::BoundTensors& bound, Staging& staging) {
        Kernels kernels;
        const Tensor attn_mask = mask_for(kName, *bound[mask], bound[x]->shape, triangle, kernels, staging);
        RowCall call = softmax_call({kName, Softmax::kPlain, last, execution}, "softmax/softmax_masked", *bound[y]);
        call.rows_in_registers = true;
        add_mask(call, true);
        add_factor(call, scale);
        call.operands = {operand_along(*bound[x], last, Access::kRead), operand_along(attn_mask, last, Access::kRead),
                         operand_along(*bound[y], last, Access::kReadWrite)};
        append(kernels, row_kernels(call, execution));
        return kernels;
      });
}

/// The gradient of x from that of y and from y; 0 for masked elements.
std::shared_ptr<Executor> plan(const ScaledMaskedSoftmaxBackwardArgs& args) {
  const double scale = args.scale;
  const bool triangle = args.fixTriuMask;
  constexpr const char* kName = "aclnnScaledMaskedSoftmaxBackward";
  TensorParameters tensors;
  const ParamId gradient = tensors.input(args.gradOutput);
  const ParamId y = tensors.input(args.y);
  const ParamId mask = tensors.input(args.mask);
  const ParamId out = tensors.output(args.out);
  tensors.check_dtypes({gradient, y, out}, kFloats);
  check_dtype(tensors[mask], "mask", kBools);
  tensors.check_views();
  tensors.check_shape(y, tensors[gradient].shape, "gradOutput has shape");
  check_mask(tensors, mask, y);
  tensors.check_shape(out, tensors[gradient].shape, "gradOutput has shape");
  check_triangle(tensors[y], "y", triangle);
  const std::size_t last = tensors[y].shape.size() - 1;
  return staged_executor(
      kName, tensors,
      [=, execution = runtime::execution()](const TensorParameters::BoundTensors& bound, Staging& staging) {
        Kernels kernels;
        const Tensor attn_mask = mask_for(kName, *bound[mask], bound[y]->shape, triangle, kernels, staging);
        RowCall call =
            softmax_call({kName, Softmax::kPlain, last, execution}, "softmax/softmax_backward_masked", *bound[out]);
        add_factor(call, scale);
        call.operands = {operand_along(*bound[gradient], last, Access::kRead),
                         operand_along(*bound[y], last, Access::kRead), operand_along(attn_mask, last, Access::kRead),
                         operand_along(*bound[out], last, Access::kWrite)};
        append(kernels, row_kernels(call, execution));
        return kernels;
      });
}

namespace {

/// The sizes of windowed attention (Swin Transformer), with x as (B, W, N, S1, S2).
struct Windows {
  std::int64_t count;  ///< W
  Shape split;         ///< the shape of x with the first dim split in batch and windows
};

bool is_one_of(const Shape& shape, std::initializer_list<Shape> expected) {
  return std::find(expected.begin(), expected.end(), shape) != expected.end();
}

Windows check_windows(const TensorParameters& tensors, ParamId x, ParamId mask, ParamId bias) {
  const Shape& shape = tensors[x].shape;
  check(shape.size() == 4 || shape.size() == 5, Code::kNnInvalid,
        "x has shape {}; (B, W, N, S1, S2) or (B * W, N, S1, S2) is expected.", shape);
  const std::int64_t heads = shape[shape.size() - 3];
  const std::int64_t rows = shape[shape.size() - 2];
  const std::int64_t columns = shape.back();
  check(
      is_one_of(tensors[bias].shape, {{heads, rows, columns}, {1, heads, rows, columns}, {1, 1, heads, rows, columns}}),
      Code::kNnInvalid, "relativePosBias has shape {}; ({}, {}, {}) is expected for x with shape {}.",
      tensors[bias].shape, heads, rows, columns, shape);
  std::int64_t windows = shape.size() == 5 ? shape[1] : 1;
  if (tensors.has(mask)) {
    const Shape& given = tensors[mask].shape;
    if (shape.size() == 4 && given.size() >= 3) windows = given.size() == 5 ? given[1] : given[0];
    check(is_one_of(given, {{windows, rows, columns}, {windows, 1, rows, columns}, {1, windows, 1, rows, columns}}),
          Code::kNnInvalid, "attenMask has shape {}; ({}, {}, {}) is expected for x with shape {}.", given, windows,
          rows, columns, shape);
  }
  check(shape.size() == 5 || (windows > 0 && shape[0] % windows == 0), Code::kNnInvalid,
        "x has shape {}; a first dim that is a multiple of {}, the number of windows, is expected.", shape, windows);
  const std::int64_t batch = shape.size() == 5 ? shape[0] : shape[0] / windows;
  return {windows, {batch, windows, heads, rows, columns}};
}

/// Returns a view of matrices that differ along `dim` of the split shape and broadcast along its other leading dims.
Tensor by_matrix(const Tensor& tensor, const Shape& split, std::size_t dim) {
  Shape strides(split.size(), 0);
  const std::size_t rank = tensor.shape.size();
  strides[3] = tensor.strides[rank - 2];
  strides[4] = tensor.strides[rank - 1];
  // The only leading dim with several elements is that of the windows or of the heads.
  for (std::size_t i = 0; i + 2 < rank; ++i) {
    if (tensor.shape[i] == split[dim] && tensor.shape[i] > 1) strides[dim] = tensor.strides[i];
  }
  Tensor view = tensor;
  view.shape = split;
  view.strides = strides;
  return view;
}

}  // namespace

/// aclnnMaskedSoftmaxWithRelPosBias: softmax(x * scale + mask + bias) along the last dim. x is (B, W, N, S, S) or (B *
/// W, N, S, S), the bias (N, S, S), and the mask, which may be NULL, (W, S, S).
std::shared_ptr<Executor> plan(const MaskedSoftmaxWithRelPosBiasArgs& args) {
  const double scale = args.scaleValue;
  const std::int64_t precision = args.innerPrecisionMode;
  constexpr const char* kName = "aclnnMaskedSoftmaxWithRelPosBias";
  TensorParameters tensors;
  const ParamId x = tensors.input(args.x);
  const ParamId mask = tensors.optional_input(args.attenMaskOptional);
  const ParamId bias = tensors.input(args.relativePosBias);
  const ParamId out = tensors.output(args.out);
  tensors.check_all(kFloats);
  const Windows windows = check_windows(tensors, x, mask, bias);
  tensors.check_shape(out, tensors[x].shape, "x has shape");
  check(precision == 0 || precision == 1, Code::kNnInvalid, "innerPrecisionMode is {}; expected 0 or 1.", precision);
  return staged_executor(
      kName, tensors, [=, execution = runtime::execution()](const TensorParameters::BoundTensors& bound, Staging&) {
        const auto with_windows = [&](const Tensor& tensor) {
          return tensor.shape.size() == 5 ? tensor : unflattened(tensor, 0, windows.count);
        };
        constexpr std::size_t kLast = 4;
        const Tensor input = with_windows(*bound[x]);
        const Tensor result = with_windows(*bound[out]);
        const Tensor position_bias = by_matrix(*bound[bias], windows.split, 2);
        // Without a mask the position bias is the placeholder of its operand.
        const Tensor attn_mask = bound[mask] ? by_matrix(*bound[mask], windows.split, 1) : position_bias;
        RowCall call = softmax_call({kName, Softmax::kPlain, kLast, execution}, "softmax/softmax_biased", result);
        call.rows_in_registers = true;
        add_mask(call, bound[mask] != nullptr);
        add_factor(call, scale);
        call.operands = {operand_along(input, kLast, Access::kRead), operand_along(attn_mask, kLast, Access::kRead),
                         operand_along(position_bias, kLast, Access::kRead),
                         operand_along(result, kLast, Access::kReadWrite)};
        return row_kernels(call, execution);
      });
}

}  // namespace aclvk::ops
