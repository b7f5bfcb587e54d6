#include "base/error.hpp"
#include "ops/args/resample.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/kernel/strided.hpp"
#include "resample/affine_grid.args.h"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;
using runtime::Access;

ARGUMENT_STRUCT(AffineGridArguments, AFFINE_GRID_ARGUMENTS);
CONSTANT_STRUCT(AffineGridConstants, AFFINE_GRID_CONSTANTS);

/// Returns the shape of the grid: the batch, the size without channels, and the coordinates of a point.
Shape check_size(const std::vector<std::int64_t>& size, const Tensor& theta) {
  check(size.size() == 4 || size.size() == 5, Code::kNnInvalid,
        "size has {} values; expected 4 (N, C, H, W) or 5 (N, C, D, H, W).", size.size());
  const auto dims = static_cast<std::int64_t>(size.size()) - 2;
  for (const std::int64_t value : size) {
    check(value >= 0 && value <= kMaxElements, Code::kNnInvalid, "size has the value {}; expected 0 to {}.", value,
          kMaxElements);
  }
  check_shape(theta, "theta", {size[0], dims, dims + 1}, "size asks for a matrix a batch, so expected is");
  Shape shape = {size[0]};
  for (std::size_t i = 2; i < size.size(); ++i) shape.push_back(size[i]);
  shape.push_back(dims);
  return shape;
}

Kernels grid_kernels(const char* name, bool align_corners, const Tensor& theta, const Tensor& out) {
  const std::size_t dims = out.shape.size() - 2;
  StridedCall call;
  call.name = name;
  call.shader = "resample/affine_grid_f32";
  AffineGridConstants constants;
  constants.kDims = static_cast<uint>(dims);
  constants.kAlignCorners = align_corners;
  add_constants(call, constants);
  AffineGridArguments arguments;
  for (std::size_t d = 0; d < dims; ++d) arguments.sizes[d] = word(out.shape[dims - d]);
  arguments.column_step = word(theta.strides[2]);
  add_arguments(call, arguments);
  // A lane starts at a row of its matrix.
  Shape rows(out.shape.size(), 0);
  rows[0] = theta.strides[0];
  rows.back() = theta.strides[1];
  // Points count the dims between the batch and the coordinates.
  Shape points(out.shape.size(), 0);
  std::int64_t inner = 1;
  for (std::size_t dim = dims; dim > 0; inner *= out.shape[dim--]) points[dim] = inner;
  call.operands = {
      {&theta, Access::kRead, false, &rows}, {&theta, Access::kRead, true, &points}, {&out, Access::kWrite}};
  return strided_kernels(call);
}

}  // namespace

std::shared_ptr<Executor> plan(const AffineGridArgs& args) {
  const char* name = args.kOperator;
  const bool align_corners = args.alignCorners;
  TensorParameters tensors;
  const ParamId theta = tensors.input(args.theta);
  const std::vector<std::int64_t> size = required_ints(args.size);
  const ParamId out = tensors.output(args.out);
  tensors.check_dtypes(dtypes_of(name));
  check_same_dtype(tensors[out], tensors.name(out), tensors[theta], tensors.name(theta));
  tensors.check_views();
  tensors.check_shape(out, check_size(size, tensors[theta]), "size and theta make a grid of shape");
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging&) {
    return grid_kernels(name, align_corners, *bound[theta], *bound[out]);
  });
}

}  // namespace aclvk::ops
