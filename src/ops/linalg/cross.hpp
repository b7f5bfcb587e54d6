#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnLinalgCross: cross products along `dim` of the broadcast shape, where both operands have three elements.
std::shared_ptr<Executor> plan_linalg_cross(const void* self, const void* other, std::int64_t dim, const void* out);

}  // namespace aclvk::ops
