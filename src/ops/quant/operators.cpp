// The operators of this folder.
#include <memory>

#include "ops/args/quant.hpp"
#include "ops/quant/gelu_quant.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan(const GeluQuantArgs& args) {
  return plan_gelu_quant({args.self, args.inputScaleOptional, args.inputOffsetOptional, args.approximate.handle,
                          args.quantMode.handle, args.roundMode.handle, args.dstType, args.y, args.outScaleOptional});
}

}  // namespace aclvk::ops
