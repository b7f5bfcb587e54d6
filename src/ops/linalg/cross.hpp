#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnLinalgCross: the cross product of vectors of three elements along `dim` of the shape to which both broadcast.
std::shared_ptr<Executor> plan_linalg_cross(const void* self, const void* other, std::int64_t dim, const void* out);

}  // namespace aclvk::ops
