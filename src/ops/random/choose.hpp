#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/random/source.hpp"

namespace aclvk::ops {

/// aclnnRandperm: a random permutation of the numbers from 0 to n - 1.
std::shared_ptr<Executor> plan_permutation(std::int64_t n, const OutputArg& out, const SourceHandles& source);

/// aclnnMultinomial and its forms: draws the indices of `count` elements from each row of weights, with or without
/// `replacement`.
std::shared_ptr<Executor> plan_multinomial(const char* name, const InputArg& self, std::int64_t count, bool replacement,
                                           const OutputArg& out, const SourceHandles& source);

}  // namespace aclvk::ops
