#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnArange (without `end`) and aclnnRange (with it): start, start + step, ...
std::shared_ptr<Executor> plan_arange(const char* name, const void* start, const void* end, const void* step,
                                      const void* out, bool includes_end);

/// aclnnLinspace: `steps` equidistant numbers, including both ends.
std::shared_ptr<Executor> plan_linspace(const void* start, const void* end, std::int64_t steps, const void* out);

/// aclnnLogSpace: `base` to the power of equidistant numbers.
std::shared_ptr<Executor> plan_logspace(const void* start, const void* end, std::int64_t steps, double base,
                                        const void* result);

}  // namespace aclvk::ops
