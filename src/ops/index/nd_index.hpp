#pragma once

#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

// The last dim of indices holds an index for each of the first dims of the tensor.

std::shared_ptr<Executor> plan_gather_nd(const void* self, const void* indices, bool from_end, const void* out);
std::shared_ptr<Executor> plan_scatter_nd(const void* data, const void* indices, const void* updates, const void* out);
std::shared_ptr<Executor> plan_scatter_nd_update(const void* var, const void* indices, const void* updates);

}  // namespace aclvk::ops
