#include "api/aclnn_phases.hpp"
#include "ops/shape/cat.hpp"
#include "ops/shape/pad.hpp"
#include "ops/shape/remaps.hpp"
#include "ops/shape/slice.hpp"
#include "ops/shape/triangle.hpp"
#include "ops/shape/view_copy.hpp"
#include "ops/shape/views.hpp"

// The public prototypes: a definition below that differs does not compile.
#include "aclnnop_all.h"

using namespace aclvk::ops;

// clang-format off
#define SELF (const aclTensor*, self)
#define OUT (aclTensor*, out)
#define INTS(name) (const aclIntArray*, name)
#define INT(name) (int64_t, name)

extern "C" {

PLAN(aclnnPermute, plan_permute(self, dims, out), SELF INTS(dims) OUT)
PLAN(aclnnExpand, plan_expand(self, size, out), SELF INTS(size) OUT)
PLAN(aclnnFlatten, plan_flatten(self, axis, out), SELF INT(axis) OUT)
PLAN(aclnnChannelShuffle, plan_channel_shuffle(self, groups, out), SELF INT(groups) OUT)
PLAN(aclnnConfusionTranspose, plan_confusion_transpose(x, perm, shape, transpose_first, out),
     (const aclTensor*, x) INTS(perm) INTS(shape) (bool, transpose_first) OUT)
PLAN(aclnnDiag, plan_diag(self, diagonal, out), SELF INT(diagonal) OUT)
PLAN(aclnnDiagFlat, plan_diag_flat(self, diagonal, out), SELF INT(diagonal) OUT)
PLAN(aclnnSplitTensor, plan_split_tensor(self, splitSections, dim, out),
     SELF (uint64_t, splitSections) INT(dim) (aclTensorList*, out))
PLAN(aclnnSplitWithSize, plan_split_with_size(self, splitSize, dim, out),
     SELF INTS(splitSize) INT(dim) (aclTensorList*, out))

PLAN(aclnnSlice, plan_slice(self, dim, start, end, step, out), SELF INT(dim) INT(start) INT(end) INT(step) OUT)
PLAN(aclnnSliceV2, plan_slice_v2(self, starts, ends, axes, steps, out),
     SELF INTS(starts) INTS(ends) INTS(axes) INTS(steps) OUT)
#define MASKS SliceMasks{beginMask, endMask, ellipsisMask, newAxisMask, shrinkAxisMask}
PLAN(aclnnStridedSlice, plan_strided_slice(self, begin, end, strides, MASKS, out),
     SELF INTS(begin) INTS(end) INTS(strides) INT(beginMask) INT(endMask) INT(ellipsisMask) INT(newAxisMask)
     INT(shrinkAxisMask) OUT)
PLAN(aclnnStridedSliceAssignV2, plan_strided_slice_assign(varRef, inputValue, begin, end, strides, axesOptional),
     (aclTensor*, varRef)(const aclTensor*, inputValue) INTS(begin) INTS(end) INTS(strides) INTS(axesOptional))

#define TENSORS (const aclTensorList*, tensors)
PLAN(aclnnCat, plan_cat(tensors, dim, out), TENSORS INT(dim) OUT)
PLAN(aclnnStack, plan_stack(tensors, dim, out), TENSORS INT(dim) OUT)
PLAN(aclnnChunkCat, plan_chunk_cat(tensors, dim, numChunks, out), TENSORS INT(dim) INT(numChunks) OUT)

PLAN(aclnnFlip, plan_flip(self, dims, out), SELF INTS(dims) OUT)
PLAN(aclnnRoll, plan_roll(x, shifts, dims, out), (const aclTensor*, x) INTS(shifts) INTS(dims) OUT)
PLAN(aclnnRepeat, plan_repeat(self, repeats, out), SELF INTS(repeats) OUT)

#define PAD(name, dims, rule, dtypes) \
  PLAN(aclnn##name, plan_pad("aclnn" #name, PadOp::k##name, self, padding, out), SELF INTS(padding) OUT)
#include "ops/shape/pad.def"
PLAN(aclnnConstantPadNd, plan_constant_pad(self, pad, value, out), SELF INTS(pad) (const aclScalar*, value) OUT)
PLAN(aclnnIm2col, plan_im2col(self, kernelSize, dilation, padding, stride, out),
     SELF INTS(kernelSize) INTS(dilation) INTS(padding) INTS(stride) (const aclTensor*, out))

#define TRIANGLE(function, triangle) PLAN(function, plan_triangle(#function, triangle, self, diagonal, out), \
                                          SELF INT(diagonal) OUT)
#define INPLACE_TRIANGLE(function, triangle, type) \
  PLAN(function, plan_inplace_triangle(#function, triangle, selfRef, diagonal), (type, selfRef) INT(diagonal))
TRIANGLE(aclnnTril, Triangle::kLower)
TRIANGLE(aclnnTriu, Triangle::kUpper)
INPLACE_TRIANGLE(aclnnInplaceTril, Triangle::kLower, const aclTensor*)
INPLACE_TRIANGLE(aclnnInplaceTriu, Triangle::kUpper, aclTensor*)

// The scales are output by input sizes, outermost dim first; the first forms have none.
#define NEAREST(function, dims, exact, parameters, ...)                                                        \
  PLAN(function, plan_upsample_nearest(Nearest{#function, dims, exact, {__VA_ARGS__}}, self, outputSize, out), \
       SELF INTS(outputSize) parameters OUT)
#define SCALES_3D (double, scalesD)(double, scalesH)(double, scalesW)
NEAREST(aclnnUpsampleNearest1d, 1, false, , 0)
NEAREST(aclnnUpsampleNearest1dV2, 1, false, (float, scaleL), scaleL)
NEAREST(aclnnUpsampleNearest2d, 2, false, , 0, 0)
NEAREST(aclnnUpsampleNearest2dV2, 2, false, (float, scalesH)(float, scalesW), scalesH, scalesW)
NEAREST(aclnnUpsampleNearest3d, 3, false, SCALES_3D, scalesD, scalesH, scalesW)
NEAREST(aclnnUpsampleNearestExact1d, 1, true, (double, scales), scales)
NEAREST(aclnnUpsampleNearestExact2d, 2, true, (double, scalesH)(double, scalesW), scalesH, scalesW)
NEAREST(aclnnUpsampleNearestExact3d, 3, true, SCALES_3D, scalesD, scalesH, scalesW)

#define TENSOR(name) (const aclTensor*, name)
#define DESCRIBED(view) TENSOR(view) TENSOR(view##_size) TENSOR(view##_stride) TENSOR(view##_storage_offset)
PLAN(aclnnViewCopy,
     plan_view_copy({dst, dst_size, dst_stride, dst_storage_offset},
                    {src, src_size, src_stride, src_storage_offset}, dst_out),
     DESCRIBED(dst) DESCRIBED(src) TENSOR(dst_out))

}  // extern "C"
// clang-format on
