#pragma once

#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnLogdet: the logarithm of each matrix's determinant; NaN for a real one below 0.
std::shared_ptr<Executor> plan_logdet(const void* self, const void* out);

/// aclnnSlogdet: the determinant's sign, and the logarithm of its magnitude.
std::shared_ptr<Executor> plan_slogdet(const void* self, const void* sign_out, const void* log_out);

}  // namespace aclvk::ops
