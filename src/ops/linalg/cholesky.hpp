#pragma once

#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnLinalgCholesky: the triangular L with L L^T = self, of its lower triangle; or U with U^T U, of the upper one.
/// What is not positive definite has no such matrix and gives NaN.
std::shared_ptr<Executor> plan_cholesky(const void* self, bool upper, const void* out);

}  // namespace aclvk::ops
