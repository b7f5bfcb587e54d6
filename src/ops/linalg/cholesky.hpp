#pragma once

#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnLinalgCholesky: the lower triangular L with L L^T = self, from the lower triangle of self; with `upper` U with
/// U^T U = self, from the upper triangle. A matrix that is not positive definite gives NaN.
std::shared_ptr<Executor> plan_cholesky(const void* self, bool upper, const void* out);

}  // namespace aclvk::ops
