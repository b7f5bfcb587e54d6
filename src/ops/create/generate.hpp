#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnArange (without `end`) and aclnnRange (with it): start, start + step, ...
std::shared_ptr<Executor> plan_arange(const char* name, const void* start, const void* end, const void* step,
                                      const void* out, bool includes_end);

/// aclnnLinspace: `steps` numbers at equal distances, both ends among them.
std::shared_ptr<Executor> plan_linspace(const void* start, const void* end, std::int64_t steps, const void* out);

/// aclnnLogSpace: `base` to these powers.
std::shared_ptr<Executor> plan_logspace(const void* start, const void* end, std::int64_t steps, double base,
                                        const void* result);

}  // namespace aclvk::ops
