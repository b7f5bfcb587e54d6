// Products of matrices (ops/matmul).
#include "ops/matmul/products/matmul.hpp"

#include "api/aclnn/operator.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/products/addmm.hpp"
#include "ops/matmul/products/einsum.hpp"
#include "ops/matmul/products/fused.hpp"
#include "ops/matmul/products/lora.hpp"
#include "ops/matmul/quantised/quant.hpp"
#include "ops/matmul/quantised/transposed.hpp"

using namespace aclvk::ops;

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
OPERATOR(aclnnTransMatmulWeight, plan_matmul_weight(mmWeightRef))

OPERATOR(aclnnFusedMatmul, plan_fused_matmul(x1, x2, bias, x3, fusedOpType, cubeMathType, y))
OPERATOR(aclnnTransposeBatchMatMul,
         plan_transpose_batch_matmul({"aclnnTransposeBatchMatMul", x1, x2, bias, scale, permX1, permX2, permY,
                                      cubeMathType, batchSplitFactor, out}))
OPERATOR(aclnnTransposeBatchMatMulWeightNz,
         plan_transpose_batch_matmul({"aclnnTransposeBatchMatMulWeightNz", x1, x2, bias, scale, permX1, permX2, permY,
                                      cubeMathType, batchSplitFactor, out}))
OPERATOR(aclnnMatmulEmuSplitWeight, plan_split_weight_matmul(x, wHigh, wLow, y, wLowScale, yDtype))
OPERATOR(aclnnAddLora,
         plan_add_lora({y, x, weightB, indices, weightAOptional, layerIdx, scale, yOffset, ySliceSize, out}))

}  // extern "C"
