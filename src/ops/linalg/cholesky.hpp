#pragma once

#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnLinalgCholesky: the lower triangular L with L L^T = self, from the lower triangle of self; with `upper` U with
/// U^T U = self, from the upper triangle. A matrix that is not positive definite gives NaN.
std::shared_ptr<Executor> plan_cholesky(const InputArg& self, bool upper, const OutputArg& out);

}  // namespace aclvk::ops
