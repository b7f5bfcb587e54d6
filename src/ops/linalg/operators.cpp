// The operators of this folder.
#include <memory>

#include "ops/args/linalg.hpp"
#include "ops/linalg/qr.hpp"
#include "ops/linalg/stft.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan(const QrArgs& args) {
  return plan_qr(args.kOperator, args.some ? QrMode::kReduced : QrMode::kComplete, args.self, args.Q, args.R);
}
std::shared_ptr<Executor> plan(const LinalgQrArgs& args) {
  return plan_qr(args.kOperator, static_cast<QrMode>(args.mode.value), args.self, args.Q, args.R);
}
std::shared_ptr<Executor> plan(const StftArgs& args) {
  return plan_stft(args.self, args.windowOptional, args.out,
                   {args.nFft, args.hopLength, args.winLength, args.normalized, args.onesided, args.returnComplex});
}

}  // namespace aclvk::ops
