#pragma once

#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnSvd: input = u diag(sigma) v^H, the largest values first. With k = min(rows, columns), u has k columns and v,
/// too, or both are square; without vectors u and v are left alone and may be NULL.
struct SvdHandles {
  const void* input;
  const void* sigma;
  const void* u;
  const void* v;
};
std::shared_ptr<Executor> plan_svd(const SvdHandles& handles, bool full_matrices, bool with_vectors);

}  // namespace aclvk::ops
