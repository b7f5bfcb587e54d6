#include "ops/norm/add.hpp"

#include "norm/add.args.h"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/strided.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(AddArguments, ADD_ARGUMENTS);

}  // namespace

using runtime::Access;

Kernels add_kernels(const char* name, float factor, const Tensor& x, const Tensor& y, const Tensor* z,
                    const Tensor& sum) {
  StridedCall call;
  call.name = name;
  call.shader = "norm/add_f32";
  call.promoted = DType::kFloat;
  AddArguments arguments;
  arguments.factor = factor;
  add_arguments(call, arguments);
  call.operands = {{&x, Access::kRead, false},
                   {&y, Access::kRead, false},
                   // A missing addend is the number 0 of the arguments.
                   {z ? z : &x, Access::kRead, z == nullptr},
                   {&sum, Access::kWrite, false}};
  return strided_kernels(call);
}

}  // namespace aclvk::ops
