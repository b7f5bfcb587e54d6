// The operators of this folder.
#include <memory>

#include "ops/args/shape.hpp"
#include "ops/shape/pad.hpp"
#include "ops/shape/remaps.hpp"
#include "ops/shape/slice.hpp"
#include "ops/shape/triangle.hpp"
#include "ops/shape/view_copy.hpp"

namespace aclvk::ops {

#define PAD(name, dims, rule, dtypes)                                                   \
  std::shared_ptr<Executor> plan(const name##Args& args) {                              \
    return plan_pad(args.kOperator, PadOp::k##name, args.self, args.padding, args.out); \
  }
#include "ops/shape/pad.def"

std::shared_ptr<Executor> plan(const StridedSliceArgs& args) {
  return plan_strided_slice(
      args.self, args.begin, args.end, args.strides,
      SliceMasks{args.beginMask, args.endMask, args.ellipsisMask, args.newAxisMask, args.shrinkAxisMask}, args.out);
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
