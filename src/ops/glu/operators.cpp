// The operators of this folder.
#include <memory>

#include "ops/args/glu.hpp"
#include "ops/glu/glu.hpp"
#include "ops/glu/group.hpp"

namespace aclvk::ops {
namespace {

Half left_or_right(bool left) { return left ? Half::kFirst : Half::kSecond; }

// Operators whose arguments differ in their type alone.

template <typename Args>
std::shared_ptr<Executor> plan_group_gradient(const Args& args) {
  return plan_swiglu_group_gradient(
      args.kOperator, {args.gradY, args.x, args.weightOptional, args.yOriginOptional, args.groupIndexOptional,
                       args.clampLimit, args.gradXOut, args.gradWeightOutOptional});
}

}  // namespace

std::shared_ptr<Executor> plan(const GluArgs& args) {
  return plan_glu({args.kOperator, GluOp::kGlu, args.dim}, args.self, args.out);
}
std::shared_ptr<Executor> plan(const GluBackwardArgs& args) {
  return plan_glu_gradient({args.kOperator, GluOp::kGlu, args.dim}, args.gradOut, args.self, args.out);
}
std::shared_ptr<Executor> plan(const SwiGluArgs& args) {
  return plan_glu({args.kOperator, GluOp::kSwiGlu, args.dim}, args.x, args.out);
}
std::shared_ptr<Executor> plan(const SwiGluGradArgs& args) {
  return plan_glu_gradient({args.kOperator, GluOp::kSwiGlu, args.dim}, args.yGrad, args.x, args.out);
}
std::shared_ptr<Executor> plan(const GeGluArgs& args) {
  return plan_ge_glu(args.kOperator, {args.dim, args.approximate, Half::kSecond}, args.self, args.out, args.outGelu);
}
std::shared_ptr<Executor> plan(const GeGluV3Args& args) {
  return plan_ge_glu(args.kOperator, {args.dim, args.approximate, left_or_right(args.activateLeft)}, args.self,
                     args.out, args.outGelu);
}
std::shared_ptr<Executor> plan(const GeGluBackwardArgs& args) {
  return plan_ge_glu_gradient(args.kOperator, {args.dim, args.approximate, Half::kSecond}, args.gradOutput, args.self,
                              args.gelu, args.gradInput);
}
std::shared_ptr<Executor> plan(const GeGluV3BackwardArgs& args) {
  return plan_ge_glu_gradient(args.kOperator, {args.dim, args.approximate, left_or_right(args.activateLeft)},
                              args.gradOutput, args.self, args.gelu, args.gradInput);
}
std::shared_ptr<Executor> plan(const ClippedSwigluArgs& args) {
  return plan_clipped_swiglu(
      GluUnit{args.kOperator, GluOp::kClippedSwiglu, args.dim, {}, args.interleaved, args.alpha, args.limit, args.bias},
      args.x, args.groupIndexOptional, args.out);
}
std::shared_ptr<Executor> plan(const ClippedSwigluV2Args& args) {
  return plan_clipped_swiglu_v2(
      GluUnit{args.kOperator, GluOp::kClippedSwiglu, args.dim, {}, args.interleaved, args.alpha, args.limit, args.bias},
      args.x, args.groupIndexOptional, args.clampMode, args.out);
}
std::shared_ptr<Executor> plan(const ClippedSwigluGradArgs& args) {
  return plan_clipped_swiglu_gradient(
      GluUnit{args.kOperator, GluOp::kClippedSwiglu, args.dim, {}, args.interleaved, args.alpha, args.limit, args.bias},
      args.gradY, args.x, args.groupIndexOptional, args.gradXOut);
}
std::shared_ptr<Executor> plan(const SwigluGroupQuantGradArgs& args) { return plan_group_gradient(args); }
std::shared_ptr<Executor> plan(const SwigluGroupGradArgs& args) { return plan_group_gradient(args); }

}  // namespace aclvk::ops
