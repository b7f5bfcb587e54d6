#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"
#include "ops/random/source.hpp"

namespace aclvk::ops {

/// aclnnRandperm: the numbers from 0 to n - 1, each once.
std::shared_ptr<Executor> plan_permutation(std::int64_t n, const void* out, const SourceHandles& source);

/// aclnnMultinomial and its form: for each row of weights the places of `count` elements, each as likely as its share
/// of the weights, or, without `replacement`, of those that are left.
std::shared_ptr<Executor> plan_multinomial(const char* name, const void* self, std::int64_t count, bool replacement,
                                           const void* out, const SourceHandles& source);

}  // namespace aclvk::ops
