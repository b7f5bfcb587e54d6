#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// How much of Q R = A there is: with k = min(rows, columns), Q is rows x k and R k x columns; or Q is square; or only
/// R.
enum class QrMode : std::int64_t { kReduced = 0, kComplete = 1, kOnlyR = 2 };

/// aclnnQr, aclnnLinalgQr: Householder's reflections, with the signs of LAPACK. A mode without a name is refused
/// (161002).
std::shared_ptr<Executor> plan_qr(const char* name, QrMode mode, const void* self, const void* q, const void* r);

}  // namespace aclvk::ops
