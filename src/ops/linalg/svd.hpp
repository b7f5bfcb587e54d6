#pragma once

#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnSvd: input = u diag(sigma) v^H, singular values in descending order. With k = min(rows, columns), u is rows x k
/// and v columns x k; with `full_matrices` both are square. Without vectors u and v are not written and may be NULL.
struct SvdHandles {
  InputArg input;
  OutputArg sigma;
  OutputArg u;
  OutputArg v;
};
std::shared_ptr<Executor> plan_svd(const SvdHandles& handles, bool full_matrices, bool with_vectors);

}  // namespace aclvk::ops
