#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// The kind of extreme: kOperator of shaders/reduction/select.glsl.
enum class Extreme : std::uint32_t { kHighest = 0, kLowest = 1 };

/// aclnnMaxDim and aclnnMinDim: the extreme along a dim and its index. The first of equal elements counts; NaN wins.
std::shared_ptr<Executor> plan_extreme_dim(const char* name, Extreme extreme, const InputArg& self, std::int64_t dim,
                                           bool keep, const OutputArg& out, const OutputArg& indices);

/// aclnnArgMax and aclnnArgMin: only the index.
std::shared_ptr<Executor> plan_arg_extreme(const char* name, Extreme extreme, const InputArg& self, std::int64_t dim,
                                           bool keep, const OutputArg& out);

}  // namespace aclvk::ops
