#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnLinalgCross: cross products along `dim` of the broadcast shape, where both operands have three elements.
std::shared_ptr<Executor> plan_linalg_cross(const InputArg& self, const InputArg& other, std::int64_t dim,
                                            const OutputArg& out);

}  // namespace aclvk::ops
