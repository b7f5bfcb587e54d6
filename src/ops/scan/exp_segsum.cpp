#include "base/error.hpp"
#include "ops/args/scan.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/scan/scan.hpp"
#include "ops/shape/triangle.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

/// Returns the shape of the result: each row of n elements makes a matrix of n rows and columns.
Shape segment_shape(const Tensor& self, const char* self_name) {
  check(!self.shape.empty() && self.shape.size() < kMaxRank, Code::kNnInvalid,
        "{} has {} dimensions; expected 1 to {}.", self_name, self.shape.size(), kMaxRank - 1);
  Shape shape = self.shape;
  shape.push_back(self.shape.back());
  return shape;
}

/// Running sums down the columns of a matrix whose column j has the elements after j are the sums of segments: no
/// difference of two long sums loses digits.
Kernels segment_kernels(const char* name, const Tensor& self, const Tensor& out, Staging& staging) {
  const std::size_t rank = out.shape.size();
  const Tensor columns = repeated(self, rank - 1, out.shape.back());
  const Tensor terms = staging.make(out.shape, self.dtype);
  const Tensor sums = staging.make(out.shape, DType::kFloat);
  Kernels kernels = triangle_kernels(name, Triangle::kLower, columns, -1, terms);
  append(kernels, running_sum_kernels(name, terms, sums, rank - 2, staging));
  append(kernels, pointwise_kernels(name, row_of(UnaryOp::kExp), DType::kFloat, {&sums}, out));
  append(kernels, triangle_kernels(name, Triangle::kLower, out, 0, out));
  return kernels;
}

}  // namespace

/// The exponential of the sum of each segment of a row: element (i, j) is that of the elements after j up to i.
std::shared_ptr<Executor> plan(const ExpSegsumArgs& args) {
  const char* name = args.kOperator;
  TensorParameters tensors;
  const ParamId self = tensors.input(args.self);
  const ParamId out = tensors.output(args.out);
  tensors.check_dtypes(dtypes_of(name));
  check_same_dtype(tensors[out], tensors.name(out), tensors[self], tensors.name(self));
  tensors.check_views();
  tensors.check_shape(out, segment_shape(tensors[self], tensors.name(self)),
                      "each row of self makes a square, so expected is");
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    bound.check_disjoint({out}, {self});
    return segment_kernels(name, *bound[self], *bound[out], staging);
  });
}

}  // namespace aclvk::ops
