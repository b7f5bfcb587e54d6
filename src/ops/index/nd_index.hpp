#pragma once

#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Gather and scatter by N-d indices (gather_nd, scatter_nd): the last dim of indices has one index for each of the
// first dims of the tensor.

std::shared_ptr<Executor> plan_gather_nd(const void* self, const void* indices, bool from_end, const void* out);
std::shared_ptr<Executor> plan_scatter_nd(const void* data, const void* indices, const void* updates, const void* out);
std::shared_ptr<Executor> plan_scatter_nd_update(const void* var, const void* indices, const void* updates);

}  // namespace aclvk::ops
