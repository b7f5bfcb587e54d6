#include <utility>

#include "api/aclnn_operator.hpp"
#include "ops/matmul/nibbles.hpp"
#include "ops/matmul/quant.hpp"
#include "ops/matmul/quant_word.hpp"

using namespace aclvk::ops;

namespace {

QuantMatmulCall product(const char* name, const void* x1, const void* x2, Given scale, Given bias, bool transposes_x1,
                        bool transposes_x2, const void* out) {
  QuantMatmulCall call{name, x1, x2};
  call.scale = scale;
  call.bias = bias;
  call.transposes_x1 = transposes_x1;
  call.transposes_x2 = transposes_x2;
  call.out = out;
  return call;
}

QuantMatmulCall with_bias_first(QuantMatmulCall call) {
  call.order = QuantOrder::kBias;
  return call;
}

QuantMatmulCall with_number(QuantMatmulCall call, float number) {
  call.number = number;
  return call;
}

QuantMatmulCall with_offset(QuantMatmulCall call, Given offset) {
  call.offset = offset;
  return call;
}

QuantMatmulCall with_row_scale(QuantMatmulCall call, Given row_scale) {
  call.row_scale = row_scale;
  return call;
}

/// Both factors have scales, that of x1 first, and more parameters that are not built.
QuantMatmulCall with_scales(QuantMatmulCall call, Given row_scale, std::vector<LeftOut> left_out,
                            std::int64_t group_size) {
  call.order = QuantOrder::kRowScale;
  call.left_out = std::move(left_out);
  call.group_size = group_size;
  return with_row_scale(call, row_scale);
}

QuantMatmulCall fused(QuantMatmulCall call, Given x3, const char* kind) {
  call.x3 = x3;
  call.kind = kind;
  return call;
}

}  // namespace

#define LEFT(parameter) \
  { #parameter, parameter }
#define GIVEN(parameter) \
  Given { parameter, #parameter }
#define PRODUCT_OF_SCALES(name)                                                                               \
  with_offset(with_scales(product(#name, x1, x2, GIVEN(x2Scale), GIVEN(bias), transposeX1, transposeX2, out), \
                          GIVEN(x1Scale), {LEFT(yScale), LEFT(x1Offset), LEFT(x2Offset)}, groupSize),         \
              GIVEN(yOffset))
#define FUSED(name)                                                                                                 \
  fused(with_scales(product(#name, x1, x2, GIVEN(x2Scale), GIVEN(biasOptional), false, false, out), GIVEN(x1Scale), \
                    {LEFT(yScaleOptional), LEFT(x1OffsetOptional), LEFT(x2OffsetOptional), LEFT(yOffsetOptional)},  \
                    groupSizeOptional),                                                                             \
        GIVEN(x3Optional), fusedOpType)

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

OPERATOR(aclnnQuantMatmul, plan_quant_matmul(with_number(with_bias_first(product("aclnnQuantMatmul", x1, x2, {},
                                                                                 GIVEN(bias), false, false, out)),
                                                         deqScale)))
OPERATOR(aclnnQuantMatmulV2, plan_quant_matmul(with_bias_first(product("aclnnQuantMatmulV2", x1, x2, GIVEN(deqScale),
                                                                       GIVEN(bias), adjX1, adjX2, out))))
OPERATOR(aclnnQuantMatmulV3, plan_quant_matmul(with_offset(product("aclnnQuantMatmulV3", x1, x2, GIVEN(scale),
                                                                   GIVEN(bias), transposeX1, transposeX2, out),
                                                           GIVEN(offset))))
OPERATOR(aclnnQuantMatmulV4,
         plan_quant_matmul(with_row_scale(with_offset(product("aclnnQuantMatmulV4", x1, x2, GIVEN(scale), GIVEN(bias),
                                                              transposeX1, transposeX2, out),
                                                      GIVEN(offset)),
                                          GIVEN(pertokenScaleOptional))))
OPERATOR(aclnnQuantMatmulV5, plan_quant_matmul(PRODUCT_OF_SCALES(aclnnQuantMatmulV5)))
OPERATOR(aclnnQuantMatmulWeightNz, plan_quant_matmul(PRODUCT_OF_SCALES(aclnnQuantMatmulWeightNz)))
OPERATOR(aclnnFusedQuantMatmul, plan_quant_matmul(FUSED(aclnnFusedQuantMatmul)))
OPERATOR(aclnnFusedQuantMatmulWeightNz, plan_quant_matmul(FUSED(aclnnFusedQuantMatmulWeightNz)))
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
