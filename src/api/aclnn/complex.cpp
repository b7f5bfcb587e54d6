// Operators on complex numbers, which are rows of the tables in ops/elementwise.
#include "ops/elementwise/complex.hpp"

#include "api/aclnn/operator.hpp"

namespace {

aclvk::ops::ComplexArgument argument(const char* name, const aclTensor* value) { return {name, value}; }

/// The list of arguments ends with a comma, as ACLVK_LIST makes it.
std::shared_ptr<aclvk::ops::Executor> plan(const char* name, aclvk::ops::ComplexOp op,
                                           const aclvk::ops::ComplexArgument (&arguments)[3]) {
  return aclvk::ops::plan_complex(name, op, arguments[0], arguments[1], arguments[2]);
}

}  // namespace

// clang-format off
#define COMPLEX(name, value) \
  OPERATOR(aclnn##name, plan("aclnn" #name, aclvk::ops::ComplexOp::k##name, {ACLVK_LIST(ACLVK_PARAMETERS_aclnn##name)}))

extern "C" {

#include "ops/elementwise/complex.def"

}  // extern "C"
// clang-format on
