#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnHistc: how many elements are in each of `bins` equal parts of [min, max], or of the elements' own range where
/// min and max are the same.
std::shared_ptr<Executor> plan_histc(const void* self, std::int64_t bins, const void* min, const void* max,
                                     const void* out);

/// aclnnBincount: how often each number occurs, or the sum of its weights.
std::shared_ptr<Executor> plan_bincount(const void* self, const void* weights, std::int64_t min_length,
                                        const void* out);

}  // namespace aclvk::ops
