#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/linalg/qr_blocks.hpp"

namespace aclvk::ops {

/// The shapes of Q and R, with k = min(rows, columns): reduced has Q rows x k and R k x columns; complete has a square
/// Q; or R alone.
enum class QrMode : std::int64_t { kReduced = 0, kComplete = 1, kOnlyR = 2 };

/// Householder QR in place (LAPACK geqrf), one work group a matrix or several: `matrices`, (count, rows, columns),
/// receive R above the diagonal and the unscaled reflector vectors below. `reflectors`, (count, k, 3), receive for each
/// reflector the diagonal element of R, tau, and the scale of the vector (shaders/linalg/qr.comp).
void reflect(const Work& work, const Tensor& matrices, const Tensor& reflectors);
/// Forms Q, or its leading columns, from the reflectors (LAPACK orgqr, ungqr): q is (count, rows, 1 to rows columns).
void generate_q(const Work& work, const Tensor& matrices, const Tensor& reflectors, const Tensor& q);

/// aclnnQr, aclnnLinalgQr: A = Q R by Householder reflectors, with LAPACK's signs. 161002 for a mode outside QrMode.
std::shared_ptr<Executor> plan_qr(const char* name, QrMode mode, const InputArg& self, const OutputArg& q,
                                  const OutputArg& r);

}  // namespace aclvk::ops
