#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnArange (without `end`) and aclnnRange (with it): start, start + step, ...
std::shared_ptr<Executor> plan_arange(const char* name, const ScalarArg& start, const ScalarArg& end,
                                      const ScalarArg& step, const OutputArg& out, bool includes_end);

}  // namespace aclvk::ops
