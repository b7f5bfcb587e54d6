#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnExpandIntoJaggedPermute: the numbers of the elements of segments that are brought into another order. Offsets
/// tell where segments begin, and behind the last one the end.
std::shared_ptr<Executor> plan_jagged_permute(const void* permute, const void* input_offset, const void* output_offset,
                                              std::int64_t output_size, const void* out);

/// aclnnThreeInterpolateBackward: each gradient goes to three of `points` elements, by weights.
std::shared_ptr<Executor> plan_three_interpolate_backward(const void* grad, const void* indices, const void* weights,
                                                          int points, const void* out);

}  // namespace aclvk::ops
