#include "ops/loss/reduced.hpp"

#include "base/error.hpp"

namespace aclvk::ops {

LossReduction checked_reduction(std::int64_t reduction) {
  check(reduction >= 0 && reduction <= 2, Code::kNnInvalid, "reduction is {}; 0 (none), 1 (mean) and 2 (sum) exist.",
        reduction);
  return static_cast<LossReduction>(reduction);
}

void check_loss_shape(const Tensor& out, const char* name, const Shape& elements, LossReduction reduction) {
  if (reduction == LossReduction::kNone) return check_shape(out, name, elements, "the losses have shape");
  check(out.elements() == 1, Code::kNnInvalid, "{} has shape {}; the loss of all elements is one.", name, out.shape);
}

Kernels reduce_kernels(const char* name, ReduceKind kind, DType promoted, const Tensor& elements, DimMask dims,
                       const Tensor& out, Staging& staging) {
  Reduction reduction = reduction_of(name, kind, elements, promoted, out);
  reduction.dims = dims;
  const std::int64_t count = reduced_count(elements, dims);
  reduction.argument = scalar_words(Scalar(&count, DType::kInt64), reduction.compute);
  const auto bytes = static_cast<std::int64_t>(reduction_workspace(reduction, elements, 1));
  const Tensor states = staging.make({bytes}, DType::kUint8);
  return reduction_kernels(reduction, elements, {&out}, const_cast<std::byte*>(states.address()));
}

}  // namespace aclvk::ops
