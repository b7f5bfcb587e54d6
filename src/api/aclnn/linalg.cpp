// Decompositions, solvers and cross products (ops/linalg).
#include "api/aclnn/operator.hpp"
#include "ops/linalg/cholesky.hpp"
#include "ops/linalg/cross.hpp"
#include "ops/linalg/determinant.hpp"
#include "ops/linalg/qr.hpp"
#include "ops/linalg/solve.hpp"
#include "ops/linalg/stft.hpp"
#include "ops/linalg/svd.hpp"

using namespace aclvk::ops;

extern "C" {

OPERATOR(aclnnLinalgCross, plan_linalg_cross(self, other, dim, out))

OPERATOR(aclnnTriangularSolve, plan_triangular_solve(self, A, upper, transpose, unitriangular, xOut, mOut))
OPERATOR(aclnnInverse, plan_inverse(self, out))
OPERATOR(aclnnLogdet, plan_logdet(self, out))
OPERATOR(aclnnSlogdet, plan_slogdet(self, signOut, logOut))
OPERATOR(aclnnLinalgCholesky, plan_cholesky(self, upper, out))
OPERATOR(aclnnQr, plan_qr("aclnnQr", some ? QrMode::kReduced : QrMode::kComplete, self, Q, R))
OPERATOR(aclnnLinalgQr, plan_qr("aclnnLinalgQr", static_cast<QrMode>(mode), self, Q, R))
OPERATOR(aclStft,
         plan_stft(self, windowOptional, out, {nFft, hopLength, winLength, normalized, onesided, returnComplex}))
OPERATOR(aclnnSvd, plan_svd({input, sigma, u, v}, fullMatrices, computeUV))

}  // extern "C"
