// Views, copies, joins and other changes of shape (ops/shape).
#include "api/aclnn/operator.hpp"
#include "ops/shape/cat.hpp"
#include "ops/shape/pad.hpp"
#include "ops/shape/remaps.hpp"
#include "ops/shape/slice.hpp"
#include "ops/shape/triangle.hpp"
#include "ops/shape/view_copy.hpp"
#include "ops/shape/views.hpp"

using namespace aclvk::ops;

extern "C" {

OPERATOR(aclnnPermute, plan_permute(self, dims, out))
OPERATOR(aclnnExpand, plan_expand(self, size, out))
OPERATOR(aclnnFlatten, plan_flatten(self, axis, out))
OPERATOR(aclnnChannelShuffle, plan_channel_shuffle(self, groups, out))
OPERATOR(aclnnConfusionTranspose, plan_confusion_transpose(x, perm, shape, transpose_first, out))
OPERATOR(aclnnDiag, plan_diag(self, diagonal, out))
OPERATOR(aclnnDiagFlat, plan_diag_flat(self, diagonal, out))
OPERATOR(aclnnSplitTensor, plan_split_tensor(self, splitSections, dim, out))
OPERATOR(aclnnSplitWithSize, plan_split_with_size(self, splitSize, dim, out))

OPERATOR(aclnnSlice, plan_slice(self, dim, start, end, step, out))
OPERATOR(aclnnSliceV2, plan_slice_v2(self, starts, ends, axes, steps, out))
#define MASKS \
  SliceMasks { beginMask, endMask, ellipsisMask, newAxisMask, shrinkAxisMask }
OPERATOR(aclnnStridedSlice, plan_strided_slice(self, begin, end, strides, MASKS, out))
OPERATOR(aclnnStridedSliceAssignV2, plan_strided_slice_assign(varRef, inputValue, begin, end, strides, axesOptional))

OPERATOR(aclnnCat, plan_cat(tensors, dim, out))
OPERATOR(aclnnStack, plan_stack(tensors, dim, out))
OPERATOR(aclnnChunkCat, plan_chunk_cat(tensors, dim, numChunks, out))

OPERATOR(aclnnFlip, plan_flip(self, dims, out))
OPERATOR(aclnnRoll, plan_roll(x, shifts, dims, out))
OPERATOR(aclnnRepeat, plan_repeat(self, repeats, out))

#define PAD(name, dims, rule, dtypes) OPERATOR(aclnn##name, plan_pad("aclnn" #name, PadOp::k##name, self, padding, out))
#include "ops/shape/pad.def"
OPERATOR(aclnnConstantPadNd, plan_constant_pad(self, pad, value, out))
OPERATOR(aclnnIm2col, plan_im2col(self, kernelSize, dilation, padding, stride, out))

#define TRIANGLE(function, triangle) OPERATOR(function, plan_triangle(#function, triangle, self, diagonal, out))
#define INPLACE_TRIANGLE(function, triangle) \
  OPERATOR(function, plan_inplace_triangle(#function, triangle, selfRef, diagonal))
TRIANGLE(aclnnTril, Triangle::kLower)
TRIANGLE(aclnnTriu, Triangle::kUpper)
INPLACE_TRIANGLE(aclnnInplaceTril, Triangle::kLower)
INPLACE_TRIANGLE(aclnnInplaceTriu, Triangle::kUpper)

// The scales are output by input sizes, outermost dim first; the first forms have none.
#define NEAREST(function, dims, exact, ...) \
  OPERATOR(function, plan_upsample_nearest(Nearest{#function, dims, exact, {__VA_ARGS__}}, self, outputSize, out))
NEAREST(aclnnUpsampleNearest1d, 1, false, 0)
NEAREST(aclnnUpsampleNearest1dV2, 1, false, scaleL)
NEAREST(aclnnUpsampleNearest2d, 2, false, 0, 0)
NEAREST(aclnnUpsampleNearest2dV2, 2, false, scalesH, scalesW)
NEAREST(aclnnUpsampleNearest3d, 3, false, scalesD, scalesH, scalesW)
NEAREST(aclnnUpsampleNearestExact1d, 1, true, scales)
NEAREST(aclnnUpsampleNearestExact2d, 2, true, scalesH, scalesW)
NEAREST(aclnnUpsampleNearestExact3d, 3, true, scalesD, scalesH, scalesW)

OPERATOR(aclnnViewCopy, plan_view_copy({dst, dst_size, dst_stride, dst_storage_offset},
                                       {src, src_size, src_stride, src_storage_offset}, dst_out))

}  // extern "C"
