// Normalisations of channels over a batch, and their gradients (ops/norm/batch_norm.hpp).
#include "ops/norm/batch_norm.hpp"

#include "api/aclnn/operator.hpp"

using namespace aclvk::ops;

#define BATCH_NORM_BACKWARD(name)                                                                                 \
  OPERATOR(name, plan_batch_norm_backward(#name,                                                                  \
                                          {gradOut, input, weight, runningMean, runningVar, saveMean, saveInvstd, \
                                           outputMask, gradInput, gradWeight, gradBias},                          \
                                          training, eps))

extern "C" {

OPERATOR(aclnnBatchNorm, plan_batch_norm({input, weight, bias, runningMean, runningVar, output, saveMean, saveInvstd},
                                         training, momentum, eps))
BATCH_NORM_BACKWARD(aclnnBatchNormBackward)
BATCH_NORM_BACKWARD(aclnnFastBatchNormBackward)

OPERATOR(aclnnBatchNormStats, plan_batch_norm_stats(input, eps, mean, invstd))
OPERATOR(aclnnBatchNormReduce, plan_batch_norm_reduce(x, sum, squareSum))
OPERATOR(aclnnBatchNormElemt, plan_batch_norm_elemt(input, weight, bias, mean, invstd, output))
OPERATOR(aclnnBatchNormGatherStatsWithCounts,
         plan_gather_statistics("aclnnBatchNormGatherStatsWithCounts",
                                {input, mean, "mean", invstd, "invstd", counts, "counts", runningMean, "runningMean",
                                 runningVar, "runningVar", meanAll, "meanAll", invstdAll, "invstdAll"},
                                false, momentum, eps))
OPERATOR(aclnnSyncBatchNormGatherStats,
         plan_gather_statistics("aclnnSyncBatchNormGatherStats",
                                {nullptr, totalSum, "totalSum", totalSquareSum, "totalSquareSum", sampleCount,
                                 "sampleCount", mean, "mean", variance, "variance", batchMean, "batchMean", batchInvstd,
                                 "batchInvstd"},
                                true, static_cast<double>(momentum), static_cast<double>(eps)))
OPERATOR(aclnnBatchNormReduceBackward,
         plan_batch_norm_reduce_backward({gradOut, input, mean, invstd, weight, sumDy, sumDyXmu, gradWeight, gradBias},
                                         inputG, weightG, biasG))
OPERATOR(aclnnBatchNormElemtBackward,
         plan_batch_norm_elemt_backward({gradOut, input, mean, invstd, weight, sumDy, sumDyXmu, counter, gradInput}))

}  // extern "C"
