#include "api/aclnn_phases.hpp"
#include "ops/matmul/nibbles.hpp"
#include "ops/matmul/quant.hpp"
#include "ops/matmul/quant_word.hpp"

// The parameters of every operator as the tables have them, and the public prototypes: a definition below that differs
// does not compile.
#include "aclnn_parameters.inc"
#include "aclnnop_all.h"

using namespace aclvk::ops;

namespace {

QuantMatmulCall scaled_by_number(const char* name, const void* x1, const void* x2, float scale, const void* bias,
                                 const void* out) {
  QuantMatmulCall call{name, x1, x2};
  call.has_number = true;
  call.number = scale;
  call.bias = bias;
  call.out = out;
  return call;
}

/// What follows the factors and their scales is the same for both.
QuantMatmulCall fused(QuantMatmulCall call, const void* bias, const char* kind, const void* x3, const void* out,
                      std::int64_t group_size) {
  call.bias = bias;
  call.fuses = true;
  call.kind = kind;
  call.x3 = x3;
  call.out = out;
  call.group_size = group_size;
  return call;
}

}  // namespace

#define LEFT(parameter) \
  { #parameter, parameter }
#define OPERATOR(name, make) PLAN(name, make, ACLVK_PARAMETERS_##name)

extern "C" {

OPERATOR(aclnnWeightQuantBatchMatmulV2,
         plan_weight_quant_matmul({"aclnnWeightQuantBatchMatmulV2", x, weight, antiquantScale, antiquantOffsetOptional,
                                   biasOptional, antiquantGroupSize, y},
                                  {LEFT(quantScaleOptional), LEFT(quantOffsetOptional)}))
OPERATOR(aclnnWeightQuantBatchMatmulV3,
         plan_weight_quant_matmul({"aclnnWeightQuantBatchMatmulV3", x, weight, antiquantScale, antiquantOffsetOptional,
                                   biasOptional, antiquantGroupSize, y},
                                  {LEFT(quantScaleOptional), LEFT(quantOffsetOptional)}))
OPERATOR(aclnnWeightQuantBatchMatmulNz,
         plan_weight_quant_matmul({"aclnnWeightQuantBatchMatmulNz", x, weight, antiquantScale, antiquantOffsetOptional,
                                   biasOptional, antiquantGroupSize, y},
                                  {LEFT(quantScaleOptional), LEFT(quantOffsetOptional)}))
OPERATOR(aclnnWeightQuantBatchMatmul,
         plan_number_quant_matmul({x1, x2, diagonalMatrix, addOffset, mulScale, bias, transposeX1, transposeX2,
                                   antiquantScale, antiquantOffset, out},
                                  {LEFT(deqOffset), LEFT(deqScale)}))

OPERATOR(aclnnQuantMatmul, plan_quant_matmul(scaled_by_number("aclnnQuantMatmul", x1, x2, deqScale, bias, out), {}))
OPERATOR(aclnnQuantMatmulV2, plan_quant_matmul({"aclnnQuantMatmulV2", x1, x2, deqScale, "deqScale", false, 1, nullptr,
                                                nullptr, "", bias, adjX1, adjX2, out},
                                               {}))
OPERATOR(aclnnQuantMatmulV3, plan_quant_matmul({"aclnnQuantMatmulV3", x1, x2, scale, "scale", false, 1, offset, nullptr,
                                                "", bias, transposeX1, transposeX2, out},
                                               {}))
OPERATOR(aclnnQuantMatmulV4,
         plan_quant_matmul({"aclnnQuantMatmulV4", x1, x2, scale, "scale", false, 1, offset, pertokenScaleOptional,
                            "pertokenScaleOptional", bias, transposeX1, transposeX2, out},
                           {}))
OPERATOR(aclnnQuantMatmulV5, plan_quant_matmul({"aclnnQuantMatmulV5", x1, x2, x2Scale, "x2Scale", false, 1, yOffset,
                                                x1Scale, "x1Scale", bias, transposeX1, transposeX2, out, groupSize},
                                               {LEFT(yScale), LEFT(x1Offset), LEFT(x2Offset)}))
OPERATOR(aclnnQuantMatmulWeightNz,
         plan_quant_matmul({"aclnnQuantMatmulWeightNz", x1, x2, x2Scale, "x2Scale", false, 1, yOffset, x1Scale,
                            "x1Scale", bias, transposeX1, transposeX2, out, groupSize},
                           {LEFT(yScale), LEFT(x1Offset), LEFT(x2Offset)}))
OPERATOR(aclnnFusedQuantMatmul, plan_quant_matmul(fused({"aclnnFusedQuantMatmul", x1, x2, x2Scale, "x2Scale", false, 1,
                                                         nullptr, x1Scale, "x1Scale"},
                                                        biasOptional, fusedOpType, x3Optional, out, groupSizeOptional),
                                                  {LEFT(yScaleOptional), LEFT(x1OffsetOptional), LEFT(x2OffsetOptional),
                                                   LEFT(yOffsetOptional)}))
OPERATOR(aclnnFusedQuantMatmulWeightNz,
         plan_quant_matmul(
             fused({"aclnnFusedQuantMatmulWeightNz", x1, x2, x2Scale, "x2Scale", false, 1, nullptr, x1Scale, "x1Scale"},
                   biasOptional, fusedOpType, x3Optional, out, groupSizeOptional),
             {LEFT(yScaleOptional), LEFT(x1OffsetOptional), LEFT(x2OffsetOptional), LEFT(yOffsetOptional)}))
OPERATOR(aclnnQuantMatmulDequant,
         plan_quant_matmul_dequant({x, weight, weightScale, biasOptional, xScaleOptional, xOffsetOptional,
                                    smoothScaleOptional, xQuantMode, transposeWeight, out}))
OPERATOR(aclnnBatchMatmulQuant, plan_batch_matmul_quant({x1, x2, quantParam, bias, transposeX1, transposeX2, out}))
OPERATOR(aclnnQuantMatmulReduceSumWeightNz,
         plan_quant_matmul_sum({x1, x2, x1Scale, x2Scale, transposeX1, transposeX2, dims, keepDims, out},
                               {LEFT(yScale),
                                LEFT(x1Offset),
                                LEFT(x2Offset),
                                LEFT(yOffset),
                                LEFT(bias),
                                {"groupSize", groupSize == 0 ? nullptr : x1}}))
OPERATOR(aclnnQuantBatchMatmulInplaceAdd,
         plan_quant_inplace_add({x1, x2, x1ScaleOptional, x2Scale, yRef, transposeX1, transposeX2, groupSize}))
OPERATOR(aclnnTransposeQuantBatchMatMul,
         plan_transpose_quant_matmul({"aclnnTransposeQuantBatchMatMul", x1, x2, bias, x1Scale, x2Scale, dtype,
                                      groupSize, permX1, permX2, permY, batchSplitFactor, out}))
OPERATOR(aclnnTransposeQuantBatchMatMulWeightNz,
         plan_transpose_quant_matmul({"aclnnTransposeQuantBatchMatMulWeightNz", x1, x2, bias, x1Scale, x2Scale, dtype,
                                      groupSize, permX1, permX2, permY, batchSplitFactor, out}))

OPERATOR(aclnnTransQuantParamV2, plan_quant_words("aclnnTransQuantParamV2", scale, offset, 0, out))
OPERATOR(aclnnTransQuantParamV3, plan_quant_words("aclnnTransQuantParamV3", scale, offset, roundMode, out))
OPERATOR(aclnnConvertWeightToINT4Pack, plan_pack_weight(weight, weightInt4Pack))

}  // extern "C"
