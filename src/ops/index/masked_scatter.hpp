#pragma once

#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnInplaceMaskedScatter: replaces the elements of self where the mask, which broadcasts, is true by consecutive
/// elements of source.
std::shared_ptr<Executor> plan_masked_scatter(const UpdatedArg& self, const InputArg& mask, const InputArg& source);

}  // namespace aclvk::ops
