#include "api/aclnn_phases.hpp"
#include "ops/linalg/cross.hpp"

// The parameters of every operator as the tables have them, and the public prototypes: a definition below that differs
// does not compile.
#include "aclnn_parameters.inc"
#include "aclnnop_all.h"

extern "C" {

PLAN(aclnnLinalgCross, aclvk::ops::plan_linalg_cross(self, other, dim, out), ACLVK_PARAMETERS_aclnnLinalgCross)

}  // extern "C"
