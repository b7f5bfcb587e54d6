#include "ops/foreach/foreach.hpp"

#include "api/aclnn/pointwise.hpp"

using aclvk::api::argument;
using aclvk::ops::BinaryOp;
using aclvk::ops::PowerOp;
using aclvk::ops::Scaled;
using aclvk::ops::TernaryOp;
using aclvk::ops::UnaryOp;

// Operators on lists of tensors: the rows of ops/foreach/foreach.def, and operators that fit no row.
// clang-format off
#define FOREACH(name, row, attribute)                                                                     \
  OPERATOR(aclnnForeach##name,                                                                            \
           aclvk::ops::plan_foreach("aclnnForeach" #name, aclvk::ops::row_of(row),                        \
                                    ARGUMENTS(aclnnForeach##name), attribute))
#define SCALED(name, kind)                                                                                \
  OPERATOR(aclnnForeach##name,                                                                            \
           aclvk::ops::plan_foreach_scaled("aclnnForeach" #name, Scaled::kind, ARGUMENTS(aclnnForeach##name)))

extern "C" {

#include "ops/foreach/foreach.def"

SCALED(AddcmulList, kProduct)
SCALED(AddcmulScalar, kProduct)
SCALED(AddcmulScalarList, kProduct)
SCALED(AddcdivList, kQuotient)
SCALED(AddcdivScalar, kQuotient)
SCALED(AddcdivScalarList, kQuotient)
PLANNED(aclnnForeachCopy, plan_foreach_copy)
PLANNED(aclnnForeachZeroInplace, plan_foreach_zero)
PLANNED(aclnnForeachNorm, plan_foreach_norm)
PLANNED(aclnnForeachNonFiniteCheckAndUnscale, plan_foreach_unscale)

}  // extern "C"
// clang-format on
