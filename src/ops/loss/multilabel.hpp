#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnMultilabelMarginLoss for self (N, C) or (C): the sum over targets t and non-targets i of max(0, 1 - (self[t] -
/// self[i])), divided by C. A sample's targets end before the first negative index; an index of C or more is ignored.
/// is_target receives 1 for each class that is a target.
std::shared_ptr<Executor> plan_multilabel_margin(const InputArg& self, const InputArg& target, std::int64_t reduction,
                                                 const OutputArg& out, const OutputArg& is_target);

}  // namespace aclvk::ops
