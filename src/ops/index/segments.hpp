#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnExpandIntoJaggedPermute: expands a permutation of segments to a permutation of their elements. Offsets are the
/// starts of segments, followed by the end of the last one.
std::shared_ptr<Executor> plan_jagged_permute(const InputArg& permute, const InputArg& input_offset,
                                              const InputArg& output_offset, std::int64_t output_size,
                                              const OutputArg& out);

/// aclnnThreeInterpolateBackward: adds each gradient, weighted, to three of `points` elements.
std::shared_ptr<Executor> plan_three_interpolate_backward(const InputArg& grad, const InputArg& indices,
                                                          const InputArg& weights, int points, const OutputArg& out);

}  // namespace aclvk::ops
