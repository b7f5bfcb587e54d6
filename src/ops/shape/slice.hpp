#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Slices as in Python: negative bounds count from the end, and bounds are clamped. Steps are positive.

/// The masks of TensorFlow's strided_slice: bit i of a mask concerns value i of the arrays. Strides may be negative.
struct SliceMasks {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t ellipsis;
  std::int64_t new_axis;
  std::int64_t shrink_axis;
};
std::shared_ptr<Executor> plan_strided_slice(const InputArg& self, const IntArrayArg& begin, const IntArrayArg& end,
                                             const IntArrayArg& strides, const SliceMasks& masks, const OutputArg& out);

}  // namespace aclvk::ops
