#pragma once

#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnEmbeddingRenorm: scales the indexed rows of selfRef down to max_norm when their norm is higher. Each row is
/// scaled once, even when several indices select it.
std::shared_ptr<Executor> plan_embedding_renorm(const UpdatedArg& self, const InputArg& indices, double max_norm,
                                                double norm_type);

}  // namespace aclvk::ops
