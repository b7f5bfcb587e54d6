#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnExpandIntoJaggedPermute: expands a permutation of segments to a permutation of their elements. Offsets are the
/// starts of segments, followed by the end of the last one.
std::shared_ptr<Executor> plan_jagged_permute(const void* permute, const void* input_offset, const void* output_offset,
                                              std::int64_t output_size, const void* out);

/// aclnnThreeInterpolateBackward: adds each gradient, weighted, to three of `points` elements.
std::shared_ptr<Executor> plan_three_interpolate_backward(const void* grad, const void* indices, const void* weights,
                                                          int points, const void* out);

}  // namespace aclvk::ops
