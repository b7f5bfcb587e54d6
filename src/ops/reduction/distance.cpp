#include "ops/reduction/distance.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "ops/args/reduction.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/kernel/rows.hpp"
#include "ops/reduction/norm.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"
#include "reduction/distance.args.h"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;
using BoundTensors = TensorParameters::BoundTensors;
using ParamId = TensorParameters::ParamId;

ARGUMENT_STRUCT(DistanceArguments, DISTANCE_ARGUMENTS);
CONSTANT_STRUCT(DistanceConstants, DISTANCE_CONSTANTS);

constexpr std::int64_t kMaxMode = 2;
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 31;  // of an operand of one kernel
constexpr std::int64_t kMaxPoints = 92682;                 // keeps the number of pairs below 2^32

RowCall distance_call(const char* name, double exponent, bool pairs) {
  RowCall call;
  call.name = name;
  call.shader = "reduction/distance_f32";
  DistanceConstants constants;
  constants.kOperator = row_of_norm(exponent);
  constants.kPairs = pairs;
  add_constants(call, constants);
  return call;
}

RowOperand operand_of(const Tensor& tensor, Access access, Shape strides, std::int64_t step) {
  RowOperand operand = row_operand(tensor, access);
  operand.strides = std::move(strides);
  operand.step = step;
  operand.scalar_access = access != Access::kRead;
  return operand;
}

/// The strides of the leading dims and two more.
Shape strides_over(const Tensor& matrices, std::int64_t rows, std::int64_t columns) {
  Shape strides(matrices.strides.begin(), matrices.strides.end() - 2);
  strides.push_back(rows);
  strides.push_back(columns);
  return strides;
}

Kernels cdist_kernels(double exponent, const Tensor& x1, const Tensor& x2, const Tensor& out) {
  if (x1.shape.back() == 0) return fill_kernels("aclnnCdist", out, Element{});
  const Tensor first = with_batch(x1, batch_of(out));
  const Tensor second = with_batch(x2, batch_of(out));
  const std::size_t rank = out.shape.size();
  RowCall call = distance_call("aclnnCdist", exponent, false);
  DistanceArguments arguments;
  arguments.exponent = static_cast<float>(exponent);
  add_arguments(call, arguments);
  call.rows = out.shape;
  call.count = first.shape.back();
  call.operands = {
      // A row of the kernel is a pair of vectors. x1 varies along the rows of out and x2 along its columns.
      operand_of(first, Access::kRead, strides_over(first, first.strides[rank - 2], 0), first.strides.back()),
      operand_of(second, Access::kRead, strides_over(second, 0, second.strides[rank - 2]), second.strides.back()),
      operand_of(out, Access::kWrite, out.strides, 0)};
  return row_kernels(call, runtime::execution());
}

/// Returns whether all rows have the alignment of the first one.
bool has_aligned_rows(const Tensor& self) {
  // A line is the unit of aligned accesses of rows.glsl.
  constexpr std::int64_t kLine = 32;
  return self.strides[0] * static_cast<std::int64_t>(size_of(self.dtype)) % kLine == 0;
}

std::int64_t pairs_of(std::int64_t points) { return points < 2 ? 0 : points * (points - 1) / 2; }

/// The number of pairs per kernel. Pairs with the same first row stay in one kernel.
std::int64_t pairs_of_kernel(const Tensor& out) {
  const auto bytes = static_cast<std::int64_t>(size_of(out.dtype)) * std::max<std::int64_t>(out.strides[0], 1);
  return std::max<std::int64_t>(kMaxBytes / bytes, 1);
}

Kernels pdist_kernels(const char* name, double exponent, const Tensor& self, const Tensor& out) {
  if (self.shape[1] == 0) return fill_kernels(name, out, Element{});
  const std::int64_t points = self.shape[0];
  const std::int64_t pairs = out.shape[0];
  const std::int64_t extra = points < 2 ? 0 : (points - 1) * self.strides[0];
  RowCall call = distance_call(name, exponent, true);
  call.count = self.shape[1];
  Kernels kernels;
  const std::int64_t most = pairs_of_kernel(out);
  for (std::int64_t first = 0; first < pairs; first += most) {
    call.rows = {std::min(most, pairs - first)};
    DistanceArguments arguments;
    arguments.exponent = static_cast<float>(exponent);
    arguments.points = word(points);
    arguments.step = word(self.strides[0]);
    arguments.first = word(first);
    set_arguments(call, arguments);
    RowOperand given = operand_of(self, Access::kRead, {0}, self.strides[1]);
    // The shader finds the vectors of a pair itself, so strides do not describe what it reads.
    given.extra_elements = extra;
    // The alignment of the first row has to hold for all rows, because rows.glsl derives it once.
    given.scalar_access = !has_aligned_rows(self);
    call.operands = {given, given, operand_of(sliced(out, 0, first, call.rows[0]), Access::kWrite, out.strides, 0)};
    append(kernels, row_kernels(call, runtime::execution()));
  }
  return kernels;
}

/// A call of an operator on pairs of rows.
struct Pdist {
  const char* name;
  TensorParameters tensors{};
  ParamId self{};
  ParamId out{};

