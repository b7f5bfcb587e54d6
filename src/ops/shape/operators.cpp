// The operators of this folder.
#include <memory>

#include "ops/args/shape.hpp"
#include "ops/shape/cat.hpp"
#include "ops/shape/pad.hpp"
#include "ops/shape/remaps.hpp"
#include "ops/shape/slice.hpp"
#include "ops/shape/triangle.hpp"
#include "ops/shape/view_copy.hpp"
#include "ops/shape/views.hpp"

namespace aclvk::ops {

#define PAD(name, dims, rule, dtypes)                                                   \
  std::shared_ptr<Executor> plan(const name##Args& args) {                              \
    return plan_pad(args.kOperator, PadOp::k##name, args.self, args.padding, args.out); \
  }
#include "ops/shape/pad.def"

std::shared_ptr<Executor> plan(const PermuteArgs& args) { return plan_permute(args.self, args.dims, args.out); }
std::shared_ptr<Executor> plan(const ExpandArgs& args) { return plan_expand(args.self, args.size, args.out); }
std::shared_ptr<Executor> plan(const FlattenArgs& args) { return plan_flatten(args.self, args.axis, args.out); }
std::shared_ptr<Executor> plan(const ChannelShuffleArgs& args) {
  return plan_channel_shuffle(args.self, args.groups, args.out);
}
std::shared_ptr<Executor> plan(const ConfusionTransposeArgs& args) {
  return plan_confusion_transpose(args.x, args.perm, args.shape, args.transpose_first, args.out);
}
std::shared_ptr<Executor> plan(const DiagArgs& args) { return plan_diag(args.self, args.diagonal, args.out); }
std::shared_ptr<Executor> plan(const DiagFlatArgs& args) { return plan_diag_flat(args.self, args.diagonal, args.out); }
std::shared_ptr<Executor> plan(const SplitTensorArgs& args) {
  return plan_split_tensor(args.self, args.splitSections, args.dim, args.out);
}
std::shared_ptr<Executor> plan(const SplitWithSizeArgs& args) {
  return plan_split_with_size(args.self, args.splitSize, args.dim, args.out);
}
std::shared_ptr<Executor> plan(const SliceArgs& args) {
  return plan_slice(args.self, args.dim, args.start, args.end, args.step, args.out);
}
std::shared_ptr<Executor> plan(const SliceV2Args& args) {
  return plan_slice_v2(args.self, args.starts, args.ends, args.axes, args.steps, args.out);
}
std::shared_ptr<Executor> plan(const StridedSliceArgs& args) {
  return plan_strided_slice(
      args.self, args.begin, args.end, args.strides,
      SliceMasks{args.beginMask, args.endMask, args.ellipsisMask, args.newAxisMask, args.shrinkAxisMask}, args.out);
}
std::shared_ptr<Executor> plan(const StridedSliceAssignV2Args& args) {
  return plan_strided_slice_assign(args.varRef, args.inputValue, args.begin, args.end, args.strides, args.axesOptional);
}
std::shared_ptr<Executor> plan(const CatArgs& args) { return plan_cat(args.tensors, args.dim, args.out); }
std::shared_ptr<Executor> plan(const StackArgs& args) { return plan_stack(args.tensors, args.dim, args.out); }
std::shared_ptr<Executor> plan(const ChunkCatArgs& args) {
  return plan_chunk_cat(args.tensors, args.dim, args.numChunks, args.out);
}
std::shared_ptr<Executor> plan(const FlipArgs& args) { return plan_flip(args.self, args.dims, args.out); }
std::shared_ptr<Executor> plan(const RollArgs& args) { return plan_roll(args.x, args.shifts, args.dims, args.out); }
std::shared_ptr<Executor> plan(const RepeatArgs& args) { return plan_repeat(args.self, args.repeats, args.out); }
std::shared_ptr<Executor> plan(const ConstantPadNdArgs& args) {
  return plan_constant_pad(args.self, args.pad, args.value, args.out);
}
std::shared_ptr<Executor> plan(const Im2colArgs& args) {
  return plan_im2col(args.self, args.kernelSize, args.dilation, args.padding, args.stride, args.out);
}
std::shared_ptr<Executor> plan(const TrilArgs& args) {
  return plan_triangle(args.kOperator, Triangle::kLower, args.self, args.diagonal, args.out);
}
std::shared_ptr<Executor> plan(const TriuArgs& args) {
  return plan_triangle(args.kOperator, Triangle::kUpper, args.self, args.diagonal, args.out);
}
std::shared_ptr<Executor> plan(const InplaceTrilArgs& args) {
  return plan_inplace_triangle(args.kOperator, Triangle::kLower, args.selfRef, args.diagonal);
}
std::shared_ptr<Executor> plan(const InplaceTriuArgs& args) {
  return plan_inplace_triangle(args.kOperator, Triangle::kUpper, args.selfRef, args.diagonal);
}
std::shared_ptr<Executor> plan(const UpsampleNearest1dArgs& args) {
  return plan_upsample_nearest(Nearest{args.kOperator, 1, false, {0}}, args.self, args.outputSize, args.out);
}
std::shared_ptr<Executor> plan(const UpsampleNearest1dV2Args& args) {
  return plan_upsample_nearest(Nearest{args.kOperator, 1, false, {args.scaleL}}, args.self, args.outputSize, args.out);
}
std::shared_ptr<Executor> plan(const UpsampleNearest2dArgs& args) {
  return plan_upsample_nearest(Nearest{args.kOperator, 2, false, {0, 0}}, args.self, args.outputSize, args.out);
}
std::shared_ptr<Executor> plan(const UpsampleNearest2dV2Args& args) {
  return plan_upsample_nearest(Nearest{args.kOperator, 2, false, {args.scalesH, args.scalesW}}, args.self,
                               args.outputSize, args.out);
}
std::shared_ptr<Executor> plan(const UpsampleNearest3dArgs& args) {
  return plan_upsample_nearest(Nearest{args.kOperator, 3, false, {args.scalesD, args.scalesH, args.scalesW}}, args.self,
                               args.outputSize, args.out);
}
std::shared_ptr<Executor> plan(const UpsampleNearestExact1dArgs& args) {
  return plan_upsample_nearest(Nearest{args.kOperator, 1, true, {args.scales}}, args.self, args.outputSize, args.out);
}
std::shared_ptr<Executor> plan(const UpsampleNearestExact2dArgs& args) {
  return plan_upsample_nearest(Nearest{args.kOperator, 2, true, {args.scalesH, args.scalesW}}, args.self,
                               args.outputSize, args.out);
}
std::shared_ptr<Executor> plan(const UpsampleNearestExact3dArgs& args) {
  return plan_upsample_nearest(Nearest{args.kOperator, 3, true, {args.scalesD, args.scalesH, args.scalesW}}, args.self,
                               args.outputSize, args.out);
}
std::shared_ptr<Executor> plan(const ViewCopyArgs& args) {
  return plan_view_copy({args.dst, args.dst_size, args.dst_stride, args.dst_storage_offset},
                        {args.src, args.src_size, args.src_stride, args.src_storage_offset}, args.dst_out);
}

}  // namespace aclvk::ops
