#include "api/aclnn_phases.hpp"
#include "ops/index/embedding_renorm.hpp"
#include "ops/index/gather.hpp"
#include "ops/index/multi.hpp"
#include "ops/index/quant_scatter.hpp"
#include "ops/index/repeat_interleave.hpp"
#include "ops/index/scatter.hpp"
#include "ops/index/scatter_rows.hpp"
#include "ops/index/search.hpp"
#include "ops/index/segments.hpp"

// The public prototypes: a definition below that differs does not compile.
#include "aclnnop_all.h"

using namespace aclvk::ops;

// clang-format off
#define TENSOR(name) (const aclTensor*, name)
#define SCALAR(name) (const aclScalar*, name)
#define INT(name) (int64_t, name)
#define DIM (const int64_t, dim)
#define OUT (aclTensor*, out)
#define SELF_REF (aclTensor*, selfRef)

extern "C" {

PLAN(aclnnGather, plan_gather(self, dim, index, out), TENSOR(self) DIM TENSOR(index) OUT)
PLAN(aclnnGatherV2, plan_gather_v2({"aclnnGatherV2", "self", "index", self, dim, index, 0, out}),
     TENSOR(self) INT(dim) TENSOR(index) OUT)
// `mode` chooses between implementations that give the same result.
PLAN(aclnnGatherV3, plan_gather_v2({"aclnnGatherV3", "self", "index", self, dim, index, batchDims, out}),
     TENSOR(self) INT(dim) TENSOR(index) INT(batchDims) INT(mode) OUT)
PLAN(aclnnIndexSelect, plan_index_select(self, dim, index, out), TENSOR(self) INT(dim) TENSOR(index) OUT)
PLAN(aclnnEmbedding, plan_embedding(weight, indices, out), TENSOR(weight) TENSOR(indices) TENSOR(out))
PLAN(aclnnEmbeddingRenorm, plan_embedding_renorm(selfRef, indices, maxNorm, normType),
     SELF_REF TENSOR(indices) (double, maxNorm)(double, normType))
PLAN(aclnnTake, plan_take(self, index, out), TENSOR(self) TENSOR(index) OUT)
PLAN(aclnnIndex, plan_index(self, indices, out), TENSOR(self) (const aclTensorList*, indices) OUT)
PLAN(aclnnGatherNd, plan_gather_nd(self, indices, negativeIndexSupport, out),
     TENSOR(self) TENSOR(indices) (bool, negativeIndexSupport) OUT)

// `unsafe` leaves out a check of the values of indices, which is not made here: what is out of range changes nothing.
PLAN(aclnnIndexPutImpl, plan_index_put(selfRef, indices, values, accumulate),
     SELF_REF (const aclTensorList*, indices) TENSOR(values) (const bool, accumulate)(const bool, unsafe))
PLAN(aclnnScatterNd, plan_scatter_nd(data, indices, updates, out), TENSOR(data) TENSOR(indices) TENSOR(updates) OUT)
PLAN(aclnnScatterNdUpdate, plan_scatter_nd_update(varRef, indices, updates),
     (aclTensor*, varRef) TENSOR(indices) TENSOR(updates))

#define SCATTER(function, source, scalar) ScatterHandles{function, self, dim, index, source, scalar, out, false}
#define SCATTER_IN(function, source, scalar) \
  ScatterHandles{function, selfRef, dim, index, source, scalar, nullptr, true}
PLAN(aclnnScatter, plan_scatter(SCATTER("aclnnScatter", src, false), reduce),
     TENSOR(self) INT(dim) TENSOR(index) TENSOR(src) INT(reduce) OUT)
PLAN(aclnnScatterValue, plan_scatter(SCATTER("aclnnScatterValue", value, true), reduce),
     TENSOR(self) INT(dim) TENSOR(index) SCALAR(value) INT(reduce) OUT)
PLAN(aclnnScatterAdd, plan_scatter(SCATTER("aclnnScatterAdd", src, false), 1),
     TENSOR(self) INT(dim) TENSOR(index) TENSOR(src) OUT)
PLAN(aclnnScatterReduce, plan_scatter_reduce(SCATTER("aclnnScatterReduce", src, false), reduce, includeSelf),
     TENSOR(self) INT(dim) TENSOR(index) TENSOR(src) INT(reduce) (bool, includeSelf) OUT)
PLAN(aclnnInplaceScatter, plan_scatter(SCATTER_IN("aclnnInplaceScatter", src, false), reduce),
     SELF_REF INT(dim) TENSOR(index) TENSOR(src) INT(reduce))
PLAN(aclnnInplaceScatterValue, plan_scatter(SCATTER_IN("aclnnInplaceScatterValue", value, true), reduce),
     SELF_REF INT(dim) TENSOR(index) SCALAR(value) INT(reduce))
PLAN(aclnnInplaceScatterReduce,
     plan_scatter_reduce(SCATTER_IN("aclnnInplaceScatterReduce", src, false), reduce, includeSelf),
     SELF_REF INT(dim) TENSOR(index) TENSOR(src) INT(reduce) (bool, includeSelf))

PLAN(aclnnIndexAdd, plan_index_add({"aclnnIndexAdd", "self", self, dim, index, source, out, false}, alpha),
     TENSOR(self) DIM TENSOR(index) TENSOR(source) SCALAR(alpha) OUT)
// `mode` chooses between implementations that give the same result.
PLAN(aclnnIndexAddV2, plan_index_add({"aclnnIndexAddV2", "self", self, dim, index, source, out, false}, alpha),
     TENSOR(self) DIM TENSOR(index) TENSOR(source) SCALAR(alpha) INT(mode) OUT)
PLAN(aclnnIndexCopy, plan_index_copy({"aclnnIndexCopy", "selfRef", selfRef, dim, index, source, outRef, false}),
     SELF_REF INT(dim) TENSOR(index) TENSOR(source) (aclTensor*, outRef))
PLAN(aclnnInplaceIndexCopy,
     plan_index_copy({"aclnnInplaceIndexCopy", "selfRef", selfRef, dim, index, source, nullptr, true}),
     SELF_REF INT(dim) TENSOR(index) TENSOR(source))
PLAN(aclnnIndexFill, plan_index_fill({"aclnnIndexFill", "self", self, dim, index, nullptr, out, false}, value),
     TENSOR(self) INT(dim) TENSOR(index) SCALAR(value) OUT)
PLAN(aclnnInplaceIndexFill,
     plan_index_fill({"aclnnInplaceIndexFill", "selfRef", selfRef, dim, index, nullptr, nullptr, true}, value),
     SELF_REF INT(dim) TENSOR(index) SCALAR(value))
PLAN(aclnnIndexFillTensor,
     plan_index_fill_array({"aclnnIndexFillTensor", "self", self, dim, index, nullptr, out, false}, value),
     TENSOR(self) INT(dim) (const aclIntArray*, index) SCALAR(value) OUT)
PLAN(aclnnInplaceIndexFillTensor,
     plan_index_fill_array({"aclnnInplaceIndexFillTensor", "selfRef", selfRef, dim, index, nullptr, nullptr, true},
                           value),
     SELF_REF INT(dim) (const aclIntArray*, index) SCALAR(value))

#define ROW_PARAMETERS (aclTensor*, varRef) TENSOR(indices) TENSOR(updates)
// useLocking is about implementations that lock; the order of the updates is fixed here.
#define ROWS(name, combination, parameters)                                                             \
  PLAN(aclnn##name, plan_row_scatter("aclnn" #name, Combination::combination, varRef, indices, updates), \
       ROW_PARAMETERS parameters)
ROWS(TfScatterAdd, kAdd, )
ROWS(ScatterMul, kMultiply, (bool, useLocking))
ROWS(ScatterDiv, kDivide, (bool, useLocking))
ROWS(ScatterMax, kMaximum, (bool, useLocking))
ROWS(ScatterMin, kMinimum, (bool, useLocking))

PLAN(aclnnInplacePut, plan_put(selfRef, index, source, accumulate),
     SELF_REF TENSOR(index) TENSOR(source) (bool, accumulate))
PLAN(aclnnInplaceScatterUpdate, plan_scatter_update(data, indices, updates, axis),
     (aclTensor*, data) TENSOR(indices) TENSOR(updates) INT(axis))
#define QUANT_SCATTER(name) \
  {name, selfRef, indices, updates, quantScales, quantZeroPoints, axis, quantAxis, reduction}
#define QUANT_PARAMETERS                                                                                              \
  SELF_REF TENSOR(indices) TENSOR(updates) TENSOR(quantScales) TENSOR(quantZeroPoints) INT(axis) INT(quantAxis) \
  INT(reduction)
PLAN(aclnnInplaceQuantScatter, plan_quant_scatter(QUANT_SCATTER("aclnnInplaceQuantScatter")), QUANT_PARAMETERS)
PLAN(aclnnInplaceQuantScatterV2, plan_quant_scatter_v2(QUANT_SCATTER("aclnnInplaceQuantScatterV2"), roundMode),
     QUANT_PARAMETERS (const char*, roundMode))
PLAN(aclnnScatterList, plan_scatter_list({varRef, indice, updates, maskOptional, reduceOptional, axis}),
     (aclTensorList*, varRef) TENSOR(indice) TENSOR(updates) TENSOR(maskOptional) (char*, reduceOptional) INT(axis))
PLAN(aclnnOneHot, plan_one_hot(self, numClasses, onValue, offValue, axis, out),
     TENSOR(self) (int, numClasses) TENSOR(onValue) TENSOR(offValue) INT(axis) OUT)

#define SEARCH(function, scalar) \
  {function, "sortedSequence", sortedSequence, self, scalar, outInt32, right, sorter, out}
PLAN(aclnnSearchSorted, plan_search(SEARCH("aclnnSearchSorted", false)),
     TENSOR(sortedSequence) TENSOR(self) (const bool, outInt32)(const bool, right) TENSOR(sorter) OUT)
PLAN(aclnnSearchSorteds, plan_search(SEARCH("aclnnSearchSorteds", true)),
     TENSOR(sortedSequence) SCALAR(self) (const bool, outInt32)(const bool, right) TENSOR(sorter) OUT)
PLAN(aclnnBucketize, plan_bucketize(self, boundaries, outInt32, right, out),
     TENSOR(self) TENSOR(boundaries) (const bool, outInt32)(const bool, right) OUT)

// assumeUnique lets other implementations save work.
PLAN(aclnnIsInTensorScalar,
     plan_is_in("aclnnIsInTensorScalar", element, "element", testElement, "testElement", false, invert, out),
     TENSOR(element) SCALAR(testElement) (bool, assumeUnique)(bool, invert) OUT)
PLAN(aclnnIsInScalarTensor,
     plan_is_in("aclnnIsInScalarTensor", testElements, "testElements", element, "element", true, invert, out),
     SCALAR(element) TENSOR(testElements) (bool, assumeUnique)(bool, invert) OUT)

#define REPEAT(function, has_dim, dim) {function, self, has_dim, dim, outputSize, out}
PLAN(aclnnRepeatInterleaveInt, plan_repeat_interleave_int(REPEAT("aclnnRepeatInterleaveInt", false, 0), repeats),
     TENSOR(self) INT(repeats) INT(outputSize) OUT)
PLAN(aclnnRepeatInterleaveIntWithDim,
     plan_repeat_interleave_int(REPEAT("aclnnRepeatInterleaveIntWithDim", true, dim), repeats),
     TENSOR(self) INT(repeats) INT(dim) INT(outputSize) OUT)
PLAN(aclnnRepeatInterleave, plan_repeat_interleave(REPEAT("aclnnRepeatInterleave", false, 0), repeats),
     TENSOR(self) TENSOR(repeats) INT(outputSize) OUT)
PLAN(aclnnRepeatInterleaveWithDim,
     plan_repeat_interleave(REPEAT("aclnnRepeatInterleaveWithDim", true, dim), repeats),
     TENSOR(self) TENSOR(repeats) INT(dim) INT(outputSize) OUT)
PLAN(aclnnRepeatInterleaveTensor, plan_repeat_interleave_indices(repeats, outputSize, out),
     TENSOR(repeats) INT(outputSize) OUT)
PLAN(aclnnRepeatInterleaveGrad, plan_repeat_interleave_grad(yGrad, repeats, axis, out),
     TENSOR(yGrad) TENSOR(repeats) INT(axis) TENSOR(out))

PLAN(aclnnExpandIntoJaggedPermute,
     plan_jagged_permute(permute, inputOffset, outputOffset, outputSize, outputPermuteOut),
     TENSOR(permute) TENSOR(inputOffset) TENSOR(outputOffset) INT(outputSize) TENSOR(outputPermuteOut))
PLAN(aclnnThreeInterpolateBackward, plan_three_interpolate_backward(grad_x, idx, weight, m, grad_y),
     TENSOR(grad_x) TENSOR(idx) TENSOR(weight) (int, m)(aclTensor*, grad_y))

}  // extern "C"
// clang-format on
