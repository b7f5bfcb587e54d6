#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnHistc: the number of elements in each of `bins` equal intervals of [min, max], or of the range of the elements
/// when min equals max.
std::shared_ptr<Executor> plan_histc(const InputArg& self, std::int64_t bins, const ScalarArg& min,
                                     const ScalarArg& max, const OutputArg& out);

/// aclnnBincount: the number of occurrences of each value, or the sum of their weights.
std::shared_ptr<Executor> plan_bincount(const InputArg& self, const InputArg& weights, std::int64_t min_length,
                                        const OutputArg& out);

}  // namespace aclvk::ops
