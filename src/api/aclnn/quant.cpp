// Quantisation (ops/quant).
#include "api/aclnn/operator.hpp"
#include "ops/quant/gelu_quant.hpp"

extern "C" {

OPERATOR(aclnnGeluQuant, aclvk::ops::plan_gelu_quant({self, inputScaleOptional, inputOffsetOptional, approximate,
                                                      quantMode, roundMode, dstType, y, outScaleOptional}))

}  // extern "C"
