#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnHistc: the number of elements in each of `bins` equal intervals of [min, max], or of the range of the elements
/// when min equals max.
std::shared_ptr<Executor> plan_histc(const void* self, std::int64_t bins, const void* min, const void* max,
                                     const void* out);

/// aclnnBincount: the number of occurrences of each value, or the sum of their weights.
std::shared_ptr<Executor> plan_bincount(const void* self, const void* weights, std::int64_t min_length,
                                        const void* out);

}  // namespace aclvk::ops
