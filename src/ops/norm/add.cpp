#include "ops/norm/add.hpp"

#include "ops/kernel/strided.hpp"

namespace aclvk::ops {

using runtime::Access;

Kernels add_kernels(const char* name, float factor, const Tensor& x, const Tensor& y, const Tensor* z,
                    const Tensor& sum) {
  StridedCall call;
  call.name = name;
  call.shader = "norm/add_f32";
  call.promoted = DType::kFloat;
  const double wide = factor;
  const Scalar scalar(&wide, DType::kDouble);
  call.arguments = {scalar_words(scalar, ComputeClass::kF32)[0], 0};
  call.operands = {{&x, Access::kRead, false},
                   {&y, Access::kRead, false},
                   {z ? z : &x, Access::kRead, z == nullptr},
                   {&sum, Access::kWrite, false}};
  return strided_kernels(call);
}

}  // namespace aclvk::ops