  Pdist(const char* name_of_all, const InputArg& self_handle, const OutputArg& out_handle) : name(name_of_all) {
    self = tensors.input(self_handle);
    out = tensors.output(out_handle);
  }
};

void check_pairs(const Tensor& self, const Tensor& out) {
  check(self.shape.size() == 2, Code::kNnInvalid, "self has shape {}; (N, M) is expected.", self.shape);
  const std::int64_t points = self.shape[0];
  check(points <= kMaxPoints, Code::kFeatureNotSupported, "self has {} rows; up to {} are supported.", points,
        kMaxPoints);
  check_shape(out, "out", {pairs_of(points)}, "one for each pair of the rows of self has shape");
  const ByteSpan span = span_of(self);
  check(span.end - span.begin <= static_cast<std::uint64_t>(kMaxBytes), Code::kFeatureNotSupported,
        "self spans {} bytes; up to {} are supported.", span.end - span.begin, kMaxBytes);
}

std::shared_ptr<Executor> plan_pairs(const Pdist& pdist, double exponent) {
  const TensorParameters& tensors = pdist.tensors;
  check_dtype(tensors[pdist.self], "self", dtypes_of(pdist.name).inputs);
  check_same_dtype(tensors[pdist.out], "out", tensors[pdist.self], "self");
  tensors.check_views();
  check_pairs(tensors[pdist.self], tensors[pdist.out]);
  check_exponent(exponent);
  return staged_executor(
      pdist.name, tensors,
      [name = pdist.name, self = pdist.self, out = pdist.out, exponent](const BoundTensors& bound, Staging&) {
        bound.check_disjoint({out}, {self});
        return pdist_kernels(name, exponent, *bound[self], *bound[out]);
      });
}

}  // namespace

Shape check_rows(const Tensor& x1, const Tensor& x2) {
  check(x1.shape.size() >= 2, Code::kNnInvalid, "x1 has shape {}; (.., P, M) is expected.", x1.shape);
  check(x2.shape.size() >= 2, Code::kNnInvalid, "x2 has shape {}; (.., R, M) is expected.", x2.shape);
  check(x1.shape.back() == x2.shape.back(), Code::kNnInvalid,
        "x1 has shape {} and x2 {}; rows of the same length are expected.", x1.shape, x2.shape);
  const auto batch = broadcast(batch_of(x1), batch_of(x2));
  check(batch.has_value(), Code::kNnInvalid, "x1 has shape {} and x2 {}; dims before the last two do not broadcast.",
        x1.shape, x2.shape);
  Shape shape = *batch;
  shape.push_back(x1.shape[x1.shape.size() - 2]);
  shape.push_back(x2.shape[x2.shape.size() - 2]);
  return shape;
}

void check_exponent(double exponent) {
  check(exponent >= 0, Code::kNnInvalid, "p is {}; a number that is not negative is expected.", exponent);
}

/// aclnnCdist: out[.., i, j] is the distance of row i of x1 and row j of x2. `mode` is torch's compute_mode.
std::shared_ptr<Executor> plan(const CdistArgs& args) {
  const double exponent = args.p;
  const std::int64_t mode = args.compute_mode;
  constexpr const char* kName = "aclnnCdist";
  TensorParameters tensors;
  const ParamId x1 = tensors.input(args.x1);
  const ParamId x2 = tensors.input(args.x2);
  const ParamId out = tensors.output(args.out);
  check_dtype(tensors[x1], "x1", dtypes_of(kName).inputs);
  check_same_dtype(tensors[x2], "x2", tensors[x1], "x1");
  check_same_dtype(tensors[out], "out", tensors[x1], "x1");
  tensors.check_views();
  tensors.check_shape(out, check_rows(tensors[x1], tensors[x2]), "the distances have shape");
  check_exponent(exponent);
  check(mode >= 0 && mode <= kMaxMode, Code::kNnInvalid, "compute_mode is {}; expected 0 to {}.", mode, kMaxMode);
  return staged_executor(kName, tensors, [=](const BoundTensors& bound, Staging&) {
    bound.check_disjoint({out}, {x1, x2});
    return cdist_kernels(exponent, *bound[x1], *bound[x2], *bound[out]);
  });
}

/// aclnnPdist: the distances of the rows of self, (0, 1), (0, 2), ... (1, 2), ...
std::shared_ptr<Executor> plan(const PdistArgs& args) {
  const double exponent = args.p;
  return plan_pairs(Pdist("aclnnPdist", args.self, args.out), exponent);
}

/// aclnnPdistForward: the exponent is an aclScalar.
std::shared_ptr<Executor> plan(const PdistForwardArgs& args) {
  const Pdist pdist("aclnnPdistForward", args.self, args.out);
  const ScalarPtr exponent = required_scalar(args.pScalar);
  check(kind_of(exponent->dtype()) != Kind::kComplex, Code::kNnInvalid,
        "pScalar has dtype {}; a norm's exponent is real.", exponent->dtype());
  return plan_pairs(pdist, exponent->to_double());
}

}  // namespace aclvk::ops
