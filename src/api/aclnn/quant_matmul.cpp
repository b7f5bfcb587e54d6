// Products with quantised factors (ops/matmul).
#include "api/aclnn/operator.hpp"
#include "ops/matmul/formats/nibbles.hpp"
#include "ops/matmul/quantised/quant.hpp"
#include "ops/matmul/quantised/quant_word.hpp"

using namespace aclvk::ops;

#define LEFT(parameter) \
  { #parameter, parameter }
#define NAMED(parameter) \
  NamedHandle { parameter, #parameter }
#define PRODUCT(name, bias, transposes_x1, transposes_x2, ...) \
  OPERATOR(name, plan_quant_matmul({#name, x1, x2, bias, transposes_x1, transposes_x2, out, __VA_ARGS__}))
#define PRODUCT_OF_SCALES(name)                                                                  \
  PRODUCT(name, NAMED(bias), transposeX1, transposeX2,                                           \
          {NAMED(x2Scale), 1, NAMED(yOffset), NAMED(x1Scale), QuantOrder::kRowScale, groupSize}, \
          {LEFT(yScale), LEFT(x1Offset), LEFT(x2Offset)})
#define FUSED(name)                                                                                                   \
  PRODUCT(name, NAMED(biasOptional), false, false,                                                                    \
          {NAMED(x2Scale), 1, {}, NAMED(x1Scale), QuantOrder::kRowScale, groupSizeOptional},                          \
          {LEFT(yScaleOptional), LEFT(x1OffsetOptional), LEFT(x2OffsetOptional), LEFT(yOffsetOptional)}, fusedOpType, \
          NAMED(x3Optional))

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
         plan_scalar_quant_matmul({x1, x2, diagonalMatrix, addOffset, mulScale, bias, transposeX1, transposeX2,
                                   antiquantScale, antiquantOffset, out},
                                  {LEFT(deqOffset), LEFT(deqScale)}))

PRODUCT(aclnnQuantMatmul, NAMED(bias), false, false, {{}, deqScale, {}, {}, QuantOrder::kBias})
PRODUCT(aclnnQuantMatmulV2, NAMED(bias), adjX1, adjX2, {NAMED(deqScale), 1, {}, {}, QuantOrder::kBias})
PRODUCT(aclnnQuantMatmulV3, NAMED(bias), transposeX1, transposeX2, {NAMED(scale), 1, NAMED(offset)})
PRODUCT(aclnnQuantMatmulV4, NAMED(bias), transposeX1, transposeX2,
        {NAMED(scale), 1, NAMED(offset), NAMED(pertokenScaleOptional)})
PRODUCT_OF_SCALES(aclnnQuantMatmulV5)
PRODUCT_OF_SCALES(aclnnQuantMatmulWeightNz)
FUSED(aclnnFusedQuantMatmul)
FUSED(aclnnFusedQuantMatmulWeightNz)
OPERATOR(aclnnQuantMatmulDequant,
         plan_quant_matmul_dequant({x, weight, weightScale, biasOptional, xScaleOptional, xOffsetOptional,
                                    smoothScaleOptional, xQuantMode, transposeWeight, out}))
OPERATOR(aclnnBatchMatmulQuant, plan_batch_matmul_quant({x1, x2, quantParam, bias, transposeX1, transposeX2, out}))
OPERATOR(aclnnQuantMatmulReduceSumWeightNz,
         plan_quant_matmul_sum({x1, x2, x1Scale, x2Scale, transposeX1, transposeX2, groupSize, dims, keepDims, out},
                               {LEFT(yScale), LEFT(x1Offset), LEFT(x2Offset), LEFT(yOffset), LEFT(bias)}))
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
