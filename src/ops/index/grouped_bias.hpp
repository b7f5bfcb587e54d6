#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnGroupedBiasAddGrad and its second version: the sum of the rows of each group. Groups are ranges of rows of a
/// matrix: `groups` has their ends (type 0) or sizes (type 1). Without `groups` the first of three dims is the group.
std::shared_ptr<Executor> plan_grouped_bias_gradient(const char* name, const InputArg& gradient, const InputArg& groups,
                                                     std::int64_t type, const OutputArg& out);

}  // namespace aclvk::ops
