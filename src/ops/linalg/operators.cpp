// The operators of this folder.
#include <memory>

#include "ops/args/linalg.hpp"
#include "ops/linalg/cholesky.hpp"
#include "ops/linalg/cross.hpp"
#include "ops/linalg/determinant.hpp"
#include "ops/linalg/qr.hpp"
#include "ops/linalg/solve.hpp"
#include "ops/linalg/stft.hpp"
#include "ops/linalg/svd.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan(const LinalgCrossArgs& args) {
  return plan_linalg_cross(args.self, args.other, args.dim, args.out);
}
std::shared_ptr<Executor> plan(const TriangularSolveArgs& args) {
  return plan_triangular_solve(args.self, args.A, args.upper, args.transpose, args.unitriangular, args.xOut, args.mOut);
}
std::shared_ptr<Executor> plan(const InverseArgs& args) { return plan_inverse(args.self, args.out); }
std::shared_ptr<Executor> plan(const LogdetArgs& args) { return plan_logdet(args.self, args.out); }
std::shared_ptr<Executor> plan(const SlogdetArgs& args) { return plan_slogdet(args.self, args.signOut, args.logOut); }
std::shared_ptr<Executor> plan(const LinalgCholeskyArgs& args) {
  return plan_cholesky(args.self, args.upper, args.out);
}
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
std::shared_ptr<Executor> plan(const SvdArgs& args) {
  return plan_svd({args.input, args.sigma, args.u, args.v}, args.fullMatrices, args.computeUV);
}

}  // namespace aclvk::ops
