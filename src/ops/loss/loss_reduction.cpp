#include "ops/loss/loss_reduction.hpp"

#include "base/error.hpp"

namespace aclvk::ops {

LossReduction checked_reduction(std::int64_t reduction) {
  check(reduction >= 0 && reduction <= 2, Code::kNnInvalid, "reduction is {}; expected 0 (none), 1 (mean) or 2 (sum).",
        reduction);
  return static_cast<LossReduction>(reduction);
}

void check_loss_shape(const Tensor& out, const char* name, const Shape& elements, LossReduction reduction) {
  if (reduction == LossReduction::kNone) return check_shape(out, name, elements, "the losses have shape");
  check(out.elements() == 1, Code::kNnInvalid, "{} has shape {}; one element, the reduced loss, is expected.", name,
        out.shape);
}

}  // namespace aclvk::ops
