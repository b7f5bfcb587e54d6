// Gathers, scatters and other operators with indices (ops/index).
#include "api/aclnn/operator.hpp"
#include "ops/index/advanced_index.hpp"
#include "ops/index/compaction.hpp"
#include "ops/index/embedding_bag.hpp"
#include "ops/index/embedding_gradient.hpp"
#include "ops/index/embedding_renorm.hpp"
#include "ops/index/gather.hpp"
#include "ops/index/masked_scatter.hpp"
#include "ops/index/nd_index.hpp"
#include "ops/index/quant_scatter.hpp"
#include "ops/index/repeat_interleave.hpp"
#include "ops/index/scatter.hpp"
#include "ops/index/scatter_rows.hpp"
#include "ops/index/search.hpp"
#include "ops/index/segments.hpp"

using namespace aclvk::ops;

extern "C" {

OPERATOR(aclnnGather, plan_gather(self, dim, index, out))
OPERATOR(aclnnGatherV2, plan_gather_v2({"aclnnGatherV2", "self", "index", self, dim, index, 0, out}))
// `mode` chooses between implementations that give the same result.
OPERATOR(aclnnGatherV3, plan_gather_v2({"aclnnGatherV3", "self", "index", self, dim, index, batchDims, out}))
OPERATOR(aclnnIndexSelect, plan_index_select(self, dim, index, out))
OPERATOR(aclnnEmbedding, plan_embedding(weight, indices, out))
// scaleGradByFreq and sparse concern the gradient only.
OPERATOR(aclnnEmbeddingBag,
         plan_embedding_bag({weight, indices, offsets, perSampleWeights, output, offset2bag, bagSize, maxIndices},
                            {mode, includeLastOffset, paddingIdx}))
OPERATOR(aclnnEmbeddingRenorm, plan_embedding_renorm(selfRef, indices, maxNorm, normType))
// A paddingIdx of -1 is none: the parameter has no sign.
OPERATOR(aclnnEmbeddingDenseBackward,
         plan_embedding_gradient({"aclnnEmbeddingDenseBackward", grad, indices, static_cast<std::int64_t>(numWeights),
                                  static_cast<std::int64_t>(paddingIdx), scaleGradByFreq, out, "out"}))
OPERATOR(aclnnEmbeddingDenseGrad, plan_embedding_gradient({"aclnnEmbeddingDenseGrad", grad, indices, numWeights,
                                                           paddingIdx, scaleGradByFreq, y, "y"}))
OPERATOR(aclnnTake, plan_take(self, index, out))
OPERATOR(aclnnIndex, plan_index(self, indices, out))
OPERATOR(aclnnGatherNd, plan_gather_nd(self, indices, negativeIndexSupport, out))

// `unsafe` skips a check of the indices that is never made here: an index out of range writes nothing.
OPERATOR(aclnnIndexPutImpl, plan_index_put(selfRef, indices, values, accumulate))
OPERATOR(aclnnScatterNd, plan_scatter_nd(data, indices, updates, out))
OPERATOR(aclnnScatterNdUpdate, plan_scatter_nd_update(varRef, indices, updates))

#define SCATTER(function, source, scalar) \
  ScatterHandles { function, self, dim, index, source, scalar, out, false }
#define SCATTER_IN(function, source, scalar) \
  ScatterHandles { function, selfRef, dim, index, source, scalar, nullptr, true }
OPERATOR(aclnnScatter, plan_scatter(SCATTER("aclnnScatter", src, false), reduce))
OPERATOR(aclnnScatterValue, plan_scatter(SCATTER("aclnnScatterValue", value, true), reduce))
OPERATOR(aclnnScatterAdd, plan_scatter(SCATTER("aclnnScatterAdd", src, false), 1))
OPERATOR(aclnnScatterReduce, plan_scatter_reduce(SCATTER("aclnnScatterReduce", src, false), reduce, includeSelf))
OPERATOR(aclnnInplaceScatter, plan_scatter(SCATTER_IN("aclnnInplaceScatter", src, false), reduce))
OPERATOR(aclnnInplaceScatterValue, plan_scatter(SCATTER_IN("aclnnInplaceScatterValue", value, true), reduce))
OPERATOR(aclnnInplaceScatterReduce,
         plan_scatter_reduce(SCATTER_IN("aclnnInplaceScatterReduce", src, false), reduce, includeSelf))

OPERATOR(aclnnIndexAdd, plan_index_add({"aclnnIndexAdd", "self", self, dim, index, source, out, false}, alpha))
// `mode` chooses between implementations that give the same result.
OPERATOR(aclnnIndexAddV2, plan_index_add({"aclnnIndexAddV2", "self", self, dim, index, source, out, false}, alpha))
OPERATOR(aclnnIndexCopy, plan_index_copy({"aclnnIndexCopy", "selfRef", selfRef, dim, index, source, outRef, false}))
OPERATOR(aclnnInplaceIndexCopy,
         plan_index_copy({"aclnnInplaceIndexCopy", "selfRef", selfRef, dim, index, source, nullptr, true}))
OPERATOR(aclnnIndexFill, plan_index_fill({"aclnnIndexFill", "self", self, dim, index, nullptr, out, false}, value))
OPERATOR(aclnnInplaceIndexFill,
         plan_index_fill({"aclnnInplaceIndexFill", "selfRef", selfRef, dim, index, nullptr, nullptr, true}, value))
OPERATOR(aclnnIndexFillTensor,
         plan_index_fill_array({"aclnnIndexFillTensor", "self", self, dim, index, nullptr, out, false}, value))
OPERATOR(aclnnInplaceIndexFillTensor,
         plan_index_fill_array({"aclnnInplaceIndexFillTensor", "selfRef", selfRef, dim, index, nullptr, nullptr, true},
                               value))

// useLocking has no effect: the order of the updates is fixed.
#define ROWS(name, combination) \
  OPERATOR(aclnn##name, plan_row_scatter("aclnn" #name, Combination::combination, varRef, indices, updates))
ROWS(TfScatterAdd, kAdd)
ROWS(ScatterMul, kMultiply)
ROWS(ScatterDiv, kDivide)
ROWS(ScatterMax, kMaximum)
ROWS(ScatterMin, kMinimum)

OPERATOR(aclnnInplacePut, plan_put(selfRef, index, source, accumulate))
OPERATOR(aclnnInplaceScatterUpdate, plan_scatter_update(data, indices, updates, axis))
#define QUANT_SCATTER(name) \
  { name, selfRef, indices, updates, quantScales, quantZeroPoints, axis, quantAxis, reduction }
OPERATOR(aclnnInplaceQuantScatter, plan_quant_scatter(QUANT_SCATTER("aclnnInplaceQuantScatter")))
OPERATOR(aclnnInplaceQuantScatterV2, plan_quant_scatter_v2(QUANT_SCATTER("aclnnInplaceQuantScatterV2"), roundMode))
OPERATOR(aclnnScatterList, plan_scatter_list({varRef, indice, updates, maskOptional, reduceOptional, axis}))
OPERATOR(aclnnOneHot, plan_one_hot(self, numClasses, onValue, offValue, axis, out))

#define SEARCH(function, scalar) \
  { function, "sortedSequence", sortedSequence, self, scalar, outInt32, right, sorter, out }
OPERATOR(aclnnSearchSorted, plan_search(SEARCH("aclnnSearchSorted", false)))
OPERATOR(aclnnSearchSorteds, plan_search(SEARCH("aclnnSearchSorteds", true)))
OPERATOR(aclnnBucketize, plan_bucketize(self, boundaries, outInt32, right, out))

// assumeUnique has no effect: it lets other implementations skip work.
OPERATOR(aclnnIsInTensorScalar,
         plan_is_in("aclnnIsInTensorScalar", element, "element", testElement, "testElement", false, invert, out))
OPERATOR(aclnnIsInScalarTensor,
         plan_is_in("aclnnIsInScalarTensor", testElements, "testElements", element, "element", true, invert, out))

#define REPEAT(function, has_dim, dim) \
  { function, self, has_dim, dim, outputSize, out }
OPERATOR(aclnnRepeatInterleaveInt, plan_repeat_interleave_int(REPEAT("aclnnRepeatInterleaveInt", false, 0), repeats))
OPERATOR(aclnnRepeatInterleaveIntWithDim,
         plan_repeat_interleave_int(REPEAT("aclnnRepeatInterleaveIntWithDim", true, dim), repeats))
OPERATOR(aclnnRepeatInterleave, plan_repeat_interleave(REPEAT("aclnnRepeatInterleave", false, 0), repeats))
OPERATOR(aclnnRepeatInterleaveWithDim,
         plan_repeat_interleave(REPEAT("aclnnRepeatInterleaveWithDim", true, dim), repeats))
OPERATOR(aclnnRepeatInterleaveTensor, plan_repeat_interleave_indices(repeats, outputSize, out))
OPERATOR(aclnnRepeatInterleaveGrad, plan_repeat_interleave_grad(yGrad, repeats, axis, out))

OPERATOR(aclnnMaskedSelect, plan_masked_select(self, mask, out))
OPERATOR(aclnnInplaceMaskedScatter, plan_masked_scatter(selfRef, mask, source))
OPERATOR(aclnnNonzero, plan_nonzero("aclnnNonzero", self, false, out))
OPERATOR(aclnnNonzeroV2, plan_nonzero("aclnnNonzeroV2", self, true, out))

OPERATOR(aclnnExpandIntoJaggedPermute,
         plan_jagged_permute(permute, inputOffset, outputOffset, outputSize, outputPermuteOut))
OPERATOR(aclnnThreeInterpolateBackward, plan_three_interpolate_backward(grad_x, idx, weight, m, grad_y))

}  // extern "C"
