#pragma once

#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnLogdet: log(det A) of each matrix, through LU; NaN for a real determinant below 0.
std::shared_ptr<Executor> plan_logdet(const InputArg& self, const OutputArg& out);

/// aclnnSlogdet: the sign (phase) of each determinant, and the logarithm of its absolute value.
std::shared_ptr<Executor> plan_slogdet(const InputArg& self, const OutputArg& sign_out, const OutputArg& log_out);

}  // namespace aclvk::ops
