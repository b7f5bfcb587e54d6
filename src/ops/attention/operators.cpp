// The operators of this folder.
#include <memory>

#include "ops/args/attention.hpp"
#include "ops/attention/rope.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan(const RotaryPositionEmbeddingArgs& args) {
  return plan_rotary(args.x, args.cos, args.sin, args.mode, args.out);
}
std::shared_ptr<Executor> plan(const ApplyRotaryPosEmbArgs& args) {
  return plan_apply_rotary(args.kOperator, {args.queryRef, args.keyRef, args.cos, args.sin, args.layout}, 1, "half");
}
std::shared_ptr<Executor> plan(const ApplyRotaryPosEmbV2Args& args) {
  return plan_apply_rotary(args.kOperator, {args.queryRef, args.keyRef, args.cos, args.sin, args.layout}, 4,
                           args.rotaryMode.handle);
}
std::shared_ptr<Executor> plan(const RopeWithSinCosCacheArgs& args) {
  return plan_rope_with_cache({args.positions, args.queryIn, args.keyIn, args.cosSinCache, args.mropeSection,
                               args.headSize, args.isNeoxStyle, args.queryOut, args.keyOut});
}

}  // namespace aclvk::ops
