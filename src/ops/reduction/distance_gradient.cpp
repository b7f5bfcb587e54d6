#include "ops/reduction/distance_gradient.hpp"

#include <cmath>

#include "base/error.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/rows.hpp"
#include "ops/reduction/distance.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/shape/matrix_view.hpp"
#include "reduction/distance_gradient.args.h"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;
using BoundTensors = TensorParameters::BoundTensors;
using ParamId = TensorParameters::ParamId;

ARGUMENT_STRUCT(DistanceGradientArguments, DISTANCE_GRADIENT_ARGUMENTS);
CONSTANT_STRUCT(DistanceGradientConstants, DISTANCE_GRADIENT_CONSTANTS);

constexpr const char* kName = "aclnnCdistBackward";

/// kNorm of distance_gradient.comp.
std::uint32_t norm_of(double exponent) {
  constexpr std::uint32_t kZero = 1;
  constexpr std::uint32_t kOne = 2;
  constexpr std::uint32_t kTwo = 3;
  constexpr std::uint32_t kMax = 4;
  if (exponent == 0) return kZero;
  if (exponent == 1) return kOne;
  if (exponent == 2) return kTwo;
  return std::isinf(exponent) ? kMax : 0;
}

struct CdistGradient {
  TensorParameters tensors{};
  ParamId gradient{};
  ParamId x1{};
  ParamId x2{};
  ParamId distances{};
  ParamId out{};
  double exponent;

  explicit CdistGradient(const CdistGradientHandles& handles) : exponent(handles.exponent) {
    gradient = tensors.input(handles.gradient);
    x1 = tensors.input(handles.first);
    x2 = tensors.input(handles.second);
    distances = tensors.input(handles.distances);
    out = tensors.output(handles.out);
  }

  void check_all() const {
    check_dtype(tensors[x1], "x1", dtypes_of(kName).inputs);
    for (const ParamId id : {gradient, x2, distances, out}) {
      check_same_dtype(tensors[id], tensors.name(id), tensors[x1], "x1");
    }
    tensors.check_views();
    const Shape shape = check_rows(tensors[x1], tensors[x2]);
    tensors.check_shape(gradient, shape, "the distances have shape");
    tensors.check_shape(distances, shape, "the distances have shape");
    const Shape& given = tensors[out].shape;
    const Shape each = shape_of_each();
    check(given == tensors[x1].shape || given == each, Code::kNnInvalid,
          "out has shape {}; x1 has shape {}, or {} for all of grad.", given, tensors[x1].shape, each);
    check_exponent(exponent);
  }

  /// The shape of x1 with the broadcast leading dims.
  Shape shape_of_each() const {
    Shape shape = batch_of(tensors[gradient]);
    const Shape& rows = tensors[x1].shape;
    shape.append(rows.end() - 2, rows.end());
    return shape;
  }
};

void add_operand(RowCall& call, const Tensor& matrices, std::int64_t of_row, std::int64_t of_column,
                 std::int64_t step) {
  RowOperand operand = row_operand(matrices, Access::kRead);
  operand.strides = Shape(matrices.strides.begin(), matrices.strides.end() - 2);
  operand.strides.push_back(of_row);
  operand.strides.push_back(of_column);
  operand.step = step;
  operand.scalar_access = step == 0;
  call.operands.push_back(operand);
}

Kernels gradient_kernels(const CdistGradient& at, const BoundTensors& bound, const Tensor& out) {
  const Shape batch = batch_of(out);
  const Tensor& gradient = *bound[at.gradient];
  const Tensor& distances = *bound[at.distances];
  const Tensor x1 = with_batch(*bound[at.x1], batch);
  const Tensor x2 = with_batch(*bound[at.x2], batch);
  const std::size_t row = batch.size();
  const std::size_t column = row + 1;
  RowCall call;
  call.name = kName;
  call.shader = "reduction/distance_gradient_f32";
  DistanceGradientArguments arguments;
  arguments.exponent = static_cast<float>(at.exponent);
  add_arguments(call, arguments);
  DistanceGradientConstants constants;
  constants.kNorm = norm_of(at.exponent);
  add_constants(call, constants);
  call.rows = out.shape;
  call.count = x2.shape[row];
  // A row of the kernel is an element of x1, and its elements are the vectors of x2.
  add_operand(call, gradient, gradient.strides[row], 0, gradient.strides[column]);
  add_operand(call, x2, 0, x2.strides[column], x2.strides[row]);
  add_operand(call, distances, distances.strides[row], 0, distances.strides[column]);
  add_operand(call, x1, x1.strides[row], x1.strides[column], 0);
  RowOperand result = row_operand(out, Access::kWrite);
  result.strides = out.strides;
  call.operands.push_back(result);
  return row_kernels(call, runtime::execution());
}

/// The dims in which x1 is broadcast.
DimMask repeated_dims(const Shape& each, const Shape& x1) {
  DimMask dims = 0;
  const std::size_t more = each.size() - x1.size();
  for (std::size_t i = 0; i < each.size(); ++i) {
    if (i < more || each[i] != x1[i - more]) dims |= 1U << i;
  }
  return dims;
}

Kernels summed_gradient_kernels(const CdistGradient& at, const BoundTensors& bound, const Shape& each,
                                const Tensor& out, Staging& staging) {
  // A broadcast x1 receives the sum over the dims in which it was repeated.
  const Tensor parts = staging.make(each, DType::kFloat);
  Kernels kernels = gradient_kernels(at, bound, parts);
  append(kernels,
         reduce_kernels(kName, ReduceKind::kSum, DType::kFloat, parts, repeated_dims(each, out.shape), out, staging));
  return kernels;
}

}  // namespace

std::shared_ptr<Executor> plan_cdist_gradient(const CdistGradientHandles& handles) {
  const CdistGradient at(handles);
  at.check_all();
  const Shape each = at.shape_of_each();
  return staged_executor(kName, at.tensors, [=](const BoundTensors& bound, Staging& staging) {
    bound.check_disjoint({at.out}, {at.gradient, at.x1, at.x2, at.distances});
    const Tensor& out = *bound[at.out];
    if (bound[at.gradient]->empty()) return fill_kernels(kName, out, Element{});
    return out.shape == each ? gradient_kernels(at, bound, out)
                             : summed_gradient_kernels(at, bound, each, out, staging);
  });
}

}  // namespace aclvk::ops
