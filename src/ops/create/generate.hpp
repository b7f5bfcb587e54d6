#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnArange (without `end`) and aclnnRange (with it): start, start + step, ...
std::shared_ptr<Executor> plan_arange(const char* name, const ScalarArg& start, const ScalarArg& end,
                                      const ScalarArg& step, const OutputArg& out, bool includes_end);

/// aclnnLinspace: `steps` equidistant numbers, including both ends.
std::shared_ptr<Executor> plan_linspace(const ScalarArg& start, const ScalarArg& end, std::int64_t steps,
                                        const OutputArg& out);

/// aclnnLogSpace: `base` to the power of equidistant numbers.
std::shared_ptr<Executor> plan_logspace(const ScalarArg& start, const ScalarArg& end, std::int64_t steps, double base,
                                        const InputArg& result);

}  // namespace aclvk::ops
