#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnMultilabelMarginLoss: for self (N, C) or (C) the mean over all classes of how far those that are no targets
/// come closer than 1 below those that are. A sample's targets end before the first index below 0; one that names no
/// class does not count. is_target tells which classes are targets.
std::shared_ptr<Executor> plan_multilabel_margin(const void* self, const void* target, std::int64_t reduction,
                                                 const void* out, const void* is_target);

}  // namespace aclvk::ops
