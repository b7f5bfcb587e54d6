#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnMultilabelMarginLoss for self (N, C) or (C): the sum over targets t and non-targets i of max(0, 1 - (self[t] -
/// self[i])), divided by C. A sample's targets end before the first negative index; an index of C or more is ignored.
/// is_target receives 1 for each class that is a target.
std::shared_ptr<Executor> plan_multilabel_margin(const void* self, const void* target, std::int64_t reduction,
                                                 const void* out, const void* is_target);

}  // namespace aclvk::ops
