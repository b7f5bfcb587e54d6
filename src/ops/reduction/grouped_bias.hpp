#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnGroupedBiasAddGrad and its second version: the sum of the rows of each group. Groups are rows of a matrix,
/// whose ends (type 0) or numbers of rows (type 1) `groups` has; or, where it is NULL, the first dim of three.
std::shared_ptr<Executor> plan_grouped_bias_gradient(const char* name, const void* gradient, const void* groups,
                                                     std::int64_t type, const void* out);

}  // namespace aclvk::ops
