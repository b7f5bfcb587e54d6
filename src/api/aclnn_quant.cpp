#include "api/aclnn_phases.hpp"
#include "ops/quant/gelu_quant.hpp"

// The parameters of every operator as the tables have them, and the public prototypes: a definition below that differs
// does not compile.
#include "aclnn_parameters.inc"
#include "aclnnop_all.h"

extern "C" {

PLAN(aclnnGeluQuant,
     aclvk::ops::plan_gelu_quant({self, inputScaleOptional, inputOffsetOptional, approximate, quantMode, roundMode,
                                  dstType, y, outScaleOptional}),
     ACLVK_PARAMETERS_aclnnGeluQuant)

}  // extern "C"
