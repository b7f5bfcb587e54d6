#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Slices as in Python: negative bounds count from the end, and bounds are clamped. Steps are positive.

std::shared_ptr<Executor> plan_slice(const void* self, std::int64_t dim, std::int64_t start, std::int64_t end,
                                     std::int64_t step, const void* out);
std::shared_ptr<Executor> plan_slice_v2(const void* self, const void* starts, const void* ends, const void* axes,
                                        const void* steps, const void* out);
/// varRef[slices] = inputValue. Without axes the slices apply to the first dims.
std::shared_ptr<Executor> plan_strided_slice_assign(const void* var, const void* value, const void* begin,
                                                    const void* end, const void* strides, const void* axes);

/// The masks of TensorFlow's strided_slice: bit i of a mask concerns value i of the arrays. Strides may be negative.
struct SliceMasks {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t ellipsis;
  std::int64_t new_axis;
  std::int64_t shrink_axis;
};
std::shared_ptr<Executor> plan_strided_slice(const void* self, const void* begin, const void* end, const void* strides,
                                             const SliceMasks& masks, const void* out);

}  // namespace aclvk::ops
