#pragma once

#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnEmbeddingRenorm: the rows of selfRef that indices name are scaled down to max_norm where their norm is higher;
/// each once, however often it is named.
std::shared_ptr<Executor> plan_embedding_renorm(const void* self, const void* indices, double max_norm,
                                                double norm_type);

}  // namespace aclvk::ops
