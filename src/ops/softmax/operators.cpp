// The operators of this folder.
#include <memory>

#include "ops/args/softmax.hpp"
#include "ops/softmax/softmax.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan(const SoftmaxArgs& args) {
  return plan_softmax(args.kOperator, Softmax::kPlain, args.self, args.dim, args.out);
}
std::shared_ptr<Executor> plan(const LogSoftmaxArgs& args) {
  return plan_softmax(args.kOperator, Softmax::kLog, args.self, args.dim, args.out);
}
std::shared_ptr<Executor> plan(const SoftmaxBackwardArgs& args) {
  return plan_softmax_backward(args.kOperator, Softmax::kPlain, args.gradOutput, args.output, args.dim, args.out);
}
std::shared_ptr<Executor> plan(const LogSoftmaxBackwardArgs& args) {
  return plan_softmax_backward(args.kOperator, Softmax::kLog, args.gradOutput, args.output, args.dim, args.out);
}

}  // namespace aclvk::ops
