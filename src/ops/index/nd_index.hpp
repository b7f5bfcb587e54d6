#pragma once

#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Gather and scatter by N-d indices (gather_nd, scatter_nd): the last dim of indices has one index for each of the
// first dims of the tensor.

std::shared_ptr<Executor> plan_gather_nd(const InputArg& self, const InputArg& indices, bool from_end,
                                         const OutputArg& out);
std::shared_ptr<Executor> plan_scatter_nd(const InputArg& data, const InputArg& indices, const InputArg& updates,
                                          const OutputArg& out);
std::shared_ptr<Executor> plan_scatter_nd_update(const UpdatedArg& var, const InputArg& indices,
                                                 const InputArg& updates);

}  // namespace aclvk::ops
