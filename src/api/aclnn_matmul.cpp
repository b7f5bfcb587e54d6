#include "api/aclnn_phases.hpp"
#include "ops/matmul/addmm.hpp"
#include "ops/matmul/einsum.hpp"
#include "ops/matmul/fractal.hpp"
#include "ops/matmul/fused.hpp"
#include "ops/matmul/matmul.hpp"
#include "ops/matmul/quant.hpp"

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

}  // namespace

#define LEFT(parameter) \
  { #parameter, parameter }
#define OPERATOR(name, make) PLAN(name, make, ACLVK_PARAMETERS_##name)
/// The tensors of out = beta * self + alpha * (first second), with the names of their parameters.
#define ADDED(name, self, first, second, out) \
  { #name, self, #self, first, #first, second, #second, out, #out }

extern "C" {

OPERATOR(aclnnMatmul, plan_matmul("aclnnMatmul", self, mat2, out, cubeMathType))
OPERATOR(aclnnMatmulWeightNz, plan_matmul("aclnnMatmulWeightNz", self, mat2, out, cubeMathType))
OPERATOR(aclnnMm, plan_ranked_matmul("aclnnMm", 2, self, mat2, out, cubeMathType))
OPERATOR(aclnnBatchMatMul, plan_ranked_matmul("aclnnBatchMatMul", 3, self, mat2, out, cubeMathType))
OPERATOR(aclnnBatchMatMulWeightNz, plan_ranked_matmul("aclnnBatchMatMulWeightNz", 3, self, mat2, out, cubeMathType))
OPERATOR(aclnnMv, plan_mv(self, vec, out, cubeMathType))
OPERATOR(aclnnDot, plan_dot(self, tensor, out))
OPERATOR(aclnnGer, plan_ger(self, vec2, out))

OPERATOR(aclnnAddmm, plan_addmm(ADDED(aclnnAddmm, self, mat1, mat2, out), 2, beta, alpha, cubeMathType))
OPERATOR(aclnnAddmmWeightNz, plan_addmm(ADDED(aclnnAddmmWeightNz, self, mat1, mat2, out), 2, beta, alpha, cubeMathType))
OPERATOR(aclnnInplaceAddmm,
         plan_addmm(ADDED(aclnnInplaceAddmm, selfRef, mat1, mat2, selfRef), 2, beta, alpha, cubeMathType))
OPERATOR(aclnnBaddbmm, plan_addmm(ADDED(aclnnBaddbmm, self, batch1, batch2, out), 3, beta, alpha, cubeMathType))
OPERATOR(aclnnInplaceBaddbmm,
         plan_addmm(ADDED(aclnnInplaceBaddbmm, selfRef, batch1, batch2, selfRef), 3, beta, alpha, cubeMathType))
OPERATOR(aclnnAddbmm, plan_addbmm(ADDED(aclnnAddbmm, self, batch1, batch2, out), beta, alpha, cubeMathType))
OPERATOR(aclnnInplaceAddbmm,
         plan_addbmm(ADDED(aclnnInplaceAddbmm, selfRef, batch1, batch2, selfRef), beta, alpha, cubeMathType))
OPERATOR(aclnnAddmv, plan_addmv(ADDED(aclnnAddmv, self, mat, vec, out), beta, alpha, cubeMathType))
OPERATOR(aclnnAddr, plan_addr(ADDED(aclnnAddr, self, vec1, vec2, out), betaOptional, alphaOptional))
OPERATOR(aclnnInplaceAddr,
         plan_addr(ADDED(aclnnInplaceAddr, selfRef, vec1, vec2, selfRef), betaOptional, alphaOptional))
OPERATOR(aclnnGemm, plan_gemm(ADDED(aclnnGemm, C, A, B, out), beta, alpha, transA != 0, transB != 0, cubeMathType))

OPERATOR(aclnnEinsum, plan_einsum(tensors, equation, output))

OPERATOR(aclnnNpuFormatCast, plan_format_cast(srcTensor, dstTensor))

OPERATOR(aclnnFusedMatmul, plan_fused_matmul(x1, x2, bias, x3, fusedOpType, cubeMathType, y))
OPERATOR(aclnnTransposeBatchMatMul,
         plan_transpose_batch_matmul({x1, x2, bias, scale, permX1, permX2, permY, cubeMathType, batchSplitFactor, out}))

OPERATOR(aclnnWeightQuantBatchMatmulV2,
         plan_weight_quant_matmul({"aclnnWeightQuantBatchMatmulV2", x, weight, antiquantScale, antiquantOffsetOptional,
                                   biasOptional, antiquantGroupSize, y},
                                  {LEFT(quantScaleOptional), LEFT(quantOffsetOptional)}))
OPERATOR(aclnnWeightQuantBatchMatmulV3,
         plan_weight_quant_matmul({"aclnnWeightQuantBatchMatmulV3", x, weight, antiquantScale, antiquantOffsetOptional,
                                   biasOptional, antiquantGroupSize, y},
                                  {LEFT(quantScaleOptional), LEFT(quantOffsetOptional)}))

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
OPERATOR(
    aclnnQuantMatmulV5,
    plan_quant_matmul({"aclnnQuantMatmulV5", x1, x2, x2Scale, "x2Scale", false, 1, yOffset, x1Scale, "x1Scale", bias,
                       transposeX1, transposeX2, out},
                      {LEFT(yScale), LEFT(x1Offset), LEFT(x2Offset), {"groupSize", groupSize == 0 ? nullptr : x1}}))

}  // extern "C"
