#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"
#include "ops/linalg/qr_blocks.hpp"

namespace aclvk::ops {

/// How much of Q R = A there is: with k = min(rows, columns), Q is rows x k and R k x columns; or Q is square; or only
/// R.
enum class QrMode : std::int64_t { kReduced = 0, kComplete = 1, kOnlyR = 2 };

/// Matrices (count, rows, columns) in the workspace as reflections, which take their place; `factors` has for each of
/// the reflections the diagonal element of R and what the reflection is made with (shaders/linalg/qr.comp).
void reflect(const Work& work, const Tensor& matrices, const Tensor& reflectors);
/// Q of them (rows x rows), or its first columns: (count, rows, 1 to rows columns).
void generate_q(const Work& work, const Tensor& matrices, const Tensor& reflectors, const Tensor& q);

/// aclnnQr, aclnnLinalgQr: Householder's reflections, with the signs of LAPACK. A mode without a name is refused
/// (161002).
std::shared_ptr<Executor> plan_qr(const char* name, QrMode mode, const void* self, const void* q, const void* r);

}  // namespace aclvk::ops
